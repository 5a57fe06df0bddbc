Feature: a tight queue

  Scenario: both fit
    Given the queues:
      | queue      | max     |
      | root.batch | 6 vcore |
    And a node "n1" with 8 vcore
    And "night" asks in root.batch for 4 vcore
    When "more" asks in root.batch for 4 vcore
    Then "more" is allocated
