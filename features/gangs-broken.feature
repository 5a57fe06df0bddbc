Feature: Broken gangs are repaired, or end

  A gang that was whole is broken when too few of its members are left. Its pending members repair it, before other asks of their priority.

  Background: a gang of three, and one core taken by another application
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And an application "train" in root.a
    And the asks:
      | ask | application | resources | gang | gang min | gang repair | count |
      | w   | train       | 1 vcore   | g    | 3        | 10s         | 3     |
    And "other" asks in root.a for 1 vcore
    And the cycle runs

  Rule: a gang that was whole is broken when too few members are left

    Scenario: by a failure
      When "w-1" fails
      Then the gang.broken decisions are:
        | app   | gang | allocated | min | reason |
        | train | g    | 2         | 3   | failed |

    Scenario: it is said once
      When "w-1" fails
      And 1s passes
      And "w-2" fails
      And 1s passes
      Then the gang.broken decisions are:
        | app   | gang | allocated | min | reason |
        | train | g    | 2         | 3   | failed |

    Scenario: not by a member that has succeeded
      When "w-1" is released
      And 1s passes
      Then there is no gang.broken decision

  Rule: pending members repair it

    Scenario: a repair comes before an ask of equal priority that was there first
      Given "first" asks in root.a for 1 vcore
      And "train" asks "w4" in gang "h" of at least 1 for 1 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang repair |
        | w-4 | train       | 1 vcore   | g    | 3        | 10s         |
      When "w-1" fails
      Then "w-4" is allocated
      And "first" and "w4" wait
      And the gang.repaired decisions are:
        | app   | gang | allocated | min |
        | train | g    | 3         | 3   |

    Scenario: a repair stays first when its application is moved
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And "w-1" fails
      And 1s passes
      And "train" asks "first" for 2 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang repair |
        | w-4 | train       | 2 vcore   | g    | 3        | 10s         |
      When application "train" is moved to root.b
      And a node "n3" with 2 vcore
      Then "w-4" is allocated on "n3"
      And "first" waits

  Rule: what is not repaired in time ends

    Scenario: not of an application that was removed meanwhile
      When "w-1" fails
      And 1s passes
      And application "train" is removed
      And 1m passes
      Then there is no gang.ended decision

    Scenario: the last members leave, and later ones wait together
      When "w-1" fails
      And 10s pass
      Then the gang.ended decisions are:
        | app   | gang | allocated | min |
        | train | g    | 2         | 3   |
      When "w-2" and "w-3" are released
      Then the release decisions are:
        | id  | reason      |
        | w-2 | gang_broken |
        | w-3 | gang_broken |
