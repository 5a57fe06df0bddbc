Feature: A gang that waits accumulates room

  A gang holds nothing while it waits, so a stream of smaller asks behind it could take all the room that becomes free, for ever. Once a gang
  has waited for a minute, and an ask behind it in the walk has been allocated, room is held for as many of its members as fit.

  Background: two full nodes, and a gang of two that needs both of them empty
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And an application "early" in root.a
    And an application "train" in root.a
    And an application "stream" in root.a
    And the asks:
      | ask | application | resources | count |
      | e   | early       | 2 vcore   | 4     |
    And the cycle runs
    And the asks:
      | ask | application | resources | gang | gang min | count |
      | w   | train       | 4 vcore   | g    | 2        | 2     |
    And the cycle runs

  Rule: room is held once the gang has waited for a minute and is passed

    Scenario: nothing is held before it is passed
      When 2m passes
      And "e-1" is released
      Then there is no reservation decision

    Scenario: an ask behind it passes, and what becomes free then is held
      When 61s pass
      And "stream" asks "s1" for 2 vcore
      And "e-1" is released
      Then "s1" is allocated on "n1"
      And there is no reservation decision
      When "stream" asks "s2" for 2 vcore
      And "s1" and "e-3" are released
      Then the reservation decisions are:
        | id  | node | gang |
        | w-1 | n1   | g    |
      And "s2" waits
      When "e-2" and "e-4" are released
      Then "w-1" is allocated on "n1"
      And "w-2" is allocated on "n2"
      And the unreservation decisions are:
        | id  | node | gang |
        | w-1 | n1   | g    |

    Scenario: never, if it is switched off
      Given the queues:
        | queue  | gang.accumulate-after |
        | root   | 0s                    |
        | root.a |                       |
      When 2m passes
      And "stream" asks "s1" for 2 vcore
      And "e-1" is released
      Then "s1" is allocated
      When "stream" asks "s2" for 2 vcore
      And "s1" and "e-3" are released
      Then "s2" is allocated
      And there is no reservation decision

    Scenario: within the minute, asks behind it pass freely
      When 59s pass
      And "stream" asks "s1" for 2 vcore
      And "e-1" is released
      Then "s1" is allocated
      When "stream" asks "s2" for 2 vcore
      And "s1" and "e-3" are released
      Then "s2" is allocated
      And there is no reservation decision

  Rule: room is held from asks that come after the gang

    Background: all of n1 is held for w-1
      Given 61s pass
      And "stream" asks "s1" for 2 vcore
      And "e-1" is released
      And the cycle runs
      And "stream" asks "s2" for 2 vcore
      And "s1" and "e-3" are released
      And the cycle runs

    Scenario: an ask of a higher priority takes it
      When "stream" asks "s3" for 2 vcore with priority 1
      Then "s3" is allocated on "n1"
      And the unreservation decisions are:
        | id  | node | gang |
        | w-1 | n1   | g    |

    Scenario: it is held no longer after a quarter of an hour
      When 15m passes
      Then the unreservation decisions are:
        | id  | node | gang | reason  |
        | w-1 | n1   | g    | expired |
      And "s2" is allocated on "n1"

    Scenario: it is held no longer for a gang that is withdrawn
      When ask "w-2" is removed
      Then the unreservation decisions are:
        | id  | node | gang |
        | w-1 | n1   | g    |
      And "s2" is allocated on "n1"

    Scenario: a member that now needs more than any node has gives its room to the next
      When ask "w-1" now needs 5 vcore
      Then the unreservation decisions are:
        | id  | node | gang |
        | w-1 | n1   | g    |
      And the reservation decisions are:
        | id  | node | gang |
        | w-2 | n1   | g    |
      And "s2" waits

    Scenario: what a member no longer needs is free for asks behind it
      When ask "w-1" now needs 2 vcore
      Then "s2" is allocated on "n1"
      And there is no unreservation decision

  Rule: a task behind the gang replaces its placeholder, and may use more only of what is not held

    Scenario Outline: 4 of 7 vcore are held, 2 belong to the placeholder, and a task needs <amount>
      Given a node "n3" with 7 vcore
      And a gang "late" in root.a with placeholders for 2 vcore
      And "late" asks placeholder "h" of group "workers" for 2 vcore
      And "stream" asks "s0" for 5 vcore
      And the cycle runs
      And 61s pass
      And "stream" asks "s1" for 2 vcore
      And "e-1" is released
      And the cycle runs
      And "s0" is released
      And the cycle runs
      When "late" asks "t" of group "workers" for <amount>
      Then <outcome>

      Examples:
        | amount  | outcome                        |
        | 2 vcore | "h" is replaced by "t" on "n3" |
        | 3 vcore | "h" is replaced by "t" on "n3" |
        | 4 vcore | "t" waits                      |
