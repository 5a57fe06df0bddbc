Feature: Preemption on Kubernetes

  Victims end as pods do, with their grace. Their room is taken after they have ended.

  Background:
    Given the queues:
      """
      partitions:
      - name: default
        queues:
        - name: root
          queues:
          - name: prod
            resources: {guaranteed: {vcore: 2}}
            properties: {preemption.delay: 1s}
          - name: batch
      """
    And the nodes:
      | name | cpu | memory |
      | n1   | 2   | 8Gi    |

  Scenario: a queue below its guarantee takes its room back
    Given Quern runs
    When the pods are created:
      | name | queue      | cpu |
      | low  | root.batch | 2   |
    Then pod low is on node n1
    When the pods are created:
      | name | queue     | cpu |
      | high | root.prod | 2   |
    Then pod low is preempted: "Preempted for pod default/high on node n1"
    And pod high is on node n1

  Scenario: a pod that does not allow it is preempted as the last
    Given the nodes:
      | name | cpu | memory |
      | n2   | 2   | 8Gi    |
    And Quern runs
    When the pods are created:
      | name | queue      | cpu | annotations                                |
      | kept | root.batch | 2   | yunikorn.apache.org/allow-preemption=false |
      | easy | root.batch | 2   |                                            |
    Then pods "kept, easy" are on nodes
    When the pods are created:
      | name | queue     | cpu |
      | high | root.prod | 2   |
    Then pod easy is preempted: "Preempted for pod default/high"
    And pod high is on a node
    And pod kept is on a node

  Scenario: the room of a pod that is deleted is awaited
    Given the nodes:
      | name | cpu | memory |
      | n2   | 2   | 8Gi    |
    And Quern runs
    When these objects are created:
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: ending, labels: {queue: root.batch}, finalizers: [example.com/hold]}
      spec:
        schedulerName: quern
        containers: [{name: c, image: image, resources: {requests: {cpu: 2}}}]
      """
    And the pods are created:
      | name  | queue      | cpu |
      | other | root.batch | 2   |
    Then pods "ending, other" are on nodes
    When pod ending is deleted
    And the pods are created:
      | name | queue     | cpu |
      | high | root.prod | 2   |
    Then pod high waits as Waiting: "needs no victims"
    And pod other is on a node

  Scenario: a PriorityClass preempts in a queue that lets pods of higher priority do so
    Given the queues:
      """
      partitions:
      - name: default
        queues:
        - name: root
          properties: {preemption.intra-queue: enabled, preemption.delay: 1s}
          queues:
          - name: batch
      """
    And these objects:
      """
      apiVersion: scheduling.k8s.io/v1
      kind: PriorityClass
      metadata: {name: urgent}
      value: 1000
      """
    And Quern runs
    When the pods are created:
      | name | queue      | cpu |
      | low  | root.batch | 2   |
    Then pod low is on node n1
    When these objects are created:
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: high, labels: {queue: root.batch}}
      spec:
        schedulerName: quern
        priorityClassName: urgent
        containers: [{name: c, image: image, resources: {requests: {cpu: 2}}}]
      """
    Then pod low is preempted: "Preempted for pod default/high on node n1"
    And pod high is on node n1
