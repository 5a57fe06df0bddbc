var e=`Feature: Moving a gang to another queue

  Placeholders, their timeout and the asks that wait for them move with the application. The new queue must be one in
  which a gang may run.

  Background:
    Given the queues:
      | queue     | max     | application.sort.policy | maxapplications |
      | root.a    |         |                         |                 |
      | root.b    | 4 vcore | stateaware              | 1               |
      | root.fair |         | fair                    |                 |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And a gang "train" in root.a with placeholders for 4 vcore and a timeout of 1m

  Scenario: a leaf that sorts by fair refuses a gang
    When application "train" is moved to root.fair
    Then the app.move of "train" is ignored because of gang-sort-policy

  Scenario: placeholders count in the new queue
    Given "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
    And the cycle runs
    When application "train" is moved to root.b
    Then the queues show:
      | queue  | used    |
      | root.a | nothing |
      | root.b | 4 vcore |

  Scenario: the move is refused if the placeholders exceed the max of the new queue
    Given "train" asks placeholders "h1", "h2" and "h3" of group "workers" for 2 vcore
    And the cycle runs
    When application "train" is moved to root.b
    Then the app.move of "train" is ignored because of headroom

  Scenario: an Accepted gang with an allocated placeholder needs a place in the new queue
    Given "web" asks in root.b for 1 vcore
    And the cycle runs
    And "train" asks placeholder "h1" of group "workers" for 2 vcore
    And the cycle runs
    When application "train" is moved to root.b
    Then the app.move of "train" is ignored because of max-applications

  Scenario: a gang without allocations needs no place there
    Given "web" asks in root.b for 1 vcore
    And the cycle runs
    And "train" asks placeholder "h1" of group "workers" for 9 vcore
    When application "train" is moved to root.b
    Then the app.moved decisions are:
      | id    | from   | to     |
      | train | root.a | root.b |

  Scenario: the placeholder timeout continues
    Given "train" asks placeholder "h1" of group "workers" for 2 vcore
    And 50s pass
    And application "train" is moved to root.b
    When 9s pass
    Then there is no placeholder.timeout decision
    When 1s passes
    Then the placeholder.timeout decisions are:
      | id |
      | h1 |

  Scenario: a leaving placeholder is still replaced by the same task
    Given "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
    And the cycle runs
    And "train" asks "t1" of group "workers" for 2 vcore
    And the cycle runs
    And application "train" is moved to root.b
    When "h1" is released
    Then "t1" is allocated on "n1"
    And the queues show:
      | queue  | used    |
      | root.b | 4 vcore |

  Scenario: the kept nodes of an atomic gang lapse together
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 8 vcore    | 10s              |
      | root.b |            |                  |
    And the asks:
      | ask | application | queue  | resources | count |
      | o   | other       | root.b | 2 vcore   | 4     |
    And the cycle runs
    And an application "mpi" in root.a
    And "mpi" asks "x" and "y" in gang "g" of at least 2 for 4 vcore
    And 10s pass
    And the cycle runs
    When application "mpi" is moved to root.b
    Then the preemption.lapsed decisions are:
      | for | node | reason |
      | x   | n1   | moved  |
      | y   | n2   | moved  |

  Scenario: the timeout of a waiting atomic gang continues
    Given an application "mpi" in root.a
    And the asks:
      | ask | application | resources | gang | gang min | gang timeout |
      | x   | mpi         | 2 vcore   | g    | 2        | 20s          |
    And 10s pass
    And application "mpi" is moved to root.b
    When 10s pass
    Then "x" is rejected because of gang-timeout
`;export{e as default};