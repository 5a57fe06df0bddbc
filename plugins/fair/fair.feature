Feature: fair

  The built-in fair orders as a module. Written with the name of the module in C; the other languages play it with theirs.

  Rule: the least used node comes first

    Scenario: asks spread
      Given nodes are sorted by fair-c
      And a node "n1" with 4 vcore, 4 memory
      And a node "n2" with 4 vcore, 4 memory
      When "a", "b" and "c" ask in root.default for 1 vcore, 1 memory
      Then "a" and "c" are allocated on "n1"
      And "b" is allocated on "n2"

    Scenario: use is the mean of vcore and memory
      Given nodes are sorted by fair-c
      And the nodes:
        | node | capacity           | occupied |
        | n1   | 10 vcore, 10 memory | 6 vcore  |
        | n2   | 10 vcore, 10 memory | 3 vcore, 4 memory |
      When "x" asks in root.default for 1 vcore
      Then "x" is allocated on "n1"

  Rule: the application that uses the smallest part of its queue's share comes first

    Scenario: two applications take turns
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair-c                  |
      And a node "n1" with 3 vcore
      When the asks:
        | ask | application | queue  | resources | count |
        | x   | first       | root.a | 1 vcore   | 3     |
        | y   | second      | root.a | 1 vcore   | 3     |
      Then "x-1", "y-1", "x-2" are allocated in this order

  Rule: the queue that uses the smallest part of what it is guaranteed comes first

    Scenario: a guarantee of twice as much gets twice as much
      Given the queues:
        | queue  | queue.sort.policy | guaranteed |
        | root   | fair-c            |            |
        | root.a |                   | 2 vcore    |
        | root.b |                   | 1 vcore    |
      And a node "n1" with 6 vcore
      When the asks:
        | ask | queue  | resources | count |
        | a   | root.a | 1 vcore   | 6     |
        | b   | root.b | 1 vcore   | 6     |
      Then the queues show:
        | queue  | used    |
        | root.a | 4 vcore |
        | root.b | 2 vcore |
