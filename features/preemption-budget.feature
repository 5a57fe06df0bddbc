Feature: How many victims a queue has at most

  preemption.budget of a queue, such as 2/1h, bounds the victims of the queue and those below it: at most so many are chosen within any time of
  that length. What waits for the budget looks again when a victim no longer counts.

  Rule: a victim counts from its choice until just before it is as old as the budget is long

    Background: prod is guaranteed 3, and test uses three nodes
      Given the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 3 vcore    |                   | 1s               |
        | root.test |            | 2/1h              |                  |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And a node "n3" with 1 vcore
      And "t1" asks in root.test for 1 vcore
      And "t2" asks in root.test for 1 vcore
      And "t3" asks in root.test for 1 vcore

    Scenario: the third ask waits for an hour
      Given the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      And "p3" asks in root.prod for 1 vcore
      When 3h pass
      Then the preemption decisions are:
        | at     | id | for |
        | 1s     | t3 | p1  |
        | 1s     | t2 | p2  |
        | 1h0m1s | t1 | p3  |

    Scenario: each victim counts for an hour of its own
      Given the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And 20m pass
      And "p2" asks in root.prod for 1 vcore
      And 10m pass
      And "p3" asks in root.prod for 1 vcore
      When 3h pass
      Then the preemption decisions are:
        | at      | id | for |
        | 1h0m1s  | t1 | p3  |

    Scenario: not a moment sooner
      Given the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      And "p3" asks in root.prod for 1 vcore
      And 1s passes
      When 3599999ms pass
      Then no allocation is preempted
      When 1ms passes
      Then "p3" preempts "t1"

    @snapshot
    Scenario: a snapshot keeps the victims that count
      Given the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      And "p3" asks in root.prod for 1 vcore
      And 30m pass
      And the scheduler is restored from a snapshot
      When 1h passes
      Then the preemption decisions are:
        | at     | id | for |
        | 1h0m1s | t1 | p3  |

    Scenario: a larger budget applies at once
      Given the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      And "p3" asks in root.prod for 1 vcore
      And 30m pass
      When the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 3 vcore    |                   | 1s               |
        | root.test |            | 3/1h              |                  |
      Then "p3" preempts "t1"

    Scenario: a shorter time applies at once
      Given the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      And "p3" asks in root.prod for 1 vcore
      And 30m pass
      When the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 3 vcore    |                   | 1s               |
        | root.test |            | 2/10m             |                  |
      Then "p3" preempts "t1"

    @explain
    Scenario: an explanation names the budget
      Given the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      And "p3" asks in root.prod for 1 vcore
      When 30m pass
      Then the preemption of ask "p3" is explained by:
        | verdict | no-victims                             |
        | barred  | root.test 2 leaving, root.test 1 budget |

  Rule: the budget of a parent bounds all queues below it together, and is not inherited

    Scenario: two leaves share it
      Given the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 2 vcore    |                   | 1s               |
        | root.p    |            | 1/1h              |                  |
        | root.p.a  |            |                   |                  |
        | root.p.b  |            |                   |                  |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And "a" asks in root.p.a for 1 vcore
      And "b" asks in root.p.b for 1 vcore
      And the cycle runs
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      When 2h pass
      Then the preemption decisions are:
        | at     | id | for |
        | 1s     | b  | p1  |
        | 1h0m1s | a  | p2  |

    Scenario: a set of two victims takes two
      Given the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 2 vcore    |                   | 1s               |
        | root.test |            | 1/1h              |                  |
      And a node "n1" with 2 vcore
      And "t1" asks in root.test for 1 vcore
      And "t2" asks in root.test for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 2 vcore
      When 5h pass
      Then no allocation is preempted

    Scenario: the best set within the budget is chosen
      Given the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 2 vcore    |                   | 1s               |
        | root.a    |            | 1/1h              |                  |
        | root.b    |            |                   |                  |
      And a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue  | resources | on | priority |
        | a1         | root.a | 1 vcore   | n1 | 0        |
        | a2         | root.a | 1 vcore   | n1 | 0        |
        | b1         | root.b | 1 vcore   | n2 | 1        |
        | b2         | root.b | 1 vcore   | n2 | 1        |
      And the cycle runs
      And "p" asks in root.prod for 2 vcore with priority 1
      When 1s passes
      Then "p" preempts "b1" and "b2"

    Scenario: preemption within a queue spends the budget too
      Given the queues:
        | queue  | preemption.intra-queue | preemption.budget | preemption.delay |
        | root.a | enabled                | 1/1h              | 1s               |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And "t1" asks in root.a for 1 vcore
      And "t2" asks in root.a for 1 vcore
      And the cycle runs
      And "p1" asks in root.a for 1 vcore with priority 1
      And "p2" asks in root.a for 1 vcore with priority 1
      When 2h pass
      Then the preemption decisions are:
        | at     | id | for |
        | 1s     | t2 | p1  |
        | 1h0m1s | t1 | p2  |

  Rule: victims for required nodes and by quota are not bounded, and count

    Scenario: a required node
      Given the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 2 vcore    |                   | 1s               |
        | root.test |            | 1/1h              |                  |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And "t1" asks in root.test for 1 vcore
      And "t2" asks in root.test for 1 vcore
      And the cycle runs
      And the asks:
        | ask | queue     | resources | node |
        | d   | root.prod | 1 vcore   | n1   |
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 2h pass
      Then the preemption decisions are:
        | at | id | for |
        | 1h | t2 | p   |

    Scenario: a quota takes more than the budget
      Given preemption by quota is on
      And the queues:
        | queue  | max     | quota.preemption.delay | preemption.budget |
        | root.a | 3 vcore | 1m                     | 1/1h              |
      And a node "n1" with 3 vcore
      And "t1" asks in root.a for 1 vcore
      And "t2" asks in root.a for 1 vcore
      And "t3" asks in root.a for 1 vcore
      And the cycle runs
      And the queues:
        | queue  | max     | quota.preemption.delay | preemption.budget |
        | root.a | 1 vcore | 1m                     | 1/1h              |
      When 1m passes
      Then the quota of root.a preempts "t2" and "t3"

  Rule: a gang that leaves as a whole and is larger than the budget is never taken

    Background:
      Given the queues:
        | queue     | guaranteed | preemption.budget | preemption.delay |
        | root.prod | 2 vcore    |                   | 1s               |
        | root.test |            | 2/1h              |                  |

    @explain
    Scenario: three members
      Given a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And a node "n3" with 1 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | gang | gang min |
        | g1         | g           | root.test | 1 vcore   | n1 | g    | 3        |
        | g2         | g           | root.test | 1 vcore   | n2 | g    | 3        |
        | g3         | g           | root.test | 1 vcore   | n3 | g    | 3        |
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 5h pass
      Then no allocation is preempted
      And the preemption of ask "p" is explained by:
        | verdict | no-victims                   |
        | barred  | root.test 3 gang-over-budget |

    Scenario: two members
      Given a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | gang | gang min |
        | g1         | g           | root.test | 1 vcore   | n1 | g    | 2        |
        | g2         | g           | root.test | 1 vcore   | n2 | g    | 2        |
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1s passes
      Then "p" preempts "g1" and "g2"

  Rule: wrong values are refused

    Scenario Outline: <value> is no budget
      When the configuration:
        """
        partitions:
        - queues:
          - name: a
            properties:
              preemption.budget: <value>
        """
      Then the configuration is refused with:
        | line | queue  | key               | expected                                                                 | found     |
        | 5    | root.a | preemption.budget | a number of victims from 1 and a duration above zero, such as 5/1h | "<value>" |

      Examples:
        | value |
        | 5     |
        | 0/1h  |
        | 5/0s  |
        | x/1h  |
        | 5/x   |
