var e=`Feature: Fences and switches of preemption

  Law 7: a task takes nothing outside its preemption fence. The fence is one-way: it keeps in, it does not keep out.
  A priority fence is another thing: it hides priorities. And preemption may be switched off, for a subtree or for all
  that is done by guarantees, or only observed.

  Rule: law 7: out of a preemption fence is barred

    Scenario Outline: a fence at <where>; a victim in <queue>
      Given the queues:
        | queue              | guaranteed | preemption.policy |
        | root               |            | <root>            |
        | root.org           |            | <org>             |
        | root.org.dept      |            | <dept>            |
        | root.org.dept.web  | 1 vcore    | <web>             |
        | root.org.dept.mate |            |                   |
        | root.org.other     |            |                   |
        | root.out           |            |                   |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue   | resources | on |
        | v          | <queue> | 1 vcore   | n1 |
      And "w" asks in root.org.dept.web for 1 vcore
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | where           | root  | org   | dept    | web   | queue              | number |
        | no queue        |       |       |         |       | root.out           | 1      |
        | the leaf        |       |       |         | fence | root.org.dept.mate | 0      |
        | the leaf        |       |       |         | fence | root.out           | 0      |
        | the parent      |       |       | fence   |       | root.org.dept.mate | 1      |
        | the parent      |       |       | fence   |       | root.org.other     | 0      |
        | the parent      |       |       | fence   |       | root.out           | 0      |
        | the grandparent |       | fence |         |       | root.org.dept.mate | 1      |
        | the grandparent |       | fence |         |       | root.org.other     | 1      |
        | the grandparent |       | fence |         |       | root.out           | 0      |
        | root            | fence |       |         |       | root.out           | 1      |
        | two levels      |       | fence | fence   |       | root.org.other     | 0      |
        | no queue, said  |       |       | default |       | root.out           | 1      |

  Rule: into a preemption fence is allowed

    Scenario Outline: a fence at <where> of the victim
      Given the queues:
        | queue              | guaranteed | preemption.policy |
        | root.org           |            | <org>             |
        | root.org.dept      |            | <dept>            |
        | root.org.dept.test |            | <test>            |
        | root.prod          | 1 vcore    |                   |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue              | resources | on |
        | t          | root.org.dept.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "t"

      Examples:
        | where           | org   | dept  | test  |
        | the leaf        |       |       | fence |
        | the parent      |       | fence |       |
        | the grandparent | fence |       |       |
        | every level     | fence | fence | fence |

    Scenario: two tenants behind their fences and a system queue without one
      Given the queues:
        | queue          | guaranteed | preemption.policy |
        | root.system    | 1 vcore    |                   |
        | root.tenant1   |            | fence             |
        | root.tenant1.a |            |                   |
        | root.tenant1.b | 1 vcore    |                   |
        | root.tenant2   |            | fence             |
        | root.tenant2.a |            |                   |
        | root.tenant2.b | 1 vcore    |                   |
      And a node "n1" with 1 vcore
      And a node "n2" with 2 vcore
      And the allocations:
        | allocation | queue          | resources | on | count |
        | one        | root.tenant1.a | 1 vcore   | n1 |       |
        | two        | root.tenant2.a | 1 vcore   | n2 | 2     |
      And "one-b" asks in root.tenant1.b for 1 vcore
      And 1s passes
      And "two-b" asks in root.tenant2.b for 1 vcore
      And 1s passes
      And "sys" asks in root.system for 1 vcore
      When 28s pass
      Then "one-b" preempts "one"
      When 1s passes
      Then "two-b" preempts "two-2"
      When 1s passes
      Then no allocation is preempted
      When "one" and "two-2" are released
      And 1h passes
      Then "sys" preempts "two-1"

  Rule: what the fence leaves is judged as before

    Scenario: inside its fence the ask takes what it would not choose outside
      Given the queues:
        | queue      | guaranteed | preemption.policy |
        | root.org   |            | fence             |
        | root.org.a | 1 vcore    |                   |
        | root.org.b |            |                   |
        | root.test  |            |                   |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue      | resources | on | priority | preemptable |
        | inside     | root.org.b | 1 vcore   | n1 | 5        | no          |
        | outside    | root.test  | 1 vcore   | n2 | -5       |             |
      And "a" asks in root.org.a for 1 vcore with priority 5
      When 30s pass
      Then "a" preempts "inside"

    Scenario: a set of victims inside is not completed from outside
      Given the queues:
        | queue      | guaranteed | preemption.policy |
        | root.org   |            | fence             |
        | root.org.a | 2 vcore    |                   |
        | root.org.b |            |                   |
        | root.test  |            |                   |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue      | resources | on |
        | inside     | root.org.b | 1 vcore   | n1 |
        | outside    | root.test  | 1 vcore   | n1 |
      And "a" asks in root.org.a for 2 vcore
      When 1h passes
      Then no allocation is preempted

    Scenario Outline: laws 4 and 7: the guarantee of a fenced parent entitles no ask inside: the leaf is guaranteed <leaf>
      Given the queues:
        | queue      | guaranteed | preemption.policy |
        | root.org   | 2 vcore    | fence             |
        | root.org.a | <leaf>     |                   |
        | root.org.b |            |                   |
        | root.test  |            |                   |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue      | resources | on |
        | b          | root.org.b | 1 vcore   | n1 |
        | t          | root.test  | 1 vcore   | n1 |
      And "a" asks in root.org.a for 1 vcore
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | leaf    | number |
        |         | 0      |
        | 1 vcore | 1      |

    Scenario: the delay goes on behind a fence, and a reload that takes the fence away finds the ask due
      Given the queues:
        | queue     | guaranteed | preemption.policy |
        | root.prod | 1 vcore    | fence             |
        | root.test |            |                   |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for 1 vcore
      And 40s pass
      When the queues:
        | queue     | guaranteed | preemption.policy |
        | root.prod | 1 vcore    | default           |
        | root.test |            |                   |
      Then the preemption decisions are:
        | at  | id | for |
        | 40s | t  | p   |

  Rule: a priority fence replaces what is seen from below, at the level where it stands

    Scenario Outline: the victim has priority 100, behind a priority fence at <where>
      Given the queues:
        | queue              | guaranteed | priority.policy |
        | root               |            | <root>          |
        | root.org           |            | <org>           |
        | root.org.dept      |            | <dept>          |
        | root.org.dept.test |            | <test>          |
        | root.prod          | 1 vcore    |                 |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue              | resources | on | priority |
        | t          | root.org.dept.test | 1 vcore   | n1 | 100      |
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | where           | root  | org   | dept  | test  | number |
        | no queue        |       |       |       |       | 0      |
        | the leaf        |       |       |       | fence | 1      |
        | the parent      |       |       | fence |       | 1      |
        | the grandparent |       | fence |       |       | 1      |
        | root            | fence |       |       |       | 0      |

    Scenario Outline: the ask has priority 100 against 50, behind a priority fence at <where>
      Given the queues:
        | queue             | guaranteed | priority.policy |
        | root              |            | <root>          |
        | root.org          |            | <org>           |
        | root.org.dept     |            | <dept>          |
        | root.org.dept.web | 1 vcore    | <web>           |
        | root.test         |            |                 |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t          | root.test | 1 vcore   | n1 | 50       |
      And "w" asks in root.org.dept.web for 1 vcore with priority 100
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | where           | root  | org   | dept  | web   | number |
        | no queue        |       |       |       |       | 1      |
        | the leaf        |       |       |       | fence | 0      |
        | the parent      |       |       | fence |       | 0      |
        | the grandparent |       | fence |       |       | 0      |
        | root            | fence |       |       |       | 1      |

    Scenario Outline: a fence where the queues meet hides nothing between its children: 1 against <victim>
      Given the queues:
        | queue      | guaranteed | priority.policy |
        | root.org   |            | fence           |
        | root.org.a | 1 vcore    |                 |
        | root.org.b |            |                 |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue      | resources | on | priority |
        | b          | root.org.b | 1 vcore   | n1 | <victim> |
      And "a" asks in root.org.a for 1 vcore with priority 1
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | victim | number |
        | 1      | 1      |
        | 2      | 0      |

    Scenario: offsets above a fence still count
      Given the queues:
        | queue         | guaranteed | priority.policy | priority.offset |
        | root.org      |            |                 | 10              |
        | root.org.test |            | fence           | 1               |
        | root.prod     | 1 vcore    |                 |                 |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue         | resources | on | priority |
        | t          | root.org.test | 1 vcore   | n1 | -500     |
      And "p" asks in root.prod for 1 vcore with priority 10
      And 1h passes
      When ask "p" now has priority 11
      Then "p" preempts "t"

  Rule: disabled: the subtree neither takes nor loses by guarantees

    Scenario Outline: disabled at <where> of the <whose>
      Given the queues:
        | queue              | guaranteed | preemption.policy |
        | root               |            | <root>            |
        | root.org           |            | <org>             |
        | root.org.dept      |            | <dept>            |
        | root.org.dept.leaf | <org leaf> | <leaf>            |
        | root.single        | <single>   |                   |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue    | resources | on |
        | v          | <victim> | 1 vcore   | n1 |
      And "a" asks in <asker> for 1 vcore
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | whose  | where           | root     | org      | dept     | leaf     | org leaf | single  | victim             | asker              | number |
        | ask    | no queue        |          |          |          |          | 1 vcore  |         | root.single        | root.org.dept.leaf | 1      |
        | ask    | the leaf        |          |          |          | disabled | 1 vcore  |         | root.single        | root.org.dept.leaf | 0      |
        | ask    | the parent      |          |          | disabled |          | 1 vcore  |         | root.single        | root.org.dept.leaf | 0      |
        | ask    | the grandparent |          | disabled |          |          | 1 vcore  |         | root.single        | root.org.dept.leaf | 0      |
        | ask    | root            | disabled |          |          |          | 1 vcore  |         | root.single        | root.org.dept.leaf | 1      |
        | victim | no queue        |          |          |          |          |          | 1 vcore | root.org.dept.leaf | root.single        | 1      |
        | victim | the leaf        |          |          |          | disabled |          | 1 vcore | root.org.dept.leaf | root.single        | 0      |
        | victim | the parent      |          |          | disabled |          |          | 1 vcore | root.org.dept.leaf | root.single        | 0      |
        | victim | the grandparent |          | disabled |          |          |          | 1 vcore | root.org.dept.leaf | root.single        | 0      |
        | victim | root            | disabled |          |          |          |          | 1 vcore | root.org.dept.leaf | root.single        | 1      |
        | victim | the parent      |          |          | disabled | default  |          | 1 vcore | root.org.dept.leaf | root.single        | 0      |

    Scenario: not within the subtree either
      Given the queues:
        | queue      | guaranteed | preemption.policy |
        | root.org   |            | disabled          |
        | root.org.a | 1 vcore    |                   |
        | root.org.b |            |                   |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue      | resources | on |
        | b          | root.org.b | 1 vcore   | n1 |
      And "a" asks in root.org.a for 1 vcore
      When 1h passes
      Then no allocation is preempted

    Scenario: what is disabled is passed over, others lose
      Given the queues:
        | queue     | guaranteed | preemption.policy |
        | root.prod | 1 vcore    |                   |
        | root.test |            |                   |
        | root.safe |            | disabled          |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t          | root.test | 1 vcore   | n1 |          |
        | s          | root.safe | 1 vcore   | n1 | -9       |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "t"

  Rule: a partition's preemption.enabled: false switches off what is done by guarantees

    Background:
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |

    Scenario: off
      Given preemption is off
      And "p" asks in root.prod for 1 vcore
      When 1h passes
      Then no allocation is preempted

    Scenario: on again, for those that have waited meanwhile
      Given preemption is off
      And "p" asks in root.prod for 1 vcore
      And 1h passes
      When preemption is on
      Then the preemption decisions are:
        | at   | id | for |
        | 1h0m | t  | p   |

    Scenario: off while an ask waits for its victims changes nothing for it
      Given "p" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs
      And preemption is off
      When "t" is released
      Then "p" is allocated on "n1"

  Rule: where preemption is observed, it is told and nothing is taken

    Background:
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And preemption is observed
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | count |
        | t          | root.test | 1 vcore   | n1 | 2     |

    Scenario: the victims that an ask would take, once
      Given "p" asks in root.prod for 2 vcore
      When 1h passes
      Then the preemption.observed decisions are:
        | at  | id  | for | node | queue     |
        | 30s | t-1 | p   | n1   | root.test |
        | 30s | t-2 | p   | n1   | root.test |
      And no allocation is preempted
      And the nodes show:
        | node | kept | used    |
        | n1   | none | 2 vcore |
      And the queues show:
        | queue     | leaving | pending |
        | root.test | nothing |         |
        | root.prod |         | 2 vcore |
      And the asks show:
        | ask | kept | leaving |
        | p   | none |         |
        | t-1 |      | none    |

    Scenario: several asks may be told of the same victim
      Given "p1" asks in root.prod for 1 vcore
      And "p2" asks in root.prod for 1 vcore
      When 30s pass
      Then the preemption.observed decisions are:
        | id  | for |
        | t-2 | p1  |
        | t-2 | p2  |

    Scenario: an ask that is withdrawn and comes back is another
      Given "p" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs
      And ask "p" is removed
      And "p" asks "p" for 1 vcore
      When 30s pass
      Then the preemption.observed decisions are:
        | at | id  | for |
        | 1m | t-2 | p   |

    Scenario: with a required node, and within a leaf, it is observed as well
      Given the queues:
        | queue     | guaranteed | preemption.intra-queue |
        | root.prod | 2 vcore    |                        |
        | root.test |            | enabled                |
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | u          | root.test | 1 vcore   | n2 |
      When the asks:
        | ask | queue     | resources | priority | node |
        | ds  | root.prod | 1 vcore   |          | n2   |
        | big | root.test | 2 vcore   | 7        |      |
      And 30s pass
      Then the preemption.observed decisions are:
        | at  | id  | for |
        | 0s  | u   | ds  |
        | 30s | t-1 | big |
        | 30s | t-2 | big |
      And no allocation is preempted
      And the nodes show:
        | node | reserved |
        | n2   | ds       |

    Scenario: observed, whatever preemption.enabled says
      Given the configuration:
        """yaml
        partitions:
        - name: default
          preemption: {enabled: false, observe: true}
          queues:
          - name: prod
            resources: {guaranteed: {vcore: 2}}
          - name: test
        """
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then the preemption.observed decisions are:
        | id  | for |
        | t-2 | p   |
      And no allocation is preempted

    Scenario: then switched on, it is done
      Given "p" asks in root.prod for 1 vcore
      And 1m passes
      When preemption is on
      Then "p" preempts "t-2"
`;export{e as default};