@snapshot
Feature: Planned starts and snapshots

  A snapshot keeps plans, and what was told about them.

  Background: a full node, and two asks that are planned
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore
    And backfill has depth all
    And the asks:
      | ask | queue  | resources | walltime | overrun |
      | run | root.a | 4 vcore   | 1h       | allow   |
    And the cycle runs
    And the asks:
      | ask  | queue  | resources | walltime |
      | full | root.a | 4 vcore   | 1h       |
      | next | root.a | 4 vcore   | 1h       |
    And 1m passes

  Scenario: nothing is told again
    Given the scheduler is restored from a snapshot
    When 1m passes
    Then there is no plan decision

  Scenario: a later start is told against what was told before
    Given the scheduler is restored from a snapshot
    When 59m pass
    Then the plan decisions are:
      | at | id   | start | reason  |
      | 1h | full | 1h1m  | overrun |
      | 1h | next | 2h1m  | overrun |

  Scenario: an end is told
    Given the scheduler is restored from a snapshot
    When ask "full" is removed
    Then the plan decisions are:
      | id   | start | reason    |
      | full |       | withdrawn |
      | next | 1h    | earlier   |

  Scenario: asks behind leave the plans their starts
    Given the scheduler is restored from a snapshot
    And a node "n2" with 1 vcore
    And "run" is released
    When the asks:
      | ask   | queue  | resources | walltime |
      | small | root.a | 2 vcore   | 1h       |
    Then "full" is allocated
    And the plan decisions are:
      | id    | start |
      | small | 2h1m  |
