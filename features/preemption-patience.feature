Feature: Patience with victims

  An ask that preempted waits for its victims to leave. If they have not all left after 30 seconds, the ask may land on any other
  node that takes it, in its turn in the walk. Its own node is then free again.

  Background: p takes u of n2, which does not leave
    Given the queues:
      | queue     | guaranteed | max     |
      | root.prod | 2 vcore    | 2 vcore |
      | root.test |            |         |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And the allocations:
      | allocation | queue     | resources | on |
      | t          | root.test | 2 vcore   | n1 |
      | u          | root.test | 2 vcore   | n2 |
    And "p" asks in root.prod for 2 vcore
    And 30s pass
    Then the preemption decisions are:
      | at  | id | for | node |
      | 30s | u  | p   | n2   |

  Rule: after 30 seconds the ask goes elsewhere

    Scenario: at 30 seconds, not before
      When 10s pass
      And a node "n3" with 2 vcore
      And 19999ms pass
      Then nothing is allocated
      When 1ms passes
      Then the decisions are:
        | type              | at  | id | for | node | reason           | to       |
        | allocation        | 60s | p  |     | n3   |                  |          |
        | preemption.lapsed | 60s |    | p   | n2   | landed-elsewhere |          |
        | app.state         | 60s | p  |     |      | first-allocation | Starting |

    Scenario: when room comes later
      Given 1h passes
      When "t" is released
      Then "p" is allocated on "n1"
      And the nodes show:
        | node | kept |
        | n2   | none |

    Scenario: its own node, as long as that comes first
      Given 1h passes
      When "u" and "t" are released
      Then "p" is allocated on "n2"

    Scenario: a victim that leaves in time ends the wait
      When "u" is released
      Then "p" is allocated on "n2"

    Scenario: the victim leaves nevertheless
      Given 30s pass
      And "t" is released
      And the cycle runs
      When "u" is released
      Then the release decisions are:
        | id | reason    |
        | u  | preempted |

    Scenario: what it leaves is open to others at once
      Given 30s pass
      And "other" asks in root.test for 1 vcore
      And a node "n3" with 3 vcore
      Then "p" and "other" are allocated on "n3"

  Rule: it waits for its turn as any other ask

    Scenario: an ask that comes before it in the walk is placed first
      Given the queues:
        | queue     | guaranteed | max     | priority.offset |
        | root.prod | 2 vcore    | 2 vcore |                 |
        | root.test |            |         | 9               |
      And 30s pass
      And "first" asks in root.test for 2 vcore
      When a node "n3" with 2 vcore
      Then "first" is allocated on "n3"
      And "p" waits

    Scenario: an ask that comes after it is placed later
      Given 30s pass
      And "later" asks in root.test for 2 vcore
      When a node "n3" with 2 vcore
      Then "p" is allocated on "n3"
      And "later" waits

    Scenario: a node that is reserved for another stays so
      Given the queues:
        | queue     | guaranteed | max     |
        | root.prod | 2 vcore    | 2 vcore |
        | root.test |            |         |
        | root.more |            |         |
      And a node "n3" with 2 vcore, 1 gpu
      And the asks:
        | ask | application | queue     | resources      | node |
        | v   | v           | root.test | 1 vcore, 1 gpu | n3   |
      And "big" asks in root.more for 2 vcore, 1 gpu
      And 2s pass
      And 28s pass
      When "v" is released
      Then "big" is allocated on "n3"
      And "p" waits

  Rule: root's preemption.patience sets the 30 seconds

    Scenario Outline: a patience of <patience>
      Given the queues:
        | queue     | guaranteed | max     | preemption.patience |
        | root      |            |         | <patience>          |
        | root.prod | 2 vcore    | 2 vcore |                     |
        | root.test |            |         |                     |
      And a node "n3" with 2 vcore
      When 60s pass
      Then the allocation decisions are:
        | at   | id | node |
        | <at> | p  | n3   |

      Examples:
        | patience | at  |
        | 10s      | 40s |
        | 1m       | 90s |
        | soon     | 60s |
        | -1s      | 60s |

    Scenario: a patience of 0s is none at all
      Given the queues:
        | queue     | guaranteed | max     | preemption.patience |
        | root      |            |         | 0s                  |
        | root.prod | 2 vcore    | 2 vcore |                     |
        | root.test |            |         |                     |
      When a node "n3" with 2 vcore
      Then the allocation decisions are:
        | at  | id | node |
        | 30s | p  | n3   |

    Scenario: one that is too long for the clock never ends
      Given the queues:
        | queue     | guaranteed | max     | preemption.patience |
        | root      |            |         | 2562047h            |
        | root.prod | 2 vcore    | 2 vcore |                     |
        | root.test |            |         |                     |
      And a node "n3" with 2 vcore
      When 1000h pass
      Then nothing is allocated

  Rule: members of gangs and asks with a required node wait for their nodes

    Scenario: a required node
      Given the asks:
        | ask | application | queue     | resources | node | priority |
        | ds  | ds          | root.test | 2 vcore   | n1   | 9        |
      And the cycle runs
      And 1h passes
      When a node "n3" with 4 vcore
      Then "ds" waits
