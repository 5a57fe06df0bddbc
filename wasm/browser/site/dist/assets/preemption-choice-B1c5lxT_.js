var e=`Feature: Which allocations an ask preempts

  Of all nodes, and all sets of victims on one, that make room without a needless victim, the ask takes the one that
  does least harm: fewest originators; fewest that asked to be spared; the lowest highest priority; fewest victims;
  lower priorities, listed from the highest; the least excess; the youngest.

  Background: prod may take all there is, and test has no guarantee
    Given the queues:
      | queue     | guaranteed           |
      | root.prod | 100 vcore, 99 memory |
      | root.test |                      |

  Rule: fewest originators

    Scenario: two victims of higher priority that asked to be spared go before one driver
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority | preemptable | originator | count |
        | v          | root.test | 1 vcore   | n1 | 0        | no          |            | 2     |
        | driver     | root.test | 2 vcore   | n2 | -9       |             | yes        |       |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "v-1", "v-2" on "n1"

    Scenario: one driver before two
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority | originator | count |
        | one        | root.test | 2 vcore   | n1 | 0        | yes        |       |
        | two        | root.test | 1 vcore   | n2 | -9       | yes        | 2     |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "one" on "n1"

    Scenario: on one node executors go before their driver
      Given a node "n1" with 3 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | originator |
        | executor1  | job         | root.test | 1 vcore   | n1 |            |
        | executor2  | job         | root.test | 1 vcore   | n1 |            |
        | driver     | job         | root.test | 1 vcore   | n1 | yes        |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "executor1", "executor2"

    Scenario: and the driver at last, when nothing else suffices
      Given a node "n1" with 2 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | originator |
        | driver     | job         | root.test | 1 vcore   | n1 | yes        |
        | executor   | job         | root.test | 1 vcore   | n1 |            |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "driver", "executor"

  Rule: then fewest that asked to be spared

    Scenario: two victims of higher priority go before one that asked to be spared
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority | preemptable | count |
        | v          | root.test | 1 vcore   | n1 | 0        |             | 2     |
        | spare-me   | root.test | 2 vcore   | n2 | -9       | no          |       |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "v-1", "v-2" on "n1"

    Scenario: one of them before two
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority | preemptable | count |
        | one        | root.test | 2 vcore   | n1 | 0        | no          |       |
        | two        | root.test | 1 vcore   | n2 | -9       | no          | 2     |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "one" on "n1"

    Scenario: an allocation that runs asks to be spared, and no longer, while an ask waits out its delay
      Given a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And a node "n3" with 1 vcore
      And a node "n4" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | v1         | root.test | 1 vcore   | n1 | -3       |
        | v2         | root.test | 1 vcore   | n2 | -2       |
        | v3         | root.test | 1 vcore   | n3 | -1       |
        | v4         | root.test | 1 vcore   | n4 | 0        |
      And "p1" asks in root.prod for 1 vcore
      And 10s pass
      And "p2" asks in root.prod for 1 vcore
      And 10s pass
      And "p3" asks in root.prod for 1 vcore
      When "v1" now asks not to be preempted
      And 10s pass
      Then "p1" preempts "v2"
      When "v3" now asks not to be preempted
      And 10s pass
      Then "p2" preempts "v4"
      When "v3" may be preempted again
      And 10s pass
      Then "p3" preempts "v3"

    Scenario: asking to be spared is a preference: where nothing else suffices, it goes
      Given a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | v          | root.test | 1 vcore   | n1 |
      When "v" now asks not to be preempted
      And "p" asks in root.prod for 1 vcore
      And 30s pass
      Then "p" preempts "v"

    Scenario: a driver that also asked to be spared counts as both
      Given a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority | preemptable | originator |
        | driver     | root.test | 1 vcore   | n1 | 0        |             | yes        |
        | both       | root.test | 1 vcore   | n2 | -9       | no          | yes        |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "driver"

    Scenario: plain, asked to be spared, driver: in this order they go
      Given a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | preemptable | originator |
        | plain      | root.test | 1 vcore   | n1 |             |            |
        | spare-me   | root.test | 1 vcore   | n1 | no          |            |
        | driver     | root.test | 1 vcore   | n1 |             | yes        |
      And "p1" asks in root.prod for 1 vcore
      And 1s passes
      And "p2" asks in root.prod for 1 vcore
      And 1s passes
      And "p3" asks in root.prod for 1 vcore
      When 28s pass
      Then "p1" preempts "plain"
      When "plain" is released
      And 1s passes
      Then "p2" preempts "spare-me"
      When "spare-me" is released
      And 1s passes
      Then "p3" preempts "driver"

  Rule: then the lowest highest priority

    Scenario: two of priority 1 go before one of priority 2
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority | count |
        | v          | root.test | 1 vcore   | n1 | 1        | 2     |
        | w          | root.test | 2 vcore   | n2 | 2        |       |
      And "p" asks in root.prod for 2 vcore with priority 5
      When 30s pass
      Then "p" preempts "v-1", "v-2" on "n1"

    Scenario: one very low victim does not make up for a higher one beside it
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | v1         | root.test | 1 vcore   | n1 | 1        |
        | v2         | root.test | 1 vcore   | n1 | 1        |
        | w1         | root.test | 1 vcore   | n2 | 2        |
        | w2         | root.test | 1 vcore   | n2 | -99      |
      And "p" asks in root.prod for 2 vcore with priority 5
      When 30s pass
      Then "p" preempts "v1", "v2" on "n1"

    Scenario: it is the own priority, not what its queue makes of it
      Given the queues:
        | queue     | guaranteed | priority.offset |
        | root.prod | 9 vcore    |                 |
        | root.test |            |                 |
        | root.low  |            | -100            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t          | root.test | 1 vcore   | n1 | 1        |
        | l          | root.low  | 1 vcore   | n1 | 2        |
      And "p" asks in root.prod for 1 vcore with priority 5
      When 30s pass
      Then "p" preempts "t"

  Rule: then fewest victims

    Scenario: one, although two would be lower on the whole, and younger
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | one        | root.test | 2 vcore   | n1 | 1        |
        | two1       | root.test | 1 vcore   | n2 | 1        |
        | two2       | root.test | 1 vcore   | n2 | 0        |
      And "p" asks in root.prod for 2 vcore with priority 5
      When 30s pass
      Then "p" preempts "one" on "n1"

    Scenario: two before three, although the three are lower except the highest
      Given a node "n1" with 4 vcore
      And a node "n2" with 4 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | two1       | root.test | 2 vcore   | n1 | 3        |
        | two2       | root.test | 2 vcore   | n1 | 2        |
        | three1     | root.test | 2 vcore   | n2 | 3        |
        | three2     | root.test | 1 vcore   | n2 | 1        |
        | three3     | root.test | 1 vcore   | n2 | 1        |
      And "p" asks in root.prod for 4 vcore with priority 5
      When 30s pass
      Then "p" preempts "two1", "two2" on "n1"

    Scenario: also where the one leaves more room than is needed
      Given a node "n1" with 5 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | big        | root.test | 3 vcore   | n1 |       |
        | small      | root.test | 1 vcore   | n1 | 2     |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "big"

  Rule: then the priorities, from the highest, item by item

    Scenario: 3 and 1 before 3 and 2
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | v1         | root.test | 1 vcore   | n1 | 1        |
        | v3         | root.test | 1 vcore   | n1 | 3        |
        | w3         | root.test | 1 vcore   | n2 | 3        |
        | w2         | root.test | 1 vcore   | n2 | 2        |
      And "p" asks in root.prod for 2 vcore with priority 5
      When 30s pass
      Then "p" preempts "v1", "v3" on "n1"

    Scenario: the first difference decides, not the sum
      Given a node "n1" with 3 vcore
      And a node "n2" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | v1         | root.test | 1 vcore   | n1 | 3        |
        | v2         | root.test | 1 vcore   | n1 | 1        |
        | v3         | root.test | 1 vcore   | n1 | 1        |
        | w1         | root.test | 1 vcore   | n2 | 3        |
        | w2         | root.test | 1 vcore   | n2 | 2        |
        | w3         | root.test | 1 vcore   | n2 | -99      |
      And "p" asks in root.prod for 3 vcore with priority 5
      When 30s pass
      Then "p" preempts "v1", "v2", "v3" on "n1"

  Rule: then the smallest excess: what is free and freed beyond the ask

    Scenario: 2 for an ask of 2 go before 3
      Given a node "n1" with 2 vcore
      And a node "n2" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | fitting    | root.test | 2 vcore   | n1 |
        | larger     | root.test | 3 vcore   | n2 |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "fitting"

    Scenario: what is free already counts: 1 and 2 are more than 2
      Given a node "n1" with 2 vcore
      And a node "n2" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | v          | root.test | 2 vcore   | n1 |
        | w          | root.test | 2 vcore   | n2 |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "v" on "n1"

    Scenario: only the types that the victims use count
      Given a node "n1" with 1 vcore, 8 memory
      And a node "n2" with 1 vcore, 1 memory
      And the allocations:
        | allocation | queue     | resources         | on |
        | v          | root.test | 1 vcore           | n1 |
        | w          | root.test | 1 vcore, 1 memory | n2 |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "v"

    Scenario: types compare by their share of the cluster, the largest first
      Given a node "n1" with 2 vcore, 1 memory
      And a node "n2" with 1 vcore, 3 memory
      And a node "n3" with 7 vcore
      And the allocations:
        | allocation | queue     | resources         | on | required node |
        | v          | root.test | 2 vcore, 1 memory | n1 |               |
        | w          | root.test | 1 vcore, 3 memory | n2 |               |
        | fill       | root.test | 7 vcore           | n3 | yes           |
      And "p" asks in root.prod for 1 vcore, 1 memory
      When 30s pass
      Then "p" preempts "v"

    Scenario: of lists alike as far as they go, the shorter is less
      Given a node "n1" with 1 vcore, 1 memory
      And a node "n2" with 1 vcore, 1 memory
      And the allocations:
        | allocation | queue     | resources         | on |
        | v          | root.test | 1 vcore           | n1 |
        | w          | root.test | 1 vcore, 1 memory | n2 |
      And "p" asks in root.prod for 1 vcore, 1 memory
      When 30s pass
      Then "p" preempts "v"

    Scenario: room that is missing on an over-committed node is no saving
      Given a node "n1" with 2 vcore
      And a node "n2" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | v          | root.test | 3 vcore   | n1 |
        | w          | root.test | 3 vcore   | n2 |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "w"

  Rule: then the youngest, by order of allocation

    Scenario: the one that came last
      Given a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | later      | root.test | 1 vcore   | n2 |
        | last       | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "last"

    Scenario: of sets, the one whose oldest is younger
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | first      | root.test | 1 vcore   | n1 |
        | second     | root.test | 1 vcore   | n2 |
        | third      | root.test | 1 vcore   | n2 |
        | fourth     | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "second", "third" on "n2"

    Scenario: where the oldest is the same, the next decide
      Given a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | large      | root.test | 2 vcore   | n1 |
        | older      | root.test | 1 vcore   | n1 |
        | younger    | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 3 vcore
      When 30s pass
      Then "p" preempts "large", "younger"

    Scenario: the order of allocation counts, not of asking
      Given a node "n1" with 1 vcore
      And the asks:
        | ask         | queue     | resources | constraints |
        | asked-first | root.test | 1 vcore   | zone=b      |
        | asked-last  | root.test | 1 vcore   |             |
      And the cycle runs
      And the nodes:
        | node | capacity | attributes |
        | n2   | 1 vcore  | zone=b     |
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "asked-first" on "n2"

  Rule: no allocation is preempted without need

    Scenario: free room is used, and only what is missing is taken
      Given a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "t-2"

    Scenario: a low victim is not taken along where a higher one is needed and suffices
      Given a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | low        | root.test | 1 vcore   | n1 | -9       |
        | high       | root.test | 2 vcore   | n1 | 0        |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "high"

    Scenario: one that frees nothing the ask lacks stays
      Given a node "n1" with 2 vcore, 8 memory
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | cores      | root.test | 2 vcore   | n1 | 0        |
        | memory     | root.test | 4 memory  | n1 | -9       |
      And "p" asks in root.prod for 1 vcore, 1 memory
      When 30s pass
      Then "p" preempts "cores"

    Scenario: an ask that finds room on some node takes no victims, whatever its delay
      Given a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then no allocation is preempted
      And "p" is allocated on "n2"

  Rule: an ask may refuse to preempt others

    Scenario: it waits for room
      Given a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And the asks:
        | ask    | queue     | resources | preempts others | priority |
        | polite | root.prod | 1 vcore   | no              | 9        |
      When 1h passes
      Then no allocation is preempted
      When "t" is released
      Then "polite" is allocated

    Scenario: another of its queue, behind it, does not
      Given a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And the asks:
        | ask    | queue     | resources | preempts others | priority |
        | polite | root.prod | 1 vcore   | no              | 9        |
        | p      | root.prod | 1 vcore   | yes             |          |
      When 30s pass
      Then "p" preempts "t"
      When "t" is released
      Then "p" is allocated
      And "polite" waits

  Rule: a node counts only if the ask may run there

    Scenario Outline: the better victim is on a node that <why>
      Given the nodes:
        | node | capacity | attributes |
        | n1   | 1 vcore  | zone=a     |
        | n2   | 1 vcore  | zone=b     |
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | v          | root.test | 1 vcore   | n1 | 0        |
        | w          | root.test | 1 vcore   | n2 | -9       |
      And the asks:
        | ask | queue     | resources | constraints   |
        | p   | root.prod | 1 vcore   | <constraints> |
      And node "n2" is <state>
      When 30s pass
      Then "p" preempts "<victim>"

      Examples:
        | why                | constraints | state   | victim |
        | takes the ask      | zone=a\\|b   | resumed | w      |
        | lacks an attribute | zone=a      | resumed | v      |
        | is drained         |             | drained | v      |

  Rule: on a node reserved for another ask, only a higher priority takes victims

    Background: n1 is reserved for big, which lacks 1
      Given the queues:
        | queue     | guaranteed | preemption.delay |
        | root.prod | 9 vcore    | 10s              |
        | root.test |            |                  |
        | root.dev  |            |                  |
      And a node "n1" with 2 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And "big" asks in root.dev for 1500m vcore
      And 2s pass
      And the cycle runs

    Scenario Outline: priority <priority> against the 0 of big
      Given "p" asks in root.prod for 2 vcore with priority <priority>
      When 10s pass
      Then <number> allocations are preempted

      Examples:
        | priority | number |
        | 0        | 0      |
        | 1        | 1      |

    Scenario: the reservation of the lower one lasts, but the node is kept for the other
      Given "p" asks in root.prod for 2 vcore with priority 1
      And 10s pass
      And the cycle runs
      And a node "n3" with 1 vcore
      When node "n1" is updated with capacity 2500m vcore
      Then the nodes show:
        | node | reserved | kept |
        | n1   | big      | p    |
      And "big" waits
      When "t" is released
      Then "p" is allocated on "n1"
      And "big" waits

  Rule: asks preempt in the order of the walk, one at a time

    Scenario: the higher priority first
      Given a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | better     | root.test | 1 vcore   | n1 | -5       |
        | worse      | root.test | 1 vcore   | n1 | 0        |
      And "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore with priority 7
      When 30s pass
      Then "p2" preempts "better"
      And nothing is allocated

    Scenario: the queue further from its guaranteed first
      Given the queues:
        | queue     | guaranteed |
        | root.a    | 2 vcore    |
        | root.b    | 2 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | required node |
        | a0         | root.a    | 1 vcore   | n1 | yes           |
        | t          | root.test | 1 vcore   | n2 |               |
      And "a" asks in root.a for 1 vcore
      And "b" asks in root.b for 1 vcore
      When 30s pass
      Then "b" preempts "t"
      And 1 allocation is preempted

    Scenario: what preempts does not count as placed
      Given the scheduler is stepped by hand
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |
      And "p" asks in root.prod for 1 vcore
      And 30s pass
      And a node "n2" with 500m vcore
      And "small" asks in root.test for 500m vcore
      When the cycle runs for at most 1 allocation
      Then "small" is allocated on "n2"
      And no allocation is preempted
      When the cycle runs
      Then "p" preempts "t-2"

    Scenario: one that has to let another application start first preempts nothing
      Given the queues:
        | queue     | guaranteed | application.sort.policy |
        | root.prod | 9 vcore    | stateaware              |
        | root.test |            |                         |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | starting   | root.prod | 1 vcore   | n1 |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      When 4m pass
      Then no allocation is preempted
      When 1m passes
      Then "p" preempts "t"

    Scenario: an application that may not start preempts nothing
      Given the queues:
        | queue     | guaranteed | maxapplications |
        | root.prod | 9 vcore    | 1               |
        | root.test |            |                 |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | p0         | root.prod | 1 vcore   | n1 |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then no allocation is preempted
      When "p0" asks "more" for 1 vcore
      And 30s pass
      Then "more" preempts "t"
`;export{e as default};