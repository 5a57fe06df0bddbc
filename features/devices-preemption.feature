Feature: Preemption frees devices

  Sets of victims are judged by the devices that they free; the laws count amounts.

  Background: prod has a guarantee of devices, and test has none
    Given "gpu" is a type of devices
    And the queues:
      | queue     | guaranteed       | preemption.delay |
      | root.prod | 99 vcore, 4 gpu  | 10s              |
      | root.test |                  | 10s              |
    And the nodes:
      | node | capacity | devices         |
      | n1   | 8 vcore  | gpu: {count: 2} |

  Rule: a set competes if the ask fits the devices that it frees

    Scenario: the victim that frees a device goes, and not two that free as much in sum
      Given the allocations:
        | allocation | queue     | resources | on | devices   | placed devices |
        | half       | root.test | 1 vcore   | n1 | gpu: 500m | gpu: [0]       |
        | rest       | root.test | 1 vcore   | n1 | gpu: 400m | gpu: [1]       |
        | other      | root.test | 1 vcore   | n1 | gpu: 500m | gpu: [1]       |
      When "x" asks in root.prod for 1 vcore, 1 gpu
      And 10s pass
      Then "x" preempts "half" on "n1"

    Scenario: two on one device, and not one on each
      Given the allocations:
        | allocation | queue     | resources | on | devices   | placed devices | priority |
        | a0         | root.test | 1 vcore   | n1 | gpu: 400m | gpu: [0]       | 0        |
        | b0         | root.prod | 1 vcore   | n1 | gpu: 400m | gpu: [0]       | 9        |
        | a1         | root.test | 1 vcore   | n1 | gpu: 400m | gpu: [1]       | 0        |
        | b1         | root.test | 1 vcore   | n1 | gpu: 400m | gpu: [1]       | 0        |
      When "x" asks in root.prod for 1 vcore, 1 gpu
      And 10s pass
      Then "x" preempts "a1", "b1" on "n1"

    Scenario: nobody is preempted where no set frees a device
      Given the allocations:
        | allocation | queue     | resources | on | devices   | placed devices |
        | a0         | root.test | 1 vcore   | n1 | gpu: 600m | gpu: [0]       |
        | b0         | root.prod | 1 vcore   | n1 | gpu: 300m | gpu: [0]       |
        | a1         | root.test | 1 vcore   | n1 | gpu: 600m | gpu: [1]       |
        | b1         | root.prod | 1 vcore   | n1 | gpu: 300m | gpu: [1]       |
      When "x" asks in root.prod for 1 vcore, 1 gpu
      And 10s pass
      Then no allocation is preempted

    Scenario: a share needs only its own device freed
      Given the allocations:
        | allocation | queue     | resources | on | devices   | placed devices |
        | a0         | root.test | 1 vcore   | n1 | gpu: 600m | gpu: [0]       |
        | a1         | root.test | 1 vcore   | n1 | gpu: 900m | gpu: [1]       |
      When "x" asks in root.prod for 1 vcore, 700m gpu
      And 10s pass
      Then 1 allocation is preempted

  Rule: the ask picks its devices when it lands

    Scenario: by policy, among those that are free then
      Given the allocations:
        | allocation | queue     | resources | on | devices   | placed devices |
        | a0         | root.test | 1 vcore   | n1 | gpu: 600m | gpu: [0]       |
        | a1         | root.test | 1 vcore   | n1 | gpu: 600m | gpu: [1]       |
      And "x" asks in root.prod for 1 vcore, 500m gpu
      When 10s pass
      Then "x" preempts "a1" on "n1"
      When "a1" is released
      Then "x" gets the devices gpu/1

    Scenario: the kept node lapses when its device is gone
      Given the allocations:
        | allocation | queue     | resources | on | devices | placed devices |
        | a0         | root.test | 1 vcore   | n1 | gpu: 1  | gpu: [0]       |
        | a1         | root.prod | 1 vcore   | n1 | gpu: 1  | gpu: [1]       |
      And "x" asks in root.prod for 1 vcore, 1 gpu
      And 10s pass
      When node "n1" is updated with devices gpu: [{id: 0, unhealthy: true}, {id: 1}]
      Then the preemption.lapsed decisions are:
        | for | node | reason         |
        | x   | n1   | no-longer-fits |

  Rule: laws count amounts of the type

    Scenario: a queue that is not under its guarantee of devices does not preempt
      Given the queues:
        | queue     | guaranteed | preemption.delay |
        | root.prod | 1 gpu      | 10s              |
        | root.test |            | 10s              |
      And the allocations:
        | allocation | queue     | resources | on | devices | placed devices |
        | a0         | root.test | 1 vcore   | n1 | gpu: 1  | gpu: [0]       |
        | a1         | root.prod | 1 vcore   | n1 | gpu: 1  | gpu: [1]       |
      When "x" asks in root.prod for 1 vcore, 1 gpu
      And 10s pass
      Then no allocation is preempted

    Scenario: no queue is left below its guarantee of devices
      Given the queues:
        | queue     | guaranteed | preemption.delay |
        | root.prod | 1 gpu      | 10s              |
        | root.test | 1500m gpu  | 10s              |
      And the allocations:
        | allocation | queue     | resources | on | devices | placed devices |
        | a0         | root.test | 1 vcore   | n1 | gpu: 1  | gpu: [0]       |
        | a1         | root.test | 1 vcore   | n1 | gpu: 1  | gpu: [1]       |
      When "x" asks in root.prod for 1 vcore, 500m gpu
      And 10s pass
      Then no allocation is preempted

    Scenario: a required node frees its devices
      Given the allocations:
        | allocation | queue     | resources | on | devices   | placed devices |
        | a0         | root.prod | 1 vcore   | n1 | gpu: 600m | gpu: [0]       |
        | a1         | root.prod | 1 vcore   | n1 | gpu: 900m | gpu: [1]       |
      When the asks:
        | ask | queue     | resources | node | priority | devices   |
        | x   | root.test | 1 vcore   | n1   | 1        | gpu: 500m |
      Then "x" preempts "a0" on "n1"

  Rule: preemption by quota counts amounts of the type

    Scenario: the excess of shares leaves
      Given preemption by quota is on
      And the queues:
        | queue     | max | quota.preemption.delay |
        | root.test |     | 10s                    |
      And "a", "b", "c" ask in root.test for 1 vcore, 600m gpu
      And the cycle runs
      And the queues:
        | queue     | max      | quota.preemption.delay |
        | root.test | 700m gpu | 10s                    |
      When 10s pass
      Then the quota of root.test preempts "b"

    @explain @queries
    Scenario Outline: what a max of <max> would release
      Given preemption by quota is on
      And the queues:
        | queue     | quota.preemption.delay |
        | root.test | 10s                    |
      And "a", "b" ask in root.test for 1 vcore, 600m gpu
      When the cycle runs
      Then a max of <max> for queue "root.test" would be explained by:
        | excess  | <excess>  |
        | victims | <victims> |

      Examples:
        | max       | excess   | victims |
        | 700m gpu  | 500m gpu | b       |
        | 1 gpu     | 200m gpu | b       |
        | 1200m gpu | nothing  | none    |
