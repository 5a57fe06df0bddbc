Feature: Gangs beside planned starts

  A gang that waits gets no plan. It is placed once all its members fit without taking a plan its start. With backfill it does not accumulate.

  Background:
    Given the queues:
      | queue  |
      | root.a |
    And the nodes:
      | node | capacity |
      | n1   | 2 vcore  |
      | n2   | 2 vcore  |
    And backfill has depth 1
    And the asks:
      | ask   | queue  | resources | walltime |
      | run-1 | root.a | 2 vcore   | 1h       |
      | run-2 | root.a | 1 vcore   | 2h       |
    And an application "train" in root.a

  Scenario: an incomplete gang has no plan
    When the asks:
      | ask | application | resources | gang | gang min | walltime | count |
      | w   | train       | 1 vcore   | g    | 4        | 1h       | 3     |
    Then there is no plan decision

  Scenario: it lands in one decision
    Given the asks:
      | ask | application | resources | gang | gang min | walltime | count |
      | w   | train       | 1 vcore   | g    | 4        | 1h       | 4     |
    And 1h passes
    And "run-1" is released
    And the cycle runs
    When "run-2" is released
    Then "w-1", "w-2", "w-3" and "w-4" are allocated
    And there is no plan decision

  Scenario: with plans a gang does not accumulate
    Given the queues:
      | queue  | gang.accumulate-after |
      | root   | 1s                    |
      | root.a |                       |
    And the asks:
      | ask | application | resources | gang | gang min | walltime | count |
      | w   | train       | 1 vcore   | g    | 4        | 1h       | 4     |
    And 10m pass
    When the asks:
      | ask   | queue  | resources | walltime |
      | short | root.a | 1 vcore   | 1h       |
    Then "short" is allocated
    And there is no reservation decision

  Scenario: members that ask for different levels of the topology are placed without a plan
    Given the asks:
      | ask | application | resources | gang | gang min | walltime | topology required | count |
      | w   | train       | 1 vcore   | g    | 2        | 1h       | node              | 2     |
    Then there is no plan decision
