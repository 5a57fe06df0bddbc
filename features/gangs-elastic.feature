Feature: Elastic gangs grow up to gang_max

  Members of a gang beyond those that it needs may be asked for, up to gang_max. They come after all other asks of equal priority in their leaf.

  Background: a gang of two that may grow to four, on one node
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 3 vcore
    And an application "train" in root.a
    And an application "other" in root.a

  Rule: a gang has at most gang_max members at a time

    Scenario: one more is rejected
      When the asks:
        | ask | application | resources | gang | gang min | gang max | count |
        | w   | train       | 1 vcore   | g    | 2        | 3        | 4     |
      Then "w-1", "w-2" and "w-3" are allocated
      And "w-4" is rejected because of gang-over-max

    Scenario: once a member is released another may be asked for
      Given the asks:
        | ask | application | resources | gang | gang min | gang max | count |
        | w   | train       | 1 vcore   | g    | 2        | 3        | 3     |
      And the cycle runs
      When "w-1" is released
      And the asks:
        | ask | application | resources | gang | gang min | gang max |
        | v   | train       | 1 vcore   | g    | 2        | 3        |
      Then "v" is allocated

    Scenario: all members give the same
      When the asks:
        | ask | application | resources | gang | gang min | gang max |
        | w   | train       | 1 vcore   | g    | 2        | 3        |
        | v   | train       | 1 vcore   | g    | 2        | 4        |
        | u   | train       | 1 vcore   | g    | 2        |          |
      Then "v" is rejected because of gang-mismatch
      And "u" is rejected because of gang-mismatch

    @snapshot
    Scenario: a snapshot keeps it
      Given the asks:
        | ask | application | resources | gang | gang min | gang max | count |
        | w   | train       | 1 vcore   | g    | 2        | 3        | 3     |
      And the cycle runs
      When the scheduler is restored from a snapshot
      And the asks:
        | ask | application | resources | gang | gang min | gang max |
        | v   | train       | 1 vcore   | g    | 2        | 3        |
      Then "v" is rejected because of gang-over-max

  Rule: a surplus task replaces a placeholder after all other tasks of equal priority in its leaf

    Scenario: the older application has only a surplus task
      Given a gang "first" in root.a with placeholders for 1 vcore
      And a gang "second" in root.a with placeholders for 1 vcore
      And "first" asks placeholder "h1" of group "workers" for 1 vcore
      And "second" asks placeholder "h2" of group "workers" for 1 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang max |
        | w   | first       | 1 vcore   | g    | 1        | 3        |
      And the cycle runs
      When the asks:
        | ask | application | resources | task group | gang | gang min | gang max |
        | v   | first       | 1 vcore   | workers    | g    | 1        | 3        |
        | t   | second      | 1 vcore   | workers    |      |          |          |
      Then the decisions are:
        | type                 | id | for |
        | placeholder.replaced | h2 | t   |
        | placeholder.replaced | h1 | v   |

  Rule: surplus asks come after all other asks of equal priority in their leaf

    Background: an elastic gang runs with three members, and asks for two more
      Given the asks:
        | ask | application | resources | gang | gang min | gang max | count |
        | w   | train       | 1 vcore   | g    | 2        | 5        | 5     |
      And the cycle runs

    Scenario: a later ask of another application comes first
      Given "other" asks "first" for 1 vcore
      When "w-3" is released
      Then "first" is allocated
      And "w-4" and "w-5" wait

    Scenario: a later ask of the same application comes first
      Given "train" asks "first" for 1 vcore
      When "w-3" is released
      Then "first" is allocated
      And "w-4" and "w-5" wait

    Scenario: also behind an ask that is too large
      Given "train" asks "large" for 9 vcore
      And "other" asks "small" for 1 vcore
      When "w-3" is released
      Then "small" is allocated
      And "w-4" and "large" wait

    Scenario: they grow once nothing else waits
      Given "other" asks "first" for 1 vcore
      When a node "n2" with 3 vcore
      Then "first", "w-4", "w-5" are allocated in this order

    Scenario: a higher priority comes first
      Given the asks:
        | ask | application | resources | priority |
        | low | other       | 1 vcore   | -1       |
      When "w-3" is released
      Then "w-4" is allocated
      And "low" waits

    Scenario: without gang_max members are ordinary asks
      Given an application "plain" in root.a
      And the asks:
        | ask | application | resources | gang | gang min |
        | p-1 | plain       | 1 vcore   | h    | 1        |
        | p-2 | plain       | 1 vcore   | h    | 1        |
      And "other" asks "after" for 1 vcore
      When a node "n2" with 4 vcore
      Then "after", "p-1", "p-2", "w-4" are allocated in this order

    Scenario: what a broken gang needs is no surplus
      Given "other" asks "first" for 1 vcore
      And the asks:
        | ask  | application | resources | priority |
        | high | other       | 2 vcore   | 1        |
      When "w-1" and "w-2" fail
      Then "high" is allocated
      When "w-3" fails
      Then "w-4" waits
      When a node "n2" with 2 vcore
      Then "w-4", "w-5" are allocated in this order

    @snapshot
    @snapshot
    Scenario: a snapshot keeps the order
      Given "other" asks "first" for 1 vcore
      When the scheduler is restored from a snapshot
      And "w-3" is released
      Then "first" is allocated
      And "w-4" waits

    @explain
    @explain
    Scenario: the explanation says so
      Given "other" asks "first" for 1 vcore
      Then the preemption of ask "w-4" is explained by:
        | verdict | surplus-ask |
