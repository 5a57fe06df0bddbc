Feature: Jobs that are gangs, on Kubernetes

  A Job makes some pods at a time, and makes those again that failed. Its gang needs no more than it makes at once, and not those that have
  succeeded, also after a restart of the scheduler.

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

  Scenario: the retry of one of three
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
            labels: {applicationId: train, queue: root.ml, clustertest.quern/lost: "yes"}
            annotations:
              yunikorn.apache.org/task-group-name: w
              yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 3, "minResource": {"cpu": "10m"}}]'
          spec:
            schedulerName: quern
            restartPolicy: Never
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: image, resources: {requests: {cpu: 500m}}}]
      """
    Then 3 pods with label applicationId=train run
    When 2 pods with label applicationId=train succeed
    And 1 pod with label applicationId=train fails
    Then 1 pod with label applicationId=train runs
    When 1 pod with label applicationId=train succeeds
    Then job train is complete

  Scenario: the retry of one of three after a restart
    Given Quern runs
    When these objects are created:
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: again}
      spec:
        parallelism: 3
        completions: 3
        template:
          metadata:
            labels: {applicationId: again, queue: root.ml, clustertest.quern/lost: "yes"}
            annotations:
              yunikorn.apache.org/task-group-name: w
              yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 3, "minResource": {"cpu": "10m"}}]'
          spec:
            schedulerName: quern
            restartPolicy: Never
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: image, resources: {requests: {cpu: 500m}}}]
      """
    Then 3 pods with label applicationId=again run
    When 2 pods with label applicationId=again succeed
    And Quern is killed
    And 1 pod with label applicationId=again fails
    And Quern runs
    Then 1 pod with label applicationId=again runs
    When 1 pod with label applicationId=again succeeds
    Then job again is complete

  Scenario: seven completions, three at a time, with a restart before the last
    Given Quern runs
    When these objects are created:
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: seven}
      spec:
        parallelism: 3
        completions: 7
        template:
          metadata:
            labels: {applicationId: seven, queue: root.ml, clustertest.quern/lost: "yes"}
            annotations:
              yunikorn.apache.org/task-group-name: w
              yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 3, "minResource": {"cpu": "10m"}}]'
          spec:
            schedulerName: quern
            restartPolicy: Never
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: image, resources: {requests: {cpu: 500m}}}]
      """
    Then 3 pods with label applicationId=seven run
    When 3 pods with label applicationId=seven succeed
    Then 3 pods with label applicationId=seven run
    When Quern is killed
    And 3 pods with label applicationId=seven succeed
    And Quern runs
    Then 1 pod with label applicationId=seven runs
    When 1 pod with label applicationId=seven succeeds
    Then job seven is complete

  Scenario: a minimum above the parallelism
    Given Quern runs
    When these objects are created:
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: two-of-four}
      spec:
        parallelism: 2
        completions: 4
        template:
          metadata:
            labels: {applicationId: two-of-four, queue: root.ml, clustertest.quern/lost: "yes"}
            annotations:
              yunikorn.apache.org/task-group-name: w
              yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 4, "minResource": {"cpu": "10m"}}]'
          spec:
            schedulerName: quern
            restartPolicy: Never
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: image, resources: {requests: {cpu: 500m}}}]
      """
    Then 2 pods with label applicationId=two-of-four run
    When 2 pods with label applicationId=two-of-four succeed
    And Quern is killed
    And Quern runs
    Then 2 pods with label applicationId=two-of-four run
    When 2 pods with label applicationId=two-of-four succeed
    Then job two-of-four is complete

  Scenario: scaled to zero and back
    Given Quern runs
    When these objects are created:
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: scaled}
      spec:
        parallelism: 3
        completions: 4
        template:
          metadata:
            labels: {applicationId: scaled, queue: root.ml, clustertest.quern/lost: "yes"}
            annotations:
              yunikorn.apache.org/task-group-name: w
              yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 3, "minResource": {"cpu": "10m"}}]'
          spec:
            schedulerName: quern
            restartPolicy: Never
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: image, resources: {requests: {cpu: 500m}}}]
      """
    Then 3 pods with label applicationId=scaled run
    When 1 pod with label applicationId=scaled succeeds
    And job scaled makes 0 pods at once
    Then 0 pods with label applicationId=scaled run
    When Quern is killed
    And Quern runs
    And job scaled makes 2 pods at once
    Then 2 pods with label applicationId=scaled run
    When 2 pods with label applicationId=scaled succeed
    Then 1 pod with label applicationId=scaled runs

  Scenario: no room in time, and each pod is scheduled by itself
    Given Quern runs
    When these objects are created:
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: soft}
      spec:
        parallelism: 5
        completions: 5
        template:
          metadata:
            labels: {applicationId: soft, queue: root.ml, clustertest.quern/lost: "yes"}
            annotations:
              yunikorn.apache.org/task-group-name: w
              yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 5, "minResource": {"cpu": "10m"}}]'
              yunikorn.apache.org/schedulingPolicyParameters: 'placeholderTimeoutInSeconds=2'
          spec:
            schedulerName: quern
            restartPolicy: Never
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: image, resources: {requests: {cpu: 500m}}}]
      """
    Then 4 pods with label applicationId=soft run

  Scenario: no room in time, and the pods fail where the Job sees it
    Given Quern runs
    When these objects are created:
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: hard}
      spec:
        parallelism: 5
        completions: 5
        template:
          metadata:
            labels: {applicationId: hard, queue: root.ml, clustertest.quern/lost: "yes"}
            annotations:
              yunikorn.apache.org/task-group-name: w
              yunikorn.apache.org/task-groups: '[{"name": "w", "minMember": 5, "minResource": {"cpu": "10m"}}]'
              yunikorn.apache.org/schedulingPolicyParameters: 'placeholderTimeoutInSeconds=2 gangSchedulingStyle=Hard'
          spec:
            schedulerName: quern
            restartPolicy: Never
            terminationGracePeriodSeconds: 0
            containers: [{name: c, image: image, resources: {requests: {cpu: 500m}}}]
      """
    Then 5 pods with label applicationId=hard have failed: GangTimeout
