var e=`Feature: Preemption within a queue

  Guarantees move nothing within a queue. A leaf whose preemption.intra-queue is enabled lets asks of higher priority
  take from tasks of lower priority of other applications in it, once they have waited for the delay.

  Rule: it is an option of the leaf, off unless said, and inherited

    Scenario Outline: root says <root>, org <org> and the leaf <leaf>
      Given the queues:
        | queue        | preemption.intra-queue |
        | root         | <root>                 |
        | root.org     | <org>                  |
        | root.org.dev | <leaf>                 |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue        | resources | on |
        | low        | root.org.dev | 1 vcore   | n1 |
      And "high" asks in root.org.dev for 1 vcore with priority 1
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | root    | org      | leaf     | number |
        |         |          |          | 0      |
        |         |          | disabled | 0      |
        |         |          | enabled  | 1      |
        |         | enabled  |          | 1      |
        | enabled |          |          | 1      |
        |         | enabled  | disabled | 0      |
        |         | disabled | enabled  | 1      |

    Scenario: a guarantee alone moves nothing within the queue
      Given the queues:
        | queue    | guaranteed |
        | root.dev | 2 vcore    |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue    | resources | on |
        | low        | root.dev | 1 vcore   | n1 |
      And "high" asks in root.dev for 1 vcore with priority 1000
      When 1h passes
      Then no allocation is preempted

  Rule: within the leaf

    Background:
      Given the queues:
        | queue     | guaranteed | preemption.intra-queue |
        | root.dev  |            | enabled                |
        | root.test |            |                        |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |

    Scenario Outline: priorities must be strictly lower, and the leaf's offset is no matter: <ask> against 5
      Given the queues:
        | queue     | preemption.intra-queue | priority.offset | priority.policy |
        | root.dev  | enabled                | <offset>        | <fence>         |
        | root.test |                        |                 |                 |
      And the allocations:
        | allocation | queue    | resources | on | priority |
        | low        | root.dev | 1 vcore   | n1 | 5        |
      And "high" asks in root.dev for 1 vcore with priority <ask>
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | ask | offset | fence | number |
        | 4   |        |       | 0      |
        | 5   |        |       | 0      |
        | 6   |        |       | 1      |
        | 5   | 100    |       | 0      |
        | 6   | -100   |       | 1      |
        | 6   |        | fence | 1      |

    Scenario: only from the own queue, whatever runs in others
      Given the allocations:
        | allocation | queue    | resources | on | priority |
        | low        | root.dev | 1 vcore   | n1 | 8        |
      And "high" asks in root.dev for 1 vcore with priority 9
      When 30s pass
      Then "high" preempts "low"

    Scenario: the delay counts
      Given the queues:
        | queue     | preemption.intra-queue | preemption.delay |
        | root.dev  | enabled                | 2m               |
        | root.test |                        |                  |
      And the allocations:
        | allocation | queue    | resources | on |
        | low        | root.dev | 1 vcore   | n1 |
      And "high" asks in root.dev for 1 vcore with priority 9
      When 10m pass
      Then the preemption decisions are:
        | at | id  | for  |
        | 2m | low | high |

    Scenario: no task of the same application, and none with a required node
      Given a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue    | resources | on | required node |
        | high       | root.dev | 1 vcore   | n1 |               |
        | daemon     | root.dev | 1 vcore   | n2 | yes           |
        | other      | root.dev | 1 vcore   | n2 |               |
      And "high" asks "more" for 2 vcore with priority 9
      And 10s pass
      And "high" asks "small" for 1 vcore with priority 8
      When 1h passes
      Then "small" preempts "other"
      And 1 allocation is preempted

    Scenario: those that asked to be spared go last
      Given a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue    | resources | on | priority | preemptable | originator |
        | plain      | root.dev | 1 vcore   | n1 | 3        |             |            |
        | spare-me   | root.dev | 1 vcore   | n2 | 2        | no          |            |
        | driver     | root.dev | 1 vcore   | n2 | 1        |             | yes        |
      And "high" asks in root.dev for 1 vcore with priority 9
      When 30s pass
      Then "high" preempts "plain"

    Scenario Outline: it is not barred by <what>
      Given the queues:
        | queue     | preemption.intra-queue | preemption.policy |
        | root      |                        | <root>            |
        | root.dev  | enabled                | <dev>             |
        | root.test |                        |                   |
      And preemption is <state>
      And the allocations:
        | allocation | queue    | resources | on |
        | low        | root.dev | 1 vcore   | n1 |
      And "high" asks in root.dev for 1 vcore with priority 1
      When 30s pass
      Then "high" preempts "low"

      Examples:
        | what                            | root | dev      | state |
        | a fence around the leaf         |      | fence    | on    |
        | preemption disabled in the leaf |      | disabled | on    |
        | guarantees being switched off   |      |          | off   |

    Scenario Outline: but it is no way to take from others by guarantee: <what>
      Given the queues:
        | queue     | guaranteed | preemption.intra-queue | preemption.policy |
        | root.dev  | 4 vcore    | enabled                | <dev>             |
        | root.test |            |                        |                   |
      And preemption is <state>
      And the allocations:
        | allocation | queue    | resources | on |
        | low        | root.dev | 1 vcore   | n1 |
      And "high" asks in root.dev for 1 vcore with priority 1
      And "higher" asks in root.dev for 2 vcore with priority 2
      When 1h passes
      Then "high" preempts "low"
      And 1 allocation is preempted

      Examples:
        | what                                 | dev      | state |
        | with a fence around the leaf         | fence    | on    |
        | with preemption disabled in the leaf | disabled | on    |
        | with guarantees switched off         |          | off   |

  Rule: laws 3 and 4: no entitlement is needed, the exchange must still hold

    Scenario Outline: dev uses 2 of its max <max> and its guaranteed <guaranteed>: one of <size> for an ask of <asks>
      Given the queues:
        | queue    | guaranteed   | max   | preemption.intra-queue |
        | root.dev | <guaranteed> | <max> | enabled                |
      And a node "n1" with 8 vcore
      And the allocations:
        | allocation | queue    | resources | on | count   |
        | low        | root.dev | <size>    | n1 | <count> |
      And "high" asks in root.dev for <asks> with priority 1
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | max     | guaranteed | size    | count | asks    | number |
        | 2 vcore |            | 1 vcore | 2     | 1 vcore | 1      |
        | 2 vcore |            | 1 vcore | 2     | 2 vcore | 2      |
        | 2 vcore |            | 1 vcore | 2     | 3 vcore | 0      |
        | 2 vcore | 2 vcore    | 1 vcore | 2     | 1 vcore | 1      |
        | 2 vcore | 2 vcore    | 2 vcore | 1     | 1 vcore | 0      |
        | 2 vcore | 1 vcore    | 2 vcore | 1     | 1 vcore | 1      |

    Scenario: a parent's guarantee holds as well
      Given the queues:
        | queue        | guaranteed | max     | preemption.intra-queue |
        | root.org     | 2 vcore    | 2 vcore |                        |
        | root.org.dev |            |         | enabled                |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue        | resources | on |
        | low        | root.org.dev | 2 vcore   | n1 |
      And "small" asks in root.org.dev for 1 vcore with priority 1
      And 30s pass
      And the cycle runs
      When "like" asks in root.org.dev for 2 vcore with priority 1
      And 30s pass
      Then "like" preempts "low"
      And 1 allocation is preempted

  Rule: one set may mix victims of the own queue with others

    Scenario Outline: dev is guaranteed <guaranteed> and uses 1; the ask needs 2
      Given the queues:
        | queue     | guaranteed   | preemption.intra-queue |
        | root.dev  | <guaranteed> | <option>               |
        | root.test |              |                        |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | low        | root.dev  | 1 vcore   | n1 |
        | t          | root.test | 1 vcore   | n1 |
      And "high" asks in root.dev for 2 vcore with priority 1
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | guaranteed | option   | number |
        | 2 vcore    | enabled  | 2      |
        | 2 vcore    | disabled | 0      |
        | 1 vcore    | enabled  | 0      |
        | nothing    | enabled  | 0      |

    Scenario: the least harm decides between the own queue and another
      Given the queues:
        | queue     | guaranteed | preemption.intra-queue |
        | root.dev  | 2 vcore    | enabled                |
        | root.test |            |                        |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | low        | root.dev  | 1 vcore   | n1 | -1       |
        | t          | root.test | 1 vcore   | n1 | 0        |
      And "high" asks in root.dev for 1 vcore with priority 1
      When 30s pass
      Then "high" preempts "low"
`;export{e as default};