@snapshot
Feature: A snapshot keeps atomic gangs

  A gang that waits goes on waiting, with its minimum and its time; one that was placed stays placed.

  Background:
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 4 vcore    | 10s              |
      | root.b |            |                  |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And an application "mpi" in root.a

  Scenario: a gang that waits is placed as a whole
    Given "mpi" asks "a" and "b" in gang "g" of at least 3 for 1 vcore
    When the scheduler is restored from a snapshot
    Then nothing is decided
    When "mpi" asks "c" in gang "g" of at least 3 for 1 vcore
    Then "a", "b", "c" are allocated in this order

  Scenario: its minimum and timeout are known
    Given "mpi" asks "a" in gang "g" of at least 3 for 1 vcore
    When the scheduler is restored from a snapshot
    And "mpi" asks "b" in gang "g" of at least 2 for 1 vcore
    Then "b" is rejected because of gang-mismatch

  Scenario: its time goes on
    Given the asks:
      | ask | application | resources | gang | gang min | gang timeout |
      | a   | mpi         | 1 vcore   | g    | 2        | 10s          |
    And 6s pass
    And the scheduler is restored from a snapshot
    When 3s pass
    Then "a" waits
    When 1s passes
    Then "a" is rejected because of gang-timeout

  Scenario: its time counts from a first member that has been withdrawn since
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

  Scenario: one that was placed stays placed
    Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
    And the cycle runs
    And "a" is released
    When the scheduler is restored from a snapshot
    And "mpi" asks "c" in gang "g" of at least 2 for 1 vcore
    Then "c" is allocated

  Scenario: the nodes that are kept for it, and that it lands in one decision
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

  Scenario: all of its nodes lapse together
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
