@explain
Feature: Why a gang with a level waits

  Background:
    Given the configuration:
      """
      partitions:
      - topology: [{level: rack, attribute: rack}]
        queues:
        - name: root
          queues:
          - {name: a}
      """
    And the nodes:
      | node | capacity | attributes |
      | n1   | 2 vcore  | rack=r1    |
      | n2   | 2 vcore  | rack=r1    |
      | n3   | 2 vcore  | rack=r2    |
      | n4   | 2 vcore  | rack=r2    |
      | n5   | 2 vcore  | rack=r2    |
      | n6   | 8 vcore  |            |
    And the allocations:
      | allocation | application | queue  | resources | on |
      | t1         | train       | root.a | 1 vcore   | n1 |
      | t2         | train       | root.a | 2 vcore   | n2 |
      | t3         | train       | root.a | 1 vcore   | n4 |
      | t4         | train       | root.a | 1 vcore   | n5 |
      | s5         | serve       | root.a | 1 vcore   | n5 |
    And an application "x" in root.a

  Rule: for the domains of the level, it tells how many members fit, and which applications take the others' nodes

    Scenario: no rack has room
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 2 vcore   | g    | 3        | rack              | 3     |
      Then ask "m-1" is explained by:
        | reasons      | gang-does-not-fit                                                      |
        | gang fits    | 1                                                                      |
        | gang barred  | m-2                                                                    |
        | gang domains | r2: 1 of 3 (n5: serve) (n4: train); r1: 0 of 3 (n1, n2: train) |

    Scenario: a preferred level
      When the asks:
        | ask | application | resources | gang | gang min | topology preferred | count |
        | m   | x           | 2 vcore   | g    | 6        | rack               | 6     |
      Then ask "m-1" is explained by:
        | reasons   | gang-does-not-fit |
        | gang fits | 5                 |

    Scenario: a member that waits for the domain of its gang
      Given the asks:
        | ask | application | resources | gang | gang min | topology required |
        | m   | x           | 2 vcore   | g    | 1        | rack              |
      And the cycle runs
      When the asks:
        | ask | application | resources | gang | gang min | topology required |
        | o   | x           | 2 vcore   | g    | 1        | rack              |
      Then ask "o" is explained by:
        | reasons    | no-node-fits                                                |
        | nodes      | 3 constraint rack, 3 full vcore |
