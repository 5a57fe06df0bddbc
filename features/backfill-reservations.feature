Feature: Planned starts, reservations, held nodes and preemption

  Plans take the place of ordinary reservations. Nodes that are held for asks that require them, and nodes kept for asks that preempted,
  stay, and plans count them. Preemption looks at no plan.

  Background:
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore
    And backfill has depth 1

  Rule: plans take the place of reservations

    Scenario: a planned ask reserves no node
      Given the asks:
        | ask | queue  | resources | walltime |
        | run | root.a | 3 vcore   | 1h       |
      And the cycle runs
      And the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      When 10s pass
      Then there is no reservation decision

    Scenario: an ask that no promised end makes room for reserves as ever
      Given a node "n2" with 3 vcore
      And "run" asks in root.a for 3 vcore
      And the cycle runs
      And "full" asks in root.a for 4 vcore
      When 2s pass
      Then the reservation decisions are:
        | at | id   | node |
        | 2s | full | n1   |
      And there is no plan decision

    Scenario: nobody is planned on a reserved node
      Given a node "n2" with 2 vcore
      And a node "n3" with 4 vcore
      And node "n3" is drained
      And the asks:
        | ask   | queue  | resources | walltime |
        | run   | root.a | 3 vcore   |          |
        | other | root.a | 2 vcore   | 1h       |
      And the cycle runs
      And "full" asks in root.a for 4 vcore
      And 2s pass
      When the asks:
        | ask  | queue  | resources | walltime |
        | late | root.a | 1 vcore   | 10m      |
      Then the plan decisions are:
        | id   | start | node |
        | late | 1h    | n2   |

    Scenario: the reservation ends when the ask gets a plan
      Given a node "n2" with 3 vcore
      And "run" asks in root.a for 3 vcore
      And the cycle runs
      And "full" asks in root.a for 4 vcore
      And 2s pass
      When "run" now has walltime 1h
      Then the decisions include:
        | type          | id   | start | reason  |
        | unreservation | full |       |         |
        | plan          | full | 1h    | planned |

    Scenario: with plans off, the ask reserves again
      Given a node "n2" with 3 vcore
      And the asks:
        | ask | queue  | resources | walltime |
        | run | root.a | 3 vcore   | 1h       |
      And the cycle runs
      And "full" asks in root.a for 4 vcore
      And 10s pass
      When backfill has depth 0
      Then the decisions include:
        | type        | id   | reason    |
        | reservation | full |           |
        | plan        | full | unplanned |

  Rule: held nodes count

    Scenario: an ask that requires its node gets no plan
      Given the asks:
        | ask | queue  | resources | walltime |
        | run | root.a | 4 vcore   | 1h       |
      And the cycle runs
      When the asks:
        | ask | queue  | resources | walltime | node | preempts others |
        | ds  | root.a | 1 vcore   | 1h       | n1   | no              |
      Then the reservation decisions are:
        | id | node |
        | ds | n1   |
      And there is no plan decision

    Scenario: plans follow the ask that the node is held for
      Given the asks:
        | ask | queue  | resources | walltime |
        | run | root.a | 4 vcore   | 1h       |
      And the cycle runs
      And the asks:
        | ask | queue  | resources | walltime | node | preempts others |
        | ds  | root.a | 1 vcore   | 30m      | n1   | no              |
      When the asks:
        | ask   | queue  | resources | walltime |
        | full  | root.a | 4 vcore   | 1h       |
      Then the plan decisions are:
        | id   | start |
        | full | 90m   |

    Scenario: a hold may take a plan its start
      Given the asks:
        | ask | queue  | resources | walltime |
        | run | root.a | 4 vcore   | 1h       |
      And the cycle runs
      And the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      When the asks:
        | ask | queue  | resources | walltime | node | preempts others |
        | ds  | root.a | 1 vcore   | 30m      | n1   | no              |
      Then the decisions include:
        | type        | id   | start | reason    |
        | reservation | ds   |       |           |
        | plan        | full | 90m   | outranked |

  Rule: preemption looks at no plan

    Background:
      Given the queues:
        | queue     | guaranteed | preemption.delay |
        | root.prod | 4 vcore    | 10s              |
        | root.test |            | 10s              |
      And the asks:
        | ask | queue     | resources | walltime |
        | run | root.test | 4 vcore   | 1h       |
      And the cycle runs

    Scenario: a planned ask preempts as ever
      Given the asks:
        | ask | queue     | resources | walltime |
        | web | root.prod | 4 vcore   | 1h       |
      When 10s pass
      Then "web" preempts "run" on "n1"
      And the plan decisions are:
        | id  | start |
        | web |       |

    Scenario: plans count the node that is kept for it, and then its walltime
      Given backfill has depth all
      And the asks:
        | ask | queue     | resources | walltime |
        | web | root.prod | 4 vcore   | 30m      |
      And 10s pass
      When the asks:
        | ask  | queue     | resources | walltime |
        | next | root.test | 4 vcore   | 1h       |
      Then the plan decisions are:
        | id   | start  |
        | next | 31m10s |

    Scenario: a plan that loses its room to it is outranked
      Given backfill has depth all
      And the asks:
        | ask  | queue     | resources | walltime |
        | web  | root.prod | 4 vcore   | 2h       |
        | next | root.test | 4 vcore   | 1h       |
      When "run" now has walltime 4h
      And 10s pass
      Then "web" preempts "run" on "n1"
