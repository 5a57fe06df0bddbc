Feature: Slices of gangs

  The members of a gang may be divided into slices of equal size, in the order of the asks. Each slice lands in one domain of a level, which
  lies below the level that the gang requires or prefers as a whole.

  Background: two blocks with two racks each
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

  Rule: the level of slices exists, lies below that of the gang, and gang_min is a multiple of their size

    Background:
      Given a node "n1" with 8 vcore

    Scenario Outline: <slice> of a gang of <min> with level <required>
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | m   | x           | 1 vcore   | g    | <min>    | <required>        | <slice>        |
      Then the decisions are:
        | type         | id | app | reason   |
        | ask.rejected | m  | x   | <reason> |

      Examples:
        | min | required | slice   | reason        |
        | 4   |          | 2 row   | unknown-level |
        | 4   | rack     | 2 row   | unknown-level |
        | 4   | row      | 2 rack  | unknown-level |
        | 4   | rack     | 2 rack  | unknown-level |
        | 4   | rack     | 2 block | unknown-level |
        | 4   | node     | 2 node  | unknown-level |
        | 4   | block    | 3 rack  | gang-mismatch |
        | 4   |          | 8 node  | gang-mismatch |

    Scenario Outline: a member with other slices is rejected
      Given the asks:
        | ask | application | resources | gang | gang min | topology slice |
        | a   | x           | 1 vcore   | g    | 4        | 2 rack         |
      When the asks:
        | ask | application | resources | gang | gang min | topology slice |
        | b   | x           | 1 vcore   | g    | 4        | <slice>        |
      Then "b" is rejected because of gang-mismatch

      Examples:
        | slice  |
        |        |
        | 4 rack |
        | 2 node |

  Rule: each slice lands in one domain

    Scenario: two racks hold a slice each, although one holds three members
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 3 vcore  | block=b1, rack=r1 |
        | n2   | 2 vcore  | block=b1, rack=r2 |
        | n3   | 1 vcore  | block=b1, rack=r3 |
        | n4   | 9 vcore  |                   |
      When the asks:
        | ask | application | resources | gang | gang min | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | 2 rack         | 4     |
      Then "m-1" and "m-2" are allocated on "n1"
      And "m-3" and "m-4" are allocated on "n2"

    Scenario: enough room, but not for whole slices
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 3 vcore  | block=b1, rack=r1 |
        | n2   | 1 vcore  | block=b1, rack=r2 |
        | n3   | 1 vcore  | block=b1, rack=r2 |
        | n4   | 9 vcore  |                   |
      And the asks:
        | ask | application | resources | gang | gang min | topology slice | count |
        | m   | x           | 1 vcore   | g    | 6        | 3 rack         | 6     |
      And the cycle runs
      And "m-1" and "m-6" wait
      When node "n3" is updated with capacity 2 vcore
      Then "m-1", "m-2" and "m-3" are allocated on "n1"
      And "m-4" is allocated on "n2"
      And "m-5" and "m-6" are allocated on "n3"

    Scenario: slices on single nodes
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 3 vcore  | block=b1, rack=r1 |
        | n2   | 1 vcore  | block=b1, rack=r1 |
        | n3   | 3 vcore  | block=b1, rack=r2 |
        | n4   | 2 vcore  | block=b1, rack=r2 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | rack              | 2 node         | 4     |
      Then "m-1" and "m-2" are allocated on "n3"
      And "m-3" and "m-4" are allocated on "n4"

    Scenario: slices of different sizes fit one assignment only
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 6 vcore  | block=b1, rack=r1 |
        | n2   | 3 vcore  | block=b1, rack=r2 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | a   | x           | 1 vcore   | g    | 4        | block             | 2 rack         |
        | b   | x           | 1 vcore   | g    | 4        | block             | 2 rack         |
        | c   | x           | 3 vcore   | g    | 4        | block             | 2 rack         |
        | d   | x           | 3 vcore   | g    | 4        | block             | 2 rack         |
      Then "a" and "b" are allocated on "n2"
      And "c" and "d" are allocated on "n1"

    Scenario: a member that fits no node is passed over
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 2 vcore  | block=b1, rack=r1 |
        | n2   | 2 vcore  | block=b1, rack=r2 |
      When the asks:
        | ask | application | resources | gang | gang min | topology slice |
        | a   | x           | 1 vcore   | g    | 4        | 2 rack         |
        | b   | x           | 9 vcore   | g    | 4        | 2 rack         |
        | c   | x           | 1 vcore   | g    | 4        | 2 rack         |
        | d   | x           | 1 vcore   | g    | 4        | 2 rack         |
        | e   | x           | 1 vcore   | g    | 4        | 2 rack         |
      Then "a" and "c" are allocated on "n1"
      And "d" and "e" are allocated on "n2"
      And "b" waits

  Rule: the room of a domain is a number of slices

    Scenario: of the blocks that take the gang, the one with room for the fewest slices
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 3 vcore  | block=b1, rack=r1 |
        | n2   | 3 vcore  | block=b1, rack=r2 |
        | n3   | 3 vcore  | block=b1, rack=r3 |
        | n4   | 4 vcore  | block=b2, rack=r1 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | block             | 2 rack         | 4     |
      Then "m-1", "m-2", "m-3" and "m-4" are allocated on "n4"

    Scenario: a slice that is left does not count
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 5 vcore  | block=b1, rack=r1 |
        | n2   | 4 vcore  | block=b2, rack=r1 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | block             | 2 rack         | 5     |
      Then "m-1", "m-2", "m-3" and "m-4" are allocated on "n1"
      And "m-5" is allocated on "n1"

    Scenario: slices of a block are dealt out to the roomiest racks, and the last to the tightest
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 4 vcore  | block=b1, rack=r1 |
        | n2   | 6 vcore  | block=b1, rack=r2 |
        | n3   | 2 vcore  | block=b1, rack=r3 |
        | n4   | 3 vcore  | block=b1, rack=r4 |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice | count |
        | m   | x           | 1 vcore   | g    | 8        | block             | 2 rack         | 8     |
      Then "m-1", "m-2", "m-3", "m-4", "m-5" and "m-6" are allocated on "n2"
      And "m-7" and "m-8" are allocated on "n3"

    Scenario: a preferred level gives way, but slices stay together
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 2 vcore  | block=b1, rack=r1 |
        | n2   | 3 vcore  | block=b2, rack=r1 |
        | n3   | 9 vcore  |                   |
      When the asks:
        | ask | application | resources | gang | gang min | topology preferred | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | block              | 2 rack         | 5     |
      Then "m-1" and "m-2" are allocated on "n1"
      And "m-3" and "m-4" are allocated on "n2"
      And "m-5" is allocated on "n2"

  Rule: later members fill the slices in order

    Background: the slices are on n1 and n2
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 2 vcore  | block=b1, rack=r1 |
        | n2   | 2 vcore  | block=b1, rack=r2 |
        | n3   | 8 vcore  | block=b1, rack=r3 |
        | n4   | 9 vcore  | block=b1, rack=r4 |
        | n5   | 9 vcore  | block=b2, rack=r1 |
      And node "n3" is drained
      And node "n4" is drained
      And the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | block             | 2 rack         | 4     |
      And the cycle runs
      And node "n3" is resumed
      And node "n4" is resumed

    Scenario: a repair waits for the domain of the slice that lacks a member
      When "m-1" fails
      And the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | r   | x           | 2 vcore   | g    | 4        | block             | 2 rack         |
      And the cycle runs
      And "r" waits
      And node "n1" is updated with capacity 3 vcore
      Then "r" is allocated on "n1"

    Scenario: the first slice that lacks a member comes first
      When "m-1" and "m-3" fail
      And the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | r   | x           | 1 vcore   | g    | 4        | block             | 2 rack         |
        | s   | x           | 1 vcore   | g    | 4        | block             | 2 rack         |
      Then "r" is allocated on "n1"
      And "s" is allocated on "n2"

    Scenario: a slice without members may have another domain
      When "m-1" and "m-2" fail
      And node "n1" is drained
      And the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | r   | x           | 2 vcore   | g    | 4        | block             | 2 rack         |
        | s   | x           | 7 vcore   | g    | 4        | block             | 2 rack         |
      And the cycle runs
      Then "r" is allocated on "n3"
      And "s" waits

    Scenario: a member that succeeded is not missing
      When "m-1" is released
      And "m-3" fails
      And the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | r   | x           | 1 vcore   | g    | 4        | block             | 2 rack         |
      Then "r" is allocated on "n2"

    Scenario: surplus makes further slices in the domain of the gang
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | s   | x           | 5 vcore   | g    | 4        | block             | 2 rack         |
        | t   | x           | 4 vcore   | g    | 4        | block             | 2 rack         |
        | u   | x           | 4 vcore   | g    | 4        | block             | 2 rack         |
      Then "s" is allocated on "n3"
      And "u" is allocated on "n4"
      And "t" waits

    Scenario: restored members make slices by their domains
      Given the nodes:
        | node | capacity | attributes        |
        | n6   | 3 vcore  | block=b3, rack=r1 |
        | n7   | 3 vcore  | block=b3, rack=r2 |
      And the allocations:
        | allocation | application | resources | on | gang | gang min | topology required | topology slice |
        | o-1        | x           | 1 vcore   | n6 | h    | 4        | block             | 2 rack         |
        | o-2        | x           | 1 vcore   | n7 | h    | 4        | block             | 2 rack         |
        | o-3        | x           | 1 vcore   | n7 | h    | 4        | block             | 2 rack         |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | o-4 | x           | 1 vcore   | h    | 4        | block             | 2 rack         |
      Then "o-4" is allocated on "n6"

    Scenario: a slice outside of the level that the gang requires
      Given a node "n6" with 3 vcore
      And the allocations:
        | allocation | application | resources | on | gang | gang min | topology required | topology slice |
        | o-1        | x           | 1 vcore   | n6 | h    | 2        | block             | 2 node         |
      When the asks:
        | ask | application | resources | gang | gang min | topology required | topology slice |
        | o-2 | x           | 1 vcore   | h    | 2        | block             | 2 node         |
      Then "o-2" waits

  Rule: victims leave the slices together

    Scenario: a rack on which a slice fits, and another one
      Given the configuration:
        """
        partitions:
        - topology:
          - {level: rack, attribute: rack}
          queues:
          - name: root
            queues:
            - {name: a, resources: {guaranteed: {vcore: 8}}}
            - {name: b}
        """
      And the nodes:
        | node | capacity | attributes |
        | n1   | 3 vcore  | rack=r1    |
        | n2   | 3 vcore  | rack=r2    |
      And an application "y" in root.b
      And the allocations:
        | allocation | application | resources | on |
        | y-1        | y           | 1 vcore   | n1 |
        | y-2        | y           | 1 vcore   | n1 |
        | y-3        | y           | 1 vcore   | n2 |
        | y-4        | y           | 1 vcore   | n2 |
      When the asks:
        | ask | application | resources | gang | gang min | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | 2 rack         | 4     |
      And 31s pass
      Then the preemption decisions are:
        | type       | id  | for | node |
        | preemption | y-2 | m-1 | n1   |
        | preemption | y-4 | m-3 | n2   |
      When "y-2" and "y-4" are released
      Then "m-1" and "m-2" are allocated on "n1"
      And "m-3" and "m-4" are allocated on "n2"

  Rule: what a gang accumulates is whole slices

    Scenario: room for one slice
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 2 vcore  | block=b1, rack=r1 |
        | n2   | 2 vcore  | block=b1, rack=r2 |
      And an application "stream" in root.a
      And the asks:
        | ask | application | resources | count |
        | e   | stream      | 1 vcore   | 4     |
      And the cycle runs
      And the asks:
        | ask | application | resources | gang | gang min | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | 2 rack         | 4     |
      And the cycle runs
      When 61s pass
      And "stream" asks "s1" for 1 vcore
      And "e-1" is released
      Then "s1" is allocated on "n1"
      When "e-3" is released
      Then there is no reservation decision
      When "stream" asks "s2" for 1 vcore
      And "s1" and "e-2" are released
      Then the reservation decisions are:
        | id  | node | gang |
        | m-1 | n1   | g    |
        | m-2 | n1   | g    |
      And "s2" is allocated on "n2"
      When "s2" and "e-4" are released
      Then "m-1" and "m-2" are allocated on "n1"
      And "m-3" and "m-4" are allocated on "n2"

  Rule: a snapshot keeps the slices

    @snapshot
    Scenario: a repair after a restart
      Given the nodes:
        | node | capacity | attributes        |
        | n1   | 2 vcore  | block=b1, rack=r1 |
        | n2   | 2 vcore  | block=b1, rack=r2 |
        | n3   | 8 vcore  | block=b1, rack=r3 |
      And node "n3" is drained
      And the asks:
        | ask | application | resources | gang | gang min | topology slice | count |
        | m   | x           | 1 vcore   | g    | 4        | 2 rack         | 4     |
      And the cycle runs
      And node "n3" is resumed
      And "m-1" is released
      And "m-3" fails
      And the scheduler is restored from a snapshot
      When the asks:
        | ask | application | resources | gang | gang min | topology slice |
        | r   | x           | 2 vcore   | g    | 4        | 2 rack         |
      And the cycle runs
      And "r" waits
      And node "n1" is updated with capacity 3 vcore
      And the cycle runs
      And "r" waits
      And node "n2" is updated with capacity 3 vcore
      Then "r" is allocated on "n2"
