Feature: user-fair

  Applications by what their users and groups use of their limits, the least first. Of the limits of the user and of the group the
  fuller one counts, and of equals the other.

  Background:
    Given the queues:
      | queue  | application.sort.policy |
      | root.a | user-fair               |
      | root.b |                         |
    And a node "n1" with 20 vcore

  Rule: who uses the smaller share of the own limit goes first

    Background:
      Given the limits:
        | queue | users | max      |
        | root  | ann   | 10 vcore |
        | root  | bob   | 4 vcore  |

    Scenario: shares count, not amounts
      Given the asks:
        | ask   | queue  | user | resources |
        | ann-1 | root.a | ann  | 3 vcore   |
        | bob-1 | root.a | bob  | 2 vcore   |
      When the asks:
        | ask   | queue  | user | resources |
        | bob-2 | root.a | bob  | 1 vcore   |
        | ann-2 | root.a | ann  | 1 vcore   |
      Then "ann-2", "bob-2" are allocated in this order

    Scenario: all applications of a user count, in other queues too
      Given the asks:
        | ask   | queue  | user | resources |
        | ann-1 | root.b | ann  | 3 vcore   |
      When the asks:
        | ask   | queue  | user | resources |
        | ann-2 | root.a | ann  | 1 vcore   |
        | bob-1 | root.a | bob  | 1 vcore   |
        | bob-2 | root.a | bob  | 1 vcore   |
      Then "bob-1", "bob-2", "ann-2" are allocated in this order

    Scenario: what one application gets moves all others of its user
      When the asks:
        | ask   | queue  | user | resources |
        | ann-1 | root.a | ann  | 5 vcore   |
        | ann-2 | root.a | ann  | 5 vcore   |
        | bob-1 | root.a | bob  | 1 vcore   |
        | bob-2 | root.a | bob  | 1 vcore   |
        | bob-3 | root.a | bob  | 1 vcore   |
      Then "ann-1", "bob-1", "bob-2", "ann-2", "bob-3" are allocated in this order

    Scenario: what is released counts no more
      Given the asks:
        | ask   | queue  | user | resources |
        | ann-1 | root.a | ann  | 5 vcore   |
        | bob-1 | root.a | bob  | 1 vcore   |
      When "ann-1" is released
      And the asks:
        | ask   | queue  | user | resources |
        | bob-2 | root.a | bob  | 1 vcore   |
        | ann-2 | root.a | ann  | 1 vcore   |
      Then "ann-2", "bob-2" are allocated in this order

    Scenario: the fullest of all limits from the leaf to root counts
      Given the limits:
        | queue  | users | max      |
        | root   | ann   | 10 vcore |
        | root   | bob   | 4 vcore  |
        | root.a | ann   | 4 vcore  |
      And the asks:
        | ask   | queue  | user | resources |
        | ann-1 | root.a | ann  | 3 vcore   |
        | bob-1 | root.a | bob  | 2 vcore   |
      When the asks:
        | ask   | queue  | user | resources |
        | ann-2 | root.a | ann  | 1 vcore   |
        | bob-2 | root.a | bob  | 1 vcore   |
      Then "bob-2", "ann-2" are allocated in this order

  Rule: the limit of the group counts as well

    Scenario: the group is fuller than the user
      Given the limits:
        | queue | users    | groups | max     |
        | root  | ann, bob |        | 8 vcore |
        | root  |          | dev    | 4 vcore |
      And the asks:
        | ask   | queue  | user | groups | resources |
        | bob-1 | root.a | bob  |        | 3 vcore   |
        | eve-1 | root.a | eve  | dev    | 2 vcore   |
      When the asks:
        | ask   | queue  | user | groups | resources |
        | ann-1 | root.a | ann  | dev    | 1 vcore   |
        | bob-2 | root.a | bob  |        | 1 vcore   |
      Then "bob-2", "ann-1" are allocated in this order

  Rule: users without limits come last

    Scenario: until the others are at their limits
      Given the limits:
        | queue | users | max     |
        | root  | bob   | 2 vcore |
      When the asks:
        | ask   | queue  | user | resources |
        | eve-1 | root.a | eve  | 1 vcore   |
        | bob-1 | root.a | bob  | 1 vcore   |
        | bob-2 | root.a | bob  | 1 vcore   |
        | bob-3 | root.a | bob  | 1 vcore   |
      Then "bob-1", "bob-2", "eve-1" are allocated in this order
      And "bob-3" waits
