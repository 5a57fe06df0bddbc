@modules
Feature: Policy modules that read the topology

  Columns tell a module the domain of a node, what the nodes of the domain have free, and how many asks fit there. They
  follow each allocation, so that a module may fill racks one by one or spread over them.

  Rule: what a domain has free decides between the domains

    Background: r1 has 8 vcore free, r2 and its drained node 7
      Given module "rack-free" is dropped in
      And the configuration:
        """
        partitions:
        - nodesortpolicy: {type: rack-free}
          topology: [{level: block, attribute: zone}, {level: rack, attribute: rack}]
          queues: [{name: root, queues: [{name: a}]}]
        """
      And the nodes:
        | node | capacity | occupied | attributes       |
        | n1   | 4 vcore  |          | zone=z1, rack=r1 |
        | n2   | 4 vcore  |          | zone=z1, rack=r1 |
        | n3   | 4 vcore  | 1 vcore  | zone=z1, rack=r2 |
        | n4   | 4 vcore  |          | zone=z1, rack=r2 |
        | n5   | 9 vcore  |          | zone=z1, rack=r2 |
        | n6   | 9 vcore  |          | zone=z2          |
      And node "n5" is drained
      And an application "x" in root.a

    Scenario: the emptiest rack first, and equal ones by the IDs of their nodes
      When "x" asks "1", "2", "3" for 1 vcore
      Then the allocation decisions are:
        | id | node |
        | 1  | n1   |
        | 2  | n1   |
        | 3  | n3   |

    Scenario: the fullest rack first, until it is full
      Given module "rack-free" is dropped in with the settings:
        """toml
        [parameters]
        sign = -1
        """
      When "x" asks "1", "2", "3" for 4 vcore
      Then the allocation decisions are:
        | id | node |
        | 1  | n6   |
        | 2  | n6   |
        | 3  | n4   |

    Scenario: a restored scheduler goes on alike
      Given "x" asks "1", "2" for 1 vcore
      When the scheduler is restored from a snapshot
      And "x" asks "3" for 1 vcore
      Then "3" is allocated on "n3"

    Scenario: the level is a setting
      Given module "rack-free" is dropped in with the settings:
        """toml
        [parameters]
        level = "block"
        """
      When "x" asks "1" for 1 vcore
      Then "1" is allocated on "n1"

    Scenario: a node in no domain has the default
      When "x" asks "1" for 9 vcore
      Then "1" is allocated on "n6"

    Scenario: a node that moves takes what it has free along
      Given node "n2" is updated with attributes zone=z1, rack=r2
      When "x" asks "1" for 1 vcore
      Then "1" is allocated on "n2"

  Rule: how many asks of the shape fit decides, not what is free

    Scenario: asks for 2 vcore fit twice in r1 and three times in r2
      Given module "rack-fits" is dropped in
      And module "rack-fits" is not refused
      And the configuration:
        """
        partitions:
        - nodesortpolicy: {type: rack-fits}
          topology: [{level: rack, attribute: rack}]
          queues: [{name: root, queues: [{name: a}]}]
        """
      And the nodes:
        | node | capacity | attributes |
        | n1   | 3 vcore  | rack=r1    |
        | n2   | 3 vcore  | rack=r1    |
        | n3   | 4 vcore  | rack=r2    |
        | n4   | 2 vcore  | rack=r2    |
      And an application "x" in root.a
      When the asks:
        | ask | application | resources | topology required |
        | 1   | x           | 2 vcore   | rack              |
        | 2   | x           | 2 vcore   | rack              |
        | 3   | x           | 2 vcore   | rack              |
      Then the allocation decisions are:
        | id | node |
        | 1  | n3   |
        | 2  | n1   |
        | 3  | n3   |

  Rule: a filter may name a domain by its values down to the level

    Scenario: racks with the same name in two zones are two domains
      Given module "one-rack" is dropped in
      And the configuration:
        """
        partitions:
        - topology: [{level: block, attribute: zone}, {level: rack, attribute: rack}]
          queues: [{name: root, queues: [{name: a}]}]
        """
      And the nodes:
        | node | capacity | attributes       |
        | n1   | 4 vcore  | zone=z1, rack=r1 |
        | n2   | 4 vcore  | rack=r2          |
        | n3   | 4 vcore  | zone=z2, rack=r2 |
        | n4   | 4 vcore  | zone=z1, rack=r2 |
      When "x" asks in root.a for 4 vcore
      And "y" asks in root.a for 4 vcore
      Then "x" is allocated on "n4"
      And "y" waits
