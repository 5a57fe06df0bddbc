var e=`Feature: Reservations

  An ask that has waited for 2 seconds, fits headroom and would fit an empty node, reserves the node that it would
  fill best. It gives the node up after 30 seconds, and its leaf makes no other for 30 more.

  Background: two nodes, each with half of its cores in use
    Given the queues:
      | queue  |
      | root.a |
      | root.b |
      | root.c |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And the asks:
      | ask | application | queue  | resources | node |
      | f1  | fill        | root.c | 2 vcore   | n1   |
      | f2  | fill        | root.c | 2 vcore   | n2   |
    And the cycle runs

  Rule: an ask is due at 2 seconds of waiting

    Scenario: at 2 seconds, not before
      Given "big" asks in root.a for 3 vcore
      When 1999ms pass
      Then nothing is decided
      When 1ms passes
      Then the decisions are:
        | type        | at | id  | node |
        | reservation | 2s | big | n1   |
      And the nodes show:
        | node | reserved |
        | n1   | big      |
        | n2   | none     |

    Scenario: an ask that is placed in time reserves nothing
      Given "big" asks in root.a for 3 vcore
      And 1s passes
      And "f1" is released
      When 10s pass
      Then there is no reservation decision

    Scenario: the waiting goes on through an update
      Given "big" asks in root.a for 3 vcore
      And 1s passes
      And ask "big" now needs 4 vcore
      When 1s passes
      Then the decisions are:
        | type        | at | id  | node |
        | reservation | 2s | big | n1   |

  Rule: root's reservation.delay sets the 2 seconds

    Scenario Outline: a delay of <delay>
      Given the queues:
        | queue  | reservation.delay |
        | root   | <delay>           |
        | root.a |                   |
        | root.c |                   |
      And "big" asks in root.a for 3 vcore
      When 15s pass
      Then the decisions are:
        | type        | at   |
        | reservation | <at> |

      Examples:
        | delay | at    |
        | 10s   | 10s   |
        | 500ms | 500ms |
        | later | 2s    |
        | -1s   | 2s    |

    Scenario: a delay of 0s means none at all
      Given the queues:
        | queue  | reservation.delay |
        | root   | 0s                |
        | root.a |                   |
        | root.c |                   |
      And "big" asks in root.a for 3 vcore
      When 1h passes
      Then there is no reservation decision

    Scenario: elsewhere it has no effect
      Given the queues:
        | queue  | reservation.delay |
        | root.a | 10s               |
        | root.c |                   |
      And "big" asks in root.a for 3 vcore
      When 2s pass
      Then the decisions are:
        | type        | at |
        | reservation | 2s |

    Scenario: switched off by a reload, those there are stay
      Given "big" asks in root.a for 3 vcore
      And 2s pass
      When the queues:
        | queue  | reservation.delay |
        | root   | 0s                |
        | root.a |                   |
        | root.b |                   |
        | root.c |                   |
      And "other" asks in root.b for 3 vcore
      And 29s pass
      Then there is no reservation decision
      And there is no unreservation decision
      When 1s passes
      Then the decisions are:
        | type          | at  | id  | node |
        | unreservation | 32s | big | n1   |

  Rule: only an ask that fits headroom and an empty node makes one

    Scenario: not an ask larger than every node
      Given "big" asks in root.a for 4001m vcore
      When 1h passes
      Then there is no reservation decision

    Scenario: not an ask beyond its queue's max
      Given the queues:
        | queue  | max     |
        | root.a | 2 vcore |
        | root.c |         |
      And "big" asks in root.a for 3 vcore
      When 1h passes
      Then there is no reservation decision

    Scenario: not an ask beyond what the cluster has left
      Given the asks:
        | ask | queue  | resources | node |
        | f3  | root.c | 2 vcore   | n2   |
      And the cycle runs
      And "big" asks in root.a for 3 vcore
      When 1h passes
      Then there is no reservation decision

    Scenario: not an application that may not start
      Given the queues:
        | queue  | maxapplications |
        | root.a |                 |
        | root.c | 1               |
      And "big" asks in root.c for 3 vcore
      When 1m passes
      Then there is no reservation decision

    Scenario: only a node that its constraints admit
      Given node "n2" is updated with attributes zone=b
      And the asks:
        | ask | queue  | resources | constraints |
        | big | root.a | 3 vcore   | zone=b      |
      When 2s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n2   |

    Scenario: no drained node
      Given node "n1" is drained
      And "big" asks in root.a for 3 vcore
      When 2s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n2   |

  Rule: the node that would have least left over is reserved

    Scenario: the smaller node
      Given node "n1" is updated with capacity 5 vcore
      And "big" asks in root.a for 4 vcore
      When 2s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n2   |

    Scenario: what others occupy is not left over
      Given node "n2" is updated with occupied 1 vcore
      And "big" asks in root.a for 3 vcore
      When 2s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n2   |

    Scenario: types count by their part of the cluster's total, also those that the ask does not need
      Given node "n1" is updated with capacity 4 vcore, 60 memory
      And node "n2" is updated with capacity 5 vcore, 40 memory
      And "big" asks in root.a for 4 vcore
      When 2s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n2   |

  Rule: one a node, one a leaf

    Scenario: of two in a leaf the first in the walk
      Given "big1" asks in root.a for 3 vcore
      And "big2" asks in root.a for 3 vcore with priority 1
      When 2s pass
      Then the reservation decisions are:
        | id   | node |
        | big2 | n1   |
      When 10s pass
      Then there is no reservation decision

    Scenario: of two in an application the one that is due, before one that is more urgent but not due
      Given an application "app" in root.a
      And "app" asks "old" for 3 vcore
      And 1s passes
      And "app" asks "urgent" for 3 vcore with priority 9
      When 1s passes
      Then the decisions are:
        | type        | at | id  | node |
        | reservation | 2s | old | n1   |
      When 10s pass
      Then nothing is decided

    Scenario: of three that are due the most urgent, then the one submitted first
      Given an application "app" in root.a
      And "app" asks "plain", "urgent1", "urgent2" for 3 vcore
      And ask "urgent2" now has priority 5
      And ask "urgent1" now has priority 5
      When 2s pass
      Then the reservation decisions are:
        | id      | node |
        | urgent1 | n1   |

    Scenario: leaves reserve different nodes, as long as there are any
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
        | root.c |
        | root.d |
      And "a" asks in root.a for 3 vcore
      And "b" asks in root.b for 3 vcore
      And "d" asks in root.d for 3 vcore
      When 2s pass
      Then the reservation decisions are:
        | id | node |
        | a  | n1   |
        | b  | n2   |

  Rule: a reserved node waits for its ask

    Background:
      Given "big" asks in root.a for 3 vcore
      And 2s pass
      And the cycle runs

    Scenario: and is filled as soon as it has room
      When "f1" is released
      Then the decisions are:
        | type          | id  | node | from     | to       | reason           |
        | release       | f1  |      |          |          | finished         |
        | allocation    | big | n1   |          |          |                  |
        | unreservation | big | n1   |          |          |                  |
        | app.state     | big |      | Accepted | Starting | first-allocation |

    Scenario: it takes no other ask of equal or lower priority
      When "equal" asks in root.b for 2 vcore
      And "lower" asks in root.b for 1 vcore with priority -1
      Then "equal" is allocated on "n2"
      And "lower" waits

    Scenario: nor one of its own application
      When "big" asks "small" for 2 vcore
      Then "small" is allocated on "n2"

    Scenario: an ask of higher priority takes its room regardless
      When "urgent" asks in root.b for 2 vcore with priority 1
      Then "urgent" is allocated on "n1"
      And the nodes show:
        | node | reserved |
        | n1   | big      |

    Scenario: but not more than its room
      When "urgent" asks in root.b for 2001m vcore with priority 1
      Then "urgent" waits

    Scenario: nor where its constraints do not admit it
      When the asks:
        | ask    | queue  | resources | priority | constraints |
        | urgent | root.b | 1 vcore   | 1        | zone=a      |
      Then "urgent" waits

    Scenario: within the leaf the own priority counts
      When "urgent" asks in root.a for 2 vcore with priority 1
      Then "urgent" is allocated on "n1"

    Scenario: room elsewhere is taken, and the reservation ends
      When "f2" is released
      Then the decisions are:
        | type          | id  | node |
        | release       | f2  |      |
        | allocation    | big | n2   |
        | unreservation | big | n1   |
        | app.state     | big |      |

    Scenario: room that comes for both goes to the ask of higher priority
      When "f1" is released
      And "urgent" asks in root.b for 4 vcore with priority 1
      Then "urgent" is allocated on "n1"
      And "big" waits
      And the nodes show:
        | node | reserved |
        | n1   | big      |

    Scenario: a reservation is filled before the walk when no higher ask can take its node
      When "f1" is released
      And the asks:
        | ask    | queue  | resources | priority | node |
        | urgent | root.b | 1 vcore   | 9        | n2   |
      Then "big", "urgent" are allocated in this order

    Scenario: not while its application may not start
      Given the queues:
        | queue  | maxapplications |
        | root.a | 1               |
        | root.b |                 |
        | root.c |                 |
      And "small" asks in root.a for 1 vcore
      When "f1" is released
      Then "small" is allocated on "n2"
      And "big" waits
      When "small" is released
      Then "big" is allocated on "n1"

    Scenario: not while its queue lacks headroom
      Given the queues:
        | queue  | max     |
        | root.a | 2 vcore |
        | root.b |         |
        | root.c |         |
      When "f1" is released
      Then "big" waits
      When the queues:
        | queue  | max     |
        | root.a | 3 vcore |
        | root.b |         |
        | root.c |         |
      Then "big" is allocated on "n1"

    Scenario: a reload leaves it alone
      When the queues:
        | queue  | guaranteed |
        | root.a | 1 vcore    |
        | root.b |            |
        | root.c |            |
      And 1s passes
      Then there is no unreservation decision
      And the nodes show:
        | node | reserved |
        | n1   | big      |

  Rule: what waits for a reserved node goes there as soon as it may

    Background:
      Given "big" asks in root.a for 3 vcore
      And 2s pass
      And the cycle runs
      And "equal" asks in root.b for 2 vcore
      And "other" asks in root.b for 2 vcore

    Scenario: not before
      Then "equal" is allocated on "n2"
      And "other" waits
      When 29s pass
      Then "other" waits

    Scenario Outline: <when>
      When <change>
      Then "other" is allocated on "n1"

      Examples:
        | when                                    | change                         |
        | when the reservation expires            | 30s pass                       |
        | when the ask that reserves is withdrawn | ask "big" is removed           |
        | when its own priority is raised         | ask "other" now has priority 1 |
        | when the other's priority is lowered    | ask "big" now has priority -1  |

    Scenario: when a reload lifts its queue
      When the queues:
        | queue  | priority.offset |
        | root.a |                 |
        | root.b | 1               |
        | root.c |                 |
      Then "other" is allocated on "n1"

    Scenario: when the ask that reserves finds room elsewhere
      When "equal" and "f2" are released
      Then "big" is allocated on "n2"
      And "other" is allocated on "n1"

  Rule: higher is as seen below the lowest common ancestor

    Scenario Outline: <case>
      Given the queues:
        | queue  | priority.policy | priority.offset |
        | root.a | <policy of a>   | <offset of a>   |
        | root.b | <policy of b>   | <offset of b>   |
        | root.c |                 |                 |
      And "big" asks in root.a for 3 vcore with priority 5
      And 2s pass
      And the cycle runs
      When "other" asks in root.b for 2 vcore with priority <other>
      Then "other" is allocated on "<node>"

      Examples:
        | case                                | policy of a | offset of a | policy of b | offset of b | other | node |
        | 6 is higher than 5                  |             |             |             |             | 6     | n1   |
        | 5 is not                            |             |             |             |             | 5     | n2   |
        | an offset lifts 0 to 6              |             |             |             | 6           | 0     | n1   |
        | an offset of the reserving leaf too |             | 2           |             |             | 6     | n2   |
        | a fence hides 1000                  |             |             | fence       |             | 1000  | n2   |
        | a fence hides the reserving ask's 5 | fence       |             |             |             | 1     | n1   |

    Scenario Outline: priority <other> in <queue> against 5 in root.p.a, whose parent adds 100
      Given the queues:
        | queue    | priority.offset |
        | root.p   | 100             |
        | root.p.a |                 |
        | root.p.b |                 |
        | root.b   |                 |
        | root.c   |                 |
      And "big" asks in root.p.a for 3 vcore with priority 5
      And 2s pass
      And the cycle runs
      When "other" asks in <queue> for 2 vcore with priority <other>
      Then "other" is allocated on "<node>"

      Examples:
        | queue    | other | node |
        | root.p.b | 5     | n2   |
        | root.p.b | 6     | n1   |
        | root.b   | 105   | n2   |
        | root.b   | 106   | n1   |

  Rule: a reservation lapses at once when it can no longer be

    Scenario Outline: <case>
      Given a node "n3" with 2 vcore
      And "big" asks in root.a for 3 vcore
      And 2s pass
      And the cycle runs
      When <change>
      Then the decisions include:
        | type          | id  | node |
        | unreservation | big | n1   |
      And the nodes show:
        | node | reserved   |
        | n2   | <reserved> |

      Examples:
        | case                           | change                                         | reserved |
        | its ask is withdrawn           | ask "big" is removed                           | none     |
        | its application is removed     | application "big" is removed                   | none     |
        | the node is drained            | node "n1" is drained                           | big      |
        | the node shrinks below the ask | node "n1" is updated with capacity 2999m vcore | big      |
        | others occupy too much of it   | node "n1" is updated with occupied 1500m vcore | big      |
        | the ask grows beyond the node  | ask "big" now needs 5 vcore                    | none     |

    Scenario: the node is removed
      Given "big" asks in root.a for 2500m vcore
      And a node "n3" with 1 vcore
      And 2s pass
      And the cycle runs
      When node "n1" is removed
      Then the decisions include:
        | type          | id  | node | reason       |
        | unreservation | big | n1   |              |
        | release       | f1  |      | node_removed |
        | reservation   | big | n2   |              |

    Scenario: a change of attributes that the ask does not accept
      Given node "n1" is updated with attributes zone=a
      And the asks:
        | ask | queue  | resources | constraints |
        | big | root.a | 3 vcore   | zone=a      |
      And 2s pass
      And the cycle runs
      When node "n1" is updated with attributes zone=b
      Then the decisions are:
        | type          | id  | node |
        | unreservation | big | n1   |

  Rule: a reservation expires after 30 seconds, and its leaf makes none for 30 seconds

    Background: big would fit n1 or n2, both empty, without anything left over
      Given node "n2" is updated with capacity 5 vcore
      And node "n2" is updated with occupied 1 vcore
      And the asks:
        | ask | application | queue  | resources | node |
        | s   | fill        | root.c | 1 vcore   | n2   |
      And the cycle runs
      And "big" asks in root.a for 4 vcore
      And 2s pass
      And the cycle runs

    Scenario: made at 2 seconds it ends at 32
      When 29s pass
      Then there is no unreservation decision
      When 1s passes
      Then the decisions are:
        | type          | at  | id  | node |
        | unreservation | 32s | big | n1   |
      And "big" waits

    Scenario: unless a node's room grows, the leaf makes no other
      Given 30s pass
      When 1h passes
      Then there is no reservation decision

    Scenario Outline: <growth>
      Given 38s pass
      When <change>
      Then there is no reservation decision
      When 21999ms pass
      Then there is no reservation decision
      When 1ms passes
      Then the decisions are:
        | type        | at   | id  | node |
        | reservation | 1m2s | big | n2   |

      Examples:
        | growth              | change                                     |
        | a release is growth | "s" is released                            |
        | more capacity is    | node "n2" is updated with capacity 6 vcore |
        | less occupied is    | node "n2" is updated with occupied nothing |

    Scenario: a resume is growth
      Given 38s pass
      And node "n1" is drained
      And node "n1" is resumed
      When 30s pass
      Then the decisions are:
        | type        | at   | id  | node |
        | reservation | 1m2s | big | n1   |

    Scenario: a new node is growth
      Given 38s pass
      And a node "n3" with 6 vcore
      And the asks:
        | ask    | queue  | resources | priority | node |
        | urgent | root.c | 3 vcore   | 9        | n3   |
      When 30s pass
      Then the decisions are:
        | type        | at   | id  | node |
        | reservation | 1m2s | big | n3   |

    Scenario: room that grows at the moment of the end counts, since timers come before inputs
      Given 30s pass
      And "s" is released
      When 30s pass
      Then the decisions are:
        | type        | at   | id  | node |
        | reservation | 1m2s | big | n2   |

    Scenario: room that grew before the end does not count
      Given 20s pass
      And "s" is released
      And 10s pass
      When 1h passes
      Then there is no reservation decision

    Scenario: another leaf may reserve meanwhile
      Given 30s pass
      And "other" asks in root.b for 4 vcore
      When 2s pass
      Then the decisions are:
        | type        | at  | id    | node |
        | reservation | 34s | other | n1   |

  Rule: one whose application may not receive allocations ends in the next cycle, and bars no ask

    Scenario: stateaware lets an older application start first, which has the room at once
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
        | root.c |                         |
      And an application "older" in root.a
      And "big" asks in root.a for 3 vcore
      And 2s pass
      And the cycle runs
      When "older" asks "o" for 2 vcore
      Then the decisions include:
        | type          | id  | node | reason        |
        | unreservation | big | n1   | not-startable |
        | allocation    | o   | n1   |               |

    Scenario: another application took the place
      Given the queues:
        | queue  | maxapplications |
        | root.a | 1               |
        | root.c |                 |
      And "big" asks in root.a for 3 vcore
      And 2s pass
      And an application "other" in root.a
      And the cycle runs
      When "other" has "o" for 1 memory restored on "n2"
      And "f" asks in root.c for 2 vcore
      Then the decisions include:
        | type          | id  | node | reason        |
        | unreservation | big | n1   | not-startable |
        | allocation    | f   | n1   |               |

    Scenario: its leaf may make another one at once
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
        | root.c |                         |
      And an application "older" in root.a
      And "big" asks in root.a for 3 vcore
      And 2s pass
      And "older" asks "o" for 4 vcore
      And the cycle runs
      When 2s pass
      Then the reservation decisions are:
        | at | id | node |
        | 4s | o  | n1   |
`;export{e as default};