Feature: Planned starts behind allocations that stay too long

  An allocation that is still there after its promised end counts as ending 1, 2, 4, 8 … minutes after it, whichever is to come next.

  Background: a full node, and an ask that is planned
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore
    And backfill has depth all
    And the asks:
      | ask | queue  | resources | walltime | overrun |
      | run | root.a | 4 vcore   | 1h       | allow   |
    And the cycle runs
    And the asks:
      | ask  | queue  | resources | walltime |
      | full | root.a | 4 vcore   | 1h       |

  Rule: the plans that rest on it are made anew

    Scenario: at the promised end, the next minute counts
      When 1h passes
      Then the plan decisions are:
        | at | id   | start | node | reason  |
        | 1h | full | 1h1m  | n1   | overrun |

    Scenario: then 2, 4 and 8 minutes after it
      Given 1h passes
      When 7m pass
      Then the plan decisions are:
        | at   | id   | start | reason  |
        | 1h1m | full | 1h2m  | overrun |
        | 1h2m | full | 1h4m  | overrun |
        | 1h4m | full | 1h8m  | overrun |

    Scenario: before its promised end nothing happens
      When 59m pass
      Then there is no plan decision

    Scenario: it starts as soon as there is room
      Given 1h3m pass
      When "run" is released
      Then "full" is allocated on "n1"
      And there is no plan decision

    Scenario: an end at the very instant of the promise keeps it
      When 1h passes
      And "run" is released
      Then the allocation decisions are:
        | at | id   |
        | 1h | full |
      And there is no plan decision

    Scenario: those planned behind move with it
      Given the asks:
        | ask  | queue  | resources | walltime |
        | next | root.a | 4 vcore   | 1h       |
      When 1h passes
      Then the plan decisions are:
        | at | id   | start | reason  |
        | 1h | full | 1h1m  | overrun |
        | 1h | next | 2h1m  | overrun |

    Scenario: one that stays on another node is in nobody's way
      Given a node "n2" with 1 vcore
      And the asks:
        | ask   | queue  | resources | walltime | overrun |
        | other | root.a | 1 vcore   | 10m      | allow   |
      When 20m pass
      Then there is no plan decision

    Scenario: one that was told to leave counts in the same way
      Given a node "n2" with 2 vcore
      And the asks:
        | ask   | queue  | resources | walltime |
        | other | root.a | 2 vcore   | 10m      |
      And the cycle runs
      And the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 1h       |
      When 12m pass
      Then the decisions include:
        | type              | at  | id    | start | reason   |
        | walltime.exceeded | 10m | other |       | walltime |
        | plan              | 10m | wide  | 11m   | overrun  |
        | plan              | 11m | wide  | 12m   | overrun  |
        | plan              | 12m | wide  | 14m   | overrun  |

  Rule: a promise may change

    Scenario: somebody got a longer promise
      When "run" now has walltime 2h
      Then the plan decisions are:
        | id   | start | reason  |
        | full | 2h    | overrun |

    Scenario: those planned behind it slip by a longer promise, too
      Given the asks:
        | ask  | queue  | resources | walltime |
        | next | root.a | 4 vcore   | 1h       |
      When "run" now has walltime 2h
      Then the plan decisions are:
        | id   | start | reason  |
        | full | 2h    | overrun |
        | next | 3h    | overrun |

    Scenario: a shorter promise moves the plan earlier
      When "run" now has walltime 20m
      Then the plan decisions are:
        | id   | start | reason  |
        | full | 20m   | earlier |
