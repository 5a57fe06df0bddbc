var e=`Feature: Which nodes an ask may use

  Rule: an ask with a required node goes there or nowhere

    Background:
      Given a node "n1" with 4 vcore
      And a node "n2" with 4 vcore

    Scenario: it goes there although another comes first
      When the asks:
        | ask    | queue        | resources | node |
        | daemon | root.default | 1 vcore   | n2   |
      Then "daemon" is allocated on "n2"

    Scenario: it waits when that node is full
      Given the asks:
        | ask    | queue        | resources | node |
        | filler | root.default | 4 vcore   | n2   |
      When the asks:
        | ask    | queue        | resources | node |
        | daemon | root.default | 1 vcore   | n2   |
      Then "daemon" waits
      When "filler" is released
      Then "daemon" is allocated on "n2"

    Scenario: it waits while that node is drained
      Given node "n2" is drained
      When the asks:
        | ask    | queue        | resources | node |
        | daemon | root.default | 1 vcore   | n2   |
      Then "daemon" waits
      When node "n2" is resumed
      Then "daemon" is allocated on "n2"

    Scenario: it waits for a node that is yet to come
      When the asks:
        | ask    | queue        | resources | node |
        | daemon | root.default | 1 vcore   | n3   |
      Then "daemon" waits
      When a node "n3" with 1 vcore
      Then "daemon" is allocated on "n3"

    Scenario: its attributes still count
      Given node "n2" is updated with attributes zone=a
      When the asks:
        | ask    | queue        | resources | node | constraints |
        | daemon | root.default | 1 vcore   | n2   | zone=b      |
      Then "daemon" waits

  Rule: every attribute that an ask names is present with one of the values

    Scenario Outline: <constraints> on a node with <attributes>: <where>
      Given the nodes:
        | node | capacity | attributes   |
        | n1   | 4 vcore  | <attributes> |
      When the asks:
        | ask | queue        | resources | constraints   |
        | a   | root.default | 1 vcore   | <constraints> |
      Then the asks show:
        | ask | node    |
        | a   | <where> |

      Examples:
        | attributes       | constraints          | where |
        | zone=a           | zone=a               | n1    |
        | zone=b           | zone=a               | none  |
        | zone=b           | zone=a\\|b            | n1    |
        | zone=c           | zone=a\\|b            | none  |
        | nothing          | zone=a               | none  |
        | zone=a           | nothing              | n1    |
        | zone=a, gpu=t4   | zone=a, gpu=t4\\|v100 | n1    |
        | zone=a, gpu=a100 | zone=a, gpu=t4\\|v100 | none  |
        | zone=a           | zone=a, gpu=t4       | none  |
        | zone=A           | zone=a               | none  |

    Scenario: the best of the nodes that match
      Given the nodes:
        | node | capacity | occupied | attributes |
        | n1   | 10 vcore |          | zone=a     |
        | n2   | 10 vcore | 5 vcore  | zone=b     |
        | n3   | 10 vcore | 4 vcore  | zone=b     |
      When the asks:
        | ask | queue        | resources | constraints |
        | a   | root.default | 1 vcore   | zone=b      |
      Then "a" is allocated on "n3"

    Scenario: an ask that no node suits delays no other
      Given the nodes:
        | node | capacity | attributes |
        | n1   | 1 vcore  | zone=a     |
      When the asks:
        | ask   | queue        | resources | constraints |
        | picky | root.default | 1 vcore   | zone=b      |
        | plain | root.default | 1 vcore   |             |
      Then "plain" is allocated
      And "picky" waits

    Scenario: attributes that change let an ask in
      Given a node "n1" with 4 vcore
      And the asks:
        | ask | queue        | resources | constraints |
        | a   | root.default | 1 vcore   | zone=b      |
      When node "n1" is updated with attributes zone=b
      Then "a" is allocated on "n1"

    Scenario: attributes that change leave what runs there
      Given the nodes:
        | node | capacity | attributes |
        | n1   | 4 vcore  | zone=b     |
      And the asks:
        | ask | queue        | resources | constraints |
        | a   | root.default | 1 vcore   | zone=b      |
      When node "n1" is updated with attributes nothing
      Then "a" is allocated on "n1"
      And there is no release decision

  Rule: a node takes an ask that has room in every type it needs

    Scenario Outline: <needs> on a node with 2 vcore and 2 memory left: <where>
      Given the nodes:
        | node | capacity          | occupied          |
        | n1   | 4 vcore, 4 memory | 1 vcore, 1 memory |
      And no node has "gpu"
      And "there" asks in root.default for 1 vcore, 1 memory
      When "a" asks in root.default for <needs>
      Then the asks show:
        | ask | node    |
        | a   | <where> |

      Examples:
        | needs             | where |
        | 2 vcore, 2 memory | n1    |
        | 2001m vcore       | none  |
        | 1 vcore, 3 memory | none  |
        | 2 memory          | n1    |
        | 2 vcore, 1 gpu    | none  |

    Scenario: a type that is over-committed does not matter to an ask without it
      Given a node "n1" with 4 vcore, 4 memory
      And "there" asks in root.default for 4 memory
      And the cycle runs
      And node "n1" is updated with capacity 4 vcore, 1 memory
      When "cores" asks in root.default for 1 vcore
      And "bytes" asks in root.default for 1 memory
      Then "cores" is allocated on "n1"
      And "bytes" waits
`;export{e as default};