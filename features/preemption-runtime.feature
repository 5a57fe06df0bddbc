Feature: How long allocations run before they may be preempted

  preemption.min-runtime of a queue spares its allocations until they have run that long. An ask that finds only such allocations looks again at
  the first instant at which one of them has run long enough.

  Background: prod is guaranteed 1, and test uses it
    Given a node "n1" with 1 vcore

  Rule: an allocation runs its least time before it is a victim

    Background:
      Given the queues:
        | queue     | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod | 1 vcore    |                        | 1s               |
        | root.test |            | 10m                    |                  |
      And "t" asks in root.test for 1 vcore

    Scenario: the ask looks again when the allocation has run long enough
      Given 1m passes
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then the preemption decisions are:
        | at  | id | for | node | queue     |
        | 10m | t  | p   | n1   | root.test |

    Scenario: not a moment sooner
      Given the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 599999ms pass
      Then no allocation is preempted
      When 1ms passes
      Then "p" preempts "t"

    Scenario: one that has run long enough is a victim when the delay is over
      Given 1h passes
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1s passes
      Then "p" preempts "t"

    Scenario: an ask that came last looks again too
      Given 599s pass
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1m passes
      Then the preemption decisions are:
        | at  | id |
        | 10m | t  |

    Scenario: an ask that has gone preempts nothing then
      Given the cycle runs
      And "p" asks in root.prod for 1 vcore
      And ask "p" is removed
      When 1h passes
      Then no allocation is preempted

    @snapshot
    Scenario: a snapshot keeps when it looks again
      Given the cycle runs
      And "p" asks in root.prod for 1 vcore
      And 5m pass
      And the scheduler is restored from a snapshot
      When 1h passes
      Then the preemption decisions are:
        | at  | id |
        | 10m | t  |

  Rule: of several allocations, those that have run long enough compete

    Scenario: the younger one would be better, and is spared
      Given the queues:
        | queue     | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod | 1 vcore    |                        | 1s               |
        | root.test |            | 10m                    |                  |
      And a node "n2" with 1 vcore
      And "old" asks in root.test for 1 vcore
      And the cycle runs
      And 10m pass
      And "young" asks in root.test for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1s passes
      Then "p" preempts "old"

    Scenario: queues differ
      Given the queues:
        | queue       | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod   | 1 vcore    |                        | 1s               |
        | root.long   |            | 1h                     |                  |
        | root.short  |            | 1m                     |                  |
      And a node "n2" with 1 vcore
      And "s" asks in root.short for 1 vcore
      And "l" asks in root.long for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 2h pass
      Then the preemption decisions are:
        | at | id | for |
        | 1m | s  | p   |

    Scenario: queues inherit it, and 0s ends it
      Given the queues:
        | queue       | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod   | 1 vcore    |                        | 1s               |
        | root.p      |            | 1h                     |                  |
        | root.p.a    |            |                        |                  |
        | root.p.b    |            | 0s                     |                  |
      And a node "n2" with 1 vcore
      And "b" asks in root.p.b for 1 vcore
      And "a" asks in root.p.a for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1s passes
      Then "p" preempts "b"

  Rule: an ask may say how long it has to run, up to the most that its queue counts

    Scenario Outline: <min-runtime> in the queue, at most <max>, and <own> of the ask
      Given the queues:
        | queue     | guaranteed | preemption.min-runtime | preemption.min-runtime.max | preemption.delay |
        | root.prod | 1 vcore    |                        |                            | 1s               |
        | root.test |            | <min-runtime>          | <max>                      |                  |
      And the asks:
        | ask | queue     | resources | min runtime |
        | t   | root.test | 1 vcore   | <own>       |
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      Then the asks show:
        | ask | min runtime |
        | t   | <counts>    |
      When 10h pass
      Then the preemption decisions are:
        | at   | id |
        | <at> | t  |

      Examples:
        | min-runtime | max | own | counts | at  |
        | 10m         |     |     | 10m    | 10m |
        | 10m         |     | 5m  | 5m     | 5m  |
        | 10m         |     | 1h  | 10m    | 10m |
        | 10m         | 30m | 1h  | 30m    | 30m |
        | 10m         | 30m | 20m | 20m    | 20m |
        | 10m         | 30m | 5m  | 5m     | 5m  |
        | 10m         | 5m  |     | 10m    | 10m |
        |             | 30m | 20m | 20m    | 20m |
        |             |     | 20m | none   | 1s  |
        |             | 30m |     | none   | 1s  |

    Scenario: a run counts from the allocation, not from the ask
      Given the queues:
        | queue     | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod | 1 vcore    |                        | 1s               |
        | root.test |            | 10m                    |                  |
      And "first" asks in root.test for 1 vcore
      And the cycle runs
      And "t" asks in root.test for 1 vcore
      And 5m pass
      And "first" is released
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then the preemption decisions are:
        | at  | id |
        | 15m | t  |

    Scenario: one that is restored says when it began
      Given the queues:
        | queue     | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod | 1 vcore    |                        | 1s               |
        | root.test |            | 10m                    |                  |
      And the allocations:
        | allocation | queue     | resources | on | since |
        | t          | root.test | 1 vcore   | n1 | -4m   |
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then the preemption decisions are:
        | at | id |
        | 6m | t  |

  Rule: required nodes and quotas do not wait, unless preemption.min-runtime.required says so

    Scenario Outline: an ask that requires the node, with required <required>
      Given the queues:
        | queue     | preemption.min-runtime | preemption.min-runtime.required |
        | root.prod |                        |                                 |
        | root.test | 10m                    | <required>                      |
      And "t" asks in root.test for 1 vcore
      And the cycle runs
      When the asks:
        | ask | queue     | resources | node |
        | p   | root.prod | 1 vcore   | n1   |
      And 1h passes
      Then the preemption decisions are:
        | at   | id | for |
        | <at> | t  | p   |

      Examples:
        | required | at  |
        |          | 0s  |
        | false    | 0s  |
        | true     | 10m |

    Scenario Outline: a queue over its max, with required <required>
      Given preemption by quota is on
      And the queues:
        | queue  | max     | quota.preemption.delay | preemption.min-runtime | preemption.min-runtime.required |
        | root.a | 1 vcore | 1m                     | 10m                    | <required>                      |
      And "t" asks in root.a for 1 vcore
      And the cycle runs
      And the queues:
        | queue  | max        | quota.preemption.delay | preemption.min-runtime | preemption.min-runtime.required |
        | root.a | 500m vcore | 1m                     | 10m                    | <required>                      |
      When 1h passes
      Then the preemption decisions are:
        | at   | id |
        | <at> | t  |

      Examples:
        | required | at  |
        | false    | 1m  |
        | true     | 10m |

  Rule: a gang that leaves as a whole waits for its youngest member

    Scenario: both members have run long enough
      Given the queues:
        | queue     | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod | 2 vcore    |                        | 1s               |
        | root.test |            | 10m                    |                  |
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | since | gang | gang min |
        | g1         | g           | root.test | 1 vcore   | n1 | -9m   | g    | 2        |
        | g2         | g           | root.test | 1 vcore   | n2 | -3m   | g    | 2        |
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then the preemption decisions are:
        | at | id | for |
        | 7m | g1 | p   |
        | 7m | g2 | p   |

  Rule: explanations say that an allocation is spared, and until when

    @explain
    Scenario: an ask whose victims have not run long enough
      Given the queues:
        | queue     | guaranteed | preemption.min-runtime | preemption.delay |
        | root.prod | 1 vcore    |                        | 1s               |
        | root.test |            | 10m                    |                  |
      And "t" asks in root.test for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 2m pass
      Then the preemption of ask "p" is explained by:
        | verdict | no-victims                       |
        | barred  | root.test 1 min-runtime          |

  Rule: wrong values are refused

    Scenario Outline: <property> cannot be <value>
      When the configuration:
        """
        partitions:
        - queues:
          - name: a
            properties:
              <property>: <value>
        """
      Then the configuration is refused with:
        | line | queue  | key        | expected   | found     |
        | 5    | root.a | <property> | <expected> | "<value>" |

      Examples:
        | property                         | value | expected                                        |
        | preemption.min-runtime           | -1s   | a duration such as 10m, or 0s for none          |
        | preemption.min-runtime           | long  | a duration such as 10m, or 0s for none          |
        | preemption.min-runtime.max       | 0s    | a duration above zero, such as 12h             |
        | preemption.min-runtime.required  | maybe | false or true                                   |
