Feature: Asks take the surplus of elastic gangs without a guarantee

  Members beyond those that a gang needs, if it gives gang_max, may be taken by any ask that has waited for its delay, unless it is a surplus ask
  itself. So one gang does not keep others from starting by growing.

  Background: no queue has a guarantee, and an elastic gang of two has four members
    Given the queues:
      | queue  | preemption.delay |
      | root.a | 10s              |
      | root.b |                  |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore

  Rule: surplus is taken by the right surplus

    Background:
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 2        | 4        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 2        | 4        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 2        | 4        |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 2        | 4        |

    Scenario: by an ask of another queue, after its delay
      Given "x" asks in root.a for 1 vcore
      When 9s pass
      Then no allocation is preempted
      When 1s passes
      Then the preemption decisions are:
        | id | for | node | right   | gang | gang ended |
        | w4 | x   | n2   | surplus | g    |            |

    Scenario: by an ask of the own queue
      Given "x" asks in root.b for 1 vcore
      When 30s pass
      Then the preemption decisions are:
        | id | for | node | right   |
        | w4 | x   | n2   | surplus |

    Scenario: as much as the surplus, on one node
      Given "x" asks in root.a for 2 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | right   |
        | w3 | x   | n2   | surplus |
        | w4 | x   | n2   | surplus |

    Scenario: not more
      Given "x" asks in root.a for 2 vcore
      And "y" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "w3" and "w4" on "n2"
      When 60s pass
      Then "y" waits
      And no allocation is preempted

    Scenario: by a gang that waits, for all of its members
      Given an application "job" in root.a
      And "job" asks "j1" and "j2" in gang "h" of at least 2 for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | right   |
        | w3 | j1  | n2   | surplus |
        | w4 | j1  | n2   | surplus |

    Scenario: a higher priority is never taken
      Given an application "low" in root.a
      And the asks:
        | ask | application | resources | priority |
        | x   | low         | 1 vcore   | -1       |
      When 60s pass
      Then no allocation is preempted

    Scenario: not by asks that preempt nothing
      Given an application "polite" in root.a
      And the asks:
        | ask | application | resources | preempts others |
        | x   | polite      | 1 vcore   | no              |
      When 60s pass
      Then no allocation is preempted

    Scenario: not by surplus asks
      Given an application "job" in root.a
      And the asks:
        | ask | application | resources | gang | gang min | gang max |
        | j1  | job         | 1 vcore   | h    | 1        | 3        |
        | j2  | job         | 1 vcore   | h    | 1        | 3        |
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | right   |
        | w4 | j1  | n2   | surplus |
      When "w4" is released
      And 60s pass
      Then "j2" waits
      And no allocation is preempted

    @explain
    Scenario: the explanation says why
      Given "x" asks in root.a for 1 vcore
      Then the preemption of ask "x" is explained by:
        | verdict | preempts |
        | kind    | surplus  |
        | victims | w4       |

    @snapshot
    Scenario: after a restart
      Given "x" asks in root.a for 1 vcore
      When the scheduler is restored from a snapshot
      And 10s pass
      Then "x" preempts "w4" on "n2"

  Rule: what is no elastic surplus stays

    Scenario Outline: <cause>
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max | gang disruption |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | <min>    | <max>    | <disruption>    |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | <min>    | <max>    | <disruption>    |
      And "x" asks in root.a for 1 vcore
      When 60s pass
      Then no allocation is preempted

      Examples:
        | cause                              | min | max | disruption |
        | the gang needs all of its members  | 2   | 3   |            |
        | the gang gives no largest size     | 1   |     |            |
        | the gang runs whole or not at all  | 1   | 2   | whole      |
        | each member is a victim for itself | 1   | 2   | member     |

  Rule: laws other than law 4 hold

    Scenario: a guarantee keeps the surplus of its queue
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a |            | 10s              |
        | root.b | 4 vcore    |                  |
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 1        | 2        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 1        | 2        |
      And "x" asks in root.a for 1 vcore
      When 60s pass
      Then no allocation is preempted

    Scenario: a fence keeps asks inside
      Given the queues:
        | queue  | preemption.policy | preemption.delay |
        | root.a | fence             | 10s              |
        | root.b |                   |                  |
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 1        | 2        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 1        | 2        |
      And "x" asks in root.a for 1 vcore
      When 60s pass
      Then no allocation is preempted

    Scenario: switches of preemption by guarantees do not count
      Given the queues:
        | queue  | preemption.policy | preemption.delay |
        | root.a | disabled          | 10s              |
        | root.b | disabled          |                  |
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 1        | 2        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 1        | 2        |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "w2" on "n2"

    Scenario: the property preemption.surplus keeps the surplus of a queue
      Given the queues:
        | queue  | preemption.surplus | preemption.delay |
        | root.a |                    | 10s              |
        | root.b | disabled           |                  |
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 1        | 2        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 1        | 2        |
      And "x" asks in root.a for 1 vcore
      When 60s pass
      Then no allocation is preempted

  Rule: it is tried before other rights, and counts among their victims

    Background: a queue with a guarantee
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b |            |                  |

    Scenario: surplus that alone is enough goes before a lower priority
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max | priority |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 1        | 2        | 0        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 1        | 2        | 0        |
        | low        | single      | root.b | 2 vcore   | n2 |      |          |          | -5       |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | right   |
        | w2 | x   | n1   | surplus |

    Scenario: where it alone is not enough, fewest victims that are none
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang max | priority |
        | w1         | train       | root.b | 500m vcore | n1 | g    | 1        | 2        | 0        |
        | w2         | train       | root.b | 500m vcore | n1 | g    | 1        | 2        | 0        |
        | one        | single      | root.b | 1 vcore   | n1 |      |          |          | 0        |
        | s1         | single      | root.b | 1 vcore   | n2 |      |          |          | -5       |
        | s2         | single      | root.b | 1 vcore   | n2 |      |          |          | -5       |
      And "x" asks in root.a for 1500m vcore
      When 10s pass
      Then the preemption decisions are:
        | id  | for | node | right     |
        | w2  | x   | n1   | guarantee |
        | one | x   | n1   | guarantee |

    Scenario: without elastic surplus the lowest priority comes first
      Given the allocations:
        | allocation | application | queue  | resources  | on | gang | gang min | gang max | priority |
        | w1         | train       | root.b | 500m vcore | n1 | g    | 2        | 2        | 0        |
        | w2         | train       | root.b | 500m vcore | n1 | g    | 2        | 2        | 0        |
        | one        | single      | root.b | 1 vcore    | n1 |      |          |          | 0        |
        | s1         | single      | root.b | 1 vcore    | n2 |      |          |          | -5       |
        | s2         | single      | root.b | 1 vcore    | n2 |      |          |          | -5       |
      And "x" asks in root.a for 1500m vcore
      When 10s pass
      Then "x" preempts "s1" and "s2" on "n2"
