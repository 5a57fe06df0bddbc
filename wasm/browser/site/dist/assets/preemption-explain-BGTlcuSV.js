var e=`@explain
Feature: Which allocations an ask would preempt, and why not

  Every pending ask can be explained: which allocations it would preempt, or what prevents it: the same search answers, and
  touches nothing. Of a victim it is told who took it, by what right, and what the laws said, also when it is gone.

  Rule: the verdict comes before the delay is over, and is the one that is carried out

    Background:
      Given the queues:
        | queue     | guaranteed | priority.offset |
        | root.prod | 2 vcore    | 5               |
        | root.test | 1 vcore    | 1               |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | priority | originator | preemptable |
        | driver     | job         | root.test | 1 vcore   | n1 | 2        | yes        | no          |
        | e1         | job         | root.test | 1 vcore   | n1 | 4        |            |             |
        | e2         | job         | root.test | 1 vcore   | n1 | 4        |            |             |
      And "p" asks in root.prod for 2 vcore

    Scenario: 20 seconds before
      When 10s pass
      Then the preemption of ask "p" is explained by:
        | verdict  | preempts   |
        | kind     | guarantee  |
        | due      | 30s        |
        | node     | n1         |
        | victims  | e1, e2     |
        | observed | no         |
      And no allocation is preempted

    Scenario: and then it is done
      Given 10s pass
      And the preemption of ask "p" is explained by:
        | victims | e1, e2 |
      When 20s pass
      Then "p" preempts "e1", "e2" on "n1"

    Scenario: each victim, and what laws 2, 5 and 6 say of it
      Then ask "p" would preempt:
        | victim | application | queue     | priority | kind       | originator | opted out | common | seen | for seen | over                         |
        | e1     | job         | root.test | 4        | guarantee  | no         | no        | root   | 5    | 5        | law-5 root.test 1 of 1 vcore |
        | e2     | job         | root.test | 4        | guarantee  | no         | no        | root   | 5    | 5        | law-5 root.test 1 of 1 vcore |

    Scenario: what entitles it
      Then the preemption of ask "p" is explained by:
        | laws | law-4 root.prod 0 of 2 vcore |

    Scenario: drivers and those that asked to be spared are shown as such
      Given the queues:
        | queue     | guaranteed | priority.offset |
        | root.prod | 3 vcore    | 5               |
        | root.test |            | 1               |
      And ask "p" now needs 3 vcore
      Then ask "p" would preempt:
        | victim | originator | opted out | priority | seen | over |
        | driver | yes        | yes       | 2        | 3    | none |
        | e1     | no         | no        | 4        | 5    | none |
        | e2     | no         | no        | 4        | 5    | none |

    Scenario: while it waits for its victims, those that have yet to leave
      Given 30s pass
      And the cycle runs
      Then the preemption of ask "p" is explained by:
        | verdict | waits-for-victims |
        | kind    | guarantee         |
        | node    | n1                |
        | victims | e1, e2            |
      And ask "p" is explained by:
        | kept     | yes |
        | reserved | no  |
        | node     | n1  |
      When "e1" is released
      Then the preemption of ask "p" is explained by:
        | verdict | waits-for-victims |
        | victims | e2                |

    Scenario: where preemption is only observed
      Given preemption is observed
      Then the preemption of ask "p" is explained by:
        | verdict  | preempts |
        | victims  | e1, e2   |
        | observed | yes      |

  Rule: the other kinds

    Scenario: within a leaf: priorities as the leaf itself sees them
      Given the queues:
        | queue    | preemption.intra-queue | priority.offset |
        | root.dev | enabled                | 50              |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue    | resources | on | priority |
        | low        | root.dev | 1 vcore   | n1 | 2        |
      When "high" asks in root.dev for 1 vcore with priority 3
      Then the preemption of ask "high" is explained by:
        | verdict | preempts    |
        | kind    | queue       |
        | due     | 30s         |
      And ask "high" would preempt:
        | victim | kind        | common   | seen | for seen | over |
        | low    | queue       | root.dev | 2    | 3        | none |

    Scenario: by a required node: no delay, own priorities
      Given the queues:
        | queue       | guaranteed | priority.offset |
        | root.system |            | -50             |
        | root.prod   | 1 vcore    | 50              |
      And preemption is observed
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | p          | root.prod | 1 vcore   | n1 | 2        |
      And 5s pass
      When the asks:
        | ask | queue       | resources | node | priority |
        | ds  | root.system | 1 vcore   | n1   | 3        |
      Then the preemption of ask "ds" is explained by:
        | verdict | preempts      |
        | kind    | required-node |
        | due     | 5s            |
        | victims | p             |
      And ask "ds" would preempt:
        | victim | kind          | common | seen | for seen |
        | p      | required-node | root   | 2    | 3        |

  Rule: why it may not, the first that applies

    Background:
      Given the queues:
        | queue     | guaranteed | max     |
        | root.prod | 2 vcore    | 3 vcore |
        | root.test |            |         |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 4     |

    Scenario: the ask itself says so
      When the asks:
        | ask | queue     | resources | preempts others |
        | p   | root.prod | 9 vcore   | no              |
      Then the preemption of ask "p" is explained by:
        | verdict | preempts-nobody |
        | kind    | none            |
        | victims | none            |

    Scenario: its application may not start
      Given the queues:
        | queue     | guaranteed | maxapplications |
        | root.prod | 2 vcore    |                 |
        | root.test |            | 1               |
      When "t2" asks in root.test for 9 vcore
      Then the preemption of ask "t2" is explained by:
        | verdict | may-not-start |

    Scenario: another application starts first
      Given the queues:
        | queue     | guaranteed | application.sort.policy |
        | root.prod | 2 vcore    |                         |
        | root.test | 2 vcore    | stateaware              |
      And application "t" is removed
      And "first" asks in root.test for 1 vcore
      And the cycle runs
      When "second" asks in root.test for 4 vcore
      Then the preemption of ask "second" is explained by:
        | verdict | may-not-start |

    Scenario Outline: no node would hold it: <case>
      When the asks:
        | ask | queue     | resources | node   | constraints   |
        | p   | root.test | <needs>   | <node> | <constraints> |
      Then the preemption of ask "p" is explained by:
        | verdict | no-node |

      Examples:
        | case                 | needs   | node  | constraints |
        | all are too small    | 5 vcore |       |             |
        | its node is not here | 1 vcore | ghost |             |
        | an attribute lacks   | 1 vcore |       | zone=a      |

    Scenario: the nodes that would hold it are drained
      Given a node "n2" with 1 vcore
      And node "n1" is drained
      When "p" asks in root.prod for 2 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | drained                       |
        | nodes   | 1 draining, 1 too-small vcore |
        | never   | none                          |

    Scenario: a drained node that is too small is not waited for
      Given node "n1" is drained
      When "p" asks in root.test for 5 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | no-node           |
        | nodes   | 1 too-small vcore |
        | never   | nodes 4 vcore     |

    Scenario: it is larger than a max on its way
      When "p" asks in root.prod for 3001m vcore
      Then the preemption of ask "p" is explained by:
        | verdict | over-max |

    Scenario: a node takes it now
      Given the scheduler is stepped by hand
      And a node "n2" with 1 vcore
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | needs-nobody |

    Scenario: a node takes it once those that leave have left
      Given a node "n2" with 3 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | large      | root.test | 3 vcore   | n2 | -1       |
      And "p" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs
      When "next" asks in root.prod for 1 vcore
      Then the preemption of ask "next" is explained by:
        | verdict | needs-nobody |

    Scenario: switched off for the partition
      Given preemption is off
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | switched-off |

    Scenario Outline: disabled on its <where>
      Given the queues:
        | queue         | guaranteed | preemption.policy |
        | root.org      |            | <org>             |
        | root.org.prod | 2 vcore    | <prod>            |
        | root.test     |            |                   |
      When "p" asks in root.org.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | disabled |

      Examples:
        | where  | org      | prod     |
        | queue  |          | disabled |
        | parent | disabled |          |

    Scenario: fenced, with nothing inside
      Given the queues:
        | queue     | guaranteed | preemption.policy |
        | root.prod | 2 vcore    | fence             |
        | root.test |            |                   |
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | fenced |

    Scenario: its queue has its guaranteed
      Given a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | p0         | root.prod | 2 vcore   | n2 |
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | not-entitled                        |
        | laws    | law-4 root.prod 2 of 2 vcore broken |

    Scenario: its queue will have it, with the ask that waits for its victims
      Given "p1" asks in root.prod for 2 vcore
      And 30s pass
      And the cycle runs
      When "p2" asks in root.prod for 1 vcore
      Then the preemption of ask "p2" is explained by:
        | verdict | not-entitled                        |
        | laws    | law-4 root.prod 2 of 2 vcore broken |

    Scenario: its queue has no guarantee
      When "x" asks in root.test for 1 vcore
      Then the preemption of ask "x" is explained by:
        | verdict | not-entitled |
        | laws    | none         |

  Rule: what protects those that it may not take

    Scenario: priority and guarantees, by queue
      Given the queues:
        | queue     | guaranteed |
        | root.a    | 2 vcore    |
        | root.b    |            |
        | root.prod | 2 vcore    |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue  | resources | on | count | priority |
        | a          | root.a | 1 vcore   | n1 | 2     |          |
        | b          | root.b | 1 vcore   | n1 | 2     | 1        |
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | no-victims                             |
        | barred  | root.a 2 guaranteed, root.b 2 priority |

    Scenario: tasks with a required node, those of the own queue, and those of a disabled one
      Given the queues:
        | queue       | guaranteed | preemption.policy |
        | root.prod   | 2 vcore    |                   |
        | root.safe   |            | disabled          |
        | root.system |            |                   |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue       | resources | on | required node |
        | p0         | root.prod   | 1 vcore   | n1 |               |
        | s          | root.safe   | 1 vcore   | n1 |               |
        | d          | root.system | 1 vcore   | n1 | yes           |
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | no-victims                                                                |
        | barred  | root.prod 1 same-queue, root.safe 1 disabled, root.system 1 required-node |

    Scenario Outline: what only guarantees could move, where <why>
      Given the queues:
        | queue     | guaranteed | preemption.policy | preemption.intra-queue |
        | root.prod | 2 vcore    | <policy>          | enabled                |
        | root.test |            |                   |                        |
      And preemption is <state>
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | no-victims         |
        | barred  | root.test 2 <code> |

      Examples:
        | why                              | policy   | state | code           |
        | they are off for the ask's queue | disabled | on    | asker-disabled |
        | they are off for the partition   |          | off   | switched-off   |

    Scenario: the same application, where the leaf lets priorities take
      Given the queues:
        | queue    | guaranteed | preemption.intra-queue |
        | root.dev | 3 vcore    | enabled                |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue    | resources | on | priority |
        | mine       | root.dev | 1 vcore   | n1 |          |
        | equal      | root.dev | 1 vcore   | n1 | 9        |
      When "mine" asks "more" for 1 vcore with priority 9
      Then the preemption of ask "more" is explained by:
        | verdict | no-victims                                       |
        | barred  | root.dev 1 same-application, root.dev 1 priority |

    Scenario: what lies beyond the fence, and what inside has too high a priority
      Given the queues:
        | queue      | guaranteed | preemption.policy |
        | root.org   |            | fence             |
        | root.org.a | 1 vcore    |                   |
        | root.org.b |            |                   |
        | root.out   |            |                   |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue      | resources | on | priority |
        | b          | root.org.b | 1 vcore   | n1 | 1        |
        | o          | root.out   | 1 vcore   | n1 |          |
      When "a" asks in root.org.a for 1 vcore
      Then the preemption of ask "a" is explained by:
        | verdict | no-victims                              |
        | barred  | root.org.b 1 priority, root.out 1 fence |

    Scenario: those for which only the parent's guarantee would count
      Given the queues:
        | queue      | guaranteed |
        | root.org   | 2 vcore    |
        | root.org.a |            |
        | root.org.b |            |
        | root.out   |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue      | resources | on | priority |
        | b          | root.org.b | 1 vcore   | n1 |          |
        | o          | root.out   | 1 vcore   | n1 | 1        |
      When "a" asks in root.org.a for 1 vcore
      Then the preemption of ask "a" is explained by:
        | verdict | no-victims                                     |
        | barred  | root.org.b 1 not-entitled, root.out 1 priority |

    Scenario: those that leave for another, and those on a node that is kept
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 4 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |
      And "p1" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs
      When "p2" asks in root.prod for 1 vcore
      Then the preemption of ask "p2" is explained by:
        | verdict | no-victims                                |
        | barred  | root.test 1 leaving, root.test 1 reserved |
      And ask "p2" is explained by:
        | nodes | 1 kept |

    Scenario: those on a node that is reserved for an ask of the same priority
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 4 vcore    |
        | root.test |            |
        | root.dev  |            |
      And a node "n1" with 2 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And "big" asks in root.dev for 2 vcore
      And 2s pass
      And the cycle runs
      When "p" asks in root.prod for 2 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | no-victims           |
        | barred  | root.test 1 reserved |

  Rule: how near it is

    Scenario: the closest node, what would be missing there, and who stays
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 4 vcore    |
        | root.test |            |
      And a node "n1" with 4 vcore
      And a node "n2" with 4 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t          | root.test | 1 vcore   | n1 |          |
        | high       | root.test | 3 vcore   | n1 | 1        |
        | u          | root.test | 3 vcore   | n2 |          |
        | above      | root.test | 1 vcore   | n2 | 2        |
      When "p" asks in root.prod for 4 vcore
      Then the preemption of ask "p" is explained by:
        | verdict    | no-victims     |
        | node       | n2             |
        | short      | 1 vcore        |
        | in the way | above priority |

    Scenario: a max that stays in the way
      Given the queues:
        | queue     | guaranteed | max     |
        | root.prod | 2 vcore    | 2 vcore |
        | root.test |            |         |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue     | resources   | on |
        | p0         | root.prod | 1500m vcore | n1 |
        | t          | root.test | 2 vcore     | n1 |
      When "p" asks in root.prod for 1 vcore
      Then the preemption of ask "p" is explained by:
        | verdict | no-victims           |
        | short   | root.prod 500m vcore |

  Rule: a victim names the ask that took it, the right, and the other victims

    Background:
      Given the queues:
        | queue     | guaranteed | priority.offset |
        | root.prod | 2 vcore    | 5               |
        | root.test | 1 vcore    | 1               |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | application | queue     | resources | on | priority |
        | t1         | test        | root.test | 1 vcore   | n1 | 3        |
        | t2         | test        | root.test | 1 vcore   | n1 | 2        |
        | t3         | test        | root.test | 1 vcore   | n1 | 2        |
      And an application "prod" in root.prod
      And "prod" asks "p" for 2 vcore with priority 1
      And 30s pass
      And the cycle runs

    Scenario: one that leaves
      Then victim "t2" is explained by:
        | victim          | t2                           |
        | application     | test                         |
        | queue           | root.test                    |
        | priority        | 2                            |
        | kind            | guarantee                    |
        | originator      | no                           |
        | opted out       | no                           |
        | common          | root                         |
        | seen            | 3                            |
        | for seen        | 6                            |
        | over            | law-5 root.test 1 of 1 vcore |
        | for             | p                            |
        | for application | prod                         |
        | for queue       | root.prod                    |
        | node            | n1                           |
        | at              | 30s                          |
        | with            | t3                           |
        | entitled        | law-4 root.prod 0 of 2 vcore |
        | gone            | no                           |
      And ask "t2" is explained by:
        | pending | no |
        | node    | n1 |
        | gone    | no |

    Scenario: one that is gone
      When 5s pass
      And "t2" is released
      Then victim "t2" is explained by:
        | for      | p                            |
        | at       | 30s                          |
        | gone     | yes                          |
        | with     | t3                           |
        | over     | law-5 root.test 1 of 1 vcore |
        | entitled | law-4 root.prod 0 of 2 vcore |
      And ask "t2" is explained by:
        | gone | yes |
      And victim "t3" is explained by:
        | gone | no |

    Scenario: also when the ask was withdrawn
      Given ask "p" is removed
      When "t2" is released
      Then victim "t2" is explained by:
        | for  | p   |
        | gone | yes |

    Scenario: for three days
      Given "t2" and "t3" are released
      When 71h pass
      Then victim "t2" is explained by:
        | gone | yes |
      When 2h pass
      Then there is no explanation of ask "t2"

    Scenario: an ID that came back is explained as what it is now
      Given "t2" and "t3" are released
      And "test" asks "t2" for 1 vcore
      Then ask "t2" is explained by:
        | pending | yes |
        | gone    | no  |

    Scenario Outline: of the other kinds: <kind>
      Given the queues:
        | queue     | guaranteed | preemption.intra-queue |
        | root.prod | 2 vcore    |                        |
        | root.test | 1 vcore    |                        |
        | root.dev  |            | enabled                |
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue    | resources | on | priority |
        | low        | root.dev | 1 vcore   | n2 | -5       |
      And the asks:
        | ask | queue    | resources | node   | priority |
        | up  | root.dev | 1 vcore   | <node> | 7        |
      When 30s pass
      Then victim "low" is explained by:
        | for      | up       |
        | kind     | <kind>   |
        | at       | <at>     |
        | common   | root.dev |
        | seen     | -5       |
        | for seen | 7        |
        | over     | none     |
        | entitled | none     |
        | with     | none     |

      Examples:
        | kind          | node | at  |
        | queue         |      | 1m  |
        | required-node | n2   | 30s |

  Rule: what comes second is said, and by which criterion it does

    Background:
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 8 vcore    |
        | root.test |            |
      And the nodes:
        | node | capacity |
        | n1   | 4 vcore  |
        | n2   | 4 vcore  |

    Scenario Outline: <criterion>
      Given the allocations:
        | allocation | application | queue     | resources  | on | priority | originator   | preemptable   |
        | a          | job         | root.test | <better>   | n1 | 1        |              |               |
        | a2         | job         | root.test | <rest>     | n1 | 1        |              |               |
        | b          | job         | root.test | <worse>    | n2 | <b>      | <originator> | <preemptable> |
        | b2         | job         | root.test | <the rest> | n2 | <b2>     | <originator> | <preemptable> |
      When "p" asks in root.prod for 3 vcore with priority 9
      Then the preemption of ask "p" is explained by:
        | verdict | preempts  |
        | node    | <node>    |
        | victims | <victims> |
        | next    | <next>    |

      Examples:
        | criterion       | better  | rest    | worse   | the rest | b | b2 | originator | preemptable | node | victims | next                         |
        | originators     | 3 vcore | 1 vcore | 3 vcore | 1 vcore  | 0 | 0  | yes        |             | n1   | a       | b on n2: more-originators    |
        | opted-outs      | 3 vcore | 1 vcore | 3 vcore | 1 vcore  | 0 | 0  |            | no          | n1   | a       | b on n2: more-opted-outs     |
        | one priority    | 3 vcore | 1 vcore | 3 vcore | 1 vcore  | 2 | 0  |            |             | n1   | a       | b on n2: higher-priority     |
        | how many        | 3 vcore | 1 vcore | 2 vcore | 2 vcore  | 1 | 1  |            |             | n1   | a       | b, b2 on n2: more-victims    |
        | all priorities  | 2 vcore | 2 vcore | 2 vcore | 2 vcore  | 0 | 1  |            |             | n2   | b, b2   | a, a2 on n1: higher-priorities |
        | what is left    | 3 vcore | 1 vcore | 4 vcore | 0 vcore  | 1 | 1  |            |             | n1   | a       | b on n2: more-excess         |
        | age             | 3 vcore | 1 vcore | 3 vcore | 1 vcore  | 1 | 1  |            |             | n2   | b       | a on n1: older               |

    Scenario: there may be no second
      Given the allocations:
        | allocation | queue     | resources | on | priority |
        | a          | root.test | 4 vcore   | n1 | 1        |
        | b          | root.test | 4 vcore   | n2 | 10       |
      When "p" asks in root.prod for 3 vcore with priority 9
      Then the preemption of ask "p" is explained by:
        | victims | a    |
        | next    | none |
`;export{e as default};