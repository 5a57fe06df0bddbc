Feature: Delays beyond the clock

  Delays may be longer than the clock runs, which is 292 years. What waits for the end of such a delay never comes; nothing comes at
  once instead.

  Background: the clock stands at 56 years
    Given 490896h pass

  Rule: a property may say never

    Scenario Outline: no reservation after <delay>
      Given the queues:
        | queue  | reservation.delay |
        | root   | <delay>           |
        | root.a |                   |
        | root.b |                   |
      And a node "n1" with 4 vcore
      And "f" asks in root.b for 3 vcore
      And "w" asks in root.a for 4 vcore
      When 1000h pass
      Then there is no reservation decision

      Examples:
        | delay            |
        | 2500000h         |
        | 2562047h         |
        | 99999999999999h  |

    Scenario Outline: no preemption after <delay>
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | <delay>          |
        | root.b |            |                  |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue  | resources | on | count |
        | f          | root.b | 1 vcore   | n1 | 4     |
      And "w" asks in root.a for 3 vcore
      When 1000h pass
      Then no allocation is preempted

      Examples:
        | delay           |
        | 2500000h        |
        | 2562047h        |
        | 99999999999999h |

    Scenario: no release by quota
      Given the configuration:
        """
        partitions:
        - preemption: {quotapreemptionenabled: true}
          queues:
          - name: root
            properties: {quota.preemption.delay: 2500000h}
            queues:
            - {name: b, resources: {max: {vcore: 2}}}
        """
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue  | resources | on |
        | f          | root.b | 3 vcore   | n1 |
      When 1000h pass
      Then no allocation is preempted

  Rule: a configuration that says so is taken, with a warning

    Scenario Outline: <key> of <delay>
      When the queues:
        | queue  | <key>   |
        | root   | <delay> |
        | root.a |         |
      Then the configuration is accepted with the warnings:
        | queue | key   |
        | root  | <key> |

      Examples:
        | key                    | delay    |
        | reservation.delay      | 87601h   |
        | preemption.delay       | 87601h   |
        | preemption.patience    | 87601h   |
        | quota.preemption.delay | 87601h   |

    Scenario: ten years are no reason for one
      When the queues:
        | queue  | reservation.delay |
        | root   | 87600h            |
        | root.a |                   |
      Then the configuration is accepted

  Rule: so may an application and a gang

    Scenario: placeholders that are never told to leave
      Given the queues:
        | queue  |
        | root.a |
      And a node "n1" with 4 vcore
      And a gang "g" in root.a with placeholders for 2 vcore and a timeout of 2562047h
      When "g" asks placeholder "p" of group "w" for 1 vcore
      Then "p" is allocated
      When 1000h pass
      Then there is no placeholder.timeout decision
