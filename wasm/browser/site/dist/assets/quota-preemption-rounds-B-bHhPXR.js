var e=`Feature: Rounds of preemption by quota

  A queue that exceeds its max chooses its victims in one round. Rounds come first in the cycle, upper queues before lower
  ones, and a round waits while victims of a queue above are leaving.

  Background: a tree with 4 cores in use in each of two leaves
    Given preemption by quota is on
    And the queues:
      | queue    | max     |
      | root.q   | 8 vcore |
      | root.q.a | 8 vcore |
      | root.q.b | 8 vcore |
      | root.o   |         |
    And a node "n1" with 8 vcore
    And the allocations:
      | allocation | application | queue    | resources | on | count |
      | a          | a           | root.q.a | 1 vcore   | n1 | 4     |
      | b          | b           | root.q.b | 1 vcore   | n1 | 4     |

  Rule: rounds run top down, then by path

    Scenario: the victims of an upper round count for the lower queue
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 4 vcore | 10s                    |
        | root.q.a | 2 vcore |                        |
        | root.q.b |         |                        |
      When 10s pass
      Then the preemption decisions are:
        | id  | quota  |
        | a-3 | root.q |
        | a-4 | root.q |
        | b-3 | root.q |
        | b-4 | root.q |
      When "a-3", "a-4", "b-3" and "b-4" are released
      And 1h passes
      Then no allocation is preempted

    Scenario: rounds of siblings run in the order of their paths
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 8 vcore | 10s                    |
        | root.q.b | 3 vcore |                        |
        | root.q.a | 3 vcore |                        |
      When 10s pass
      Then the preemption decisions are:
        | id  | quota    |
        | a-4 | root.q.a |
        | b-4 | root.q.b |

  Rule: no round runs below a queue whose victims are leaving

    Background:
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 6 vcore | 10s                    |
        | root.q.a | 2 vcore |                        |
        | root.q.b |         |                        |

    Scenario: the lower round waits until the last victim has left
      When 10s pass
      Then the preemption decisions are:
        | id  | quota  |
        | a-4 | root.q |
        | b-4 | root.q |
      When 1h passes
      Then no allocation is preempted
      When "a-4" is released
      Then no allocation is preempted
      When "b-4" is released
      Then the preemption decisions are:
        | id  | quota    |
        | a-3 | root.q.a |

    Scenario: the lower queue has no round if its max is raised meanwhile
      Given 10s pass
      And the cycle runs
      And the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 6 vcore | 10s                    |
        | root.q.a | 3 vcore |                        |
        | root.q.b |         |                        |
      When "a-4" and "b-4" are released
      Then no allocation is preempted

    Scenario: a sibling does not wait
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 6 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
        | root.o   |         | 10s                    |
      And a node "n2" with 4 vcore
      And "o" asks in root.o for 1 vcore
      And "p" asks in root.o for 1 vcore
      And 10s pass
      And the cycle runs
      When the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 6 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
        | root.o   | 1 vcore | 10s                    |
      And 10s pass
      Then the quota of root.o preempts "p"

  Rule: rounds come first in the cycle

    Scenario: victims are chosen before asks are placed
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 6 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
        | root.o   |         |                        |
      And a node "n2" with 1 vcore
      When 10s pass
      And "o" asks in root.o for 1 vcore
      Then the decisions include:
        | type       | id  |
        | preemption | a-4 |
        | preemption | b-4 |
        | allocation | o   |

    Scenario: a waiting ask of another queue gets the room when the victim has left
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 7 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
        | root.o   |         |                        |
      And "o" asks in root.o for 1 vcore
      When 10s pass
      Then "o" waits
      And 1 allocation is preempted
      When "a-4" is released
      Then "o" is allocated

    Scenario: a waiting ask of the queue that was over its max does not get the room
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 7 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
      And "next" asks in root.q.a for 1 vcore
      And 10s pass
      When "a-4" is released
      Then "next" waits

    Scenario: victims that ask again wait, and no further round follows
      Given victims leave at once and ask again
      And the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 6 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
      When 1h passes
      Then 2 allocations are preempted
      And "a-4-again" and "b-4-again" wait

  Rule: leaving allocations count as gone

    Scenario: a max that is lowered again preempts only the difference
      Given the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 6 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
      And 10s pass
      And the cycle runs
      When the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 4 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
      And 10s pass
      Then the quota of root.q preempts "a-3" and "b-3"

  Rule: without candidates a queue stays over its max until its usage or configuration changes

    Background:
      Given the queues:
        | queue  | max     | quota.preemption.delay |
        | root.r | 4 vcore | 10s                    |
      And a node "n2" with 4 vcore
      And the asks:
        | ask | application | queue  | resources | node | count |
        | r   | r           | root.r | 1 vcore   | n2   | 3     |
      And the cycle runs
      And the queues:
        | queue  | max     | quota.preemption.delay |
        | root.r | 1 vcore | 10s                    |
      And 1m passes
      And the cycle runs

    Scenario: the passing of time alone starts no round
      When 72h pass
      Then no allocation is preempted

    Scenario: the next round is due the delay after its usage changes
      Given "r" has "late" for 1 vcore restored on "n2"
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.r preempts "late"

    Scenario: the next round is due the delay after its configuration changes
      Given the queues:
        | queue  | guaranteed | max     | quota.preemption.delay |
        | root.s | 2 vcore    | 2 vcore | 10s                    |
      And the allocations:
        | allocation | queue  | resources | on |
        | s          | root.s | 2 vcore   | n2 |
      And the queues:
        | queue  | guaranteed | max     | quota.preemption.delay |
        | root.s | 1 vcore    | 1 vcore | 10s                    |
      And 1m passes
      And the cycle runs
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.s | 1 vcore | 10s                    |
      And 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the quota of root.s preempts "s"
`;export{e as default};