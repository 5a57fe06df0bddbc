@snapshot
Feature: A snapshot keeps atomic gangs

  A waiting gang keeps its minimum and its timeout, and a placed gang stays placed.

  Background:
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 4 vcore    | 10s              |
      | root.b |            |                  |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And an application "mpi" in root.a

  Scenario: a waiting gang is placed as a whole
    Given "mpi" asks "a" and "b" in gang "g" of at least 3 for 1 vcore
    When the scheduler is restored from a snapshot
    Then nothing is decided
    When "mpi" asks "c" in gang "g" of at least 3 for 1 vcore
    Then "a", "b", "c" are allocated in this order

  Scenario: the minimum of a waiting gang
    Given "mpi" asks "a" in gang "g" of at least 3 for 1 vcore
    When the scheduler is restored from a snapshot
    And "mpi" asks "b" in gang "g" of at least 2 for 1 vcore
    Then "b" is rejected because of gang-mismatch

  Scenario: the timeout continues
    Given the asks:
      | ask | application | resources | gang | gang min | gang timeout |
      | a   | mpi         | 1 vcore   | g    | 2        | 10s          |
    And 6s pass
    And the scheduler is restored from a snapshot
    When 3s pass
    Then "a" waits
    When 1s passes
    Then "a" is rejected because of gang-timeout

  Scenario: the timeout counts from the first member even if that one was withdrawn
    Given the asks:
      | ask | application | resources | gang | gang min | gang timeout |
      | a   | mpi         | 1 vcore   | g    | 3        | 10s          |
    And 6s pass
    And the asks:
      | ask | application | resources | gang | gang min | gang timeout |
      | b   | mpi         | 1 vcore   | g    | 3        | 10s          |
    And ask "a" is removed
    And the scheduler is restored from a snapshot
    When 4s pass
    Then "b" is rejected because of gang-timeout

  Scenario: a placed gang stays placed
    Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
    And the cycle runs
    And "a" is released
    When the scheduler is restored from a snapshot
    And "mpi" asks "c" in gang "g" of at least 2 for 1 vcore
    Then "c" is allocated

  Scenario: kept nodes, and landing in one decision
    Given the asks:
      | ask | application | queue  | resources | count |
      | o   | other       | root.b | 1 vcore   | 4     |
    And the cycle runs
    And "mpi" asks "a" and "b" in gang "g" of at least 2 for 2 vcore
    And 10s pass
    And the cycle runs
    When the scheduler is restored from a snapshot
    And "o-1", "o-2" and "o-3" are released
    Then nothing is allocated
    When "o-4" is released
    Then "a", "b" are allocated in this order

  Scenario: kept nodes lapse together
    Given the asks:
      | ask | application | queue  | resources | count |
      | o   | other       | root.b | 1 vcore   | 4     |
    And the cycle runs
    And "mpi" asks "a" and "b" in gang "g" of at least 2 for 2 vcore
    And 10s pass
    And the cycle runs
    When the scheduler is restored from a snapshot
    And node "n2" is drained
    Then the preemption.lapsed decisions are:
      | for | node |
      | a   | n1   |
      | b   | n2   |

  Scenario: members that succeeded, of a gang that waits
    Given "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 1 vcore
    And the cycle runs
    And "a" is released
    And "b" and "c" fail
    And "mpi" asks "b-again" in gang "g" of at least 3 for 1 vcore
    When the scheduler is restored from a snapshot
    Then "b-again" waits
    When "mpi" asks "c-again" in gang "g" of at least 3 for 1 vcore
    Then "b-again", "c-again" are allocated in this order

  Scenario: members that succeeded, of a gang without members
    Given "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 1 vcore
    And the cycle runs
    And "a" and "b" are released
    And "c" fails
    When the scheduler is restored from a snapshot
    And "mpi" asks "c-again" in gang "g" of at least 3 for 1 vcore
    Then "c-again" is allocated

  Scenario: the fallback of a waiting gang
    Given the asks:
      | ask | application | resources | gang | gang min | gang timeout | gang fallback |
      | a   | mpi         | 1 vcore   | g    | 2        | 10s          | members       |
    And 6s pass
    When the scheduler is restored from a snapshot
    And 4s pass
    Then "a" is allocated

  Scenario: members that are placed by themselves
    Given the asks:
      | ask | application | resources | gang | gang min | gang timeout | gang fallback |
      | a   | mpi         | 3 vcore   | g    | 2        | 10s          | members       |
    And 10s pass
    When the scheduler is restored from a snapshot
    And a node "n3" with 3 vcore
    Then "a" is allocated
