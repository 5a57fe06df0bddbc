Feature: binpacking

  The built-in binpacking order of nodes as a module. Written with the name of the module in C; the other languages play
  it with theirs.

  Rule: the most used node that fits comes first

    Scenario: asks pile up
      Given nodes are sorted by binpacking-c
      And a node "n1" with 3 vcore, 3 memory
      And a node "n2" with 3 vcore, 3 memory
      When "a", "b" and "c" ask in root.default for 1 vcore, 1 memory
      Then "a", "b" and "c" are allocated on "n1"

    Scenario: until it is full
      Given nodes are sorted by binpacking-c
      And a node "n1" with 2 vcore, 2 memory
      And a node "n2" with 2 vcore, 2 memory
      When "a", "b" and "c" ask in root.default for 1 vcore, 1 memory
      Then "a" and "b" are allocated on "n1"
      And "c" is allocated on "n2"

    Scenario: use is the mean of vcore and memory
      Given nodes are sorted by binpacking-c
      And the nodes:
        | node | capacity            | occupied          |
        | n1   | 10 vcore, 10 memory | 6 vcore           |
        | n2   | 10 vcore, 10 memory | 3 vcore, 4 memory |
      When "x" asks in root.default for 1 vcore
      Then "x" is allocated on "n2"
