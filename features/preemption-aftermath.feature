Feature: After the choice

  An ask that has chosen waits for its victims to leave. Meanwhile its node is kept for it alone, and so is the room
  below every max. It goes there or, if that cannot be any more, waits as any other and may choose again.

  Rule: each victim is told once, the one allocated first before the others

    Scenario: this and nothing else is decided
      Given the queues:
        | queue       | guaranteed |
        | root.prod   | 2 vcore    |
        | root.test.x |            |
        | root.test.y |            |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue       | resources | on | priority |
        | old        | root.test.x | 1 vcore   | n1 | 0        |
        | mid        | root.test.y | 1 vcore   | n1 | -1       |
        | new        | root.test.x | 1 vcore   | n1 | 1        |
      And "p" asks in root.prod for 2 vcore
      When 1h passes
      Then the preemption decisions are:
        | at  | id  | for | node | queue       |
        | 30s | old | p   | n1   | root.test.x |
        | 30s | mid | p   | n1   | root.test.y |
      And there is no release decision
      And there is no reservation decision

  Rule: the node is kept until the ask lands

    Background: p takes t-2 and t-3 of n1
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 3     |
      And "p" asks in root.prod for 2 vcore
      And 30s pass
      And the cycle runs

    Scenario: nothing has left yet
      Then the nodes show:
        | node | kept | reserved | used    | allocations   |
        | n1   | p    | none     | 3 vcore | t-1, t-2, t-3 |
      And the asks show:
        | ask | kept | leaving | node |
        | p   | n1   |         | none |
        | t-1 |      | none    | n1   |
        | t-2 |      | p       | n1   |
        | t-3 |      | p       | n1   |
      And the queues show:
        | queue     | used    | leaving | pending | asks | priority |
        | root      | 3 vcore | 2 vcore | 2 vcore | 1    |          |
        | root.prod | nothing | nothing | 2 vcore | 1    | 0        |
        | root.test | 3 vcore | 2 vcore | nothing | 0    | none     |

    Scenario: it lands when all have left
      When "t-2" is released
      Then "p" waits
      When 5s pass
      And "t-3" is released
      Then the decisions are:
        | type       | id  | node | reason    | to       |
        | release    | t-3 |      | preempted |          |
        | allocation | p   | n1   |           |          |
        | app.state  | p   |      |           | Starting |
      And the nodes show:
        | node | kept | allocations |
        | n1   | none | t-1, p      |

    Scenario: a victim that ends by itself has left as well
      When "t-3" is released
      And "t-2" is released
      Then the release decisions are:
        | id  | reason    |
        | t-3 | preempted |
        | t-2 | preempted |
      And "p" is allocated on "n1"

    Scenario: the application of a victim may be taken away
      When application "t" is removed
      Then the release decisions are:
        | id  | reason      |
        | t-1 | app_removed |
        | t-2 | app_removed |
        | t-3 | app_removed |
      And "p" is allocated on "n1"

    Scenario: others do not slip in, not even higher priorities
      When "t-3" is released
      And "urgent" asks in root.test for 1 vcore with priority 1000
      And the asks:
        | ask | queue     | resources | priority | node |
        | ds  | root.test | 1 vcore   | 1000     | n1   |
      Then "p", "urgent", "ds" wait
      When "t-2" is released
      Then "p" is allocated on "n1"

    Scenario: the node is kept, not only the room in the cluster
      Given a node "n2" with 8 vcore
      When "t-3" is released
      And the asks:
        | ask | queue     | resources | priority | node |
        | ds  | root.test | 1 vcore   | 1000     | n1   |
        | low | root.test | 1 vcore   | -1000    | n1   |
      Then "p", "ds", "low" wait
      When "t-2" is released
      Then "p" is allocated on "n1"

    Scenario: victims that come back wait
      When "t-2" and "t-3" are released
      And "t" asks "t-2b", "t-3b" for 1 vcore with priority 7
      Then "p" is allocated on "n1"
      And "t-2b", "t-3b" wait
      When 1h passes
      Then no allocation is preempted

    Scenario: it does not wait for its victims when there is room before; they still leave
      When "t-1" is released
      Then "p" waits
      When "t-2" is released
      Then "p" is allocated on "n1"
      And the release decisions are:
        | id  | reason    |
        | t-2 | preempted |
      And the asks show:
        | ask | leaving |
        | t-3 | p       |
      When "t-3" is released
      Then the release decisions are:
        | id  | reason    |
        | t-3 | preempted |

    Scenario: room on another node is not for it while it waits
      When a node "n2" with 8 vcore
      And 29s pass
      Then "p" waits
      And no allocation is preempted

    Scenario: a victim that never goes keeps it waiting, and it takes no other
      When 24h pass
      Then no allocation is preempted
      And "p" waits
      And the nodes show:
        | node | kept |
        | n1   | p    |

    Scenario: its priority may change
      When ask "p" now has priority -50
      And "t-2" and "t-3" are released
      Then "p" is allocated on "n1"

    Scenario Outline: a reload in between that leaves it room changes nothing: <what>
      When the queues:
        | queue     | guaranteed   | max   | preemption.policy |
        | root.prod | <guaranteed> | <max> | <policy>          |
        | root.test |              |       |                   |
      Then the nodes show:
        | node | kept |
        | n1   | p    |
      When "t-2" and "t-3" are released
      Then "p" is allocated on "n1"

      Examples:
        | what                   | guaranteed | max     | policy   |
        | a max that holds       | 2 vcore    | 2 vcore |          |
        | its guarantee is gone  |            |         |          |
        | preemption is disabled | 2 vcore    |         | disabled |

    Scenario Outline: withdrawn, the node is open to others and the victims still leave: <how>
      When <how>
      Then the nodes show:
        | node | kept |
        | n1   | none |
      And the asks show:
        | ask | leaving |
        | t-2 | p       |
        | t-3 | p       |
      When "t-3" is released
      And "other" asks in root.test for 1 vcore
      Then the release decisions are:
        | id  | reason    |
        | t-3 | preempted |
      And "other" is allocated on "n1"

      Examples:
        | how                        |
        | ask "p" is removed         |
        | application "p" is removed |

    Scenario: an allocation that leaves for a withdrawn ask does not become a victim again
      Given ask "p" is removed
      And "q" asks in root.prod for 3 vcore
      When 30s pass
      Then "q" preempts "t-1"
      When "t-1", "t-2" and "t-3" are released
      Then the release decisions are:
        | id  | reason    |
        | t-1 | preempted |
        | t-2 | preempted |
        | t-3 | preempted |
      And "q" is allocated

    Scenario: withdrawn and asked again, it is a new ask with a new delay
      Given ask "p" is removed
      And "p" asks "p" for 2 vcore
      And "t-2" and "t-3" are released
      And "first" asks in root.test for 2 vcore with priority 3
      And the cycle runs
      And "first" asks "more" for 2 vcore with priority 3
      And ask "p" now has priority 3
      When 29s pass
      Then no allocation is preempted
      When 1s passes
      Then "p" preempts "first"

  Rule: below every max the room is kept too

    Background: a, below org, waits for b-2; the nodes have room for all
      Given the queues:
        | queue      | guaranteed | max     |
        | root.org   |            | 2 vcore |
        | root.org.a | 1 vcore    |         |
        | root.org.b |            |         |
        | root.org.c |            |         |
      And a node "n1" with 4 vcore
      And a node "n2" with 4 vcore
      And the allocations:
        | allocation | queue      | resources | on | count |
        | b          | root.org.b | 1 vcore   | n1 | 2     |
      And "a" asks in root.org.a for 1 vcore
      And 30s pass
      And the cycle runs

    Scenario: before its victims have left
      When "c" asks in root.org.c for 1 vcore with priority 9
      Then "c" waits
      And the queues show:
        | queue    | used    | leaving | headroom |
        | root.org | 2 vcore | 1 vcore | nothing  |

    Scenario: and when another has left
      When "b-1" is released
      And "c" asks in root.org.c for 1 vcore with priority 9
      Then "c" waits
      And "a" is allocated on "n1"
      When "b-2" is released
      Then "c" is allocated

  Rule: what will be used counts, where that is more than what is used

    Scenario: 3 are used of 5, 1 leaves for an ask of 3: nothing is left for others
      Given the queues:
        | queue      | guaranteed | max     |
        | root.org   |            | 5 vcore |
        | root.org.a | 3 vcore    |         |
        | root.org.b |            |         |
        | root.org.c |            |         |
      And a node "n1" with 8 vcore
      And the allocations:
        | allocation | queue      | resources | on | count |
        | b          | root.org.b | 1 vcore   | n1 | 3     |
      And "a" asks in root.org.a for 3 vcore
      And 30s pass
      And the cycle runs
      And a node "n2" with 8 vcore
      When "c" asks in root.org.c for 1 vcore with priority 9
      Then the queues show:
        | queue    | used    | leaving | headroom |
        | root.org | 3 vcore | 1 vcore | nothing  |
      And "c" waits
      When "b-3" is released
      Then "a" is allocated on "n1"
      And "c" waits

  Rule: it lapses when the ask would not fit its node with all its victims gone, and may choose again

    Background: p takes u of n2, the younger
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And the nodes:
        | node | capacity | attributes |
        | n1   | 2 vcore  | zone=a     |
        | n2   | 2 vcore  | zone=a     |
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 2 vcore   | n1 |
        | u          | root.test | 2 vcore   | n2 |
      And the asks:
        | ask | queue     | resources | constraints |
        | p   | root.prod | 2 vcore   | zone=a      |
      And 30s pass
      And the cycle runs

    Scenario Outline: <case>
      When <change>
      Then "p" preempts "t" on "n1"
      And the nodes show:
        | node | kept |
        | n1   | p    |
        | n2   | none |
      And the asks show:
        | ask | leaving |
        | u   | p       |
      When "u" is released
      Then the release decisions are:
        | id | reason    |
        | u  | preempted |
      And "p" waits
      When "t" is released
      Then "p" is allocated on "n1"

      Examples:
        | case                              | change                                         |
        | the node is drained               | node "n2" is drained                           |
        | the node shrinks                  | node "n2" is updated with capacity 1999m vcore |
        | others occupy some of it          | node "n2" is updated with occupied 1m vcore    |
        | it is not what the ask may run on | node "n2" is updated with attributes zone=b    |

    Scenario: the node is removed
      Given the nodes:
        | node | capacity | attributes |
        | n3   | 8 vcore  | zone=b     |
      When node "n2" is removed
      Then the decisions include:
        | type       | id | reason       | node | for |
        | release    | u  | node_removed |      |     |
        | preemption | t  |              | n1   | p   |
      When "t" is released
      Then "p" is allocated on "n1"

    Scenario: the ask grows beyond the node
      When ask "p" now needs 3 vcore
      Then the nodes show:
        | node | kept |
        | n1   | none |
        | n2   | none |
      And no allocation is preempted
      When "u" is released
      And "other" asks in root.test for 1 vcore
      Then "other" is allocated on "n2"

    Scenario: an ask that shrinks lands as soon as it fits
      Given node "n2" is updated with capacity 3 vcore
      When ask "p" now needs 1 vcore
      Then "p" is allocated on "n2"
      And the asks show:
        | ask | leaving |
        | u   | p       |

    Scenario: a max that is lowered below what will be used
      When the queues:
        | queue     | guaranteed | max         |
        | root.prod | 1 vcore    | 1999m vcore |
        | root.test |            |             |
      Then the nodes show:
        | node | kept |
        | n2   | none |
      And no allocation is preempted
      And the asks show:
        | ask | leaving | kept |
        | u   | p       |      |
        | p   |         | none |
      When the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      Then no allocation is preempted
      When "u" is released
      Then "p" is allocated on "n2"

    Scenario: the delay was waited for once
      When node "n2" is drained
      Then the preemption decisions are:
        | at  | id | node |
        | 30s | t  | n1   |

    Scenario: a node that is drained and takes again before the next choice
      Given node "n1" is updated with occupied 1m vcore
      When node "n2" is drained
      Then no allocation is preempted
      When node "n2" is resumed
      Then no allocation is preempted
      When "u" is released
      Then "p" is allocated on "n2"

    Scenario: of two that wait, the later one lapses where a max holds only one
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 4 vcore    |
        | root.test |            |
      And "q" asks in root.prod for 2 vcore
      And 30s pass
      And the cycle runs
      When the queues:
        | queue     | guaranteed | max     |
        | root.prod | 2 vcore    | 2 vcore |
        | root.test |            |         |
      Then the nodes show:
        | node | kept |
        | n1   | none |
        | n2   | p    |
      When "t" and "u" are released
      Then "p" is allocated on "n2"
      And "q" waits

  Rule: an ask that only needs to wait for the victims of another takes none

    Background: p1 takes large, of which it needs a quarter
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 4 vcore    |
        | root.test |            |
      And a node "n1" with 4 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | large      | root.test | 4 vcore   | n1 | -1       |
        | u          | root.test | 1 vcore   | n2 | 0        |
      And "p1" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs

    Scenario: there will be room beside the ask that waits
      Given "p2" asks in root.prod for 1 vcore
      When 1h passes
      Then no allocation is preempted
      When "large" is released
      Then "p1", "p2" are allocated in this order
      And "p2" is allocated on "n1"

    Scenario: not beyond what will be left there
      Given "p2" asks in root.prod for 3001m vcore
      And "p3" asks in root.prod for 3 vcore
      When "large" is released
      Then "p1", "p3" are allocated in this order
      And "p2" waits

    Scenario: but it takes others where that is too little
      Given the nodes:
        | node | capacity | occupied |
        | n3   | 5 vcore  | 1 vcore  |
      And the allocations:
        | allocation | queue     | resources | on |
        | w          | root.test | 4 vcore   | n3 |
      And "p2" asks in root.prod for 3001m vcore
      When 30s pass
      Then "p2" preempts "w"

    Scenario: or where its constraints keep it from there
      Given node "n2" is updated with attributes zone=b
      And the asks:
        | ask | queue     | resources | constraints |
        | p2  | root.prod | 1 vcore   | zone=b      |
      When 30s pass
      Then "p2" preempts "u"

  Rule: an allocation that ends by itself is no victim, and an ask that its room is enough for takes none

    Background: two nodes are full
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | old        | root.test | 1 vcore   | n1 | 0        |
        | new        | root.test | 1 vcore   | n2 | 0        |
      And "new" is ending
      And "p" asks in root.prod for 1 vcore

    Scenario: the ask waits, and lands when the allocation has ended
      When 1h passes
      Then no allocation is preempted
      When "new" is released
      Then "p" is allocated on "n2"

    Scenario: a second ask takes what stays
      Given "q" asks in root.prod for 1 vcore
      When "new" is released
      And 1m passes
      Then "q" preempts "old"

    Scenario: the queues count it as leaving
      Then the queues show:
        | queue     | used    | leaving |
        | root.test | 2 vcore | 1 vcore |

    @snapshot
    Scenario: a snapshot keeps it
      When the scheduler is restored from a snapshot
      And 1h passes
      Then no allocation is preempted

  Rule: each ask that chose keeps its own node

    Scenario: two asks, two nodes, each goes to its own
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
        | u          | root.test | 1 vcore   | n2 |
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      When 30s pass
      Then the preemption decisions are:
        | id | for | node |
        | u  | p1  | n2   |
        | t  | p2  | n1   |
      When "t" is released
      Then "p2" is allocated on "n1"
      And "p1" waits
      When "u" is released
      Then "p1" is allocated on "n2"

    Scenario: a kept node is no place for another's victims, even where there are more
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      When 1h passes
      Then "p1" preempts "t-2"
      And 1 allocation is preempted
      When "t-2" is released
      Then "p1" is allocated
      And "p2" preempts "t-1"

    Scenario: nor is it reserved by others, although it would be the best-fitting
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 2 vcore   | n1 |
      And "p" asks in root.prod for 2 vcore
      And 30s pass
      And the cycle runs
      And a node "n2" with 4 vcore
      And a node "n3" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | x          | root.test | 3 vcore   | n2 |
      And "big" asks in root.test for 2 vcore
      When 10s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n2   |

    Scenario: who waits for its victims wants no other node, and holds up no reservation there
      Given the queues:
        | queue     | guaranteed |
        | root.dev  |            |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 2 vcore   | n1 |
      And "p" asks in root.prod for 2 vcore with priority 9
      And 30s pass
      And the cycle runs
      And a node "n2" with 2 vcore
      And a node "n3" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | u          | root.test | 1 vcore   | n2 |
      And "big" asks in root.dev for 2 vcore
      And 2s pass
      And the cycle runs
      When "u" is released
      And "p2" asks in root.prod for 1 vcore
      Then "big", "p2" are allocated in this order

  Rule: with the choice an ordinary reservation of the ask ends

    Scenario: right behind the victims
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
        | u          | root.test | 1 vcore   | n2 |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then the decisions are:
        | type          | at  | id | node | for |
        | reservation   | 2s  | p  | n1   |     |
        | preemption    | 30s | u  | n2   | p   |
        | unreservation | 30s | p  | n1   |     |
      And the nodes show:
        | node | reserved | kept |
        | n1   | none     | none |
        | n2   | none     | p    |

  Rule: the application holds its place until the ask lands

    Scenario: of two, one may run: the other waits
      Given the queues:
        | queue     | guaranteed | maxapplications |
        | root.prod | 4 vcore    | 1               |
        | root.test |            |                 |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs
      And a node "n2" with 1 vcore
      When "q" asks in root.prod for 1 vcore
      Then "q" waits
      When "t" is released
      Then "p" is allocated on "n1"
      And "q" waits
      When "p" is released
      Then "q" is allocated

  @snapshot
  Rule: a snapshot in the middle of a wait goes on

    Background: p waits for t-2, and t-1 leaves for one that was withdrawn
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t-1        | root.test | 1 vcore   | n1 |
        | t-2        | root.test | 1 vcore   | n2 |
      And "gone" asks in root.prod for 1 vcore with priority 1
      And "p" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs
      And ask "gone" is removed

    Scenario: who leaves, and what is kept
      When the scheduler is restored from a snapshot
      Then the asks show:
        | ask | kept | leaving |
        | p   | n1   |         |
        | t-1 |      | p       |
        | t-2 |      | gone    |
      And the nodes show:
        | node | kept |
        | n1   | p    |
        | n2   | none |
      And no allocation is preempted

    Scenario: it lands as it would have
      Given the scheduler is restored from a snapshot
      And "urgent" asks in root.test for 1 vcore with priority 100
      When "t-1" is released
      Then the release decisions are:
        | id  | reason    |
        | t-1 | preempted |
      And "p" is allocated on "n1"
      When the scheduler is restored from a snapshot
      And "t-2" is released
      Then "urgent" is allocated on "n2"

    Scenario: an ask in the middle of its delay is due when it was
      Given "q" asks in root.prod for 1 vcore
      And a node "n3" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t-3        | root.test | 1 vcore   | n3 |
      And 10s pass
      When the scheduler is restored from a snapshot
      And "t-2" is released
      And "other" asks in root.test for 1 vcore with priority 100
      And 1h passes
      Then the preemption decisions are:
        | at | id  | for |
        | 1m | t-3 | q   |
