var e=`Feature: Preemption by quota

  If preemption by quota is on, a queue that exceeds its max loses the excess after quota.preemption.delay. Usage exceeds a
  max when a reload lowers the max, or when allocations are restored.

  Background: a queue that uses 8 cores, a1 the oldest, with a delay of 10 seconds
    Given preemption by quota is on
    And the queues:
      | queue  | max     | quota.preemption.delay |
      | root.q | 8 vcore | 10s                    |
      | root.o |         |                        |
    And a node "n1" with 20 vcore
    And an application "app" in root.q
    And "app" asks "a1", "a2", "a3" and "a4" for 2 vcore
    And the cycle runs

  Rule: a queue is due when its usage has exceeded its max for the delay

    Scenario Outline: a max lowered to <max> preempts <victims>, the youngest, and no more than necessary
      Given the queues:
        | queue  | max   | quota.preemption.delay |
        | root.q | <max> | 10s                    |
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.q preempts <victims>

      Examples:
        | max     | victims                   |
        | 7 vcore | "a4"                      |
        | 6 vcore | "a4"                      |
        | 5 vcore | "a3" and "a4"             |
        | 0 vcore | "a1", "a2", "a3" and "a4" |

    Scenario: the decision names the queue instead of an ask
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      When 10s pass
      Then the decisions are:
        | type       | at  | id | quota  | for  | node | queue  | right |
        | preemption | 10s | a4 | root.q | none | n1   | root.q | quota |
      When "a4" is released
      Then the release decisions are:
        | id | reason    |
        | a4 | preempted |

    Scenario: usage at the max is not in excess
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 8 vcore | 10s                    |
      When 1h passes
      Then no allocation is preempted

    Scenario: one type in excess is enough
      Given a node "n2" with 2 vcore, 8Gi memory
      And the asks:
        | ask | application | queue  | resources  |
        | m1  | big         | root.o | 4Gi memory |
      And the cycle runs
      And the queues:
        | queue  | max                 | quota.preemption.delay |
        | root.q | 8 vcore             | 10s                    |
        | root.o | 1 vcore, 3Gi memory | 10s                    |
      When 10s pass
      Then the quota of root.o preempts "m1"
      And 1 allocation is preempted

    Scenario: a restored allocation can make a queue due
      When "app" has "a5" for 1 vcore restored on "n1"
      And 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.q preempts "a5"

    Scenario: the delay is inherited
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root   |         | 10s                    |
        | root.q | 6 vcore |                        |
      When 10s pass
      Then the quota of root.q preempts "a4"

    Scenario: a parent can be due
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.p   | 4 vcore | 10s                    |
        | root.p.x |         |                        |
        | root.p.y |         |                        |
        | root.q   | 8 vcore |                        |
      And "x" asks in root.p.x for 2 vcore
      And "y" asks in root.p.y for 2 vcore
      And the cycle runs
      When the queues:
        | queue    | max     | quota.preemption.delay |
        | root.p   | 3 vcore | 10s                    |
        | root.p.x |         |                        |
        | root.p.y |         |                        |
        | root.q   | 8 vcore |                        |
      And 10s pass
      Then 1 allocation is preempted
      And the quota of root.p preempts "x"

  Rule: the delay counts from the time at which all conditions hold

    Scenario: lowering the max further does not change the time
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 9s pass
      And the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 4 vcore | 10s                    |
      When 1s passes
      Then the quota of root.q preempts "a3" and "a4"

    Scenario Outline: a delay of <delay> instead moves the time to <at>
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 5s pass
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | <delay>                |
      And 1h passes
      Then the preemption decisions are:
        | at   | id |
        | <at> | a4 |

      Examples:
        | delay | at  |
        | 7s    | 7s  |
        | 1s    | 5s  |
        | 1m    | 60s |

    Scenario: usage that falls to the max cancels the round
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 9s pass
      And "a1" is released
      When 1h passes
      Then no allocation is preempted

    Scenario: the delay starts again when usage exceeds the max again
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 9s pass
      And "a1" is released
      And the cycle runs
      And "app" has "a5" for 2 vcore restored on "n1"
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.q preempts "a5"

    Scenario: a raised max cancels the round
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 9s pass
      And the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 8 vcore | 10s                    |
      When 1h passes
      Then no allocation is preempted

    Scenario: a max raised at the moment of the round cancels it
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      When 10s pass
      And the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 8 vcore | 10s                    |
      Then no allocation is preempted

    Scenario: the delay starts again after preemption by quota was off
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 9s pass
      And preemption by quota is off
      And the cycle runs
      And preemption by quota is on
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.q preempts "a4"

    Scenario: the delay counts from when preemption by quota is switched on
      Given preemption by quota is off
      And the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 1h passes
      And preemption by quota is on
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.q preempts "a4"

    Scenario: a new delay counts from when it is set
      Given the queues:
        | queue  | max     |
        | root.q | 6 vcore |
      And 1h passes
      And the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.q preempts "a4"

  Rule: if one of the conditions does not hold, nothing is preempted

    Scenario Outline: a delay of <delay>
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 1 vcore | <delay>                |
      And 72h pass
      Then no allocation is preempted

      Examples:
        | delay |
        |       |
        | 0s    |
        | -5s   |
        | soon  |

    Scenario Outline: a delay of <delay> gives a warning
      When the queues:
        | queue  | quota.preemption.delay |
        | root.q | <delay>                |
      Then the configuration is accepted with the warnings:
        | queue  | key                    |
        | root.q | quota.preemption.delay |

      Examples:
        | delay |
        | -5s   |
        | soon  |

    Scenario: preemption by quota can be switched off
      Given preemption by quota is off
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 1 vcore | 10s                    |
      And 1h passes
      Then no allocation is preempted

    Scenario: preemption by quota is off by default
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: q
            resources: {max: {vcore: 1}}
            properties: {quota.preemption.delay: 10s}
        """
      And 1h passes
      Then no allocation is preempted

    Scenario: root is never due
      Given the queues:
        | queue  | quota.preemption.delay |
        | root   | 10s                    |
        | root.q |                        |
      When node "n1" is updated with capacity 4 vcore
      And 1h passes
      Then no allocation is preempted

    Scenario: raising the max does not call victims back
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 6 vcore | 10s                    |
      And 10s pass
      And the cycle runs
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 8 vcore | 10s                    |
      Then the asks show:
        | ask | node |
        | a4  | n1   |
      When "a4" is released
      Then the release decisions are:
        | id | reason    |
        | a4 | preempted |
`;export{e as default};