var e=`Feature: No ask starves below a lower priority

  In a full cluster an ask does not fit the total, and reserves nothing: the order of the walk decides who gets what becomes
  free. But once a lower priority has been allocated after the ask was due, the ask may still reserve.

  Background: the cluster is full of small tasks
    Given the queues:
      | queue      | max     |
      | root.org   | 4 vcore |
      | root.org.a |         |
      | root.b     |         |
    And a node "n1" with 2 vcore
    And an application "stream" in root.b
    And "stream" has "s1", "s2" for 1 vcore restored on "n1"

  Rule: it reserves once a lower priority was allocated after it was due

    Scenario: priority 5 behind a stream of small asks of priority 0
      Given "big" asks in root.org.a for 2 vcore with priority 5
      And "stream" asks "s3", "s4", "s5", "s6" for 1 vcore
      And 3s pass
      And the cycle runs
      When "s1" is released
      Then the decisions are:
        | type        | id  | node |
        | release     | s1  |      |
        | allocation  | s3  | n1   |
        | reservation | big | n1   |
      When 1s passes
      And "s2" is released
      Then nothing is allocated
      When "s3" is released
      Then "big" is allocated on "n1"
      And "s4" waits

    Scenario: the same before it was due is no reason
      Given "big" asks in root.org.a for 2 vcore with priority 5
      And "stream" asks "s3" for 1 vcore
      And 1999ms pass
      And "s1" is released
      And the cycle runs
      When 1h passes
      Then there is no reservation decision

    Scenario: at the very instant is
      Given "big" asks in root.org.a for 2 vcore with priority 5
      And 2s pass
      And "stream" asks "s3" for 1 vcore
      When "s1" is released
      Then the reservation decisions are:
        | id  | node |
        | big | n1   |

    Scenario Outline: effective priorities count, as root sees them: offset <offset>, of its parent <above>
      Given the queues:
        | queue      | priority.offset | priority.policy |
        | root.org   | <above>         | <fence>         |
        | root.org.a | <offset>        |                 |
        | root.b     | 3               |                 |
      And "big" asks in root.org.a for 2 vcore with priority 5
      And "stream" asks "s3" for 1 vcore
      And 3s pass
      When "s1" is released
      Then the nodes show:
        | node | reserved |
        | n1   | <holder> |

      Examples:
        | offset | above | fence | holder |
        |        |       |       | big    |
        | -1     |       |       | big    |
        | -2     |       |       | none   |
        |        | -2    |       | none   |
        |        | 4     | fence | big    |
        | 9      | 3     | fence | none   |

    Scenario: what counts is its priority now and the other's when it was allocated
      Given "big" asks in root.org.a for 2 vcore
      And "stream" asks "s3" for 1 vcore
      And 3s pass
      And "s1" is released
      And the cycle runs
      When ask "big" now has priority 1
      Then the reservation decisions are:
        | id  | node |
        | big | n1   |

    Scenario: an update does not restart the wait
      Given "big" asks in root.org.a for 1500m vcore with priority 5
      And 1s passes
      And ask "big" now needs 2 vcore and has priority 6
      And 1s passes
      And "stream" asks "s3" for 1 vcore
      When "s1" is released
      Then the reservation decisions are:
        | id  | node |
        | big | n1   |

    Scenario: a restored allocation overtakes no ask
      Given "big" asks in root.org.a for 2 vcore with priority 5
      And 3s pass
      When "s1" is released
      And "stream" has "s3" for 1 vcore restored on "n1"
      Then there is no reservation decision

  Rule: nothing but the cluster's total is left out

    Background: big was overtaken by s3
      Given "big" asks in root.org.a for 2 vcore with priority 5
      And "stream" asks "s3" for 1 vcore
      And 3s pass

    Scenario Outline: a max of its queues still bars it: <max>
      Given the queues:
        | queue      | max   |
        | root.org   | <max> |
        | root.org.a |       |
        | root.b     |       |
      When "s1" is released
      Then the nodes show:
        | node | reserved |
        | n1   | <holder> |

      Examples:
        | max         | holder |
        | 1999m vcore | none   |
        | 2 vcore     | big    |

    Scenario: reservations that are switched off stay so
      Given the queues:
        | queue      | reservation.delay |
        | root       | 0s                |
        | root.org.a |                   |
        | root.b     |                   |
      When "s1" is released
      And 1h passes
      Then there is no reservation decision

    Scenario: it is let in for itself alone
      Given a node "n2" with 2 vcore
      And "stream" has "t" for 2 vcore restored on "n2"
      And "plain" asks in root.b for 2 vcore
      When "s1" is released
      And 10s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n1   |

    Scenario: the total still bars the allocation
      Given a node "n2" with 1 vcore
      And "stream" has "over" for 2 vcore restored on "n2"
      And "s1" is released
      And "s2" is released
      And the cycle runs
      When "s3" is released
      Then "big" waits
      When "over" is released
      Then "big" is allocated on "n1"

    @snapshot
    Scenario: a snapshot knows who was overtaken
      Given "s1" is released
      And the cycle runs
      And ask "big" now has priority -1
      And 30s pass
      And the cycle runs
      And the scheduler is restored from a snapshot
      And 30s pass
      And "big2" asks in root.org.a for 2 vcore
      And node "n1" is updated with capacity 3 vcore
      And "stream" asks "s4" for 1 vcore
      And the cycle runs
      When ask "big" now has priority 1
      Then the reservation decisions are:
        | id  | node |
        | big | n1   |
`;export{e as default};