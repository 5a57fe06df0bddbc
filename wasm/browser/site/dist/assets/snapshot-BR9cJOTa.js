var e=`@snapshot
Feature: A scheduler restored from a snapshot goes on as if nothing had happened

  Background:
    Given the queues:
      | queue  | max     | guaranteed | priority.offset | application.sort.policy | maxapplications |
      | root.a | 9 vcore | 2 vcore    | 5               | fair                    | 3               |
      | root.b |         |            |                 | stateaware              |                 |
    And nodes are sorted by binpacking
    And the nodes:
      | node | capacity | occupied | attributes |
      | n1   | 4 vcore  |          | zone=a     |
      | n2   | 4 vcore  | 1 vcore  | zone=b     |

  Rule: what there is stays

    Scenario: nodes, queues, applications and asks
      Given "a" asks in root.a for 2 vcore with priority 7
      And the cycle runs
      And node "n1" is drained
      And "waiting" asks in root.a for 9 vcore with priority 3
      When the scheduler is restored from a snapshot
      Then nothing is decided
      And the queues show:
        | queue  | used    | guaranteed | max     | pending | priority | running | maxapplications | sort | fair share |
        | root.a | 2 vcore | 2 vcore    | 9 vcore | 9 vcore | 8        | 1       | 3               | fair | 100 %      |
      And the nodes show:
        | node | capacity | occupied | attributes | schedulable | used    | allocations |
        | n1   | 4 vcore  | nothing  | zone=a     | no          | nothing | none        |
        | n2   | 4 vcore  | 1 vcore  | zone=b     | yes         | 2 vcore | a           |
      And the applications show:
        | application | state    | priority |
        | a           | Starting | none     |
        | waiting     | Accepted | 3        |

    Scenario: a draining queue still drains
      Given "b" asks in root.b for 1 vcore
      And the cycle runs
      And the queues:
        | queue  | max     |
        | root.a | 9 vcore |
      When the scheduler is restored from a snapshot
      And application "b" is removed
      Then the decisions include:
        | type        | queue  | to      |
        | queue.state | root.b | stopped |

  Rule: what is to come comes at its time

    Scenario: timers of applications
      Given "b" asks in root.b for 1 vcore
      And 4m pass
      When the scheduler is restored from a snapshot
      And 1m passes
      Then the decisions are:
        | type      | at | id | to      |
        | app.state | 5m | b  | Running |

    Scenario: reservations, their end and the ban of the leaf
      Given the asks:
        | ask | application | queue  | resources | node |
        | f1  | fill        | root.b | 2 vcore   | n1   |
        | f2  | fill        | root.b | 1 vcore   | n2   |
      And the cycle runs
      And "big" asks in root.a for 3 vcore
      And 2s pass
      When the scheduler is restored from a snapshot
      And 30s pass
      Then the decisions are:
        | type          | at  | id  | node |
        | unreservation | 32s | big | n2   |
      When the scheduler is restored from a snapshot
      And node "n1" is updated with capacity 4500m vcore
      And 40s pass
      Then the decisions are:
        | type        | at   | id  | node |
        | reservation | 1m2s | big | n1   |

    Scenario: an ask that waits is placed when it can be
      Given "b" asks in root.b for 5 vcore
      When the scheduler is restored from a snapshot
      And a node "n3" with 5 vcore
      Then "b" is allocated on "n3"

  Rule: orders are as they were

    Scenario: applications by submission, the one that is Starting before all others
      Given "one" asks in root.b for 1 vcore
      And the cycle runs
      And "two", "three" ask in root.b for 1 vcore
      When the scheduler is restored from a snapshot
      And "one" asks "more" for 1 vcore
      Then "more", "two" are allocated in this order

    Scenario: asks by submission, also after an update
      Given an application "app" in root.b
      And node "n1" is drained
      And node "n2" is drained
      And "app" asks "x", "y" for 1 vcore
      And ask "x" now needs 2 vcore
      When the scheduler is restored from a snapshot
      And node "n1" is resumed
      Then "x", "y" are allocated in this order
`;export{e as default};