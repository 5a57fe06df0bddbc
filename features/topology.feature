Feature: Topology

  A partition may have a topology: levels, from the widest to the narrowest, each named after an attribute of nodes. The domain of a node
  at a level is its values of the attributes down to that level. Asks name the level of the domain that they need.

  Background: two racks and a node in none
    Given the configuration:
      """
      partitions:
      - topology:
        - {level: block, attribute: zone}
        - {level: rack, attribute: example.com/rack}
        queues:
        - name: root
          queues:
          - {name: a}
      """
    And the nodes:
      | node | capacity | attributes                   |
      | a0   | 4 vcore  |                              |
      | b0   | 4 vcore  | example.com/rack=r1          |
      | c0   | 4 vcore  | zone=z1                      |
      | r1-1 | 2 vcore  | zone=z1, example.com/rack=r1 |
      | r1-2 | 2 vcore  | zone=z1, example.com/rack=r1 |
      | r2-1 | 2 vcore  | zone=z1, example.com/rack=r2 |
    And an application "x" in root.a

  Rule: a level that an ask names must exist

    Scenario Outline: a level that the topology does not have
      When the asks:
        | ask | application | resources | topology required | topology preferred |
        | a   | x           | 1 vcore   | <required>        | <preferred>        |
      Then the decisions are:
        | type         | id | app | reason        |
        | ask.rejected | a  | x   | unknown-level |

      Examples:
        | required         | preferred |
        | row              |           |
        |                  | row       |
        | Rack             |           |
        | example.com/rack |           |

    Scenario: the level node always exists
      When the asks:
        | ask | application | resources | topology required |
        | a   | x           | 1 vcore   | node              |
      Then "a" is allocated on "a0"

  Rule: members of a gang name the same level

    Scenario Outline: a member with another level is rejected
      Given the asks:
        | ask | application | resources | gang | gang min | topology required |
        | a   | x           | 1 vcore   | g    | 2        | rack              |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology preferred |
        | b   | x           | 1 vcore   | g    | 2        | <required>        | <preferred>        |
      Then "b" is rejected because of gang-mismatch
      And "a" waits

      Examples:
        | required | preferred |
        |          |           |
        | block    |           |
        |          | rack      |
        | row      |           |

  Rule: a single ask with a required level lands on a node that has a domain at that level

    Scenario Outline: a node in no domain of the level is passed over
      When the asks:
        | ask | application | resources | topology required |
        | a   | x           | 1 vcore   | <level>           |
      Then "a" is allocated on "<node>"

      Examples: a rack without a block is no domain
        | level | node |
        | node  | a0   |
        | block | c0   |
        | rack  | r1-1 |

    Scenario: no node of a domain has room
      When the asks:
        | ask | application | resources | topology required |
        | a   | x           | 3 vcore   | rack              |
      Then "a" waits

    Scenario: a node gets a domain
      Given the asks:
        | ask | application | resources | topology required |
        | a   | x           | 3 vcore   | rack              |
      And the cycle runs
      When node "a0" is updated with attributes zone=z2, example.com/rack=r1
      Then "a" is allocated on "a0"

  Rule: a single ask with a preferred level takes the nodes with a domain at that level first, then those with a wider one, then others

    Scenario: the narrowest domain with room
      When the asks:
        | ask | application | resources | topology preferred |
        | a   | x           | 2 vcore   | rack               |
        | b   | x           | 3 vcore   | rack               |
        | c   | x           | 3 vcore   | rack               |
        | d   | x           | 3 vcore   | rack               |
        | e   | x           | 2 vcore   | node               |
      Then "a" is allocated on "r1-1"
      And "b" is allocated on "c0"
      And "c" is allocated on "a0"
      And "d" is allocated on "b0"
      And "e" is allocated on "r1-2"

  Rule: a reload that changes the topology changes the domains

    Scenario: another attribute
      Given the asks:
        | ask | application | resources | topology required |
        | a   | x           | 3 vcore   | rack              |
      And the cycle runs
      When the configuration:
        """
        partitions:
        - topology: [{level: rack, attribute: example.com/rack}]
          queues:
          - name: root
            queues:
            - {name: a}
        """
      Then "a" is allocated on "b0"

    Scenario: a level that is gone has no domains
      Given the asks:
        | ask | application | resources | topology required |
        | a   | x           | 3 vcore   | rack              |
      And the cycle runs
      When the configuration:
        """
        partitions:
        - queues:
          - name: root
            queues:
            - {name: a}
        """
      And the asks:
        | ask | application | resources | topology required |
        | b   | x           | 1 vcore   | rack              |
      Then "b" is rejected because of unknown-level
      And "a" waits
