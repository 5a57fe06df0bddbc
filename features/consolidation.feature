@explain
Feature: Moves of allocations that make room

  Small allocations can be spread so that no node has room for a large ask. Those that say so may be moved: the fewest moves are proposed, then those of
  the least amounts. Nothing is moved.

  Background: three nodes of four cores, with room on each
    Given the queues:
      | queue  | max     |
      | root.a |         |
      | root.b | 3 vcore |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And a node "n3" with 4 vcore

  Scenario: the fewest moves, of the least amounts
    Given the allocations:
      | allocation | application | queue  | resources | on | movable |
      | w1         | web         | root.a | 1 vcore   | n1 | yes     |
      | w2         | web         | root.a | 2 vcore   | n2 | yes     |
      | w3         | web         | root.a | 1 vcore   | n3 |         |
      | w4         | web         | root.a | 1 vcore   | n3 |         |
    And "x" asks in root.a for 4 vcore
    Then ask "x" fits after these moves:
      | allocation | from | to |
      | w1         | n1   | n2 |

  Scenario: one move displaces another
    Given the allocations:
      | allocation | application | queue  | resources | on | movable |
      | w1         | web         | root.a | 3 vcore   | n1 | yes     |
      | w2         | web         | root.a | 2 vcore   | n2 | yes     |
      | w3         | web         | root.a | 2 vcore   | n3 |         |
    And "x" asks in root.a for 4 vcore
    Then ask "x" fits after these moves:
      | allocation | from | to |
      | w2         | n2   | n3 |

  Scenario: a gang as a whole
    Given the allocations:
      | allocation | application | queue  | resources | on | movable |
      | w1         | web         | root.a | 1 vcore   | n1 | yes     |
      | w2         | web         | root.a | 1 vcore   | n2 | yes     |
      | w3         | web         | root.a | 2 vcore   | n3 |         |
    And an application "job" in root.a
    And "job" asks "m1" and "m2" in gang "g" of at least 2 for 4 vcore
    Then ask "m2" fits after these moves:
      | allocation | from | to |
      | w1         | n1   | n3 |
      | w2         | n2   | n3 |

  Scenario: what does not say so stays
    Given the allocations:
      | allocation | application | queue  | resources | on |
      | w1         | web         | root.a | 1 vcore   | n1 |
      | w2         | web         | root.a | 1 vcore   | n2 |
      | w3         | web         | root.a | 1 vcore   | n3 |
    And "x" asks in root.a for 4 vcore
    Then no moves make room for ask "x"

  Scenario: moves do not help against a max
    Given the allocations:
      | allocation | application | queue  | resources | on | movable |
      | w1         | web         | root.a | 1 vcore   | n1 | yes     |
      | w2         | web         | root.a | 1 vcore   | n2 | yes     |
      | w3         | web         | root.a | 1 vcore   | n3 | yes     |
    And "x" asks in root.b for 4 vcore
    Then no moves make room for ask "x"

  Scenario: a snapshot keeps what may be moved
    Given an application "web" in root.a
    And the asks:
      | ask | application | resources | movable |
      | w1  | web         | 3 vcore   | yes     |
      | w2  | web         | 3 vcore   | yes     |
      | w3  | web         | 1 vcore   | yes     |
    And the cycle runs
    When the scheduler is restored from a snapshot
    And "x" asks in root.a for 4 vcore
    Then ask "x" fits after these moves:
      | allocation | from | to |
      | w3         | n3   | n1 |
