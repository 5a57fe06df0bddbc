var e=`Feature: What must hold after an exchange

  Victims go and an ask comes: then every max on the ask's way to the root holds, and where the queues meet, and above,
  nothing that is guaranteed is lost. All victims are on one node, where the ask goes.

  Rule: every max on the way to the root must hold after the exchange

    Scenario Outline: the ask of 2 passes where <case>
      Given the queues:
        | queue             | guaranteed | max    |
        | root.org          |            | <org>  |
        | root.org.prod     |            | <prod> |
        | root.org.prod.web | 2 vcore    | <web>  |
        | root.test         |            |        |
      And a node "n1" with 3 vcore
      And the allocations:
        | allocation | queue             | resources | on | required node |
        | w0         | root.org.prod.web | 1 vcore   | n1 | yes           |
        | t          | root.test         | 2 vcore   | n1 |               |
      And "w" asks in root.org.prod.web for 2 vcore
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | case                         | org         | prod        | web         | number |
        | nothing is limited           |             |             |             | 1      |
        | all hold                     | 3 vcore     | 3 vcore     | 3 vcore     | 1      |
        | but not above its leaf       |             |             | 2999m vcore | 0      |
        | nor above the parent         |             | 2999m vcore |             | 0      |
        | nor above the grandparent    | 2999m vcore |             |             | 0      |
        | a type it does not need is 0 | 0 memory    |             |             | 1      |

    Scenario: victims inside a full queue make room in it, others do not
      Given the queues:
        | queue      | guaranteed | max     |
        | root.org   |            | 2 vcore |
        | root.org.a | 1 vcore    |         |
        | root.org.b |            |         |
        | root.test  |            |         |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue      | resources | on | count |
        | b          | root.org.b | 1 vcore   | n1 | 2     |
        | t          | root.test  | 1 vcore   | n1 | 2     |
      And "a" asks in root.org.a for 1 vcore
      When 30s pass
      Then "a" preempts "b-2"

    Scenario: an ask preempts for headroom alone, and goes where its victim was
      Given the queues:
        | queue      | guaranteed | max     |
        | root.org   |            | 2 vcore |
        | root.org.a | 1 vcore    |         |
        | root.org.b |            |         |
      And a node "n1" with 8 vcore
      And a node "n2" with 8 vcore
      And the allocations:
        | allocation | queue      | resources | on | count |
        | b          | root.org.b | 1 vcore   | n1 | 2     |
      And "a" asks in root.org.a for 1 vcore
      When 30s pass
      Then "a" preempts "b-2" on "n1"
      When "b-2" is released
      Then "a" is allocated on "n1"

    Scenario: the cluster's total is root's max: an over-committed node takes from the room of all
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 1 vcore    |
        | root.test |            |
      And a node "n1" with 2 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on | required node |
        | t          | root.test | 1 vcore   | n1 |               |
        | d          | root.test | 2 vcore   | n2 | yes           |
      And "p" asks in root.prod for 1 vcore
      When 30s pass
      Then "p" preempts "t" on "n1"

    Scenario Outline: a type that the ask does not need may be over its max: <asks>
      Given the queues:
        | queue     | guaranteed | max      |
        | root.prod | 1 vcore    | 1 memory |
        | root.test |            |          |
      And a node "n1" with 1 vcore, 4 memory
      And the allocations:
        | allocation | queue     | resources | on |
        | p0         | root.prod | 4 memory  | n1 |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.prod for <asks>
      When 30s pass
      Then "p" preempts "t"

      Examples:
        | asks              |
        | 1 vcore           |
        | 1 vcore, 0 memory |

  Rule: where the queues meet, and above, the exchange as a whole takes nothing that is guaranteed

    Scenario Outline: org uses 4 of its guaranteed <org>, <victims> of <size> run in it: <case>
      Given the queues:
        | queue        | guaranteed |
        | root.org     | <org>      |
        | root.org.p   | <p>        |
        | root.org.p.a | 1 vcore    |
        | root.org.p.b |            |
      And a node "n1" with 4 vcore
      And the allocations:
        | allocation | queue        | resources | on | count     |
        | b          | root.org.p.b | <size>    | n1 | <victims> |
      And "a" asks in root.org.p.a for <asks>
      When 1h passes
      Then <number> allocations are preempted

      Examples:
        | case                                     | org     | p       | size    | victims | asks    | number |
        | 4 - 2 + 1 is below 4                     |         | 4 vcore | 2 vcore | 2       | 1 vcore | 0      |
        | further up it counts as well             | 4 vcore |         | 2 vcore | 2       | 1 vcore | 0      |
        | 4 - 2 + 1 is not below 3                 | 3 vcore | 3 vcore | 2 vcore | 2       | 1 vcore | 1      |
        | 4 - 2 + 2 is not below 4                 | 4 vcore | 4 vcore | 2 vcore | 2       | 2 vcore | 1      |
        | 4 - 1 + 1 is not below 4                 | 4 vcore | 4 vcore | 1 vcore | 4       | 1 vcore | 1      |
        | a queue below its guaranteed may stay so | 5 vcore | 5 vcore | 1 vcore | 4       | 1 vcore | 1      |
        | but not sink                             | 5 vcore | 5 vcore | 2 vcore | 2       | 1 vcore | 0      |

  Rule: only victims of one node count together

    Scenario: two nodes with half of what is needed are not enough
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And a node "n3" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on | priority |
        | t1         | root.test | 1 vcore   | n1 |          |
        | t2         | root.test | 1 vcore   | n2 |          |
        | high       | root.test | 1 vcore   | n3 | 1        |
        | t3         | root.test | 1 vcore   | n3 |          |
      And "p" asks in root.prod for 2 vcore
      When 1h passes
      Then no allocation is preempted

    Scenario: victims of several queues may
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
        | root.dev  |            |
      And a node "n1" with 2 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
        | d          | root.dev  | 1 vcore   | n1 |
      And "p" asks in root.prod for 2 vcore
      When 30s pass
      Then the preemption decisions are:
        | id | for | node | queue     |
        | t  | p   | n1   | root.test |
        | d  | p   | n1   | root.dev  |
`;export{e as default};