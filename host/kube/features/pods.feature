Feature: Pods of a Kubernetes cluster

  Pods that name Quern as their scheduler are bound by its queues and nodes. All other pods count as they stand.

  Background:
    Given the queues:
      """
      partitions:
      - name: default
        queues:
        - name: root
          queues:
          - name: web
          - name: batch
            resources: {max: {vcore: 2}}
      """
    And the nodes:
      | name | cpu | memory |
      | n1   | 4   | 8Gi    |

  Rule: a pod goes to a node that has room

    Scenario: pods are bound, and those of other schedulers keep their room
      Given the pods:
        | name    | scheduler | node | cpu |
        | foreign | other     | n1   | 3   |
      And Quern runs
      When the pods are created:
        | name  | queue    | cpu  |
        | web-1 | root.web | 600m |
        | web-2 | root.web | 600m |
      Then 1 pod of "web-1, web-2" is on node n1
      And the other waits as Unschedulable: "1 node with too little vcore free"
      When pod foreign is deleted
      Then pods "web-1, web-2" are on node n1

    Scenario: a pod for which no node is large enough is bound once there is one
      Given Quern runs
      When the pods are created:
        | name  | queue    | cpu |
        | large | root.web | 6   |
      Then pod large waits as Unschedulable: "vcore"
      And the events of pod large tell FailedScheduling: "vcore"
      When the nodes are added:
        | name | cpu | memory |
        | n2   | 8   | 8Gi    |
      Then pod large is on node n2

    Scenario: labels, taints and affinity hold
      Given the nodes:
        | name | cpu | memory | labels  | taint                    |
        | n2   | 4   | 8Gi    | disk=ssd | dedicated=db:NoSchedule |
      And Quern runs
      When these objects are created:
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: db, labels: {queue: root.web}}
        spec:
          schedulerName: quern
          nodeSelector: {disk: ssd}
          tolerations: [{key: dedicated, operator: Equal, value: db, effect: NoSchedule}]
          containers: [{name: db, image: db, resources: {requests: {cpu: 1}}}]
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: plain, labels: {queue: root.web}}
        spec:
          schedulerName: quern
          nodeSelector: {disk: ssd}
          containers: [{name: plain, image: plain, resources: {requests: {cpu: 1}}}]
        """
      Then pod db is on node n2
      And pod plain waits as Unschedulable: "taint"

    Scenario: pods that keep away from one another are on different nodes
      Given the nodes:
        | name | cpu | memory |
        | n2   | 4   | 8Gi    |
      And Quern runs
      When these objects are created:
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: apart}
        spec:
          replicas: 3
          selector: {matchLabels: {run: apart}}
          template:
            metadata: {labels: {run: apart, queue: root.web}}
            spec:
              schedulerName: quern
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {run: apart}}}
              containers: [{name: apart, image: apart, resources: {requests: {cpu: 100m}}}]
        """
      Then 2 pods with label run=apart are on different nodes
      And the other waits as Unschedulable: "2 nodes ruled out by a predicate (node(s) didn't match pod anti-affinity rules (InterPodAffinity))"

  Rule: queues decide who may ask, and autoscalers are not called for pods that their queue keeps out

    Scenario: a pod beyond the max of its queue waits for the queue, not for a node
      Given Quern runs
      When the pods are created:
        | name | queue      | cpu |
        | b-1  | root.batch | 2   |
      Then pod b-1 is on node n1
      When the pods are created:
        | name | queue      | cpu |
        | b-2  | root.batch | 1   |
      Then pod b-2 waits as QueueQuota: "root.batch"
      When pod b-1 is deleted
      Then pod b-2 is on node n1

    Scenario: a pod of an unknown queue is refused until the queue is there
      Given Quern runs
      When the pods are created:
        | name | queue      | cpu |
        | lost | root.later | 1   |
      Then pod lost waits as Refused: "root.later"
      When the queues become:
        """
        partitions:
        - name: default
          queues:
          - name: root
            queues:
            - name: later
        """
      Then pod lost is on node n1

    Scenario: the quota of a namespace limits the queue that is made for it
      Given the queues:
        """
        partitions:
        - name: default
          placementrules: [{name: tag, value: namespace, create: true}]
          queues:
          - name: root
        """
      And these objects:
        """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: team-a
          annotations: {yunikorn.apache.org/namespace.quota: '{"cpu": "1"}'}
        """
      And Quern runs
      When the pods are created:
        | name | namespace | cpu  |
        | a-1  | team-a    | 600m |
        | a-2  | team-a    | 600m |
      Then 1 pod of "team-a/a-1, team-a/a-2" is on node n1
      And the other waits as QueueQuota: "root.team-a"

  Rule: a message says first what decides, and leaves out nodes that are not meant for the pod

    Scenario: a full node comes first, and the control plane is left out
      Given the nodes:
        | name  | cpu | memory | taint                                              |
        | plane | 8   | 8Gi    | node-role.kubernetes.io/control-plane=:NoSchedule |
        | db    | 8   | 8Gi    | dedicated=db:NoSchedule                            |
      And Quern runs
      When the pods are created:
        | name  | queue    | cpu |
        | first | root.web | 3   |
      Then pod first is on node n1
      When the pods are created:
        | name   | queue    | cpu |
        | second | root.web | 3   |
      Then pod second waits as Unschedulable, first of all: "1 node with too little vcore free. 1 node without an allowed value of untolerated taints."
      And the message of pod second leaves out "control-plane"

    Scenario: a pod that no node is large enough for learns that first
      Given Quern runs
      When the pods are created:
        | name  | queue    | cpu |
        | large | root.web | 6   |
      Then pod large waits as Unschedulable, first of all: "It can never run with the current queues and nodes: it needs 6 vcore, the largest node has 4."

  Rule: what was written for YuniKorn means the same here

    Scenario: the deprecated annotations of a namespace limit its queue
      Given the queues:
        """
        partitions:
        - name: default
          placementrules: [{name: tag, value: namespace, create: true}]
          queues:
          - name: root
        """
      And these objects:
        """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: old-quota
          annotations: {yunikorn.apache.org/namespace.max.cpu: 300m, yunikorn.apache.org/namespace.max.memory: 300M}
        """
      And Quern runs
      When the pods are created:
        | name | namespace | cpu  |
        | a-1  | old-quota | 200m |
        | a-2  | old-quota | 200m |
      Then 1 pod of "old-quota/a-1, old-quota/a-2" is on node n1
      And the other waits as QueueQuota: "root.old-quota"

    Scenario: the label names the application and the queue before the annotation
      Given Quern runs
      When these objects are created:
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: labelled
          labels: {yunikorn.apache.org/app-id: by-label, yunikorn.apache.org/queue: root.batch}
          annotations: {yunikorn.apache.org/app-id: by-annotation, yunikorn.apache.org/queue: root.web}
        spec:
          schedulerName: quern
          containers: [{name: c, image: c, resources: {requests: {cpu: 3}}}]
        """
      Then pod labelled waits as QueueQuota: "of application by-label waits in root.batch"

    Scenario: members of a task group that needs none run beside the gang
      Given Quern runs
      When these objects are created:
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: spare
          labels: {applicationId: job, queue: root.web}
          annotations:
            yunikorn.apache.org/task-group-name: spare
            yunikorn.apache.org/task-groups: '[{"name": "spare", "minMember": 0, "minResource": {"cpu": "1"}}]'
        spec:
          schedulerName: quern
          containers: [{name: c, image: c, resources: {requests: {cpu: 1}}}]
        """
      Then pod spare is on node n1
