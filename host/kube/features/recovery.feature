Feature: Recovery on Kubernetes

  The cluster is the record: whatever ends, the next process reads it and goes on.

  Background:
    Given the queues:
      """
      partitions:
      - name: default
        queues:
        - name: root
          queues:
          - name: web
      """
    And the nodes:
      | name | cpu | memory |
      | n1   | 2   | 8Gi    |

  Scenario: after a kill, running pods keep their room and waiting ones are bound
    Given Quern runs
    When the pods are created:
      | name | queue    | cpu |
      | a    | root.web | 1   |
    Then pod a is on node n1
    When Quern is killed
    And the pods are created:
      | name | queue    | cpu |
      | b    | root.web | 1   |
      | c    | root.web | 1   |
    And Quern runs
    Then 1 pod of "b, c" is on node n1
    And the other waits as Unschedulable: "vcore"

  Scenario: another replica takes over
    Given a replica of Quern with a lease of 3 seconds leads
    And another replica waits
    When the replica that leads is killed
    And the pods are created:
      | name | queue    | cpu |
      | a    | root.web | 1   |
    Then pod a is on node n1 within 6 seconds

  Scenario: what a lost node had is made anew elsewhere
    Given Quern runs
    And these objects:
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 1
        selector: {matchLabels: {run: web}}
        template:
          metadata: {labels: {run: web, queue: root.web}}
          spec:
            schedulerName: quern
            containers: [{name: web, image: web, resources: {requests: {cpu: 1}}}]
      """
    Then 1 pod with label run=web is on node n1
    When the nodes are added:
      | name | cpu | memory |
      | n2   | 2   | 8Gi    |
    And node n1 is deleted
    Then 1 pod with label run=web is on node n2
