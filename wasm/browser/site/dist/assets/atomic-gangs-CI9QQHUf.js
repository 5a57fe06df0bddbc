var e=`Feature: Atomic gangs

  At least the minimum of the asks that name the same gang is placed in one decision, or none of them. A waiting gang
  holds nothing, so it never blocks another.

  Background: two nodes of 2 cores
    Given the queues:
      | queue  |
      | root.a |
      | root.b |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And an application "mpi" in root.a

  Rule: at least the minimum is placed in one decision, or none

    Scenario: the allocations come first, then the changes of state
      When "mpi" asks "a" and "b" in gang "g" of at least 2 for 2 vcore
      Then the decisions are:
        | type       | id  | node | from     | to       | reason            |
        | app.state  | mpi |      | New      | Accepted | ask-added         |
        | allocation | a   | n1   |          |          |                   |
        | allocation | b   | n2   |          |          |                   |
        | app.state  | mpi |      | Accepted | Starting | first-allocation  |
        | app.state  | mpi |      | Starting | Running  | second-allocation |

    Scenario: if one member does not fit, none is placed
      When "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 2 vcore
      Then "a", "b" and "c" wait
      And nothing is allocated

    Scenario: the gang is placed as soon as all fit
      Given "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 2 vcore
      When a node "n3" with 2 vcore
      Then "a", "b", "c" are allocated in this order

    Scenario: a gang with fewer members than its minimum waits for more
      When "mpi" asks "a" in gang "g" of at least 2 for 2 vcore
      Then "a" waits
      When "mpi" asks "b" in gang "g" of at least 2 for 2 vcore
      Then "a" and "b" are allocated

    Scenario: a gang that does not fit stops no other ask
      Given "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 2 vcore with priority 9
      When "mpi" asks "d" for 2 vcore
      And "web" asks in root.a for 2 vcore
      Then "d" and "web" are allocated

    Scenario: members above the minimum are placed next, if they fit
      When "mpi" asks "a", "b", "c", "d" and "e" in gang "g" of at least 2 for 1 vcore
      Then "a", "b", "c", "d" are allocated in this order
      And "e" waits

    Scenario: gangs of two applications are distinct, even with the same name
      Given an application "other" in root.a
      When "mpi" asks "a" in gang "g" of at least 2 for 1 vcore
      And "other" asks "b" in gang "g" of at least 2 for 1 vcore
      Then "a" and "b" wait

    Scenario: an application may have several gangs
      When "mpi" asks "a1" in gang "g" of at least 2 for 2 vcore
      And "mpi" asks "b1" in gang "h" of at least 1 for 2 vcore
      Then "a1" waits
      And "b1" is allocated

    Scenario: with a minimum of 1 each member is placed when it fits
      When "mpi" asks "a", "b" and "c" in gang "g" of at least 1 for 2 vcore
      Then "a", "b" are allocated in this order
      And "c" waits

    Scenario Outline: a cycle of at most <limit> does not split a gang
      Given the scheduler is stepped by hand
      And "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 1 vcore
      And "mpi" asks "d" for 1 vcore
      When the cycle runs for at most <limit> allocations
      Then "a", "b", "c" are allocated in this order
      And "d" waits

      Examples:
        | limit |
        | 1     |
        | 2     |
        | 3     |

  Rule: a waiting gang holds nothing

    Scenario: no room
      Given "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 2 vcore
      When "x" asks in root.b for 2 vcore
      And "y" asks in root.b for 2 vcore
      Then "x" and "y" are allocated

    Scenario: no place in its queue
      Given the queues:
        | queue  | maxapplications |
        | root.a | 1               |
      And "mpi" asks "a" in gang "g" of at least 2 for 1 vcore
      When "web" asks in root.a for 1 vcore
      Then "web" is allocated
      When "mpi" asks "b" in gang "g" of at least 2 for 1 vcore
      Then "a" and "b" wait
      When "web" is released
      Then "a" and "b" are allocated

    Scenario: no reservation
      Given the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.b | 1 vcore   | n1   |
        | o2  | other       | root.b | 1 vcore   | n2   |
      And the cycle runs
      And "mpi" asks "a" in gang "g" of at least 1 for 2 vcore
      When 1m passes
      Then there is no reservation decision
      When "o1" is released
      Then "a" is allocated on "n1"

    Scenario: no hold on the required node of a member
      Given the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.b | 1 vcore   | n1   |
      And the cycle runs
      When the asks:
        | ask | application | resources | node | gang | gang min |
        | a   | mpi         | 2 vcore   | n1   | g    | 1        |
      Then "a" waits
      And there is no reservation decision

    Scenario: a gang respects the reservations of others
      Given the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.b | 1 vcore   | n1   |
        | o2  | other       | root.b | 1 vcore   | n2   |
      And the cycle runs
      And "big" asks in root.b for 2 vcore
      And 2s pass
      And the cycle runs
      When "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      Then "a" and "b" wait
      When "o2" is released
      Then "a" is allocated on "n2"
      And "b" is allocated on "n2"

    Scenario: two gangs by placeholders can block each other until a timeout
      Given a gang "train" in root.a with placeholders for 4 vcore
      And a gang "etl" in root.b with placeholders for 4 vcore
      And "train" asks placeholder "t1" of group "workers" for 2 vcore
      And "etl" asks placeholder "e1" of group "workers" for 2 vcore
      And the cycle runs
      When "train" asks placeholder "t2" of group "workers" for 2 vcore
      And "etl" asks placeholder "e2" of group "workers" for 2 vcore
      And 14m pass
      Then application "train" is Accepted
      And application "etl" is Accepted

    Scenario: two atomic gangs do not block each other
      Given an application "etl" in root.b
      And "mpi" asks "a1" in gang "g" of at least 2 for 2 vcore
      And "etl" asks "b1" in gang "g" of at least 2 for 2 vcore
      And the cycle runs
      When "mpi" asks "a2" in gang "g" of at least 2 for 2 vcore
      And "etl" asks "b2" in gang "g" of at least 2 for 2 vcore
      Then "a1" and "a2" are allocated
      And "b1" and "b2" wait
      When "a1" and "a2" are released
      Then "b1" and "b2" are allocated

    Scenario: an atomic gang is placed beside a blocked gang by placeholders
      Given a gang "train" in root.b with placeholders for 4 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      And "train" asks placeholder "h2" of group "workers" for 3 vcore
      When "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      Then "a" and "b" are allocated on "n2"

  Rule: members are tried in ask order, each on the first node that takes it

    Scenario: the oldest member first, on nodes in node order
      Given nodes are sorted by binpacking
      And a node "n0" with 3 vcore
      And "o" asks in root.b for 1 vcore
      And the cycle runs
      When "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 1 vcore
      Then the allocation decisions are:
        | id | node |
        | a  | n0   |
        | b  | n0   |
        | c  | n1   |

    Scenario: a member of higher priority comes first
      When "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      And "mpi" asks "c" in gang "g" of at least 2 for 1 vcore with priority 1
      Then the allocation decisions are:
        | id |
        | c  |
        | a  |
        | b  |

    Scenario: a member that does not fit is passed over
      When "mpi" asks "a" in gang "g" of at least 2 for 9 vcore
      And "mpi" asks "b" and "c" in gang "g" of at least 2 for 2 vcore
      Then "b", "c" are allocated in this order
      And "a" waits

    Scenario: earlier members count against headroom
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
      When "mpi" asks "a" and "b" in gang "g" of at least 2 for 2 vcore
      Then "a" and "b" wait
      When "mpi" asks "c" in gang "g" of at least 2 for 1 vcore
      Then "a", "c" are allocated in this order

    Scenario: earlier members count against the user's limit
      Given the queues:
        | queue  |
        | root.a |
      And the limits:
        | queue  | users | max     |
        | root.a | ann   | 3 vcore |
      And the applications:
        | application | queue  | user |
        | hers        | root.a | ann  |
      When "hers" asks "a" and "b" in gang "g" of at least 2 for 2 vcore
      Then "a" and "b" wait
      When "hers" asks "c" in gang "g" of at least 2 for 1 vcore
      Then "a", "c" are allocated in this order

    Scenario: an update keeps a member's place in ask order
      Given "mpi" asks "a", "b" and "c" in gang "g" of at least 2 for 9 vcore
      When ask "c" now needs 2 vcore
      And ask "a" now needs 2 vcore
      Then "a", "c" are allocated in this order

  Rule: if that places too few, the first members that fit alone are tried hardest first, then in every assignment

    Scenario: the larger member first, each on its best-fitting node
      Given the queues:
        | queue  |
        | root.a |
      And a node "y" with 4 vcore
      And a node "z" with 3 vcore
      When "mpi" asks "small" in gang "g" of at least 2 for 3 vcore
      And "mpi" asks "large" in gang "g" of at least 2 for 4 vcore
      Then the allocation decisions are:
        | id    | node |
        | small | z    |
        | large | y    |

    Scenario: the member with fewer possible nodes first, even if it is the smaller
      Given node "n1" is updated with attributes zone=a
      And node "n2" is updated with capacity 3 vcore
      And a node "n3" with 2 vcore
      When the asks:
        | ask | application | resources | constraints | gang | gang min |
        | a   | mpi         | 2 vcore   |             | g    | 2        |
        | b   | mpi         | 1 vcore   | zone=a      | g    | 2        |
      Then the allocation decisions are:
        | id | node |
        | a  | n3   |
        | b  | n1   |

    Scenario: members above the minimum do not disturb the first
      Given node "n1" is updated with attributes zone=a
      When the asks:
        | ask | application | resources | constraints | gang | gang min |
        | a   | mpi         | 2 vcore   |             | g    | 2        |
        | b   | mpi         | 2 vcore   | zone=a      | g    | 2        |
        | c   | mpi         | 2 vcore   | zone=a      | g    | 2        |
      Then the allocation decisions are:
        | id | node |
        | a  | n2   |
        | b  | n1   |
      And "c" waits

    Scenario: a member with a required node has one possible node
      When the asks:
        | ask | application | resources | node | gang | gang min |
        | a   | mpi         | 2 vcore   |      | g    | 2        |
        | b   | mpi         | 2 vcore   | n1   | g    | 2        |
      Then the allocation decisions are:
        | id | node |
        | a  | n2   |
        | b  | n1   |

    Scenario: only as many members as the minimum are tried
      Given node "n1" is updated with attributes zone=a
      And node "n2" is updated with attributes zone=b
      And a node "n3" with 1 vcore
      When the asks:
        | ask | application | resources | constraints | gang | gang min |
        | a   | mpi         | 2 vcore   | zone=a      | g    | 3        |
        | b   | mpi         | 2 vcore   | zone=a      | g    | 3        |
        | c   | mpi         | 1 vcore   |             | g    | 3        |
        | d   | mpi         | 2 vcore   | zone=b      | g    | 3        |
      Then "a", "b", "c" and "d" wait
      When ask "b" is removed
      Then the allocation decisions are:
        | id | node |
        | a  | n1   |
        | c  | n3   |
        | d  | n2   |

    Scenario: an assignment that both earlier attempts miss is found
      Given node "n1" is removed
      And node "n2" is removed
      And a node "y" with 7 vcore
      And a node "z" with 6 vcore
      When "mpi" asks "a", "b" and "c" in gang "g" of at least 4 for 3 vcore
      And "mpi" asks "d" in gang "g" of at least 4 for 4 vcore
      Then the allocation decisions are:
        | id | node |
        | a  | y    |
        | b  | z    |
        | c  | z    |
        | d  | y    |

    Scenario: identical members are placed whenever there is room
      Given a node "n3" with 5 vcore
      When "mpi" asks "a", "b", "c" and "d" in gang "g" of at least 4 for 2 vcore
      Then "a", "b", "c" and "d" are allocated
      And the nodes show:
        | node | used    |
        | n1   | 2 vcore |
        | n2   | 2 vcore |
        | n3   | 4 vcore |
`;export{e as default};