Feature: Planned starts beside windows

  A plan starts where windows let the ask be placed at its start: it would leave before a window that does not name it, or it starts after that.

  Background:
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore
    And backfill has depth all

  Scenario: an ask that would pass the start of a window starts at its end
    Given the windows:
      | window | from | until | nodes |
      | patch  | 1h   | 2h    | n1    |
    When the asks:
      | ask | queue  | resources | walltime |
      | j   | root.a | 1 vcore   | 61m      |
    Then the plan decisions are:
      | id | start | node | reason  |
      | j  | 2h    | n1   | planned |
    When 2h pass
    Then "j" is allocated on "n1"

  Scenario: between two windows there is too little time
    Given the windows:
      | window | from | until | nodes |
      | first  | 1h   | 2h    | n1    |
      | second | 150m | 3h    | n1    |
    When the asks:
      | ask | queue  | resources | walltime |
      | j   | root.a | 1 vcore   | 61m      |
    Then the plan decisions are:
      | id | start | node | reason  |
      | j  | 3h    | n1   | planned |

  Scenario: a window that comes makes a plan later
    Given the asks:
      | ask  | queue  | resources | walltime |
      | run  | root.a | 4 vcore   | 1h       |
      | full | root.a | 4 vcore   | 1h       |
    When the windows:
      | window | from | until | nodes |
      | patch  | 90m  | 3h    | n1    |
    Then the plan decisions are:
      | id   | start | node | reason |
      | full | 3h    | n1   | window |
