Feature: Planned starts, queues and limits

  Plans count the headroom of the cluster, of queues and of limits over time. Who waits for something other than room has no plan, and
  nobody waits for it.

  Rule: the headroom of a queue counts over time

    Background:
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
        | root.b |         |
      And a node "n1" with 8 vcore
      And backfill has depth all
      And the asks:
        | ask | queue  | resources | walltime |
        | run | root.a | 2 vcore   | 1h       |

    Scenario: it starts when the queue has headroom
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 1h       |
      Then the plan decisions are:
        | id   | start | node |
        | wide | 1h    | n1   |

    @one-instant
    Scenario: an ask of the queue that leaves in time goes first
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 3 vcore   | 1h       |
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 1h       |
      Then "small" is allocated

    Scenario: an ask of the queue that does not waits, although the node has room
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 3 vcore   | 1h       |
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 61m      |
      Then "small" waits
      And the plan decisions are:
        | id    | start |
        | small | 2h    |

    Scenario: asks of other queues need not wait for it
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 3 vcore   | 1h       |
      When "other" asks in root.b for 5 vcore
      Then "other" is allocated

    Scenario: a max that grows moves it earlier
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 1h       |
      And 10m pass
      When the queues:
        | queue  | max     |
        | root.a | 4 vcore |
        | root.b |         |
      Then "wide" is allocated

    Scenario: a max that falls moves it later
      Given the asks:
        | ask  | queue  | resources | walltime |
        | slow | root.a | 1 vcore   | 3h       |
        | wide | root.a | 2 vcore   | 1h       |
      When the queues:
        | queue  | max     |
        | root.a | 2 vcore |
        | root.b |         |
      Then the plan decisions are:
        | id   | start | reason   |
        | wide | 3h    | capacity |

  Rule: a number as depth counts those that lack room on nodes

    Background:
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
        | root.b |         |
      And a node "n1" with 8 vcore
      And backfill has depth 1
      And the asks:
        | ask | queue  | resources | walltime |
        | run | root.a | 3 vcore   | 1h       |

    Scenario: one that lacks nothing but headroom of its queue has no plan
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 3 vcore   | 1h       |
      Then there is no plan decision

    Scenario: and none of the places
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 3 vcore   | 1h       |
      When the asks:
        | ask | queue  | resources | walltime |
        | big | root.b | 6 vcore   | 1h       |
      Then the plan decisions are:
        | id  | start |
        | big | 1h    |

    Scenario: one that lacks both has
      Given the asks:
        | ask  | queue  | resources | walltime |
        | most | root.b | 4 vcore   | 2h       |
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 3 vcore   | 1h       |
      Then the plan decisions are:
        | id   | start |
        | wide | 1h    |

  Rule: limits of users and groups count over time

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And the limits:
        | queue  | users | max     |
        | root.a | *     | 3 vcore |
      And a node "n1" with 4 vcore
      And backfill has depth all

    Scenario: who is barred by a limit now has no plan
      Given "run" asks in root.a as user "ann" for 3 vcore
      When "more" asks in root.a as user "ann" for 1 vcore
      Then "more" waits
      And there is no plan decision

    Scenario: and nobody waits for it
      Given "run" asks in root.a as user "ann" for 3 vcore
      And "more" asks in root.a as user "ann" for 1 vcore
      When "other" asks in root.a as user "bob" for 1 vcore
      Then "other" is allocated

    Scenario: two planned asks of a user follow one another
      Given the asks:
        | ask | queue  | user | resources | walltime |
        | run | root.a | cy   | 3 vcore   | 1h       |
      When the asks:
        | ask | queue  | user | resources | walltime |
        | one | root.a | ann  | 2 vcore   | 1h       |
        | two | root.a | ann  | 2 vcore   | 1h       |
        | bob | root.a | bob  | 2 vcore   | 1h       |
      Then the plan decisions are:
        | id  | start |
        | one | 1h    |
        | two | 2h    |
        | bob | 1h    |

  Rule: the order of queues is that in which the walk would allocate

    Scenario: a plan counts as usage for the order of the next
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 4 vcore
      And backfill has depth all
      And the asks:
        | ask | queue  | resources | walltime |
        | run | root.b | 1 vcore   | 1h       |
        | own | root.a | 1 vcore   | 1h       |
      When the asks:
        | ask | queue  | resources | walltime |
        | a1  | root.a | 4 vcore   | 1h       |
        | a2  | root.a | 4 vcore   | 1h       |
        | b1  | root.b | 4 vcore   | 1h       |
      Then the plan decisions are:
        | id | start |
        | a1 | 1h    |
        | b1 | 2h    |
        | a2 | 3h    |

  Rule: each partition has its own plans

    Scenario: of two partitions, one plans
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And backfill has depth 1 in partition "gpu"
      And the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  |           |
        | g1   | 4 vcore  | gpu       |
      And the asks:
        | ask  | queue  | resources | walltime | partition |
        | run  | root.a | 3 vcore   | 1h       |           |
        | grun | root.a | 3 vcore   | 1h       | gpu       |
      When the asks:
        | ask   | queue  | resources | walltime | partition |
        | wide  | root.a | 3 vcore   | 1h       |           |
        | gwide | root.a | 3 vcore   | 1h       | gpu       |
      Then the plan decisions are:
        | id    | start | node |
        | gwide | 1h    | g1   |
