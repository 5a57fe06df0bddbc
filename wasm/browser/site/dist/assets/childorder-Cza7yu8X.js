var e=`Feature: The order of a parent's children

  After priority: the smaller fair share first, then the larger pending share, then the path.

  Rule: a fair share is the largest part of what is guaranteed, over the types used or guaranteed

    Scenario: the queue furthest below its guaranteed goes first
      Given the queues:
        | queue  | guaranteed |
        | root.a | 4 vcore    |
        | root.b | 8 vcore    |
      And a node "n1" with 20 vcore
      And "a0" asks in root.a for 2 vcore
      And "b0" asks in root.b for 2 vcore
      When "a1" asks in root.a for 1 vcore
      And "b1" asks in root.b for 1 vcore
      Then "b1", "a1" are allocated in this order

    Scenario: half of its cores is 50 %, a quarter is 25 %
      Given the queues:
        | queue  | guaranteed |
        | root.a | 4 vcore    |
        | root.b | 8 vcore    |
      And a node "n1" with 20 vcore
      When "a" asks in root.a for 2 vcore
      And "b" asks in root.b for 2 vcore
      Then the queues show:
        | queue  | fair share |
        | root.a | 50 %       |
        | root.b | 25 %       |

    Scenario: the type that is used most counts
      Given the queues:
        | queue  | guaranteed          |
        | root.a | 10 vcore, 10 memory |
        | root.b | 10 vcore, 10 memory |
      And a node "n1" with 20 vcore, 20 memory
      And "a0" asks in root.a for 1 vcore, 6 memory
      And "b0" asks in root.b for 5 vcore, 1 memory
      When "a1" asks in root.a for 1 vcore
      And "b1" asks in root.b for 1 vcore
      Then "b1", "a1" are allocated in this order

    Scenario: a third is rounded down
      Given the queues:
        | queue  | guaranteed |
        | root.a | 3 vcore    |
      And a node "n1" with 9 vcore
      When "a" asks in root.a for 1 vcore
      Then the queues show:
        | queue  | fair share  |
        | root.a | 0.333333333 |

    Scenario: nothing used is a share of nothing
      Given the queues:
        | queue  | guaranteed |
        | root.a | 3 vcore    |
      Then the queues show:
        | queue  | fair share |
        | root.a | 0          |

    Scenario: a guaranteed may be used more than once over
      Given the queues:
        | queue  | guaranteed |
        | root.a | 2 vcore    |
      And a node "n1" with 9 vcore
      When "a" asks in root.a for 5 vcore
      Then the queues show:
        | queue  | fair share |
        | root.a | 250 %      |

    Scenario: a share ends at 9,007,199.254740991 times the guaranteed
      Given the queues:
        | queue  | guaranteed |
        | root.a | 1 memory   |
      And a node "n1" with 10G memory
      When "a" asks in root.a for 10G memory
      Then the queues show:
        | queue  | fair share        |
        | root.a | 9007199.254740991 |

    Scenario: two queues of one and two thirds take turns one to two
      Given the queues:
        | queue  | guaranteed |
        | root.a | 3 vcore    |
        | root.b | 6 vcore    |
      And a node "n1" with 9 vcore
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 3     |
        | b   | b           | root.b | 1 vcore   | 6     |
      Then "b-1", "a-1", "b-2", "b-3", "a-2", "b-4", "b-5", "a-3" and "b-6" are allocated in this order

  Rule: a type without a guaranteed counts against the nearest max

    Scenario Outline: 2 vcore used of <nearest>
      Given the queues:
        | queue    | max      |
        | root.p   | <parent> |
        | root.p.a | <own>    |
      And a node "n1" with 20 vcore
      When "a" asks in root.p.a for 2 vcore
      Then the queues show:
        | queue    | fair share |
        | root.p.a | <share>    |

      Examples:
        | nearest                | parent   | own     | share |
        | its own max of 4       | 10 vcore | 4 vcore | 50 %  |
        | its parent's max of 10 | 10 vcore |         | 20 %  |
        | the cluster's 20       |          |         | 10 %  |
        | the cluster's 20 still | 5 memory |         | 10 %  |

    Scenario: guaranteed in one type, counted by the cluster in another
      Given the queues:
        | queue  | guaranteed |
        | root.a | 10 vcore   |
        | root.b | 10 vcore   |
      And a node "n1" with 20 vcore, 100 memory
      And "a0" asks in root.a for 1 vcore, 50 memory
      And "b0" asks in root.b for 4 vcore
      When "a1" asks in root.a for 1 vcore
      And "b1" asks in root.b for 1 vcore
      Then "b1", "a1" are allocated in this order

    Scenario: without any guaranteed the one that uses less goes first
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 20 vcore
      And "a0" asks in root.a for 2 vcore
      And "b0" asks in root.b for 1 vcore
      When "a1" asks in root.a for 1 vcore
      And "b1" asks in root.b for 1 vcore
      Then "b1", "a1" are allocated in this order

    Scenario: a larger max makes the same use a smaller share
      Given the queues:
        | queue  | max      |
        | root.a | 4 vcore  |
        | root.b | 10 vcore |
      And a node "n1" with 20 vcore
      And "a0" asks in root.a for 1 vcore
      And "b0" asks in root.b for 2 vcore
      When "a1" asks in root.a for 1 vcore
      And "b1" asks in root.b for 1 vcore
      Then "b1", "a1" are allocated in this order

  Rule: of nothing guaranteed, anything is the whole

    Scenario: an explicit zero is 0 unused and the whole when used
      Given the queues:
        | queue  | guaranteed |
        | root.a | 0 vcore    |
        | root.b |            |
      And a node "n1" with 20 vcore
      Then the queues show:
        | queue  | fair share |
        | root.a | 0          |
      When "a" asks in root.a for 1m vcore
      And "b" asks in root.b for 19 vcore
      Then the queues show:
        | queue  | fair share |
        | root.a | 100 %      |
        | root.b | 95 %       |

  Rule: at equal shares the larger pending part of the cluster goes first

    Scenario: more pending wins over the path
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 10 vcore
      When "a1" asks in root.a for 1 vcore
      And "b1", "b2" ask in root.b for 1 vcore
      Then "b1", "a1", "b2" are allocated in this order

    Scenario: the type with the largest part counts
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 10 vcore, 100 memory
      When "a1" asks in root.a for 3 vcore, 1 memory
      And "b1" asks in root.b for 1 vcore, 40 memory
      Then "b1", "a1" are allocated in this order

    Scenario: what the cluster has none of counts as the whole of it
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 10 vcore
      And no node has "unobtainium"
      When "a1" asks in root.a for 9 vcore
      And "b1" asks in root.b for 1 vcore
      And "b2" asks in root.b for 1 unobtainium
      Then "b1", "a1" are allocated in this order

    Scenario: at equal pending the path decides
      Given the queues:
        | queue   |
        | root.b  |
        | root.a  |
        | root.a1 |
      And a node "n1" with 10 vcore
      When "b" asks in root.b for 1 vcore
      And "a1" asks in root.a1 for 1 vcore
      And "a" asks in root.a for 1 vcore
      Then "a", "a1", "b" are allocated in this order

  Rule: priority comes before fair share

    Scenario: a higher priority beats a smaller share
      Given the queues:
        | queue  | guaranteed |
        | root.a | 2 vcore    |
        | root.b | 9 vcore    |
      And a node "n1" with 10 vcore
      And "a0" asks in root.a for 2 vcore
      When "a1" asks in root.a for 1 vcore with priority 1
      And "b1" asks in root.b for 1 vcore
      Then "a1", "b1" are allocated in this order

  Rule: every level has its own order

    Scenario: the share of a subtree counts for its parent, the share of a leaf inside it
      Given the queues:
        | queue    |
        | root.p.x |
        | root.p.y |
        | root.q   |
      And a node "n1" with 20 vcore
      And "x0" asks in root.p.x for 1 vcore
      And "y0" asks in root.p.y for 3 vcore
      And "q0" asks in root.q for 2 vcore
      When "x1" asks in root.p.x for 1 vcore
      And "y1" asks in root.p.y for 1 vcore
      And "q1" asks in root.q for 1 vcore
      Then "q1", "x1", "y1" are allocated in this order
`;export{e as default};