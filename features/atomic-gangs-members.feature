Feature: Members of an atomic gang

  A gang exists from its first member until none is pending or allocated; how many of its members have succeeded is remembered
  longer. Once it has been placed its other members are asks like any others.

  Background: two nodes of 2 cores
    Given the queues:
      | queue  |
      | root.a |
      | root.b |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And an application "mpi" in root.a

  Rule: all members say the same of their gang

    Scenario Outline: a member with <difference> is rejected
      Given the asks:
        | ask | application | resources | gang | gang min | gang timeout |
        | a   | mpi         | 1 vcore   | g    | 2        | 10m          |
      When the asks:
        | ask | application | resources | gang | gang min | gang timeout | gang fallback | gang disruption | gang repair |
        | b   | mpi         | 1 vcore   | g    | <min>    | <timeout>    | <fallback>    | <disruption>    | <repair>    |
      Then the decisions are:
        | type         | id | app | reason        |
        | ask.rejected | b  | mpi | gang-mismatch |
      And "a" waits

      Examples:
        | difference         | min | timeout | fallback | disruption | repair |
        | another minimum    | 3   | 10m     |          |            |        |
        | another timeout    | 2   | 11m     |          |            |        |
        | no timeout         | 2   |         |          |            |        |
        | a fallback         | 2   | 10m     | members  |            |        |
        | another disruption | 2   | 10m     |          | whole      |        |
        | a repair           | 2   | 10m     |          |            | 0s     |

    Scenario: a restored member that disagrees is as its gang
      Given "mpi" asks "a" in gang "g" of at least 2 for 1 vcore
      When the allocations:
        | allocation | application | resources | on | gang | gang min |
        | b          | mpi         | 1 vcore   | n1 | g    | 3        |
      And "mpi" asks "c" in gang "g" of at least 3 for 1 vcore
      Then "c" is rejected because of gang-mismatch
      And "a" is allocated

    Scenario: a rejected member may be submitted again with the right minimum
      Given "mpi" asks "a" in gang "g" of at least 2 for 1 vcore
      When "mpi" asks "b" in gang "g" of at least 3 for 1 vcore
      And "mpi" asks "b" in gang "g" of at least 2 for 1 vcore
      Then "b" is rejected because of gang-mismatch
      And "a" and "b" are allocated

  Rule: once a gang has been placed, its remaining and later members are ordinary asks

    Scenario: a later member is placed by itself
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      When "mpi" asks "c" in gang "g" of at least 2 for 1 vcore
      Then "c" is allocated

    Scenario: a later member reserves a node
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "mpi" asks "c" in gang "g" of at least 2 for 2 vcore
      When 2s pass
      Then the decisions are:
        | type        | id | node |
        | reservation | c  | n1   |

    Scenario: a remaining member waits like any ask
      Given "mpi" asks "a", "b" and "c" in gang "g" of at least 2 for 2 vcore
      And the cycle runs
      When "b" is released
      Then "c" is allocated on "n2"

    Scenario: a gang stays placed while one member is allocated
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "b" is released
      When "mpi" asks "c" in gang "g" of at least 2 for 1 vcore
      Then "c" is allocated

    Scenario: a restored member makes its gang placed
      Given the allocations:
        | allocation | application | resources | on | gang | gang min |
        | a          | mpi         | 1 vcore   | n1 | g    | 3        |
      When "mpi" asks "b" in gang "g" of at least 3 for 1 vcore
      Then "b" is allocated

    Scenario: pending members become ordinary when a member is restored
      Given "mpi" asks "a" in gang "g" of at least 3 for 1 vcore
      When the allocations:
        | allocation | application | resources | on | gang | gang min |
        | b          | mpi         | 1 vcore   | n1 | g    | 3        |
      Then "a" is allocated

  Rule: when no member is pending or allocated and none has succeeded, the name denotes a new gang

    Scenario: after all members failed
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "a" and "b" fail
      When "mpi" asks "c" in gang "g" of at least 2 for 1 vcore
      Then "c" waits
      When "mpi" asks "d" in gang "g" of at least 2 for 1 vcore
      Then "c", "d" are allocated in this order

    Scenario: after the last member was withdrawn, with another minimum
      Given "mpi" asks "a" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And ask "a" is removed
      When "mpi" asks "b" in gang "g" of at least 1 for 1 vcore
      Then "b" is allocated

  Rule: members may be withdrawn

    Scenario: a gang with too few members is incomplete and otherwise unchanged
      Given "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 2 vcore
      And the cycle runs
      And ask "c" is removed
      When a node "n3" with 2 vcore
      Then "a" and "b" wait
      When "mpi" asks "d" in gang "g" of at least 3 for 2 vcore
      Then "a", "b", "d" are allocated in this order

  Rule: a gang that is not placed before its timeout ends

    Background:
      Given the asks:
        | ask | application | resources | gang | gang min | gang timeout |
        | a   | mpi         | 2 vcore   | g    | 3        | 10s          |

    Scenario: its pending members are rejected in ask order
      Given 5s pass
      And the asks:
        | ask | application | resources | priority | gang | gang min | gang timeout |
        | b   | mpi         | 2 vcore   | 1        | g    | 3        | 10s          |
      When 5s pass
      Then the decisions are:
        | type         | at  | id  | app | reason       | to         |
        | ask.rejected | 10s | b   | mpi | gang-timeout |            |
        | ask.rejected | 10s | a   | mpi | gang-timeout |            |
        | app.state    | 10s | mpi |     | idle         | Completing |

    Scenario: the timeout counts from the first member
      Given 9s pass
      And the asks:
        | ask | application | resources | gang | gang min | gang timeout |
        | b   | mpi         | 2 vcore   | g    | 3        | 10s          |
      When 1s passes
      Then ask "b" is gone

    Scenario: other asks of the application stay
      Given "mpi" asks "alone" for 9 vcore
      When 10s pass
      Then "alone" waits
      And application "mpi" is Accepted

    Scenario: a gang that is placed in time does not end
      Given the asks:
        | ask | application | resources | gang | gang min | gang timeout | count |
        | b   | mpi         | 1 vcore   | g    | 3        | 10s          | 2     |
      When 10s pass
      Then "a", "b-1" and "b-2" are allocated

    Scenario: a member submitted at the moment of the timeout starts a new gang
      When 10s pass
      And the asks:
        | ask | application | resources | gang | gang min | gang timeout |
        | b   | mpi         | 2 vcore   | g    | 1        |              |
      Then "a" is rejected because of gang-timeout
      And "b" is allocated

    Scenario: the timeout does not apply to later members of a placed gang
      Given the asks:
        | ask | application | resources | gang | gang min | gang timeout | count |
        | b   | mpi         | 1 vcore   | g    | 3        | 10s          | 2     |
      And the cycle runs
      And the asks:
        | ask | application | resources | gang | gang min | gang timeout |
        | c   | mpi         | 9 vcore   | g    | 3        | 10s          |
      When 1h passes
      Then "c" waits

    Scenario: without a timeout a gang waits forever
      Given "mpi" asks "x" in gang "h" of at least 2 for 2 vcore
      When 72h pass
      Then "x" waits

  Rule: a member with a task group waits for the placeholders, and takes the place of one by itself

    Scenario: each member replaces a placeholder on its own
      Given a gang "train" in root.a with placeholders for 4 vcore
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When the asks:
        | ask | application | resources | task group | gang | gang min | count |
        | t   | train       | 2 vcore   | workers    | g    | 2        | 2     |
      Then "t-1" and "t-2" wait
      When "train" asks placeholder "h2" of group "workers" for 2 vcore
      Then the decisions are:
        | type                 | id    | for |
        | allocation           | h2    |     |
        | app.state            | train |     |
        | placeholder.replaced | h1    | t-1 |
        | placeholder.replaced | h2    | t-2 |
      When "h1" is released
      Then "t-1" is allocated
      And "t-2" waits

    Scenario: a member without placeholders waits until the others have replaced theirs
      Given a gang "train" in root.a with placeholders for 2 vcore
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When the asks:
        | ask | application | resources | task group | gang | gang min |
        | t1  | train       | 1 vcore   |            | g    | 2        |
        | t2  | train       | 1 vcore   | workers    | g    | 2        |
      Then "h1" is replaced by "t2"
      And "t1" and "t2" wait
      When "h1" is released
      Then "t2", "t1" are allocated in this order

  Rule: placeholders may form an atomic gang

    Background:
      Given a gang "train" in root.b with placeholders for 4 vcore and a timeout of 1m
      And the asks:
        | ask | application | resources | task group | placeholder | gang | gang min |
        | h1  | train       | 2 vcore   | workers    | yes         | p    | 2        |

    Scenario: the placeholder timeout does not start while they wait
      When 1h passes
      Then nothing is decided

    Scenario: they are placed together, which forms the gang
      When the asks:
        | ask | application | resources | task group | placeholder | gang | gang min |
        | h2  | train       | 2 vcore   | workers    | yes         | p    | 2        |
      Then the decisions are:
        | type       | id    | from     | to       | reason      |
        | allocation | h1    |          |          |             |
        | allocation | h2    |          |          |             |
        | app.state  | train | Accepted | Starting | gang-formed |

    Scenario: tasks wait for them as for any placeholders
      When "train" asks "t1" of group "workers" for 1 vcore
      Then "t1" waits
