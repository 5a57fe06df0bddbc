Feature: Planned starts of gangs

  The members of a gang that are placed together are planned to start together: the first ones in the order of asks, as many as the gang needs,
  each for its own walltime. A gang counts as one plan.

  Background: two nodes, of which one is full for an hour and the other half full for two
    Given the queues:
      | queue  |
      | root.a |
    And the nodes:
      | node | capacity |
      | n1   | 2 vcore  |
      | n2   | 2 vcore  |
    And backfill has depth 1
    And the asks:
      | ask   | queue  | resources | walltime |
      | run-1 | root.a | 2 vcore   | 1h       |
      | run-2 | root.a | 1 vcore   | 2h       |
    And an application "train" in root.a

  Rule: the first members start together

    Scenario: when the last of them has room, on the nodes that are told in the order of asks
      When the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 1 vcore   | g    | 4        | 1h       | 4     |
      Then the plan decisions are:
        | at | id  | app   | gang | start | nodes       | reason  |
        | 0s | w-1 | train | g    | 2h    | n2, n2, n1, n1 | planned |

    Scenario: members on several nodes may find room before a whole node is free
      When the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 1 vcore   | g    | 3        | 1h       | 3     |
      Then the plan decisions are:
        | id  | start | nodes    |
        | w-1 | 1h    | n2, n1, n1 |

    Scenario: an incomplete gang has no plan
      When the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 1 vcore   | g    | 4        | 1h       | 3     |
      Then there is no plan decision

    Scenario: members beyond those that start together are not planned
      When the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 2 vcore   | g    | 1        | 1h       | 2     |
      Then the plan decisions are:
        | id  | gang | start | nodes |
        | w-1 | g    | 1h    | n1    |

    Scenario: one that is larger than all nodes has none
      When the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 3 vcore   | g    | 2        | 1h       | 2     |
      Then there is no plan decision

    Scenario: one that no instant can be given has none of the places
      When the asks:
        | ask  | queue  | application | resources | gang | gang min | walltime | count |
        | w    |        | train       | 1 vcore   | g    | 5        | 1h       | 5     |
        | full | root.a |             | 2 vcore   |      |          | 1h       |       |
      Then the plan decisions are:
        | id   | start | node |
        | full | 1h    | n1   |

  Rule: asks behind leave its start alone

    Scenario: a stream of small asks does not starve it
      Given the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 2 vcore   | g    | 2        | 1h       | 2     |
      And the cycle runs
      And the asks:
        | ask | queue  | resources | walltime | count |
        | s   | root.a | 1 vcore   | 90m      | 3     |
      And the cycle runs
      And "s-1" is allocated
      And 1h passes
      And "run-1" is released
      And the asks:
        | ask  | queue  | resources | walltime |
        | late | root.a | 1 vcore   | 61m      |
      When the cycle runs
      Then "late" waits

    Scenario: each member counts for its own walltime
      Given the asks:
        | ask    | application | resources | gang | gang min | walltime |
        | driver | train       | 2 vcore   | g    | 2        | 10m      |
        | worker | train       | 1 vcore   | g    | 2        | 5h       |
      And backfill has depth 2
      When the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 2 vcore   | 1h       |
      Then the decisions include:
        | id   | start | node |
        | full | 70m   | n1   |

    Scenario: with plans a gang does not accumulate
      Given the queues:
        | queue  | gang.accumulate-after |
        | root   | 1s                    |
        | root.a |                       |
      And the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 1 vcore   | g    | 4        | 1h       | 4     |
      And 10m pass
      When the asks:
        | ask   | queue  | resources | walltime |
        | short | root.a | 1 vcore   | 1h       |
      Then "short" is allocated
      And there is no reservation decision

    Scenario: the depth counts a gang as one
      Given backfill has depth 2
      When the asks:
        | ask  | queue  | application | resources | gang | gang min | walltime | count |
        | w    |        | train       | 1 vcore   | g    | 4        | 1h       | 4     |
        | full | root.a |             | 2 vcore   |      |          | 2h       |       |
        | more | root.a |             | 2 vcore   |      |          | 2h       |       |
      Then the plan decisions are:
        | id   | start | nodes       | node |
        | w-1  | 2h    | n2, n2, n1, n1 |      |
        | full | 3h    |             | n2   |

  Rule: plans of gangs move and end as others do

    Background: a gang is planned for two hours from now
      Given the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 1 vcore   | g    | 4        | 1h       | 4     |
      And the cycle runs

    Scenario: it is placed by one decision once it fits, earlier than planned
      Given "run-1" is released
      And the cycle runs
      And 10m pass
      When "run-2" is released
      Then "w-1", "w-2", "w-3" and "w-4" are allocated
      And there is no plan decision

    Scenario: it moves earlier with the last allocation in its way
      When "run-2" now has walltime 90m
      Then the plan decisions are:
        | id  | start | nodes       | reason  |
        | w-1 | 90m   | n2, n2, n1, n1 | earlier |

    Scenario: it slips when an allocation promises a later end
      When "run-1" now has walltime 3h
      Then the plan decisions are:
        | id  | start | nodes       | reason  |
        | w-1 | 3h    | n2, n2, n1, n1 | overrun |

    Scenario: an ask of higher priority takes its room
      Given backfill has depth 2
      When the asks:
        | ask    | queue  | resources | walltime | priority |
        | urgent | root.a | 2 vcore   | 5h       | 10       |
      Then the plan decisions are:
        | id     | start | reason    |
        | urgent | 1h    | planned   |
        | w-1    | 6h    | outranked |

    Scenario: a node of it that is drained
      Given a node "n3" with 2 vcore
      And node "n3" is drained
      When node "n1" is drained
      Then the plan decisions are:
        | id  | gang | start | reason       |
        | w-1 | g    |       | out-of-reach |

    Scenario: a member that changes changes the gang
      When "w-2" now has walltime 4h
      Then there is no plan decision

    Scenario: another member takes the place of one that is withdrawn
      Given the asks:
        | ask | application | resources | gang | gang min | walltime |
        | x   | train       | 1 vcore   | g    | 4        | 1h       |
      When ask "w-2" is removed
      Then the plan decisions are:
        | id  | gang | start | nodes       | reason |
        | w-1 | g    | 2h    | n2, n2, n1, n1 | node   |

    Scenario: with too few members left it ends
      When ask "w-2" is removed
      Then the plan decisions are:
        | id  | app   | gang | start | nodes | reason    |
        | w-1 | train | g    |       |       | withdrawn |

    Scenario: members that become ordinary asks are planned one by one
      Given an application "other" in root.a
      And the asks:
        | ask | application | resources | gang | gang min | gang timeout | gang fallback | walltime | count | priority |
        | v   | other       | 1 vcore   | h    | 4        | 10m          | members       | 1h       | 4     | 1        |
      And the cycle runs
      When 10m pass
      Then the decisions include:
        | id  | gang | start | node | reason    |
        | v-1 | h    |       |      | unplanned |

    @snapshot
    Scenario: a snapshot keeps it
      Given the scheduler is restored from a snapshot
      When "run-2" now has walltime 90m
      Then the plan decisions are:
        | id  | start | nodes       | reason  |
        | w-1 | 90m   | n2, n2, n1, n1 | earlier |

  Rule: a required level is one domain at the start

    Background: two racks
      Given the configuration:
        """
        partitions:
        - topology: [{level: rack, attribute: rack}]
          backfill: {depth: 1}
          queues:
          - name: root
            queues:
            - {name: a}
        """
      And the nodes:
        | node | capacity | attributes |
        | a1   | 4 vcore  | rack=a     |
        | a2   | 4 vcore  | rack=a     |
        | b1   | 4 vcore  | rack=b     |
        | b2   | 4 vcore  | rack=b     |
      And the asks:
        | ask    | queue  | resources | walltime | constraints |
        | fill-a | root.a | 3 vcore   | 4h       | rack=a      |
        | fill-b | root.a | 3 vcore   | 3h       | rack=b      |
        | more-b | root.a | 3 vcore   | 3h       | rack=b      |
      And the cycle runs

    Scenario: the first domain that takes all members
      When the asks:
        | ask | application | resources | gang | gang min | walltime | topology required | count |
        | w   | train       | 4 vcore   | g    | 2        | 1h       | rack              | 2     |
      Then the plan decisions are:
        | id  | start | nodes  |
        | w-1 | 3h    | b1, b2 |
