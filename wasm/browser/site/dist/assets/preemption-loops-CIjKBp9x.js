var e=`Feature: Preemption ends

  What is preempted is often asked for again, as the controller of a ReplicaSet does at once. The laws ensure that
  no allocation is displaced by one that it displaced itself, and that the displacing ends.

  Rule: the three cases of two ReplicaSets, in queues beside each other and on a full cluster

    Background:
      Given victims leave at once and ask again

    Scenario: case 1: both queues end above their guaranteed, and all others wait
      Given the queues:
        | queue     | guaranteed  |
        | root.prod | 1500m vcore |
        | root.test | 2 vcore     |
      And a node "n1" with 5 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | count |
        | p          | prod        | root.prod | 1 vcore   | n1 |       |
        | t          | test        | root.test | 1 vcore   | n1 | 4     |
      When "prod" asks "p2", "p3" for 1 vcore
      And 24h pass
      Then "p2" preempts "t-4"
      And 1 allocation is preempted
      And "p3", "t-4-again" wait
      And the queues show:
        | queue     | used    |
        | root.prod | 2 vcore |
        | root.test | 3 vcore |

    Scenario: case 2: one less would be below the guaranteed, and no allocation is preempted
      Given the queues:
        | queue     | guaranteed  |
        | root.prod | 2 vcore     |
        | root.test | 3500m vcore |
      And a node "n1" with 5 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | count |
        | p          | prod        | root.prod | 1 vcore   | n1 |       |
        | t          | test        | root.test | 1 vcore   | n1 | 4     |
      When "prod" asks "p2", "p3" for 1 vcore
      And 24h pass
      Then no allocation is preempted
      When "t-1" is released
      Then "p2" is allocated

    Scenario Outline: case 3: prod is still below its guaranteed and goes on, as far as the <test> of test allow
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 3 vcore    |
        | root.test | <test>     |
      And a node "n1" with 5 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | count |
        | t          | test        | root.test | 1 vcore   | n1 | 5     |
      When an application "prod" in root.prod
      And "prod" asks "p1", "p2", "p3", "p4" for 1 vcore
      And 24h pass
      Then <number> allocations are preempted
      And the queues show:
        | queue     | used        |
        | root.prod | <prod uses> |
        | root.test | <test uses> |

      Examples:
        | test    | number | prod uses | test uses |
        | 1 vcore | 3      | 3 vcore   | 2 vcore   |
        | 2 vcore | 3      | 3 vcore   | 2 vcore   |
        | 3 vcore | 2      | 2 vcore   | 3 vcore   |
        | 4 vcore | 1      | 1 vcore   | 4 vcore   |
        | 5 vcore | 0      | nothing   | 5 vcore   |

    Scenario: what carried its queue far past its guaranteed is not taken back where that would leave too little
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test | 1 vcore    |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | count |
        | t          | test        | root.test | 1 vcore   | n1 | 4     |
      When "p" asks in root.prod for 3 vcore
      And 24h pass
      Then "p" preempts "t-2", "t-3", "t-4"
      And 3 allocations are preempted

    Scenario: two queues that are guaranteed the same last place do not pass it to and fro
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test | 1 vcore    |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      When "p" asks in root.prod for 1 vcore with priority 1000
      And 24h pass
      Then no allocation is preempted

  Rule: a chain of displacing ends with queues without a guarantee

    Background:
      Given victims leave at once and ask again

    Scenario: org is below its guaranteed: a takes from b beside it, b from c outside, and c waits
      Given the queues:
        | queue      | guaranteed |
        | root.org   | 5 vcore    |
        | root.org.a | 1 vcore    |
        | root.org.b |            |
        | root.c     |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue      | resources | on | priority |
        | c          | root.c     | 1 vcore   | n1 | 1        |
        | b          | root.org.b | 1 vcore   | n2 | 1        |
      When "a" asks in root.org.a for 1 vcore with priority 1
      And 24h pass
      Then the preemption decisions are:
        | at  | id | for     |
        | 30s | b  | a       |
        | 1m  | c  | b-again |
      And "c-again" waits

    Scenario: org has its guaranteed: what is displaced within finds its parent no poorer, and waits
      Given the queues:
        | queue      | guaranteed |
        | root.org   | 1 vcore    |
        | root.org.a | 1 vcore    |
        | root.org.b |            |
        | root.c     |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue      | resources | on | priority |
        | c          | root.c     | 1 vcore   | n1 | 1        |
        | b          | root.org.b | 1 vcore   | n2 | 1        |
      When "a" asks in root.org.a for 1 vcore with priority 1
      And 24h pass
      Then the preemption decisions are:
        | at  | id | for |
        | 30s | b  | a   |
      And "b-again" waits

    Scenario: three queues with 2 guaranteed each, and one of them used everything
      Given the queues:
        | queue  | guaranteed |
        | root.a | 2 vcore    |
        | root.b | 2 vcore    |
        | root.c | 2 vcore    |
      And a node "n1" with 6 vcore
      And the allocations:
        | allocation | queue  | resources | on | count |
        | a          | root.a | 1 vcore   | n1 | 6     |
      When the asks:
        | ask | queue  | resources | count |
        | b   | root.b | 1 vcore   | 6     |
        | c   | root.c | 1 vcore   | 6     |
      And 24h pass
      Then 4 allocations are preempted
      And the queues show:
        | queue  | used    |
        | root.a | 2 vcore |
        | root.b | 2 vcore |
        | root.c | 2 vcore |

    Scenario Outline: a ring of offsets and fences gives no queue more than its guarantee: <case>
      Given the queues:
        | queue    | guaranteed | priority.policy | priority.offset |
        | root.x   |            | <x>             | <x offset>      |
        | root.x.a | 1 vcore    |                 | <a offset>      |
        | root.x.b | 1 vcore    | <b>             | <b offset>      |
        | root.y   |            | <y>             | <y offset>      |
        | root.y.c | 1 vcore    |                 | <c offset>      |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue    | resources | on | count |
        | a          | root.x.a | 1 vcore   | n1 | 3     |
      When the asks:
        | ask | queue    | resources | count |
        | b   | root.x.b | 1 vcore   | 3     |
        | c   | root.y.c | 1 vcore   | 3     |
      And 24h pass
      Then <number> allocations are preempted
      And the queues show:
        | queue    | used     |
        | root.x.a | <a uses> |
        | root.x.b | <b uses> |
        | root.y.c | <c uses> |

      Examples:
        | case                                  | x     | x offset | a offset | b     | b offset | y     | y offset | c offset | number | a uses  | b uses  | c uses  |
        | all alike                             |       |          |          |       |          |       |          |          | 2      | 1 vcore | 1 vcore | 1 vcore |
        | b above a, c above x, a above its own | fence | 5        | 100      | fence | 100      | fence | 5        | -100     | 2      | 1 vcore | 1 vcore | 1 vcore |
        | each queue shows more than the next   |       | 1        | 1        |       | 2        |       | 3        | 3        | 2      | 1 vcore | 1 vcore | 1 vcore |
        | b is too low for a                    |       |          | 1        |       |          |       | 9        |          | 1      | 2 vcore | nothing | 1 vcore |
        | y is too low for x                    | fence | 6        |          |       |          | fence | 5        | 1000     | 1      | 2 vcore | 1 vcore | nothing |

    Scenario: a ring of preemption fences: each may take within its own only
      Given the queues:
        | queue    | guaranteed | preemption.policy |
        | root.x   |            | fence             |
        | root.x.a | 1 vcore    |                   |
        | root.x.b | 1 vcore    |                   |
        | root.y   |            | fence             |
        | root.y.c | 2 vcore    |                   |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue    | resources | on | count |
        | a          | root.x.a | 1 vcore   | n1 | 3     |
      When the asks:
        | ask | queue    | resources | count |
        | b   | root.x.b | 1 vcore   | 3     |
        | c   | root.y.c | 1 vcore   | 3     |
      And 24h pass
      Then 1 allocation is preempted
      And the queues show:
        | queue    | used    |
        | root.x.a | 2 vcore |
        | root.x.b | 1 vcore |
        | root.y.c | nothing |

  Rule: the other kinds end too

    Background:
      Given victims leave at once and ask again

    Scenario: a DaemonSet takes from prod, prod takes its guarantee from test, test waits
      Given the queues:
        | queue       | guaranteed |
        | root.system |            |
        | root.prod   | 2 vcore    |
        | root.test   |            |
      And a node "n1" with 2 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | count |
        | p          | prod        | root.prod | 1 vcore   | n1 | 2     |
        | t          | test        | root.test | 1 vcore   | n2 |       |
      When the asks:
        | ask | queue       | resources | node |
        | ds  | root.system | 1 vcore   | n1   |
      And 24h pass
      Then the preemption decisions are:
        | at  | id  | for       |
        | 0s  | p-2 | ds        |
        | 30s | t   | p-2-again |
      And "ds" is allocated on "n1"
      And "p-2-again" is allocated on "n2"
      And "t-again" waits

    Scenario: two DaemonSets on one node do not take turns
      Given the queues:
        | queue       |
        | root.system |
      And a node "n1" with 1 vcore
      And the asks:
        | ask | queue       | resources | node |
        | ds1 | root.system | 1 vcore   | n1   |
      And the cycle runs
      When the asks:
        | ask | queue       | resources | node | priority |
        | ds2 | root.system | 1 vcore   | n1   | 9        |
      And 24h pass
      Then no allocation is preempted

    Scenario: within a leaf every step goes up, and the top stays
      Given the queues:
        | queue    | preemption.intra-queue |
        | root.dev | enabled                |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue    | resources | on |
        | low        | root.dev | 1 vcore   | n1 |
      When "mid" asks in root.dev for 1 vcore with priority 1
      And 1m passes
      And "high" asks in root.dev for 1 vcore with priority 2
      And 24h pass
      Then the preemption decisions are:
        | at    | id  | for  |
        | 30s   | low | mid  |
        | 1m30s | mid | high |
      And "high" is allocated on "n1"
      And "low-again", "mid-again" wait

    Scenario: displaced from outside, a task of high priority takes the place of a lower one of its own queue
      Given the queues:
        | queue     | guaranteed | preemption.intra-queue |
        | root.prod | 1 vcore    |                        |
        | root.test |            | enabled                |
      And a node "n1" with 1 vcore
      And the nodes:
        | node | capacity | attributes |
        | n2   | 1 vcore  | zone=b     |
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | low        | root.test | 1 vcore   | n1 | 0        |
        | high       | root.test | 1 vcore   | n2 | 5        |
      When the asks:
        | ask | queue     | resources | constraints | priority |
        | p   | root.prod | 1 vcore   | zone=b      | 5        |
      And 24h pass
      Then the preemption decisions are:
        | at  | id   | for        |
        | 30s | high | p          |
        | 1m  | low  | high-again |
      And "low-again" waits
`;export{e as default};