Feature: Nodes of a Kubernetes cluster that are lost

  A node that is not ready or unreachable gets taints from the node controller. Nothing new is bound to it, and its room is nobody's. Pods on it
  count until they are gone.

  Background:
    Given the queues:
      """
      partitions:
      - name: default
        queues:
        - name: root
          queues:
          - name: web
          - name: prod
            resources: {guaranteed: {vcore: 2}}
            properties: {preemption.delay: 1s}
      """
    And the nodes:
      | name | cpu | memory |
      | n1   | 4   | 8Gi    |

  Rule: what a lost node had is made anew elsewhere, and its room is nobody's

    Scenario: pods of an unreachable node go elsewhere, and those for which only its room is left wait until it is back
      Given Quern runs
      And these objects:
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 2
          selector: {matchLabels: {run: web}}
          template:
            metadata: {labels: {run: web, queue: root.web}}
            spec:
              schedulerName: quern
              tolerations:
              - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 1}
              containers: [{name: web, image: web, resources: {requests: {cpu: 1}}}]
        """
      Then 2 pods with label run=web are on node n1
      When the nodes are added:
        | name | cpu | memory |
        | n2   | 2   | 8Gi    |
      And node n1 is unreachable
      Then 2 pods with label run=web are on node n2
      And 2 pods with label run=web are on node n1
      When the pods are created:
        | name | queue    | cpu |
        | late | root.web | 1   |
      Then pod late waits as Unschedulable: "unreachable"
      When node n1 is back
      Then pod late is on node n1
      And 0 pods with label run=web are on node n1

    @long
    Scenario: pods of a node that comes again under its name keep their room
      Given Quern runs
      When the pods are created:
        | name | queue    | cpu |
        | old  | root.web | 3   |
      Then pod old is on node n1
      When node n1 is deleted
      And the pods are created:
        | name  | queue    | cpu |
        | new-1 | root.web | 1   |
        | new-2 | root.web | 1   |
      And the nodes are added:
        | name | cpu | memory |
        | n1   | 4   | 8Gi    |
      Then 1 pod of "new-1, new-2" is on node n1
      And the other waits as Unschedulable: "vcore"

  @long
  Rule: nothing that was kept on a node is awaited once it is lost

    Scenario: a pod does not wait for the room of one that cannot end
      Given Quern runs
      When these objects are created:
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gone, labels: {queue: root.web}}
        spec:
          schedulerName: quern
          containers: [{name: c, image: image, resources: {requests: {cpu: 4}}}]
        """
      Then pod gone is on node n1
      When the nodes are added:
        | name | cpu | memory |
        | n2   | 2   | 8Gi    |
      And the pods are created:
        | name | queue    | cpu |
        | low  | root.web | 2   |
      Then pod low is on node n2
      When node n1 is unreachable
      And pod gone is deleted
      And the pods are created:
        | name | queue     | cpu |
        | high | root.prod | 2   |
      Then pod high is on node n2 within 20 seconds

    Scenario: a pod that was to have the room of a victim on the lost node goes elsewhere
      Given Quern runs
      When these objects are created:
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: low, labels: {queue: root.web}, finalizers: [example.com/hold]}
        spec:
          schedulerName: quern
          containers: [{name: c, image: image, resources: {requests: {cpu: 4}}}]
        """
      Then pod low is on node n1
      When the pods are created:
        | name | queue     | cpu |
        | high | root.prod | 2   |
      Then the events of pod low tell Preempted: "Preempted for pod default/high on node n1"
      When node n1 is unreachable
      And the nodes are added:
        | name | cpu | memory |
        | n2   | 2   | 8Gi    |
      Then pod high is on node n2 within 20 seconds

  Rule: a gang is placed without the room of a lost node

    Scenario: a gang waits for a node that is not ready, and a member that was on a lost one goes elsewhere
      Given Quern runs
      And the nodes are added:
        | name | cpu | memory |
        | n2   | 2   | 8Gi    |
      And node n2 is not ready
      When these objects are created:
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: train}
        spec:
          replicas: 3
          selector: {matchLabels: {applicationId: train}}
          template:
            metadata:
              labels: {applicationId: train, queue: root.web}
              annotations:
                yunikorn.apache.org/task-group-name: workers
                yunikorn.apache.org/task-groups: '[{"name": "workers", "minMember": 3, "minResource": {"cpu": "2"}}]'
            spec:
              schedulerName: quern
              tolerations:
              - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 1}
              containers: [{name: train, image: train, resources: {requests: {cpu: 2}}}]
        """
      Then 3 pods with label applicationId=train wait as Unschedulable: "gang"
      When node n2 is back
      Then 3 pods with label applicationId=train are on nodes
      When node n2 is unreachable
      And the nodes are added:
        | name | cpu | memory |
        | n3   | 2   | 8Gi    |
      Then 1 pod with label applicationId=train is on node n3
      And 2 pods with label applicationId=train are on node n1

    Scenario: executors do not take the room that was held for them on a node that is lost
      Given Quern runs
      When these objects are created:
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: etl-driver
          labels: {spark-app-selector: etl, spark-role: driver, queue: root.web}
          annotations:
            yunikorn.apache.org/task-group-name: driver
            yunikorn.apache.org/task-groups: >-
              [{"name": "driver", "minMember": 1, "minResource": {"cpu": "1"}},
               {"name": "executors", "minMember": 2, "minResource": {"cpu": "1"}}]
        spec:
          schedulerName: quern
          containers: [{name: spark, image: spark, resources: {requests: {cpu: 1}}}]
        """
      Then pod etl-driver is on node n1
      When node n1 is unreachable
      And the nodes are added:
        | name | cpu | memory |
        | n2   | 2   | 8Gi    |
      And these objects are created:
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: etl-exec-1
          labels: {spark-app-selector: etl, spark-role: executor, queue: root.web}
          annotations: {yunikorn.apache.org/task-group-name: executors}
        spec:
          schedulerName: quern
          containers: [{name: spark, image: spark, resources: {requests: {cpu: 1}}}]
        ---
        apiVersion: v1
        kind: Pod
        metadata:
          name: etl-exec-2
          labels: {spark-app-selector: etl, spark-role: executor, queue: root.web}
          annotations: {yunikorn.apache.org/task-group-name: executors}
        spec:
          schedulerName: quern
          containers: [{name: spark, image: spark, resources: {requests: {cpu: 1}}}]
        """
      Then pods "etl-exec-1, etl-exec-2" are on node n2
