Feature: Sets of gangs

  Gangs of one application may belong to a set, of which some start together: the workers and the parameter servers of a training, say. Once
  the set has started, its other gangs are placed like any other.

  Background:
    Given the configuration:
      """
      partitions:
      - topology:
        - {level: rack, attribute: rack}
        nodesortpolicy: {type: binpacking}
        queues:
        - name: root
          queues:
          - {name: a}
          - {name: b, resources: {guaranteed: {vcore: 8}}}
      """
    And an application "x" in root.a

  Rule: all gangs of a set give the same minimum

    Scenario Outline: a member of a gang with set "<set>"
      Given the asks:
        | ask | application | resources | gang | gang min | gang set |
        | a   | x           | 1 vcore   | g    | 1        | s 2      |
      When the asks:
        | ask | application | resources | gang   | gang min | gang set |
        | b   | x           | 1 vcore   | <gang> | 1        | <set>    |
      Then "b" is rejected because of gang-mismatch

      Examples:
        | gang | set |
        | g    |     |
        | g    | t 2 |
        | g    | s 1 |
        | h    | s 3 |

  Rule: as many gangs as the set needs start together

    Scenario: the first gang waits for the second
      Given a node "n1" with 4 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang set | count |
        | g   | x           | 1 vcore   | g    | 2        | s 2      | 2     |
      And the cycle runs
      And "g-1" and "g-2" wait
      When the asks:
        | ask | application | resources | gang | gang min | gang set | count |
        | h   | x           | 1 vcore   | h    | 2        | s 2      | 2     |
      Then the decisions are:
        | type       | id  | node | reason            |
        | allocation | g-1 | n1   |                   |
        | allocation | g-2 | n1   |                   |
        | allocation | h-1 | n1   |                   |
        | allocation | h-2 | n1   |                   |
        | app.state  | x   |      | first-allocation  |
        | app.state  | x   |      | second-allocation |

    Scenario: a gang that does not fit in addition is passed over
      Given a node "n1" with 4 vcore
      When the asks:
        | ask | application | resources | gang | gang min | gang set | count |
        | f   | x           | 5 vcore   | f    | 1        | s 2      | 1     |
        | g   | x           | 1 vcore   | g    | 2        | s 2      | 2     |
        | h   | x           | 3 vcore   | h    | 1        | s 2      | 1     |
        | i   | x           | 1 vcore   | i    | 2        | s 2      | 2     |
      Then "g-1" and "g-2" are allocated on "n1"
      And "i-1" and "i-2" are allocated on "n1"
      And "f-1" and "h-1" wait

    Scenario: room for one gang only
      Given a node "n1" with 3 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang set | count |
        | g   | x           | 1 vcore   | g    | 2        | s 2      | 2     |
        | h   | x           | 1 vcore   | h    | 2        | s 2      | 2     |
      And the cycle runs
      And "g-1" and "h-2" wait
      When node "n1" is updated with capacity 4 vcore
      Then "g-1" and "g-2" are allocated on "n1"
      And "h-1" and "h-2" are allocated on "n1"

    Scenario: each gang lands in the domain of its level
      Given the nodes:
        | node | capacity | attributes |
        | n1   | 3 vcore  | rack=r1    |
        | n2   | 2 vcore  | rack=r2    |
      When the asks:
        | ask | application | resources | gang | gang min | gang set | topology required | count |
        | g   | x           | 1 vcore   | g    | 2        | s 2      | rack              | 2     |
        | h   | x           | 1 vcore   | h    | 3        | s 2      | rack              | 3     |
      Then "g-1" and "g-2" are allocated on "n2"
      And "h-1", "h-2" and "h-3" are allocated on "n1"

    Scenario: a max that bars the second gang
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
      And a node "n1" with 8 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang set | count |
        | g   | x           | 1 vcore   | g    | 2        | s 2      | 2     |
        | h   | x           | 1 vcore   | h    | 2        | s 2      | 2     |
      And the cycle runs
      And "g-1" and "h-2" wait
      When the queues:
        | queue  | max     |
        | root.a | 4 vcore |
      Then "g-1" and "g-2" are allocated on "n1"
      And "h-1" and "h-2" are allocated on "n1"

  Rule: once a set has started, its other gangs wait for themselves

    Scenario: a third gang
      Given a node "n1" with 6 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang set |
        | g   | x           | 1 vcore   | g    | 1        | s 2      |
        | h   | x           | 1 vcore   | h    | 1        | s 2      |
      And the cycle runs
      When "g" and "h" are released
      And the asks:
        | ask | application | resources | gang | gang min | gang set |
        | i   | x           | 1 vcore   | i    | 1        | s 2      |
      Then "i" is allocated on "n1"

    Scenario: a restored member has started the set
      Given a node "n1" with 6 vcore
      And the allocations:
        | allocation | application | resources | on | gang | gang min | gang set |
        | g          | x           | 1 vcore   | n1 | g    | 1        | s 2      |
      When the asks:
        | ask | application | resources | gang | gang min | gang set |
        | i   | x           | 1 vcore   | i    | 1        | s 2      |
      Then "i" is allocated on "n1"

    @snapshot
    Scenario: a snapshot keeps that it has started, and that it has not
      Given a node "n1" with 6 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang set |
        | g   | x           | 1 vcore   | g    | 1        | s 2      |
        | h   | x           | 1 vcore   | h    | 1        | s 2      |
        | k   | x           | 1 vcore   | k    | 1        | t 2      |
      And the cycle runs
      And the scheduler is restored from a snapshot
      When "g" and "h" are released
      And the asks:
        | ask | application | resources | gang | gang min | gang set |
        | i   | x           | 1 vcore   | i    | 1        | s 2      |
      Then "i" is allocated on "n1"
      And "k" waits

  Rule: a set that waits neither preempts nor accumulates room

    Scenario: a queue under its guarantee
      Given a node "n1" with 2 vcore
      And the asks:
        | ask | application | resources | count |
        | a   | x           | 1 vcore   | 2     |
      And the cycle runs
      And an application "y" in root.b
      When the asks:
        | ask | application | resources | gang | gang min | gang set |
        | g   | y           | 1 vcore   | g    | 1        | s 2      |
        | h   | y           | 1 vcore   | h    | 1        | s 2      |
      And 40s pass
      Then no allocation is preempted
      And "g" and "h" wait

  Rule: explanations

    Scenario: too few gangs, and too few that fit
      Given a node "n1" with 3 vcore
      And the asks:
        | ask | application | resources | gang | gang min | gang set | count |
        | g   | x           | 1 vcore   | g    | 2        | s 2      | 2     |
        | h   | x           | 1 vcore   | h    | 2        | s 2      | 1     |
      Then ask "g-1" is explained by:
        | reasons  | gang-set-incomplete     |
        | gang set | s 2, complete 1, fits 1 |
      And ask "h-1" is explained by:
        | reasons | gang-incomplete |
      And the preemption of ask "g-1" is explained by:
        | verdict | waits-for-set |
      When the asks:
        | ask | application | resources | gang | gang min | gang set |
        | h-2 | x           | 1 vcore   | h    | 2        | s 2      |
      Then ask "g-1" is explained by:
        | reasons  | gang-set-does-not-fit   |
        | gang set | s 2, complete 2, fits 1 |
