Feature: drf

  Dominant resource fairness: who has the smallest dominant share for each unit of weight goes first. A dominant share
  is the largest part of any type that a queue or an application uses.

  Rule: dominant shares are made equal, whatever the types

    Scenario: one wants memory, the other cores
      Given the queues:
        | queue  | queue.sort.policy |
        | root   | drf               |
        | root.a |                   |
        | root.b |                   |
      And a node "n1" with 9 vcore, 18 memory
      When the asks:
        | ask | queue  | resources         | count |
        | a   | root.a | 1 vcore, 4 memory | 4     |
        | b   | root.b | 3 vcore, 1 memory | 3     |
      Then "b-1", "a-1", "a-2", "b-2", "a-3" are allocated in this order
      And "a-4" and "b-3" wait
      And the queues show:
        | queue  | used               |
        | root.a | 3 vcore, 12 memory |
        | root.b | 6 vcore, 2 memory  |

  Rule: a queue with twice the weight gets twice the share

    Scenario: weights are properties
      Given the queues:
        | queue  | queue.sort.policy | weight |
        | root   | drf               |        |
        | root.a |                   | 2      |
        | root.b |                   | 1      |
      And a node "n1" with 6 vcore
      When the asks:
        | ask | queue  | resources | count |
        | a   | root.a | 1 vcore   | 6     |
        | b   | root.b | 1 vcore   | 6     |
      Then the queues show:
        | queue  | used    |
        | root.a | 4 vcore |
        | root.b | 2 vcore |

    Scenario Outline: a weight of <weight> counts as 1
      Given the queues:
        | queue  | queue.sort.policy | weight   |
        | root   | drf               |          |
        | root.a |                   | <weight> |
        | root.b |                   |          |
      And a node "n1" with 6 vcore
      When the asks:
        | ask | queue  | resources | count |
        | a   | root.a | 1 vcore   | 6     |
        | b   | root.b | 1 vcore   | 6     |
      Then the queues show:
        | queue  | used    |
        | root.a | 3 vcore |
        | root.b | 3 vcore |

      Examples:
        | weight |
        | 0      |
        | -4     |
        | heavy  |

  Rule: applications of a leaf alike

    Scenario: the smaller dominant share first
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | drf                     |
      And a node "n1" with 10 vcore, 10 memory
      And "cores" asks in root.a for 4 vcore, 1 memory
      And "bytes" asks in root.a for 3 vcore, 3 memory
      When "cores" asks "c" for 1 vcore
      And "bytes" asks "b" for 1 vcore
      Then "b", "c" are allocated in this order

    Scenario: weights are tags
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | drf                     |
      And a node "n1" with 10 vcore
      And the applications:
        | application | queue  | tags     |
        | light       | root.a |          |
        | heavy       | root.a | weight=3 |
      And "light" asks "l1" for 1 vcore
      And "heavy" asks "h1", "h2" for 1 vcore
      When "light" asks "l2" for 1 vcore
      And "heavy" asks "h3" for 1 vcore
      Then "h3", "l2" are allocated in this order
