Feature: Gangs on Kubernetes

  A gang is placed as a whole. Pods that exist already are placed by one decision; for those that their application makes later,
  placeholders hold the room. No placeholder is a pod.

  Background:
    Given the queues:
      """
      partitions:
      - name: default
        queues:
        - name: root
          queues:
          - name: ml
      """
    And the nodes:
      | name | cpu | memory |
      | n1   | 2   | 8Gi    |

  Scenario: a job waits until there is room for all of its pods
    Given Quern runs
    When these objects are created:
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train}
      spec:
        parallelism: 3
        completions: 3
        template:
          metadata:
            labels: {applicationId: train, queue: root.ml}
            annotations:
              yunikorn.apache.org/task-group-name: workers
              yunikorn.apache.org/task-groups: '[{"name": "workers", "minMember": 3, "minResource": {"cpu": "1"}}]'
          spec:
            schedulerName: quern
            restartPolicy: Never
            containers: [{name: train, image: train, resources: {requests: {cpu: 1}}}]
      """
    Then 3 pods with label applicationId=train wait as Unschedulable: "gang"
    When the nodes are added:
      | name | cpu | memory |
      | n2   | 2   | 8Gi    |
    Then 3 pods with label applicationId=train are on nodes

  Scenario: the room of executors is held until the driver has made them
    Given Quern runs
    When these objects are created:
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: etl-driver
        labels: {spark-app-selector: etl, spark-role: driver, queue: root.ml}
        annotations:
          yunikorn.apache.org/task-group-name: driver
          yunikorn.apache.org/task-groups: >-
            [{"name": "driver", "minMember": 1, "minResource": {"cpu": "500m"}},
             {"name": "executors", "minMember": 1, "minResource": {"cpu": "1"}}]
      spec:
        schedulerName: quern
        containers: [{name: spark, image: spark, resources: {requests: {cpu: 500m}}}]
      """
    Then pod etl-driver is on node n1
    When the pods are created:
      | name  | queue   | cpu |
      | other | root.ml | 1   |
    Then pod other waits as Unschedulable: "vcore"
    When these objects are created:
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: etl-exec-1
        labels: {spark-app-selector: etl, spark-role: executor, queue: root.ml}
        annotations: {yunikorn.apache.org/task-group-name: executors}
      spec:
        schedulerName: quern
        containers: [{name: spark, image: spark, resources: {requests: {cpu: 1}}}]
      """
    Then pod etl-exec-1 is on node n1

  Scenario: placeholders go where plugins let the pods that come later
    Given the nodes:
      | name | cpu | memory |
      | n2   | 2   | 8Gi    |
    And Quern runs
    When these objects are created:
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: noisy, labels: {app: noisy, queue: root.ml}}
      spec:
        schedulerName: quern
        nodeName: n1
        containers: [{name: c, image: image, resources: {requests: {cpu: 100m}}}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: quiet, labels: {app: quiet, queue: root.ml}}
      spec:
        schedulerName: quern
        nodeName: n2
        containers: [{name: c, image: image, resources: {requests: {cpu: 200m}}}]
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: etl-driver
        labels: {spark-app-selector: etl, spark-role: driver, queue: root.ml}
        annotations:
          yunikorn.apache.org/task-group-name: driver
          yunikorn.apache.org/task-groups: >-
            [{"name": "driver", "minMember": 1, "minResource": {"cpu": "100m"}},
             {"name": "executors", "minMember": 1, "minResource": {"cpu": "1700m"}, "affinity": {"podAntiAffinity":
               {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "noisy"}}}]}}}]
      spec:
        schedulerName: quern
        containers: [{name: spark, image: spark, resources: {requests: {cpu: 100m}}}]
      """
    Then pod etl-driver is on a node
    When the pods are created:
      | name  | queue   | cpu |
      | other | root.ml | 1   |
    Then pod other is on node n1
    When these objects are created:
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: etl-exec-1
        labels: {spark-app-selector: etl, spark-role: executor, queue: root.ml}
        annotations: {yunikorn.apache.org/task-group-name: executors}
      spec:
        schedulerName: quern
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: noisy}}}
        containers: [{name: spark, image: spark, resources: {requests: {cpu: 1700m}}}]
      """
    Then pod etl-exec-1 is on node n2
