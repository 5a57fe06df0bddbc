Feature: Levels of attributes

  An ask may name an attribute of nodes instead of a level: attribute:NAME is the first level of the topology that has the attribute. If there
  is none, a level is made for it, whose domains are the nodes with equal values of that attribute alone.

  Background: racks lie in blocks, and models of processors do not
    Given the configuration:
      """
      partitions:
      - topology:
        - {level: block, attribute: block}
        - {level: rack, attribute: rack}
        queues:
        - name: root
          queues:
          - {name: a}
      """
    And the nodes:
      | node | capacity | attributes                      |
      | n1   | 1 vcore  | rack=r1                         |
      | n2   | 1 vcore  | block=b1, rack=r1, model=old    |
      | n3   | 1 vcore  | block=b1, rack=r1, model=new    |
      | n4   | 1 vcore  | block=b2, rack=r1, model=new    |
      | n5   | 1 vcore  | model=old, vendor=x             |
      | n6   | 1 vcore  | block=b2, model=older, vendor=x |
    And an application "x" in root.a

  Rule: an attribute that the topology has names the level

    Scenario: a node with a rack but no block is in no rack
      When the asks:
        | ask | application | resources | topology required |
        | a   | x           | 1 vcore   | attribute:rack    |
      Then "a" is allocated on "n2"

  Rule: a level that is made lies in none, and none lies in it

    Scenario: a gang lands in one domain across blocks
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 2        | attribute:model   | 2     |
      Then "m-1" is allocated on "n3"
      And "m-2" is allocated on "n4"

    Scenario: gangs of two attributes with overlapping domains
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | v   | x           | 1 vcore   | v    | 2        | attribute:vendor  | 2     |
        | m   | x           | 1 vcore   | m    | 2        | attribute:model   | 2     |
      Then "v-1" is allocated on "n5"
      And "v-2" is allocated on "n6"
      And "m-1" is allocated on "n3"
      And "m-2" is allocated on "n4"

    Scenario: of nodes without the attribute, a single ask that prefers it takes the first
      When the asks:
        | ask | application | resources | topology preferred | count |
        | a   | x           | 1 vcore   | attribute:vendor   | 3     |
      Then "a-1" is allocated on "n5"
      And "a-2" is allocated on "n6"
      And "a-3" is allocated on "n1"

    Scenario: slices of the level of an attribute do not exist
      When the asks:
        | ask | application | resources | gang | gang min | topology slice    |
        | m   | x           | 1 vcore   | g    | 2        | 2 attribute:model |
      Then "m" is rejected because of unknown-level

  Rule: an attribute that no node has keeps asks waiting

    Scenario: until a node gets it
      Given the asks:
        | ask | application | resources | topology required |
        | a   | x           | 1 vcore   | attribute:zone    |
      And the cycle runs
      When node "n4" is updated with attributes zone=z1
      Then "a" is allocated on "n4"

    @snapshot
    Scenario: after a snapshot
      Given the asks:
        | ask | application | resources | topology required |
        | a   | x           | 1 vcore   | attribute:zone    |
      And the cycle runs
      And the scheduler is restored from a snapshot
      When node "n4" is updated with attributes zone=z1
      Then "a" is allocated on "n4"

  Rule: a reload keeps the levels of attributes that asks name

    Scenario: the topology loses the level, and the attribute alone counts
      Given the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 3        | attribute:rack    | 3     |
      And the cycle runs
      When the configuration:
        """
        partitions:
        - queues:
          - name: root
            queues:
            - {name: a}
        """
      Then "m-1" is allocated on "n1"
      And "m-2" is allocated on "n2"
      And "m-3" is allocated on "n3"

    Scenario: the topology gets a level with the attribute
      Given the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 3        | attribute:model   | 3     |
      And the cycle runs
      When the configuration:
        """
        partitions:
        - topology: [{level: model, attribute: vendor}]
          queues:
          - name: root
            queues:
            - {name: a}
        """
      And node "n3" is updated with attributes model=old
      Then "m-1" is allocated on "n2"
      And "m-2" is allocated on "n3"
      And "m-3" is allocated on "n5"
