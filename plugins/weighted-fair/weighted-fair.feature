Feature: weighted-fair

  Queues by what they use for each unit of weight. What use comes to is said by costs, a vcore 1 and all else nothing
  unless the policy is set up otherwise.

  Rule: use is divided as the weights are

    Scenario: three to one
      Given the queues:
        | queue  | queue.sort.policy | weight |
        | root   | weighted-fair     |        |
        | root.a |                   | 3      |
        | root.b |                   | 1      |
      And a node "n1" with 8 vcore
      When the asks:
        | ask | queue  | resources | count |
        | a   | root.a | 1 vcore   | 8     |
        | b   | root.b | 1 vcore   | 8     |
      Then the queues show:
        | queue  | used    |
        | root.a | 6 vcore |
        | root.b | 2 vcore |

    Scenario Outline: a weight of <weight> counts as 1
      Given the queues:
        | queue  | queue.sort.policy | weight   |
        | root   | weighted-fair     |          |
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
        | -1     |
        | much   |

  Rule: neither a guarantee nor a maximum changes a weight

    Scenario: both are compared by what they use
      Given the queues:
        | queue  | queue.sort.policy | guaranteed | max     |
        | root   | weighted-fair     |            |         |
        | root.a |                   | 4 vcore    |         |
        | root.b |                   |            | 6 vcore |
      And a node "n1" with 6 vcore
      When the asks:
        | ask | queue  | resources | count |
        | a   | root.a | 1 vcore   | 6     |
        | b   | root.b | 1 vcore   | 6     |
      Then the queues show:
        | queue  | used    |
        | root.a | 3 vcore |
        | root.b | 3 vcore |

  Rule: what costs nothing does not count

    Scenario: memory, unless it has a cost
      Given the queues:
        | queue  | queue.sort.policy |
        | root   | weighted-fair     |
        | root.a |                   |
        | root.b |                   |
      And a node "n1" with 10 vcore, 100 memory
      And "a0" asks in root.a for 1 vcore, 90 memory
      And "b0" asks in root.b for 2 vcore
      When "b" asks in root.b for 1 vcore
      And "a" asks in root.a for 1 vcore
      Then "a", "b" are allocated in this order

  Rule: of equals, the queue with more pending goes first

    Scenario: nothing is used yet
      Given the queues:
        | queue  | queue.sort.policy |
        | root   | weighted-fair     |
        | root.a |                   |
        | root.b |                   |
      And a node "n1" with 10 vcore
      When "a" asks in root.a for 1 vcore
      And "b" asks in root.b for 2 vcore
      Then "b", "a" are allocated in this order
