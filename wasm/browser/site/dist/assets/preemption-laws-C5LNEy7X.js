var e=`Feature: The laws of preemption

  An ask that has waited for its delay may take from other queues what its own was guaranteed. Seven laws say which
  allocations. Here is each of them alone, and those that meet; of the seventh, the fences, there is more elsewhere. Queues
  are compared below the one where those of the ask and of the victim meet.

  Rule: law 1: policies are strong suggestions, not guarantees

    Background: the one that asks to be spared is the younger, which otherwise would go first
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | preemptable |
        | plain      | root.test | 1 vcore   | n1 |             |
        | spare-me   | root.test | 1 vcore   | n1 | no          |

    Scenario: an allocation that asked not to be preempted is spared while another is enough
      Given "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "plain"

    Scenario: and preempted when nothing else is enough
      Given "p" asks in root.prod for 2 vcore
      When 30s pass
      Then "p" preempts "plain" and "spare-me"

  Rule: law 2: no queue is left below its guaranteed

    Scenario Outline: test uses 4 and is guaranteed <guaranteed>; prod asks for <asks>
      Given the queues:
        | queue     | guaranteed   |
        | root.prod | 4 vcore      |
        | root.test | <guaranteed> |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 4     |
      And "p" asks in root.prod for <asks>
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | guaranteed  | asks    | number |
        | nothing     | 4 vcore | 4      |
        | 1 vcore     | 4 vcore | 0      |
        | 1 vcore     | 3 vcore | 3      |
        | 3 vcore     | 2 vcore | 0      |
        | 3 vcore     | 1 vcore | 1      |
        | 3001m vcore | 1 vcore | 0      |
        | 4 vcore     | 1 vcore | 0      |
        | 0 vcore     | 4 vcore | 4      |

    Scenario Outline: the guarantee of <whose> protects: <case>
      Given the queues:
        | queue       | guaranteed |
        | root.prod   | 2 vcore    |
        | root.test   | <parent>   |
        | root.test.x | <leaf>     |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue       | resources | on | count |
        | x          | root.test.x | 1 vcore   | n1 | 2     |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | whose    | case                              | parent  | leaf    | number |
        | a leaf   | the parent guarantees nothing     |         | 2 vcore | 0      |
        | a parent | the leaf has no guarantee         | 2 vcore |         | 0      |
        | either   | the leaf is above it, not both    | 2 vcore | 1 vcore | 0      |
        | neither  | both are above it                 | 1 vcore | 1 vcore | 1      |
        | neither  | an explicit 0 guarantees nothing  | 0 vcore | 0 vcore | 1      |

    Scenario: a parent's guarantee does not protect its children from one another
      Given the queues:
        | queue       | guaranteed |
        | root.test   | 2 vcore    |
        | root.test.x |            |
        | root.test.y | 1 vcore    |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue       | resources | on | count |
        | x          | root.test.x | 1 vcore   | n1 | 2     |
      And "y" asks in root.test.y for 1 vcore
      When 30s pass
      Then "y" preempts "x-2"

    Scenario Outline: victims of two leaves count together in their parent, which is guaranteed <guaranteed>
      Given the queues:
        | queue       | guaranteed   |
        | root.prod   | 2 vcore      |
        | root.test   | <guaranteed> |
        | root.test.x |              |
        | root.test.y |              |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue       | resources | on |
        | x          | root.test.x | 1 vcore   | n1 |
        | y          | root.test.y | 1 vcore   | n1 |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | guaranteed | number |
        | nothing    | 2      |
        | 1 vcore    | 0      |

    Scenario Outline: only types that the victim uses matter: <uses>
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test | 8 memory   |
      And a node "n1" with 1 vcore, 8 memory
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | <uses>    | n1 |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "t"

      Examples:
        | uses              |
        | 1 vcore           |
        | 1 vcore, 0 memory |

    Scenario: and all of them do, also those that the ask does not need
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test | 8 memory   |
      And a node "n1" with 1 vcore, 8 memory
      And the allocations:
        | allocation | queue     | resources         | on |
        | t          | root.test | 1 vcore, 8 memory | n1 |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then no allocation is preempted

    Scenario: those that still leave have left already
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 4 vcore    |
        | root.test | 2 vcore    |
      And a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |
        | u          | root.test | 1 vcore   | n2 | 2     |
      And "p1" asks in root.prod for 2 vcore
      And "p2" asks in root.prod for 2 vcore
      When 1h passes
      Then "p1" preempts "u-1", "u-2" on "n2"
      And 2 allocations are preempted
      And the queues show:
        | queue     | used    | leaving |
        | root.test | 4 vcore | 2 vcore |

  Rule: law 3: no task of the same application

    Scenario: not even within a leaf that lets higher priorities take from lower ones
      Given the queues:
        | queue     | preemption.intra-queue |
        | root.test | enabled                |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | other      | root.test | 1 vcore   | n1 |
        | mine       | root.test | 1 vcore   | n1 |
      And "mine" asks "more" for 1 vcore with priority 9
      When 30s pass
      Then "more" preempts "other"

  Rule: law 4: only for a queue that is under its guaranteed

    Scenario Outline: prod uses 1 of <guaranteed>
      Given the queues:
        | queue     | guaranteed   |
        | root.prod | <guaranteed> |
        | root.test |              |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | p0         | root.prod | 1 vcore   | n1 |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | guaranteed  | number |
        | nothing     | 0      |
        | 0 vcore     | 0      |
        | 500m vcore  | 0      |
        | 1 vcore     | 0      |
        | 1001m vcore | 1      |
        | 2 vcore     | 1      |

    Scenario: the ask itself does not count, and may carry its queue past
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test |            |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 3 vcore   | n1 |
      And "p" asks in root.prod for 3 vcore
      When 30s pass
      Then "p" preempts "t"

    Scenario Outline: <case>: web is guaranteed <web>, prod above it <prod> and org above that <org>; prod uses 1
      Given the queues:
        | queue               | guaranteed |
        | root.org            | <org>      |
        | root.org.prod       | <prod>     |
        | root.org.prod.web   | <web>      |
        | root.org.prod.batch |            |
        | root.test           |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue               | resources | on |
        | b          | root.org.prod.batch | 1 vcore   | n1 |
        | t          | root.test           | 1 vcore   | n1 |
      And "w" asks in root.org.prod.web for 1 vcore
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | case                                 | org     | prod    | web     | number |
        | no queue has a guarantee             |         |         |         | 0      |
        | only the leaf has one                |         |         | 1 vcore | 1      |
        | only the parent does, which is under |         | 2 vcore |         | 1      |
        | only the parent does, which is not   |         | 1 vcore |         | 0      |
        | only the grandparent does            | 2 vcore |         |         | 1      |
        | all are under                        | 2 vcore | 2 vcore | 1 vcore | 1      |

    Scenario Outline: <case>, and a victim in test
      Given the queues:
        | queue               | guaranteed |
        | root.org            | <org>      |
        | root.org.prod       | <prod>     |
        | root.org.prod.web   | <web>      |
        | root.org.prod.batch |            |
        | root.test           |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue               | resources | on | required node |
        | b          | root.org.prod.batch | 1 vcore   | n1 | yes           |
        | t          | root.test           | 1 vcore   | n2 |               |
      And "w" asks in root.org.prod.web for 1 vcore
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | case                                          | org     | prod    | web     | number |
        | the leaf is under, and its parents are        | 2 vcore | 2 vcore | 1 vcore | 1      |
        | the leaf is under, the parent at its own      | 2 vcore | 1 vcore | 1 vcore | 0      |
        | the leaf is under, the grandparent at its own | 1 vcore |         | 1 vcore | 0      |
        | the parent is under, the grandparent not      | 1 vcore | 1 vcore |         | 0      |

    Scenario: what is missing to a leaf of a queue that has its guaranteed comes from within
      Given the queues:
        | queue           | guaranteed |
        | root.prod       | 2 vcore    |
        | root.prod.web   | 1 vcore    |
        | root.prod.batch |            |
        | root.test       |            |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue           | resources | on | count |
        | b          | root.prod.batch | 1 vcore   | n1 | 2     |
        | t          | root.test       | 1 vcore   | n1 |       |
      And "w" asks in root.prod.web for 1 vcore
      When 30s pass
      Then "w" preempts "b-2"

    Scenario: a parent's guarantee entitles against others, not among its children
      Given the queues:
        | queue           | guaranteed |
        | root.prod       | 3 vcore    |
        | root.prod.web   |            |
        | root.prod.batch |            |
        | root.test       |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue           | resources | on |
        | t          | root.test       | 1 vcore   | n1 |
        | b          | root.prod.batch | 1 vcore   | n2 |
      And "w1" asks in root.prod.web for 1 vcore
      And "w2" asks in root.prod.web for 1 vcore
      When 1h passes
      Then "w1" preempts "t"
      And 1 allocation is preempted

    Scenario Outline: a type in which the queue is under suffices, if the ask needs it: <asks>
      Given the queues:
        | queue     | guaranteed        |
        | root.prod | 1 vcore, 4 memory |
        | root.test |                   |
      And a node "n1" with 2 vcore, 4 memory
      And the allocations:
        | allocation | queue     | resources         | on |
        | p0         | root.prod | 1 vcore           | n1 |
        | t          | root.test | 1 vcore, 4 memory | n1 |
      And "p" asks in root.prod for <asks>
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | asks              | number |
        | 1 vcore           | 0      |
        | 1 vcore, 0 memory | 0      |
        | 4 memory          | 1      |
        | 1 vcore, 1 memory | 1      |

    Scenario: an ask that waits for its victims counts in each queue above it, here for its neighbour
      Given the queues:
        | queue       | guaranteed |
        | root.prod   | 1 vcore    |
        | root.prod.a |            |
        | root.prod.b |            |
        | root.test   |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
        | u          | root.test | 1 vcore   | n2 |
      And "a" asks in root.prod.a for 1 vcore
      And "b" asks in root.prod.b for 1 vcore
      When 1h passes
      Then "a" preempts "u"
      And 1 allocation is preempted

    Scenario: an ask that waits for its victims counts as used, so the next is not entitled
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 2 vcore   | n1 |
        | u          | root.test | 2 vcore   | n2 |
      And "p1" asks in root.prod for 2 vcore
      And "p2" asks in root.prod for 2 vcore
      When 1h passes
      Then "p1" preempts "u"
      And 1 allocation is preempted

  Rule: law 5: only a queue over its guaranteed may lose

    Scenario Outline: test uses 2 and is guaranteed <guaranteed>
      Given the queues:
        | queue     | guaranteed   |
        | root.prod | 2 vcore      |
        | root.test | <guaranteed> |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |
      And "p" asks in root.prod for 1 vcore with priority 1000
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | guaranteed | number |
        | 1 vcore    | 1      |
        | 2 vcore    | 0      |
        | 3 vcore    | 0      |

    Scenario: an ask that waits for its victims does not protect those that its queue has
      Given the queues:
        | queue     | guaranteed        |
        | root.prod | 1 vcore, 1 memory |
        | root.ops  | 1 vcore           |
        | root.test |                   |
      And a node "n1" with 1 vcore, 1 memory
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources         | on |
        | t          | root.test | 1 vcore, 1 memory | n1 |
        | p0         | root.prod | 1 vcore           | n2 |
      And "p1" asks in root.prod for 1 vcore, 1 memory
      And 1s passes
      And "o" asks in root.ops for 1 vcore
      When 1h passes
      Then "p1" preempts "t"
      And 1 allocation is preempted

    Scenario: priority is no way past a guarantee
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test | 1 vcore    |
        | root.dev  |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | low        | root.test | 1 vcore   | n1 | -100     |
        | high       | root.dev  | 1 vcore   | n1 | 5        |
      And "p" asks in root.prod for 1 vcore with priority 5
      When 30s pass
      Then "p" preempts "high"

  Rule: law 6: only tasks of lower or equal priority

    Scenario Outline: priority <ask> against <victim>
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t          | root.test | 1 vcore   | n1 | <victim> |
      And "p" asks in root.prod for 1 vcore with priority <ask>
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | ask | victim | number |
        | 5   | 4      | 1      |
        | 5   | 5      | 1      |
        | 5   | 6      | 0      |
        | -1  | 0      | 0      |
        | 0   | -1     | 1      |

    Scenario Outline: offsets of <prod> and <test>: 5 against <victim>
      Given the queues:
        | queue     | guaranteed | priority.offset |
        | root.prod | 1 vcore    | <prod>          |
        | root.test |            | <test>          |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t          | root.test | 1 vcore   | n1 | <victim> |
      And "p" asks in root.prod for 1 vcore with priority 5
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | prod       | test       | victim      | number |
        | 10         |            | 15          | 1      |
        | 10         |            | 16          | 0      |
        |            | -10        | 15          | 1      |
        |            | 1          | 5           | 0      |
        | 3          | 2          | 6           | 1      |
        | 3          | 2          | 7           | 0      |
        | 2147483647 | 2147483647 | 2147483647  | 1      |
        |            | -9         | -2147483648 | 1      |

    Scenario Outline: offsets of <case>
      Given the queues:
        | queue             | guaranteed | priority.offset |
        | root.org          | 2 vcore    | <org>           |
        | root.org.prod     |            | <prod>          |
        | root.org.prod.web | 2 vcore    | <web>           |
        | root.<place>      |            | <test>          |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue        | resources | on |
        | t          | root.<place> | 1 vcore   | n1 |
      And "w" asks in root.org.prod.web for 1 vcore
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | case                                   | org | prod | web | place    | test | number |
        | the leaf and its parent, which add up  |     | 3    | 4   | org.test | 7    | 1      |
        | the same, one less than the victim's   |     | 3    | 4   | org.test | 8    | 0      |
        | the queue where they meet, not counted | -9  | 3    | 4   | org.test | 7    | 1      |
        | all up to root                         | -9  | 3    | 4   | test     | -2   | 1      |
        | all up to root, one less than needed   | -9  | 3    | 4   | test     | -1   | 0      |

    Scenario Outline: a priority fence makes a queue's offset all that counts: <case>
      Given the queues:
        | queue     | guaranteed | priority.policy | priority.offset |
        | root.prod | 1 vcore    | <prod>          | <prod offset>   |
        | root.test |            | <test>          | <test offset>   |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t          | root.test | 1 vcore   | n1 | <victim> |
      And "p" asks in root.prod for 1 vcore with priority <ask>
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | case                                | ask  | prod  | prod offset | victim | test  | test offset | number |
        | 1000 behind a fence is 0            | 0    |       |             | 1000   | fence |             | 1      |
        | or its offset                       | 5    |       |             | 1000   | fence | 5           | 1      |
        | and not less                        | 5    |       |             | -1000  | fence | 6           | 0      |
        | a fence makes an urgent ask small   | 1000 | fence |             | 1      |       |             | 0      |
        | or a small one urgent               | 0    | fence | 50          | 50     |       |             | 1      |
        | between two fences the offsets meet | 0    | fence | 2           | 9      | fence | 1           | 1      |
        | and decide                          | 9    | fence | 1           | 0      | fence | 2           | 0      |

  Rule: law 7: no task outside the preemption fence

    Scenario Outline: an ask behind <fence>, two that could go: one beside it and a younger one outside
      Given the queues:
        | queue      | guaranteed | preemption.policy |
        | root.org   | 2 vcore    | <org>             |
        | root.org.a | 1 vcore    | <a>               |
        | root.org.b |            |                   |
        | root.test  |            |                   |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue      | resources | on |
        | beside     | root.org.b | 1 vcore   | n1 |
        | outside    | root.test  | 1 vcore   | n1 |
      And "a" asks in root.org.a for 1 vcore
      When 30s pass
      Then "a" preempts <victim>

      Examples:
        | fence               | org   | a       | victim    |
        | no fence            |       |         | "outside" |
        | one around org      | fence |         | "beside"  |
        | one that lets it go |       | default | "outside" |

  Rule: law 4 looks at one type, law 2 at all that the victims use

    Scenario Outline: entitled by memory, the ask takes cores too, unless they are protected by <guaranteed>
      Given the queues:
        | queue     | guaranteed   |
        | root.prod | 4 memory     |
        | root.test | <guaranteed> |
      And a node "n1" with 2 vcore, 4 memory
      And the allocations:
        | allocation | queue     | resources | on | count |
        | m          | root.test | 4 memory  | n1 |       |
        | c          | root.test | 1 vcore   | n1 | 2     |
      And "p" asks in root.prod for 1 vcore, 4 memory
      When 30s pass
      Then <number> allocations are preempted

      Examples:
        | guaranteed        | number |
        | 1 vcore           | 2      |
        | 2 vcore           | 0      |
        | 1 memory          | 0      |
        | 1 vcore, 1 memory | 0      |
`;export{e as default};