Feature: Members that are placed by themselves after the timeout of their gang

  With the fallback members, a gang that is not placed in time is one no longer: its pending members become asks like any others. Without it, they
  are rejected.

  Background: room for one
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 2 vcore    | 15s              |
      | root.b |            |                  |
    And a node "n1" with 2 vcore
    And an application "job" in root.a
    And the asks:
      | ask | application | resources | gang | gang min | gang timeout | gang fallback |
      | a   | job         | 2 vcore   | g    | 3        | 10s          | members       |
      | b   | job         | 2 vcore   | g    | 3        | 10s          | members       |

  Scenario: before the timeout the gang waits
    When 9s pass
    Then "a" and "b" wait

  Scenario: at the timeout each is placed that fits
    Given 9s pass
    When 1s passes
    Then the gang.fallback decisions are:
      | app | gang | reason  |
      | job | g    | timeout |
    And "a" is allocated
    And "b" waits
    When "a" fails
    Then "b" is allocated

  Scenario: a later member is an ask like any other
    Given 10s pass
    And the cycle runs
    And a node "n2" with 4 vcore
    When the asks:
      | ask | application | resources | gang | gang min | gang timeout | gang fallback |
      | c   | job         | 2 vcore   | g    | 3        | 10s          | members       |
    Then "c" is allocated

  Scenario: when its last member has failed, the name denotes a gang again
    Given 10s pass
    And the cycle runs
    And ask "b" is removed
    And "a" fails
    When the asks:
      | ask | application | resources | gang | gang min | gang timeout | gang fallback |
      | c   | job         | 1 vcore   | g    | 3        | 10s          | members       |
    Then "c" waits
    When 10s pass
    Then "c" is allocated

  Scenario: each preempts by itself
    Given ask "a" is removed
    And ask "b" is removed
    And the asks:
      | ask | application | queue  | resources | count |
      | o   | other       | root.b | 1 vcore   | 2     |
    And the cycle runs
    And the asks:
      | ask | application | resources | gang | gang min | gang timeout | gang fallback |
      | c   | job         | 2 vcore   | g    | 2        | 20s          | members       |
    When 19s pass
    Then there is no preemption decision
    When 1s passes
    Then the preemption decisions are:
      | id  | for |
      | o-1 | c   |
      | o-2 | c   |
