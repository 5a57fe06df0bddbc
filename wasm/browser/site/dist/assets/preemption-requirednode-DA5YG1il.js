var e=`Feature: Preemption by an ask with a required node

  An ask that runs on one node or nowhere, as those of a DaemonSet, frees that node at once: no delay, no queues and no
  guarantees are in its way. Its own priority is compared, and what it takes must give it room below every max.

  Background: all of n1 is in use
    Given the queues:
      | queue       | guaranteed | max     |
      | root.system |            | 4 vcore |
      | root.prod   | 2 vcore    |         |
    And a node "n1" with 2 vcore
    And the allocations:
      | allocation | application | queue     | resources | on |
      | p1         | prod        | root.prod | 1 vcore   | n1 |
      | p2         | prod        | root.prod | 1 vcore   | n1 |

  Rule: it does not wait, and needs no guarantee

    Scenario: at once, from a queue that has just what it was guaranteed
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then the preemption decisions are:
        | at | id | for | node | queue     |
        | 0s | p2 | ds  | n1   | root.prod |
      When "p2" is released
      Then "ds" is allocated on "n1"

    Scenario Outline: although <what>
      Given the queues:
        | queue       | guaranteed | preemption.policy | preemption.delay | priority.offset | priority.policy |
        | root.system |            | <system>          | 1h               | <offset>        | <fence>         |
        | root.prod   | 2 vcore    | <prod>            |                  |                 |                 |
      And preemption is <state>
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then "ds" preempts "p2"

      Examples:
        | what                                    | system   | prod     | offset | fence | state |
        | its leaf is fenced                      | fence    |          |        |       | on    |
        | preemption is disabled for its queue    | disabled |          |        |       | on    |
        | it is for the victim's                  |          | disabled |        |       | on    |
        | the partition switched guarantees off   |          |          |        |       | off   |
        | its queue has an offset far below       |          |          | -1000  |       | on    |
        | a priority fence shows it as even lower |          |          | -1000  | fence | on    |

    Scenario: a task of its own queue is as good as any
      Given a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue       | resources | on | priority |
        | s          | root.system | 1 vcore   | n2 | -5       |
        | p          | root.prod   | 1 vcore   | n2 |          |
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n2   |
      Then "ds" preempts "s"

  Rule: free room comes first

    Scenario: with room on its node it takes no victims
      Given "p2" is released
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then no allocation is preempted
      And "ds" is allocated on "n1"

    Scenario: what is free is used, and only what is missing is taken
      Given "p2" is released
      When the asks:
        | ask | queue       | resources   | node |
        | ds  | root.system | 1500m vcore | n1   |
      Then "ds" preempts "p1"

    Scenario: room elsewhere is none for it
      Given a node "n2" with 8 vcore
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      Then "ds" preempts "p2" on "n1"

    Scenario: it waits for those that leave its node already
      When the asks:
        | ask | queue       | resources  | node | priority |
        | ds1 | root.system | 500m vcore | n1   | 1        |
        | ds2 | root.system | 500m vcore | n1   |          |
      Then "ds1" preempts "p2"
      And 1 allocation is preempted
      When "p2" is released
      Then "ds1", "ds2" are allocated in this order

    Scenario: and needs no room once there is some
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      And the cycle runs
      And "p1" is released
      Then "ds" is allocated on "n1"
      And the asks show:
        | ask | leaving |
        | p2  | ds      |

  Rule: own priorities are compared, never upward

    Scenario Outline: <ask> against the 0 of p1 and the 3 of p3
      Given a node "n2" with 2 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | priority |
        | p0         | prod        | root.prod | 1 vcore   | n2 | 0        |
        | p3         | prod        | root.prod | 1 vcore   | n2 | 3        |
      When the asks:
        | ask | queue       | resources | node | priority |
        | ds  | root.system | <needs>   | n2   | <ask>    |
      Then <number> allocations are preempted

      Examples:
        | ask | needs   | number |
        | -1  | 1 vcore | 0      |
        | 0   | 1 vcore | 1      |
        | 0   | 2 vcore | 0      |
        | 2   | 2 vcore | 0      |
        | 3   | 2 vcore | 2      |

  Rule: some are never taken

    Scenario: no other task with a required node
      Given a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue       | resources | on | required node | priority |
        | d          | root.system | 1 vcore   | n2 | yes           | -9       |
        | plain      | root.prod   | 1 vcore   | n2 |               |          |
      When the asks:
        | ask | queue       | resources | node | priority |
        | ds  | root.system | 1 vcore   | n2   | 9        |
        | big | root.system | 2 vcore   | n2   | 8        |
      Then "ds" preempts "plain"
      And 1 allocation is preempted

    Scenario: none of its own application
      When the asks:
        | ask | application | queue     | resources | node | priority |
        | ds  | prod        | root.prod | 1 vcore   | n1   | 9        |
      Then no allocation is preempted

    Scenario: none, if the ask opted out
      When the asks:
        | ask | queue       | resources | node | preempts others |
        | ds  | root.system | 1 vcore   | n1   | no              |
      Then no allocation is preempted
      And "ds" waits

    Scenario Outline: none on a node that <why>
      When <change>
      And the asks:
        | ask | queue       | resources | node | constraints |
        | ds  | root.system | 1 vcore   | n1   | zone=a      |
      Then <number> allocations are preempted

      Examples:
        | why                                | change                                      | number |
        | its constraints exclude            | node "n1" is updated with attributes zone=b | 0      |
        | is too small with all of them gone | node "n1" is updated with occupied 2 vcore  | 0      |

    Scenario: none on a drained node, until it is resumed
      Given node "n1" is drained
      And the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      When 1h passes
      Then no allocation is preempted
      When node "n1" is resumed
      Then "ds" preempts "p2"

  Rule: those that asked to be spared go last

    Scenario: plain, then who asked to be spared, then a driver
      Given a node "n2" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | preemptable | originator |
        | plain      | root.prod | 1 vcore   | n2 |             |            |
        | spare-me   | root.prod | 1 vcore   | n2 | no          |            |
        | driver     | root.prod | 1 vcore   | n2 |             | yes        |
      When the asks:
        | ask | queue       | resources | node |
        | ds1 | root.system | 1 vcore   | n2   |
      Then "ds1" preempts "plain"
      When "plain" is released
      And the asks:
        | ask | queue       | resources | node |
        | ds2 | root.system | 1 vcore   | n2   |
      Then "ds2" preempts "spare-me"
      When "spare-me" is released
      And the asks:
        | ask | queue       | resources | node |
        | ds3 | root.system | 1 vcore   | n2   |
      Then "ds3" preempts "driver"

  Rule: every max holds after the exchange

    Scenario Outline: a and b use 1 each; system may use <system> and a <a>
      Given the queues:
        | queue         | max      |
        | root.prod     |          |
        | root.system   | <system> |
        | root.system.a | <a>      |
        | root.system.b |          |
      And a node "n2" with 4 vcore
      And the allocations:
        | allocation | queue         | resources | on |
        | a          | root.system.a | 1 vcore   | n2 |
        | b          | root.system.b | 1 vcore   | n2 |
      When the asks:
        | ask | queue         | resources | node |
        | ds  | root.system.a | 1 vcore   | n1   |
      Then <number> allocations are preempted

      Examples:
        | system  | a       | number |
        |         |         | 1      |
        | 3 vcore | 2 vcore | 1      |
        | 3 vcore | 1 vcore | 0      |
        | 2 vcore |         | 0      |

    Scenario: one of its own queue on its node makes the room below the max
      Given the queues:
        | queue       | max     |
        | root.prod   |         |
        | root.system | 1 vcore |
      And a node "n3" with 4 vcore
      And the allocations:
        | allocation | queue       | resources | on | priority |
        | q          | root.prod   | 1 vcore   | n3 | -9       |
        | s          | root.system | 1 vcore   | n3 | 0        |
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n3   |
      Then "ds" preempts "s"

  Rule: a node that is spoken for

    Scenario Outline: reserved for an ask of priority 3, it is freed for any that requires it: priority <priority>
      Given "p2" is released
      And "big" asks in root.system for 2 vcore with priority 3
      And a node "n2" with 1 vcore
      And 2s pass
      And the cycle runs
      When the asks:
        | ask | queue       | resources | node | priority   |
        | ds  | root.system | 2 vcore   | n1   | <priority> |
      Then the decisions include:
        | type          | id  | for | reason        |
        | unreservation | big |     | required-node |
        | reservation   | ds  |     |               |
        | preemption    | p1  | ds  |               |
        | unreservation | ds  |     |               |

      Examples:
        | priority |
        | 0        |
        | 4        |

    Scenario Outline: held for an ask of priority 3, it is freed for a higher one that requires it: priority <priority>
      Given the asks:
        | ask | queue       | resources | node | priority | preempts others |
        | ds  | root.system | 2 vcore   | n1   | 3        | no              |
      And the cycle runs
      When the asks:
        | ask   | queue       | resources | node | priority   |
        | other | root.system | 1 vcore   | n1   | <priority> |
      Then <number> allocations are preempted

      Examples:
        | priority | number |
        | 3        | 0      |
        | 4        | 1      |

    Scenario: kept for one ask, it is freed for no other, however urgent
      Given the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      And the cycle runs
      When the asks:
        | ask    | queue       | resources | node | priority |
        | urgent | root.system | 1 vcore   | n1   | 1000     |
      And 1h passes
      Then no allocation is preempted
      When "p2" is released
      Then "ds" is allocated on "n1"
      And "urgent" preempts "p1"

  Rule: such asks and tasks keep out of preemption by guarantees

    Scenario: an ask with a required node takes nothing by guarantee besides
      Given the queues:
        | queue       | guaranteed |
        | root.system | 4 vcore    |
        | root.test   |            |
      And a node "n2" with 1 vcore
      And a node "n3" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t2         | root.test | 1 vcore   | n2 | 1        |
        | t3         | root.test | 1 vcore   | n3 | 0        |
      When the asks:
        | ask | queue       | resources | node | priority |
        | ds  | root.system | 1 vcore   | n2   | 0        |
      And 1h passes
      Then no allocation is preempted

    Scenario: not even where law 6 would let it, since own priorities count
      Given the queues:
        | queue       | guaranteed | priority.offset |
        | root.system | 4 vcore    | 100             |
        | root.test   |            |                 |
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t2         | root.test | 1 vcore   | n2 | 1        |
      When the asks:
        | ask | queue       | resources | node | priority |
        | ds  | root.system | 1 vcore   | n2   | 0        |
      And 1h passes
      Then no allocation is preempted

    Scenario: a task with a required node is never a victim
      Given the queues:
        | queue       | guaranteed |
        | root.system |            |
        | root.prod   | 2 vcore    |
        | root.dev    | 1 vcore    |
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue       | resources | on | required node | priority |
        | d          | root.system | 1 vcore   | n2 | yes           | -9       |
      And "x" asks in root.dev for 1 vcore
      When 1h passes
      Then no allocation is preempted

    Scenario: while its task leaves, the queue has not yet lost it, and takes nothing itself
      Given the queues:
        | queue       | guaranteed |
        | root.system |            |
        | root.prod   | 2 vcore    |
        | root.test   |            |
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n2 |
      And the asks:
        | ask | application | queue       | resources | node |
        | ds  | ds          | root.system | 1 vcore   | n1   |
        | p3  | prod        | root.prod   | 1 vcore   |      |
      And the cycle runs
      When 1h passes
      Then no allocation is preempted
      When "p2" is released
      Then "ds" is allocated on "n1"
      And "p3" preempts "t"
`;export{e as default};