var e=`Feature: Atomic gangs preempt as a whole

  A gang looks for victims as a single ask would, for its first members up to the minimum. All its nodes are kept until
  the last victim has left, and then it lands in one decision.

  Background: a queue guaranteed 4 cores, and two nodes full of others
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 4 vcore    | 10s              |
      | root.b |            |                  |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And the asks:
      | ask | application | queue  | resources | count |
      | o   | other       | root.b | 1 vcore   | 4     |
    And the cycle runs
    And an application "mpi" in root.a

  Rule: each of the first members has waited for the delay and may preempt

    Scenario: the youngest of the first members decides when
      Given "mpi" asks "a" in gang "g" of at least 2 for 1 vcore
      And 5s pass
      And "mpi" asks "b" in gang "g" of at least 2 for 1 vcore
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then 2 allocations are preempted

    Scenario: members above the minimum need not have waited for the delay
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      And 9s pass
      And "mpi" asks "c" in gang "g" of at least 2 for 1 vcore
      When 1s passes
      Then 2 allocations are preempted

    Scenario: a member that may not preempt others keeps the gang from preempting
      Given the asks:
        | ask | application | resources | preempts others | gang | gang min |
        | a   | mpi         | 1 vcore   | yes             | g    | 2        |
        | b   | mpi         | 1 vcore   | no              | g    | 2        |
      When 1m passes
      Then no allocation is preempted

    Scenario: an incomplete gang does not preempt
      Given "mpi" asks "a" in gang "g" of at least 2 for 1 vcore
      When 1m passes
      Then no allocation is preempted

    Scenario: a member with a required node has no preemption by required node
      Given the queues:
        | queue  | preemption.delay |
        | root.a | 10s              |
        | root.b |                  |
      When the asks:
        | ask | application | resources | node | priority | gang | gang min |
        | a   | mpi         | 1 vcore   | n1   | 9        | g    | 1        |
      And 1m passes
      Then no allocation is preempted

  Rule: a gang uses free room first, then the least harmful victims, none of them needless

    Scenario: one member uses free room and one preempts
      Given a node "n3" with 1 vcore
      And "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      When 10s pass
      Then "a" preempts "o-4" on "n2"
      And 1 allocation is preempted
      When "o-4" is released
      Then the allocation decisions are:
        | id | node |
        | a  | n2   |
        | b  | n3   |

    Scenario: the least harmful set of victims is chosen over all nodes
      Given "o-1" and "o-3" are released
      And the allocations:
        | allocation | queue  | resources | on | priority |
        | p          | root.b | 2 vcore   | n1 | -1       |
      And "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      When 10s pass
      Then "a" preempts "p" on "n1"
      And 1 allocation is preempted

    Scenario: with the same victims, the sorted node IDs decide
      Given node "n2" is updated with attributes zone=b
      And a node "n4" with 2 vcore
      And a node "n3" with 2 vcore
      When the asks:
        | ask | application | resources | constraints | gang | gang min |
        | a   | mpi         | 1 vcore   | zone=b      | g    | 2        |
        | b   | mpi         | 2 vcore   |             | g    | 2        |
      And 10s pass
      Then "a" preempts "o-4" on "n2"
      And the nodes show:
        | node | kept |
        | n2   | a    |
        | n3   | b    |
        | n4   | none |

    Scenario: a victim leaves for the first member that lands on its node
      Given "mpi" asks "a", "b" and "c" in gang "g" of at least 3 for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id  | for | node |
        | o-2 | b   | n2   |
        | o-3 | a   | n1   |
        | o-4 | b   | n2   |

    Scenario: a gang does not preempt if it fits once the victims of others have left
      Given "mpi" asks "single" for 1 vcore
      And 10s pass
      And the cycle runs
      And ask "single" is removed
      And "mpi" asks "a" in gang "g" of at least 1 for 1 vcore
      When 1m passes
      Then no allocation is preempted

  Rule: all nodes of the gang are kept until the last victim has left

    Background:
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 2 vcore
      And 10s pass
      And the cycle runs

    Scenario: the gang lands in one decision
      Then the nodes show:
        | node | kept |
        | n1   | a    |
        | n2   | b    |
      When "o-1" and "o-3" are released
      Then nothing is allocated
      When "o-2" is released
      Then nothing is allocated
      When "o-4" is released
      Then the decisions are:
        | type       | id    | node | reason            |
        | release    | o-4   |      | preempted         |
        | app.state  | other |      | idle              |
        | allocation | a     | n1   |                   |
        | allocation | b     | n2   |                   |
        | app.state  | mpi   |      | first-allocation  |
        | app.state  | mpi   |      | second-allocation |

    Scenario: an urgent ask does not get the room meanwhile
      When "o-1" and "o-3" are released
      And "urgent" asks in root.b for 1 vcore with priority 1000
      Then "urgent" waits

    Scenario: the application holds its place meanwhile
      Given the queues:
        | queue  | guaranteed | preemption.delay | maxapplications |
        | root.a | 4 vcore    | 10s              | 1               |
        | root.b |            |                  |                 |
      And a node "n3" with 1 vcore
      When "web" asks in root.a for 1 vcore
      Then "web" waits

    Scenario: if one kept node lapses, all lapse
      When node "n2" is drained
      Then the preemption.lapsed decisions are:
        | for | node | reason         |
        | a   | n1   | no-longer-fits |
        | b   | n2   | no-longer-fits |

    Scenario: if one member is withdrawn, all kept nodes lapse
      When ask "b" is removed
      Then the preemption.lapsed decisions are:
        | for | node |
        | a   | n1   |
        | b   | n2   |

    Scenario: if one kept node is removed, all lapse
      When node "n2" is removed
      Then the preemption.lapsed decisions are:
        | for | node |
        | a   | n1   |
        | b   | n2   |

    Scenario: a gang holds nothing after its kept nodes have lapsed
      Given node "n2" is drained
      When "o-1" and "o-3" are released
      And "x" asks in root.b for 2 vcore
      Then "x" is allocated on "n1"

  Rule: other room that becomes free does not end the wait for the victims

    Scenario: the gang lands when its victims have left, although it would fit before
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id  |
        | o-3 |
        | o-4 |
      When "o-1" and "o-2" are released
      Then nothing is allocated
      When "o-3" and "o-4" are released
      Then the allocation decisions are:
        | id | node |
        | a  | n1   |
        | b  | n2   |

  Rule: the timeout of a gang continues while victims leave

    Scenario: the kept nodes lapse when the gang ends
      Given the asks:
        | ask | application | resources | gang | gang min | gang timeout |
        | a   | mpi         | 2 vcore   | g    | 2        | 20s          |
        | b   | mpi         | 2 vcore   | g    | 2        | 20s          |
      When 10s pass
      Then 4 allocations are preempted
      When 10s pass
      Then the decisions are:
        | type              | id  | for | node | reason       |
        | ask.rejected      | a   |     |      | gang-timeout |
        | preemption.lapsed |     | a   | n1   | withdrawn    |
        | preemption.lapsed |     | b   | n2   | withdrawn    |
        | ask.rejected      | b   |     |      | gang-timeout |
        | app.state         | mpi |     |      | idle         |

  Rule: law 4 is judged with all members but the last counted as used

    Scenario Outline: <number> members of 1 vcore where 4 vcore are guaranteed
      Given a node "n3" with 2 vcore
      And the asks:
        | ask | application | queue  | resources | count |
        | p   | others      | root.b | 1 vcore   | 2     |
      And the cycle runs
      And the asks:
        | ask | application | resources | gang | gang min | count    |
        | a   | mpi         | 1 vcore   | g    | <number> | <number> |
      When 1m passes
      Then <victims> allocations are preempted

      Examples:
        | number | victims |
        | 3      | 3       |
        | 4      | 4       |
        | 5      | 0       |

    Scenario: the last member may carry the queue past its guaranteed
      Given the queues:
        | queue  | guaranteed  | preemption.delay |
        | root.a | 1500m vcore | 10s              |
        | root.b |             |                  |
      And "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      When 10s pass
      Then 2 allocations are preempted

  Rule: law 6 and intra-queue preemption use the lowest priority among the members

    Scenario Outline: members of priority 5 and <lowest> against victims of 0
      Given "mpi" asks "a" in gang "g" of at least 2 for 1 vcore with priority 5
      And "mpi" asks "b" in gang "g" of at least 2 for 1 vcore with priority <lowest>
      When 1m passes
      Then <victims> allocations are preempted

      Examples:
        | lowest | victims |
        | 0      | 2       |
        | -1     | 0       |

    Scenario Outline: within a leaf, members of priority 5 and <lowest> against victims of 0
      Given the queues:
        | queue  | preemption.intra-queue | preemption.delay |
        | root.b | enabled                | 10s              |
      And an application "own" in root.b
      And "own" asks "a" in gang "g" of at least 2 for 1 vcore with priority 5
      And "own" asks "b" in gang "g" of at least 2 for 1 vcore with priority <lowest>
      When 1m passes
      Then <victims> allocations are preempted

      Examples:
        | lowest | victims |
        | 1      | 2       |
        | 0      | 0       |

    Scenario: intra-queue preemption of a gang continues while preemption by guarantee is off
      Given preemption is off
      And the queues:
        | queue  | preemption.intra-queue | preemption.delay |
        | root.b | enabled                | 10s              |
      And an application "own" in root.b
      And "own" asks "a" and "b" in gang "g" of at least 2 for 1 vcore with priority 1
      When 10s pass
      Then 2 allocations are preempted

  Rule: other laws, maxima and limits apply to the exchange as a whole

    Scenario Outline: victims of a queue that is guaranteed <guaranteed>
      Given the queues:
        | queue  | guaranteed   | preemption.delay |
        | root.a | 4 vcore      | 10s              |
        | root.b | <guaranteed> |                  |
      And "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      When 1m passes
      Then <victims> allocations are preempted

      Examples:
        | guaranteed | victims |
        | 2 vcore    | 2       |
        | 3 vcore    | 0       |

    Scenario Outline: a max of <max> of its own queue
      Given the queues:
        | queue  | guaranteed | max   | preemption.delay |
        | root.a | 2 vcore    | <max> | 10s              |
        | root.b |            |       |                  |
      And "mpi" asks "a" and "b" in gang "g" of at least 2 for 1500m vcore
      When 1m passes
      Then <victims> allocations are preempted

      Examples:
        | max         | victims |
        | 3 vcore     | 4       |
        | 2999m vcore | 0       |

    Scenario Outline: a limit of <max> of its user
      Given the limits:
        | queue  | users | max   |
        | root.a | ann   | <max> |
      And the applications:
        | application | queue  | user |
        | hers        | root.a | ann  |
      And "hers" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      When 1m passes
      Then <victims> allocations are preempted

      Examples:
        | max     | victims |
        | 2 vcore | 2       |
        | 1 vcore | 0       |

    Scenario: tasks of the same application are never victims
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b | 4 vcore    |                  |
      And "o-4" is released
      And "mpi" asks "own" for 1 vcore
      And the cycle runs
      And "mpi" asks "a" in gang "g" of at least 1 for 1 vcore
      When 1m passes
      Then no allocation is preempted

  Rule: where preemption is only observed, the victims are reported once

    Scenario: no allocation leaves and no node is kept
      Given preemption is observed
      And "mpi" asks "a" and "b" in gang "g" of at least 2 for 2 vcore
      When 1h passes
      Then the decisions are:
        | type                | id  | for | node |
        | preemption.observed | o-1 | a   | n1   |
        | preemption.observed | o-2 | b   | n2   |
        | preemption.observed | o-3 | a   | n1   |
        | preemption.observed | o-4 | b   | n2   |
      And the nodes show:
        | node | kept |
        | n1   | none |

  Rule: a search that exceeds its bound chooses victims member by member

    Scenario: such a choice is marked as approximate
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 20 vcore   | 10s              |
        | root.b |            |                  |
      And the nodes:
        | node | capacity |
        | n3   | 2 vcore  |
        | n4   | 2 vcore  |
        | n5   | 2 vcore  |
        | n6   | 2 vcore  |
        | n7   | 2 vcore  |
        | n8   | 2 vcore  |
        | n9   | 2 vcore  |
      And the asks:
        | ask | application | queue  | resources | count |
        | p   | others      | root.b | 1 vcore   | 14    |
      And the cycle runs
      And "mpi" asks "a", "b", "c" and "d" in gang "g" of at least 4 for 2 vcore
      When 10s pass
      Then the decisions include:
        | type       | for | approximate |
        | preemption | a   | yes         |
      And 8 allocations are preempted

    Scenario: the choice of a complete search is not
      Given "mpi" asks "a" and "b" in gang "g" of at least 2 for 1 vcore
      When 10s pass
      Then the decisions are:
        | type       | approximate |
        | preemption | none        |
        | preemption | none        |
`;export{e as default};