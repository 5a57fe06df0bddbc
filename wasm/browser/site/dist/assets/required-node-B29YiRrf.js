var e=`Feature: A required node is held for its ask

  An ask that runs on one node or nowhere, as those of a DaemonSet, and that does not fit the free room there, holds the node
  until it fits: what becomes free is left to it.

  Background: n1 is full; headroom is there
    Given the queues:
      | queue       |
      | root.system |
      | root.other  |
      | root.fill   |
    And a node "n1" with 3 vcore
    And the allocations:
      | allocation | application | queue     | resources | on | priority |
      | f1         | fill        | root.fill | 1 vcore   | n1 | 100      |
      | f2         | fill        | root.fill | 1 vcore   | n1 | 100      |
      | f3         | fill        | root.fill | 1 vcore   | n1 | 100      |
    And a node "spare" with 9 vcore
    And node "spare" is drained

  Rule: room that comes bit by bit comes to the ask

    Scenario: others of lower, equal and higher priority wait
      Given the asks:
        | ask    | queue       | resources | priority | node |
        | ds     | root.system | 3 vcore   | 5        | n1   |
        | lower  | root.other  | 1 vcore   | 4        |      |
        | equal  | root.other  | 1 vcore   | 5        |      |
        | higher | root.other  | 1 vcore   | 6        |      |
        | urgent | root.system | 1 vcore   | 99       |      |
      And the cycle runs
      When "f1" is released
      And "f2" is released
      Then nothing is allocated
      When "f3" is released
      Then "ds" is allocated on "n1"
      And "lower", "equal", "higher", "urgent" wait

    Scenario: at once, and as long as it takes
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 2 vcore   | n1   |
      And 1h passes
      Then the reservation decisions are:
        | at | id | node |
        | 0s | ds | n1   |
      And there is no unreservation decision
      And the nodes show:
        | node | reserved |
        | n1   | ds       |

    Scenario: also where reservations are switched off
      Given the queues:
        | queue       | reservation.delay |
        | root        | 0s                |
        | root.system |                   |
        | root.fill   |                   |
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 2 vcore   | n1   |
      Then the reservation decisions are:
        | id | node |
        | ds | n1   |

    Scenario: the hold ends with the allocation
      Given the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      And the cycle runs
      When "f1" is released
      Then the decisions are:
        | type          | id | node | reason   | to       |
        | release       | f1 |      | finished |          |
        | allocation    | ds | n1   |          |          |
        | unreservation | ds | n1   |          |          |
        | app.state     | ds |      |          | Starting |

    Scenario: of two asks alike one has the room, and the other holds the node from then on
      Given the asks:
        | ask | application | queue       | resources | node | count |
        | d   | ds          | root.system | 2 vcore   | n1   | 2     |
      And the cycle runs
      And "f1" is released
      And the cycle runs
      When "f2" is released
      Then "d-1" is allocated on "n1"
      And the nodes show:
        | node | reserved |
        | n1   | d-2      |

    Scenario: several asks of a leaf hold a node each, beside its reservation
      Given a node "n2" with 2 vcore
      And a node "n3" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | g          | root.fill | 1 vcore   | n2 | 100      |
        | h          | root.fill | 1 vcore   | n3 | 100      |
      When the asks:
        | ask | queue       | resources | node |
        | ds1 | root.system | 2 vcore   | n1   |
        | ds2 | root.system | 2 vcore   | n2   |
        | big | root.system | 2 vcore   |      |
      And 2s pass
      Then the reservation decisions are:
        | id  | node |
        | ds1 | n1   |
        | ds2 | n2   |
        | big | n3   |

  Rule: only an ask that waits for room on its node, and for nothing else, holds it

    Scenario Outline: not <which>
      Given the queues:
        | queue       | max     | maxapplications |
        | root.system | 2 vcore | 1               |
        | root.fill   |         | 1               |
      When the asks:
        | ask | queue   | resources   | node   | constraints |
        | ds  | <queue> | <resources> | <node> | <kind>      |
      And 1h passes
      Then there is no reservation decision

      Examples:
        | which                                           | queue       | resources | node    | kind   |
        | one that is larger than its node                | root.system | 4 vcore   | n1      |        |
        | one beyond its queue's max                      | root.system | 3 vcore   | n1      |        |
        | one whose node is drained                       | root.system | 2 vcore   | spare   |        |
        | one whose node is not there                     | root.system | 2 vcore   | nowhere |        |
        | one whose node lacks an attribute that it names | root.system | 2 vcore   | n1      | zone=a |
        | one whose application may not start             | root.fill   | 2 vcore   | n1      |        |

    Scenario: the cluster's total is no bar to the hold, but to the allocation
      Given node "spare" is removed
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | over       | root.fill | 2 vcore   | n2 | 100      |
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then the reservation decisions are:
        | id | node |
        | ds | n1   |
      When "f1" is released
      Then "ds" waits
      When "over" is released
      Then "ds" is allocated on "n1"

    Scenario: one that has the room, and waits for the cluster's total alone, holds nothing
      Given node "spare" is removed
      And a node "n2" with 1 vcore
      And "f1" is released
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | over       | root.fill | 2 vcore   | n2 | 100      |
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then "ds" waits
      And there is no reservation decision

  Rule: an ordinary reservation on the node gives way

    Background: big has waited and reserves n1
      Given "big" asks in root.other for 3 vcore with priority 9
      And 2s pass
      And the cycle runs

    Scenario: whatever the priorities
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then the decisions include:
        | type          | id  | node | reason        |
        | unreservation | big | n1   | required-node |
        | reservation   | ds  | n1   |               |

    Scenario: the one that loses it is looked at again in that same instant
      Given a node "n2" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | g          | root.fill | 2 vcore   | n2 | 100      |
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then the decisions include:
        | type          | id  | node | reason        |
        | unreservation | big | n1   | required-node |
        | reservation   | ds  | n1   |               |
        | reservation   | big | n2   |               |

    Scenario: there is no pause: its leaf reserves again when the node is open
      Given the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      And the cycle runs
      When ask "ds" is removed
      Then the decisions include:
        | type          | id  | node |
        | unreservation | ds  | n1   |
        | reservation   | big | n1   |

    Scenario: a node that is held is not reserved
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      And 10m pass
      Then the reservation decisions are:
        | id | node |
        | ds | n1   |

  Rule: what requires the node and has a higher effective priority may use it

    Background: ds, of priority 5, holds n1
      Given the asks:
        | ask | queue       | resources | priority | node |
        | ds  | root.system | 3 vcore   | 5        | n1   |
      And the cycle runs

    Scenario Outline: in the room there is: priority <priority>
      Given "f1" is released
      When the asks:
        | ask   | queue       | resources | priority   | node |
        | other | root.system | 1 vcore   | <priority> | n1   |
      Then the asks show:
        | ask   | node   |
        | other | <node> |
      And the nodes show:
        | node | reserved |
        | n1   | ds       |

      Examples:
        | priority | node |
        | 4        | none |
        | 5        | none |
        | 6        | n1   |

    Scenario Outline: without room it takes the hold over: priority <priority>
      When the asks:
        | ask   | queue       | resources | priority   | node |
        | other | root.system | 1 vcore   | <priority> | n1   |
      Then the nodes show:
        | node | reserved |
        | n1   | <holder> |

      Examples:
        | priority | holder |
        | 4        | ds     |
        | 5        | ds     |
        | 6        | other  |

    Scenario: and the one before holds the node again afterwards
      When the asks:
        | ask   | queue       | resources | priority | node |
        | other | root.system | 1 vcore   | 6        | n1   |
      Then the decisions include:
        | type          | id    | node | reason        |
        | unreservation | ds    | n1   | required-node |
        | reservation   | other | n1   |               |
      When "f1" is released
      Then the decisions include:
        | type          | id    | node | reason |
        | allocation    | other | n1   |        |
        | unreservation | other | n1   |        |
        | reservation   | ds    | n1   |        |

    Scenario: of two that fit what has become free, the higher comes first, though it holds nothing
      Given the asks:
        | ask   | queue       | resources | priority | node |
        | other | root.system | 1 vcore   | 6        | n1   |
      And the cycle runs
      And ask "other" now needs 3 vcore and has priority 4
      And the cycle runs
      And ask "other" now has priority 6
      When "f1", "f2" and "f3" are released
      Then "other" is allocated on "n1"
      And "ds" waits

    Scenario: priorities are compared where the queues meet
      Given the queues:
        | queue       | priority.offset |
        | root.system | 10              |
        | root.other  |                 |
        | root.fill   |                 |
      When the asks:
        | ask   | queue      | resources | priority | node |
        | other | root.other | 1 vcore   | 15       | n1   |
      Then the nodes show:
        | node | reserved |
        | n1   | ds       |
      When ask "other" now has priority 16
      Then the nodes show:
        | node | reserved |
        | n1   | other    |

  Rule: no other ask takes victims there

    Scenario: not by guarantee
      Given the queues:
        | queue       | guaranteed |
        | root.system |            |
        | root.prod   | 3 vcore    |
        | root.fill   |            |
      And the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 2 vcore   | n1   |
      And "p" asks in root.prod for 1 vcore with priority 1000
      When 1h passes
      Then no allocation is preempted
      When ask "ds" is removed
      Then "p" preempts "f3"

    Scenario: the holder may, and the node is kept then
      Given the asks:
        | ask | queue       | resources | node | priority |
        | ds  | root.system | 2 vcore   | n1   | 99       |
      And the cycle runs
      When ask "ds" now has priority 100
      Then the decisions are:
        | type          | id | for | node |
        | preemption    | f2 | ds  | n1   |
        | preemption    | f3 | ds  | n1   |
        | unreservation | ds |     | n1   |
      And the nodes show:
        | node | kept | reserved |
        | n1   | ds   | none     |

  Rule: a node that is kept for another ask may be held besides

    Background: p waits for f3
      Given the queues:
        | queue       | guaranteed |
        | root.system |            |
        | root.prod   | 1 vcore    |
        | root.fill   |            |
      And "p" asks in root.prod for 1 vcore with priority 100
      And 30s pass
      And the cycle runs

    Scenario: the one that preempted lands first
      When the asks:
        | ask | queue       | resources | node | priority |
        | ds  | root.system | 1 vcore   | n1   | 500      |
      Then the nodes show:
        | node | kept | reserved |
        | n1   | p    | ds       |
      When "f1" is released
      Then "p" is allocated on "n1"
      And "ds" waits
      When "f3" is released
      Then "ds" is allocated on "n1"

    Scenario: an ask that fits the free room waits without
      Given node "n1" is updated with capacity 4 vcore
      And ask "p" now needs 2 vcore
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then "ds" waits
      And there is no reservation decision

  Rule: a hold ends with what it needs, in the next cycle, and is made again with it

    Background: ds holds n1
      Given the queues:
        | queue       | max     |
        | root.system | 3 vcore |
        | root.fill   |         |
      And node "n1" is updated with attributes zone=a
      And the asks:
        | ask | queue       | resources | node | constraints |
        | ds  | root.system | 2 vcore   | n1   | zone=a      |
      And the cycle runs

    Scenario Outline: <cause>
      When <cause>
      Then the decisions are:
        | type          | id | node | reason |
        | unreservation | ds | n1   |        |
      When <again>
      Then the decisions are:
        | type        | id | node |
        | reservation | ds | n1   |

      Examples:
        | cause                                          | again                                       |
        | node "n1" is drained                           | node "n1" is resumed                        |
        | node "n1" is updated with attributes zone=b    | node "n1" is updated with attributes zone=a |
        | node "n1" is updated with occupied 2 vcore     | node "n1" is updated with occupied 1 vcore  |
        | node "n1" is updated with capacity 1999m vcore | node "n1" is updated with capacity 2 vcore  |
        | ask "ds" now needs 3001m vcore                 | ask "ds" now needs 3 vcore                  |

    Scenario: a max that bars the ask
      When the queues:
        | queue       | max         |
        | root.system | 1999m vcore |
        | root.fill   |             |
      Then the decisions include:
        | type          | id | node |
        | unreservation | ds | n1   |

    Scenario Outline: withdrawn: <how>
      When <how>
      Then the unreservation decisions are:
        | id | node |
        | ds | n1   |

      Examples:
        | how                         |
        | ask "ds" is removed         |
        | application "ds" is removed |
        | node "n1" is removed        |

    Scenario: another application of the leaf has the only place
      Given an application "other" in root.system
      And the queues:
        | queue       | max     | maxapplications |
        | root.system | 3 vcore | 1               |
        | root.fill   |         |                 |
      When "other" has "o" for 1 memory restored on "spare"
      Then the unreservation decisions are:
        | id | node | reason        |
        | ds | n1   | not-startable |
`;export{e as default};