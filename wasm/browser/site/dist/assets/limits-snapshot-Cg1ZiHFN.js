var e=`@snapshot
Feature: A snapshot keeps limits and their usage

  Background:
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 4 vcore    | 10s              |
      | root.b |            |                  |
    And the limits:
      | queue  | users | groups | max     | maxapplications |
      | root.a | bob   |        | 4 vcore | 2               |
      | root.a |       | dev    | 6 vcore |                 |
    And a node "n1" with 4 vcore
    And a node "n2" with 9 vcore

  Scenario: users, groups and their usage
    Given the asks:
      | ask  | queue  | user  | groups | resources |
      | his  | root.a | bob   | dev    | 3 vcore   |
      | hers | root.a | alice | dev    | 2 vcore   |
    When the scheduler is restored from a snapshot
    And the asks:
      | ask  | queue  | user  | groups | resources |
      | more | root.a | bob   | none   | 2 vcore   |
      | dev  | root.a | alice | dev    | 2 vcore   |
    Then the applications show:
      | application | group |
      | his         | dev   |
      | hers        | dev   |
    And "more" and "dev" wait
    When "his" is released
    Then "more" and "dev" are allocated

  Scenario: places of users
    Given "one" asks in root.a as user "bob" for 1 vcore
    And "two" asks in root.a as user "bob" for 1 vcore
    When the scheduler is restored from a snapshot
    And "three" asks in root.a as user "bob" for 1 vcore
    Then "three" waits
    When application "one" is removed
    Then "three" is allocated

  Scenario: room that is kept for an ask of a user
    Given "old" asks in root.b for 4 vcore
    And "large" asks in root.b for 9 vcore
    And the cycle runs
    And "his" asks in root.a as user "bob" for 3 vcore
    And 10s pass
    When the scheduler is restored from a snapshot
    And a node "n3" with 9 vcore
    And "other" asks in root.a as user "bob" for 2 vcore
    Then "other" waits
    When "old" and "large" are released
    Then "his" is allocated
    And "other" waits

  Scenario: limits of a draining queue
    Given the limits:
      | queue  | users | max     |
      | root.b | bob   | 2 vcore |
    And "app" asks in root.b as user "bob" for 2 vcore
    And the configuration:
      """yaml
      partitions:
      - name: default
        queues: [{name: a}]
      """
    When the scheduler is restored from a snapshot
    And "app" asks "more" for 1 vcore
    Then "more" waits
`;export{e as default};