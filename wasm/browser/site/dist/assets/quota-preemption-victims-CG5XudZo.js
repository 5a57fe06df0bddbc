var e=`Feature: Victims of preemption by quota

  The excess is divided among the queues below by their releasable usage, that is, their usage beyond their guaranteed. Each
  leaf preempts its least important allocations first, and no victim is needless.

  Background: a node with room for all
    Given preemption by quota is on
    And a node "n1" with 40 vcore, 40Gi memory

  Rule: the excess is divided in proportion to releasable usage

    Scenario: the queue with more releasable usage loses more
      Given the queues:
        | queue    | max      |
        | root.q   | 12 vcore |
        | root.q.a |          |
        | root.q.b |          |
      And the allocations:
        | allocation | application | queue    | resources | on | count |
        | a          | a           | root.q.a | 1 vcore   | n1 | 9     |
        | b          | b           | root.q.b | 1 vcore   | n1 | 3     |
      When the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 8 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
      And 10s pass
      Then the quota of root.q preempts "a-7", "a-8", "a-9" and "b-3"

    Scenario: guaranteed usage is not releasable
      Given the queues:
        | queue    | guaranteed | max      |
        | root.q   |            | 12 vcore |
        | root.q.a | 8 vcore    |          |
        | root.q.b |            |          |
      And the allocations:
        | allocation | application | queue    | resources | on | count |
        | a          | a           | root.q.a | 1 vcore   | n1 | 9     |
        | b          | b           | root.q.b | 1 vcore   | n1 | 3     |
      When the queues:
        | queue    | guaranteed | max     | quota.preemption.delay |
        | root.q   |            | 8 vcore | 10s                    |
        | root.q.a | 8 vcore    |         |                        |
        | root.q.b |            |         |                        |
      And 10s pass
      Then the quota of root.q preempts "a-9", "b-1", "b-2" and "b-3"

    Scenario: a parent releases at most its usage beyond its own guaranteed
      Given the queues:
        | queue      | guaranteed | max      |
        | root.q     |            | 12 vcore |
        | root.q.p   | 5 vcore    |          |
        | root.q.p.a |            |          |
        | root.q.b   |            |          |
      And the allocations:
        | allocation | application | queue      | resources | on | count |
        | a          | a           | root.q.p.a | 1 vcore   | n1 | 6     |
        | b          | b           | root.q.b   | 1 vcore   | n1 | 3     |
      When the queues:
        | queue      | guaranteed | max     | quota.preemption.delay |
        | root.q     |            | 5 vcore | 10s                    |
        | root.q.p   | 5 vcore    |         |                        |
        | root.q.p.a |            |         |                        |
        | root.q.b   |            |         |                        |
      And 10s pass
      Then the quota of root.q preempts "a-6", "b-1", "b-2" and "b-3"

    Scenario: a parent releases at most the sum of its children's releasable usage
      Given the queues:
        | queue      | guaranteed | max      |
        | root.q     |            | 17 vcore |
        | root.q.p.a | 9 vcore    |          |
        | root.q.p.c |            |          |
        | root.q.b   |            |          |
      And the allocations:
        | allocation | application | queue      | resources | on | count |
        | a          | a           | root.q.p.a | 1 vcore   | n1 | 9     |
        | c          | c           | root.q.p.c | 1 vcore   | n1 | 4     |
        | b          | b           | root.q.b   | 1 vcore   | n1 | 4     |
      When the queues:
        | queue      | guaranteed | max      | quota.preemption.delay |
        | root.q     |            | 13 vcore | 10s                    |
        | root.q.p.a | 9 vcore    |          |                        |
        | root.q.p.c |            |          |                        |
        | root.q.b   |            |          |                        |
      And 10s pass
      Then the quota of root.q preempts "c-3", "c-4", "b-3" and "b-4"

    Scenario: targets are rounded down, and the first path breaks the tie
      Given the queues:
        | queue    | max     |
        | root.q   | 6 vcore |
        | root.q.a |         |
        | root.q.b |         |
        | root.q.c |         |
      And the allocations:
        | allocation | application | queue    | resources | on | count |
        | c          | c           | root.q.c | 1 vcore   | n1 | 2     |
        | b          | b           | root.q.b | 1 vcore   | n1 | 2     |
        | a          | a           | root.q.a | 1 vcore   | n1 | 2     |
      When the queues:
        | queue    | max     | quota.preemption.delay |
        | root.q   | 5 vcore | 10s                    |
        | root.q.a |         |                        |
        | root.q.b |         |                        |
        | root.q.c |         |                        |
      And 10s pass
      Then the quota of root.q preempts "a-2"

    Scenario: each type is divided separately
      Given the queues:
        | queue    | max                 |
        | root.q   | 4 vcore, 4Gi memory |
        | root.q.a |                     |
        | root.q.b |                     |
      And the allocations:
        | allocation | application | queue    | resources  | on | count |
        | a          | a           | root.q.a | 1 vcore    | n1 | 4     |
        | b          | b           | root.q.b | 1Gi memory | n1 | 4     |
      When the queues:
        | queue    | max                 | quota.preemption.delay |
        | root.q   | 3 vcore, 2Gi memory | 10s                    |
        | root.q.a |                     |                        |
        | root.q.b |                     |                        |
      And 10s pass
      Then the quota of root.q preempts "a-4", "b-3" and "b-4"

  Rule: a leaf loses ordinary allocations first, then opted-out ones, then originators

    Scenario Outline: a max of <max> preempts <victims>
      Given the queues:
        | queue  | max     |
        | root.q | 4 vcore |
      And the allocations:
        | allocation | application | queue  | resources | on | priority | originator | preemptable |
        | plain      | app         | root.q | 1 vcore   | n1 | 5        |            |             |
        | low        | app         | root.q | 1 vcore   | n1 | 0        |            |             |
        | optedout   | app         | root.q | 1 vcore   | n1 | 0        |            | no          |
        | driver     | app         | root.q | 1 vcore   | n1 | 0        | yes        |             |
      When the queues:
        | queue  | max   | quota.preemption.delay |
        | root.q | <max> | 10s                    |
      And 10s pass
      Then the quota of root.q preempts <victims>

      Examples:
        | max     | victims                                 |
        | 3 vcore | "low"                                   |
        | 2 vcore | "plain" and "low"                       |
        | 1 vcore | "plain", "low" and "optedout"           |
        | 0 vcore | "plain", "low", "optedout" and "driver" |

    Scenario Outline: the lowest priority first, then the youngest: <victims> for a max of <max>
      Given the queues:
        | queue  | max     |
        | root.q | 4 vcore |
      And "app" asks in root.q for 1 vcore with priority 5
      And "app" asks "low1", "low2" for 1 vcore with priority 1
      And "app" asks "high" for 1 vcore with priority 5
      And the cycle runs
      When the queues:
        | queue  | max   | quota.preemption.delay |
        | root.q | <max> | 10s                    |
      And 10s pass
      Then the quota of root.q preempts <victims>

      Examples:
        | max     | victims                   |
        | 3 vcore | "low2"                    |
        | 2 vcore | "low1" and "low2"         |
        | 1 vcore | "high", "low1" and "low2" |

    Scenario: the own priority counts, without offsets and fences
      Given the queues:
        | queue    | max     | priority.offset | priority.policy |
        | root.q   | 4 vcore |                 |                 |
        | root.q.a |         | 1000            | fence           |
        | root.q.b |         |                 |                 |
      And "a" asks in root.q.a for 1 vcore with priority 1
      And "b" asks in root.q.b for 1 vcore with priority 2
      And the cycle runs
      When the queues:
        | queue    | max     | quota.preemption.delay | priority.offset | priority.policy |
        | root.q   | 1 vcore | 10s                    |                 |                 |
        | root.q.a |         |                        | 1000            | fence           |
        | root.q.b |         |                        |                 |                 |
      And 10s pass
      Then the quota of root.q preempts "a"

  Rule: candidates use a type in excess, have no required node, and leave no queue below its guaranteed

    Scenario: an allocation that uses no type in excess is no candidate
      Given the queues:
        | queue  | max                 |
        | root.q | 4 vcore, 4Gi memory |
      And the allocations:
        | allocation | application | queue  | resources  | on |
        | c          | app         | root.q | 4 vcore    | n1 |
        | m          | app         | root.q | 4Gi memory | n1 |
      When the queues:
        | queue  | max                 | quota.preemption.delay |
        | root.q | 1 vcore, 4Gi memory | 10s                    |
      And 10s pass
      Then the quota of root.q preempts "c"

    Scenario: an allocation with a required node is no candidate
      Given the queues:
        | queue  | max     |
        | root.q | 2 vcore |
      And "app" asks in root.q for 1 vcore
      And the cycle runs
      And the asks:
        | ask    | application | resources | node |
        | daemon | app         | 1 vcore   | n1   |
      And the cycle runs
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 1 vcore | 10s                    |
      And 10s pass
      Then the quota of root.q preempts "app"

    Scenario: a queue may stay over its max rather than fall below its guaranteed
      Given the queues:
        | queue  | guaranteed | max     |
        | root.q | 3 vcore    | 6 vcore |
      And "old" asks in root.q for 4 vcore
      And "young" asks in root.q for 2 vcore
      And the cycle runs
      When the queues:
        | queue  | guaranteed | max     | quota.preemption.delay |
        | root.q | 3 vcore    | 3 vcore | 10s                    |
      And 1h passes
      Then the quota of root.q preempts "young"

    Scenario: the guaranteed of a queue above protects too
      Given the queues:
        | queue    | guaranteed | max     |
        | root.p   | 4 vcore    |         |
        | root.p.q |            | 4 vcore |
      And the allocations:
        | allocation | application | queue    | resources | on | count |
        | a          | a           | root.p.q | 1 vcore   | n1 | 4     |
      When the queues:
        | queue    | guaranteed | max     | quota.preemption.delay |
        | root.p   | 4 vcore    |         |                        |
        | root.p.q |            | 2 vcore | 10s                    |
      And 1h passes
      Then no allocation is preempted

    Scenario: a guaranteed of a type that the allocation does not use does not protect it
      Given the queues:
        | queue  | guaranteed | max     |
        | root.q | 9Gi memory | 4 vcore |
      And "a" asks in root.q for 4 vcore
      And the cycle runs
      When the queues:
        | queue  | guaranteed | max     | quota.preemption.delay |
        | root.q | 9Gi memory | 1 vcore | 10s                    |
      And 10s pass
      Then the quota of root.q preempts "a"

    Scenario: an allocation that is leaving already counts as gone
      Given the queues:
        | queue     | max     | guaranteed | preemption.delay |
        | root.q    | 4 vcore |            |                  |
        | root.prod |         | 40 vcore   | 1s               |
      And node "n1" is updated with capacity 4 vcore
      And "app" asks in root.q for 1 vcore
      And "app" asks "a2", "a3", "a4" for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      And 1s passes
      And the cycle runs
      When the queues:
        | queue     | max     | quota.preemption.delay | guaranteed |
        | root.q    | 2 vcore | 10s                    |            |
        | root.prod |         |                        | 40 vcore   |
      And 10s pass
      Then the quota of root.q preempts "a3"
      And the asks show:
        | ask | leaving |
        | a4  | p       |

  Rule: needless victims stay

    Scenario: a large victim that suffices alone spares a small one
      Given the queues:
        | queue  | max     |
        | root.q | 5 vcore |
      And "app" asks in root.q for 4 vcore
      And "app" asks "small" for 1 vcore
      And the cycle runs
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 2 vcore | 10s                    |
      And 10s pass
      Then the quota of root.q preempts "app"

    Scenario: the most important victims are spared first
      Given the queues:
        | queue  | max     |
        | root.q | 8 vcore |
      And the allocations:
        | allocation | application | queue  | resources | on |
        | a1         | app         | root.q | 3 vcore   | n1 |
        | a2         | app         | root.q | 2 vcore   | n1 |
        | a3         | app         | root.q | 2 vcore   | n1 |
        | a4         | app         | root.q | 1 vcore   | n1 |
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 5 vcore | 10s                    |
      And 10s pass
      Then the quota of root.q preempts "a3" and "a4"

  Rule: the laws, fences and switches of preemption by guarantee do not apply

    Scenario Outline: preemption by quota ignores <setting>
      Given the queues:
        | queue    | max     | preemption.policy |
        | root.q   | 2 vcore |                   |
        | root.q.a |         | <policy>          |
      And "app" asks in root.q.a for 1 vcore with priority 9
      And "app" asks "a2" for 1 vcore with priority 9
      And the cycle runs
      And preemption is <preemption>
      When the queues:
        | queue    | max     | preemption.policy | quota.preemption.delay |
        | root.q   | 1 vcore |                   | 10s                    |
        | root.q.a |         | <policy>          |                        |
      And 10s pass
      Then the quota of root.q preempts "a2"

      Examples:
        | setting                    | policy   | preemption |
        | preemption.policy disabled | disabled | on         |
        | a preemption fence         | fence    | on         |
        | preemption.enabled: false  |          | off        |

    Scenario: an application may lose allocations while it has pending asks
      Given the queues:
        | queue  | max     |
        | root.q | 3 vcore |
      And "app" asks in root.q for 1 vcore
      And "app" asks "a2", "a3" for 1 vcore
      And the cycle runs
      And "app" asks "waiting" for 1 vcore with priority 9
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 1 vcore | 10s                    |
      And 10s pass
      Then the quota of root.q preempts "a2" and "a3"

  Rule: where preemption is only observed, no allocation leaves

    Scenario: the victims are reported once
      Given preemption is observed
      And the queues:
        | queue  | max     |
        | root.q | 3 vcore |
      And "app" asks in root.q for 1 vcore
      And "app" asks "a2", "a3" for 1 vcore
      And the cycle runs
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.q | 1 vcore | 10s                    |
      And 1h passes
      Then the decisions are:
        | type                | at  | id | quota  |
        | config.accepted     |     |    |        |
        | preemption.observed | 10s | a2 | root.q |
        | preemption.observed | 10s | a3 | root.q |
      And the queues show:
        | queue  | leaving |
        | root.q | nothing |
`;export{e as default};