var e=`Feature: When an ask may preempt

  An ask preempts once it has been pending for its leaf's delay, 30 seconds unless said, and only if nothing can be
  placed: placing comes first.

  Background: prod is guaranteed 1, and test uses it
    Given the queues:
      | queue     | guaranteed |
      | root.prod | 1 vcore    |
      | root.test |            |
    And a node "n1" with 1 vcore
    And the allocations:
      | allocation | queue     | resources | on |
      | t          | root.test | 1 vcore   | n1 |

  Rule: each ask waits for the delay

    Scenario: 30 seconds, not a moment less
      Given "p" asks in root.prod for 1 vcore
      When 29999ms pass
      Then no allocation is preempted
      When 1ms passes
      Then the preemption decisions are:
        | at  | id | for | node | queue     |
        | 30s | t  | p   | n1   | root.test |

    Scenario: the waiting goes on through an update
      Given "p" asks in root.prod for 1 vcore
      And 20s pass
      And ask "p" now needs 500m vcore and has priority 3
      When 10s pass
      Then the preemption decisions are:
        | at  | id | for |
        | 30s | t  | p   |

    Scenario: each ask waits for itself
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | u          | root.test | 1 vcore   | n2 |
      And "p1" asks in root.prod for 1 vcore
      And 12s pass
      And "p2" asks in root.prod for 1 vcore
      When 1m passes
      Then the preemption decisions are:
        | at  | id | for |
        | 30s | u  | p1  |
        | 42s | t  | p2  |

  Rule: placing comes first

    Scenario: what finds room before never preempts
      Given "p" asks in root.prod for 1 vcore
      And 29s pass
      And a node "n2" with 1 vcore
      When 1h passes
      Then no allocation is preempted
      And "p" is allocated on "n2"

    Scenario: all that can be placed is placed before any allocation is preempted
      Given "p" asks in root.prod for 1 vcore
      When 30s pass
      And a node "n2" with 1 vcore
      Then the decisions include:
        | type          | id |
        | node.accepted | n2 |
        | allocation    | p  |
      And no allocation is preempted

  Rule: it is the leaf's delay, its own or inherited, as last configured

    Scenario: a reload that shortens the delay counts at once
      Given "p" asks in root.prod for 1 vcore
      And 10s pass
      When the queues:
        | queue     | guaranteed | preemption.delay |
        | root.prod | 1 vcore    | 8s               |
        | root.test |            |                  |
      Then "p" preempts "t"

    Scenario: one that lengthens it too
      Given "p" asks in root.prod for 1 vcore
      And 10s pass
      And the queues:
        | queue     | guaranteed | preemption.delay |
        | root.prod | 1 vcore    | 1m               |
        | root.test |            |                  |
      When 49999ms pass
      Then no allocation is preempted
      When 1ms passes
      Then "p" preempts "t"

    Scenario: a leaf that drains keeps its delay and its guarantee
      Given "p" asks in root.prod for 1 vcore
      And the queues:
        | queue     | preemption.delay |
        | root      | 5s               |
        | root.test |                  |
      When 1h passes
      Then the preemption decisions are:
        | at  | id | for |
        | 30s | t  | p   |

    Scenario Outline: root says <root>, root.org <org>, root.org.prod <prod>: <at>
      Given the queues:
        | queue         | guaranteed | preemption.delay |
        | root          |            | <root>           |
        | root.org      |            | <org>            |
        | root.org.prod | 1 vcore    | <prod>           |
        | root.test     |            |                  |
      And "p" asks in root.org.prod for 1 vcore
      When 10m pass
      Then the preemption decisions are:
        | at   | id |
        | <at> | t  |

      Examples:
        | root | org | prod | at    |
        |      |     |      | 30s   |
        |      |     | 5s   | 5s    |
        |      | 5s  |      | 5s    |
        | 5s   |     |      | 5s    |
        | 5s   | 7s  |      | 7s    |
        | 5s   | 7s  | 90s  | 1m30s |
        |      | 5s  | soon | 30s   |
        |      |     | 0s   | 30s   |
        |      |     | -5s  | 30s   |
`;export{e as default};