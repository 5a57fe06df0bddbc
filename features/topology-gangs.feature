Feature: Gangs in domains

  The members of a gang with a required level land in one domain of that level. Of the domains that take the most of its pending members,
  it is the one with the least room, so that whole racks stay whole.

  Background:
    Given the configuration:
      """
      partitions:
      - topology:
        - {level: block, attribute: block}
        - {level: rack, attribute: rack}
        nodesortpolicy: {type: binpacking}
        queues:
        - name: root
          queues:
          - {name: a, resources: {max: {gpu: 6}}}
      """
    And an application "x" in root.a

  Rule: the first members of a gang land in one domain of the required level

    Scenario: of the racks that take the gang, the one with the least room
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 4 vcore  | block=b1, rack=r1 |
        | n2   | 4 vcore  | block=b1, rack=r1 |
        | n3   | 2 vcore  | block=b1, rack=r2 |
        | n4   | 2 vcore  | block=b1, rack=r2 |
        | n5   | 8 vcore  |                   |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 2 vcore   | g    | 2        | rack              | 2     |
      Then "m-1" is allocated on "n3"
      And "m-2" is allocated on "n4"

    Scenario: of equal racks, the first by name
      Given the nodes:
        | node | capacity | attributes         |
        | n1   | 4 vcore  | block=b2, rack=r0  |
        | n2   | 4 vcore  | block=b1, rack=r2  |
        | n3   | 4 vcore  | block=b1, rack=r10 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 2 vcore   | g    | 2        | rack              | 2     |
      Then "m-1" and "m-2" are allocated on "n3"

    Scenario: a rack that takes more of the pending members comes first
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 9 vcore  | block=b1, rack=r1 |
        | n2   | 4 vcore  | block=b1, rack=r2 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 2 vcore   | g    | 2        | rack              | 3     |
      Then "m-1", "m-2" and "m-3" are allocated on "n1"

    Scenario: racks together do not suffice
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 3 vcore  | block=b1, rack=r1 |
        | n2   | 3 vcore  | block=b1, rack=r2 |
      And the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 2 vcore   | g    | 2        | rack              | 2     |
      And the cycle runs
      And "m-1" and "m-2" wait
      When a node "n3" with 3 vcore
      And node "n3" is updated with attributes block=b1, rack=r2
      Then "m-1" is allocated on "n2"
      And "m-2" is allocated on "n3"

    Scenario: a headroom that is smaller than each rack
      Given the nodes:
        | node | capacity       | attributes        |
        | n1   | 4 vcore, 9 gpu | block=b1, rack=r1 |
        | n2   | 4 vcore, 8 gpu | block=b1, rack=r2 |
      When the asks:
        | ask | application | resources      | gang | gang min | topology required | count |
        | m   | x           | 1 vcore, 2 gpu | g    | 3        | rack              | 4     |
      Then "m-1", "m-2" and "m-3" are allocated on "n1"
      And "m-4" waits

    Scenario: the level node
      Given the nodes:
        | node | capacity | attributes |
        | n1   | 2 vcore  |            |
        | n2   | 5 vcore  |            |
        | n3   | 4 vcore  |            |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 2 vcore   | g    | 2        | node              | 2     |
      Then "m-1" and "m-2" are allocated on "n2"

    Scenario: members of several sizes, which fit one rack in another assignment only
      Given the nodes:
        | node | capacity       | attributes        |
        | n1   | 4 vcore       | block=b1, rack=r1 |
        | n2   | 3 vcore, 2 gpu | block=b1, rack=r2 |
        | n3   | 2 vcore       | block=b1, rack=r2 |
      When the asks:
        | ask | application | resources      | gang | gang min | topology required |
        | a   | x           | 1 vcore       | g    | 3        | rack              |
        | b   | x           | 1 vcore       | g    | 3        | rack              |
        | c   | x           | 3 vcore, 2 gpu | g    | 3        | rack              |
      Then "a" and "b" are allocated on "n3"
      And "c" is allocated on "n2"

  Rule: inside the domain, the next levels are chosen alike

    Scenario: a gang that requires a block lands in the tightest rack that takes it
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 6 vcore  | block=b1, rack=r1 |
        | n2   | 4 vcore  | block=b1, rack=r2 |
        | n3   | 2 vcore  | block=b1, rack=r3 |
        | n4   | 20 vcore | block=b2, rack=r1 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 2 vcore   | g    | 2        | block             | 2     |
      Then "m-1" and "m-2" are allocated on "n2"

    Scenario: a gang larger than a rack takes the roomiest racks, and at last the tightest that holds the rest
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 4 vcore  | block=b1, rack=r1 |
        | n2   | 6 vcore  | block=b1, rack=r2 |
        | n3   | 2 vcore  | block=b1, rack=r3 |
        | n4   | 3 vcore  | block=b1, rack=r4 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 8        | block             | 8     |
      Then "m-1", "m-2", "m-3", "m-4", "m-5" and "m-6" are allocated on "n2"
      And "m-7" and "m-8" are allocated on "n3"

    Scenario: nodes of the block that are in no rack come after its racks
      Given the nodes:
        | node | capacity | attributes        |
        | n0   | 5 vcore  | block=b1          |
        | n1   | 3 vcore  | block=b1, rack=r1 |
        | n2   | 2 vcore  | block=b1, rack=r2 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 6        | block             | 6     |
      Then "m-1", "m-2" and "m-3" are allocated on "n1"
      And "m-4", "m-5" and "m-6" are allocated on "n0"

  Rule: a preferred level gives way to wider ones, and then to all nodes

    Scenario Outline: <members> members
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 2 vcore  | block=b1, rack=r1 |
        | n2   | 3 vcore  | block=b1, rack=r2 |
        | n3   | 4 vcore  | block=b2, rack=r1 |
        | n4   | 2 vcore  |                   |
      When the asks:
        | ask | application | resources | gang | gang min  | topology preferred | count     |
        | m   | x           | 1 vcore   | g    | <members> | rack               | <members> |
      Then "m-1" is allocated on "<first>"
      And "m-<members>" is allocated on "<last>"

      Examples:
        | members | first | last |
        | 2       | n1    | n1   |
        | 4       | n3    | n3   |
        | 5       | n2    | n1   |
        | 6       | n2    | n3   |
        | 9       | n2    | n3   |
        | 11      | n2    | n4   |

  Rule: further members wait for the domain of those that are allocated

    Background:
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 2 vcore  | block=b1, rack=r1 |
        | n2   | 1 vcore  | block=b1, rack=r1 |
        | n3   | 4 vcore  | block=b1, rack=r2 |

    Scenario: a later member
      Given the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 3        | rack              | 3     |
        | o   | x           | 1 vcore   |      |          | node              | 1     |
      And the cycle runs
      When the asks:
        | ask | application | resources | gang | gang min | topology required |
        | m-4 | x           | 1 vcore   | g    | 3        | rack              |
      And the cycle runs
      And "m-4" waits
      And "m-2" is released
      Then "m-4" is allocated on "n1"

    Scenario: a member that fails is repaired in the domain
      Given the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 3        | rack              | 3     |
      And the cycle runs
      When "m-1" fails
      And the asks:
        | ask | application | resources | gang | gang min | topology required |
        | m-4 | x           | 2 vcore   | g    | 3        | rack              |
      And the cycle runs
      And "m-4" waits
      And node "n2" is updated with capacity 2 vcore
      And the cycle runs
      And "m-4" waits
      And node "n2" is updated with capacity 3 vcore
      Then "m-4" is allocated on "n2"

    Scenario: with no member left, the gang may land anywhere
      Given the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 3        | rack              | 3     |
      And the cycle runs
      And node "n1" is drained
      When "m-1", "m-2" and "m-3" fail
      And the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | o   | x           | 1 vcore   | g    | 3        | rack              | 3     |
      Then "o-1", "o-2" and "o-3" are allocated on "n3"

    Scenario: the domain follows the node of the first allocated member
      Given the asks:
        | ask | application | resources | gang | gang min | topology required | count |
        | m   | x           | 1 vcore   | g    | 3        | rack              | 3     |
      And the cycle runs
      When the asks:
        | ask | application | resources | gang | gang min | topology required |
        | m-4 | x           | 1 vcore   | g    | 3        | rack              |
      And the cycle runs
      And "m-4" waits
      And node "n1" is updated with attributes block=b1, rack=r2
      Then "m-4" is allocated on "n3"

    Scenario: a restored member makes the domain
      Given the allocations:
        | allocation | application | resources | on | gang | gang min | topology required |
        | m-1        | x           | 2 vcore   | n1 | g    | 2        | rack              |
      When the asks:
        | ask | application | resources | gang | gang min | topology required |
        | m-2 | x           | 2 vcore   | g    | 2        | rack              |
      Then "m-2" waits
