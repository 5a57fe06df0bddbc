Feature: Planned starts, and what changes them

  A planned start moves earlier when it can. It moves later only for a few reasons, and each is told.

  Background: a node of four cores that is full for an hour, and an ask that is planned then
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore
    And backfill has depth all
    And the asks:
      | ask  | queue  | resources | walltime | overrun |
      | left | root.a | 2 vcore   | 30m      | allow   |
      | run  | root.a | 2 vcore   | 1h       | allow   |
    And the cycle runs
    And the asks:
      | ask  | queue  | resources | walltime |
      | full | root.a | 4 vcore   | 1h       |

  Rule: earlier, when room becomes free before it was promised

    Scenario: an early end
      Given 10m pass
      When "run" is released
      Then the plan decisions are:
        | at  | id   | start | node | reason  |
        | 10m | full | 30m   | n1   | earlier |

    Scenario: an early end that is not in its way changes nothing
      Given 10m pass
      When "left" is released
      Then there is no plan decision

    Scenario: a gain of a tenth of the wait is told
      When "run" now has walltime 54m
      Then the plan decisions are:
        | id   | start | reason  |
        | full | 54m   | earlier |

    Scenario: a gain of less is not
      Given 1s passes
      When "run" now has walltime 55m
      Then there is no plan decision

    Scenario: but counts when the ask starts
      Given 1s passes
      And "run" now has walltime 55m
      And 54m59s pass
      When "run" is released
      And "left" is released
      Then the allocation decisions are:
        | at  | id   |
        | 55m | full |

    Scenario: a new node
      Given 10m pass
      When a node "n2" with 4 vcore
      Then the decisions include:
        | type       | at  | id   | node |
        | allocation | 10m | full | n2   |
      And there is no plan decision

    Scenario: those planned before it come first
      Given the asks:
        | ask  | queue  | resources | walltime |
        | next | root.a | 4 vcore   | 1h       |
      And 10m pass
      When "run" is released
      Then the plan decisions are:
        | id   | start | reason  |
        | full | 30m   | earlier |
        | next | 90m   | earlier |

    Scenario: an ask that comes in the same instant does not take what a planned one can move to
      Given 10m pass
      When "run" is released
      And the asks:
        | ask  | queue  | resources | walltime |
        | late | root.a | 4 vcore   | 20m      |
      Then the plan decisions are:
        | id   | start | reason  |
        | full | 30m   | earlier |
        | late | 90m   | planned |

    Scenario: a planned ask whose plan ends lets those behind move
      Given the asks:
        | ask  | queue  | resources | walltime |
        | next | root.a | 4 vcore   | 1h       |
      And 10m pass
      When ask "full" is removed
      Then the plan decisions are:
        | id   | start | reason    |
        | full |       | withdrawn |
        | next | 1h    | earlier   |

  Rule: later, when there is less

    Scenario: the node is drained and there is no other
      When node "n1" is drained
      Then the plan decisions are:
        | id   | start | reason |
        | full |       | barred |

    Scenario: others occupy some of it
      Given a node "n2" with 4 vcore
      And the asks:
        | ask   | queue  | resources | walltime | priority |
        | other | root.a | 4 vcore   | 3h       | 5        |
      When node "n1" is updated with occupied 1 vcore
      Then the plan decisions are:
        | id   | start | node | reason   |
        | full | 3h    | n2   | capacity |

    Scenario: a max fell below what it needs
      When the queues:
        | queue  | max     |
        | root.a | 3 vcore |
      Then the plan decisions are:
        | id   | start | reason |
        | full |       | barred |

  Rule: later, when a higher priority takes its room

    Scenario: an ask of higher priority that fits is placed
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 1h       |
      And 30m pass
      And "left" is released
      Then "wide" waits
      When the asks:
        | ask    | queue  | resources | walltime | priority |
        | urgent | root.a | 2 vcore   | 1h       | 5        |
      Then "urgent" is allocated on "n1"
      And the plan decisions are:
        | id   | start | reason    |
        | full | 90m   | outranked |
        | wide | 2h30m | outranked |

    Scenario: one of equal priority waits
      Given 30m pass
      And "left" is released
      When the asks:
        | ask   | queue  | resources | walltime |
        | equal | root.a | 2 vcore   | 1h       |
      Then "equal" waits
      And the plan decisions are:
        | id    | start | reason  |
        | equal | 2h    | planned |

    Scenario: one of higher priority that is blocked is planned before it
      When the asks:
        | ask    | queue  | resources | walltime | priority |
        | urgent | root.a | 4 vcore   | 1h       | 5        |
      Then the plan decisions are:
        | id     | start | reason    |
        | urgent | 1h    | planned   |
        | full   | 2h    | outranked |

    Scenario: a changed order alone moves nobody later
      Given the asks:
        | ask  | queue  | resources | walltime |
        | next | root.a | 4 vcore   | 1h       |
      When ask "full" now has priority -1
      Then there is no plan decision

  Rule: later, when the ask itself changes

    Scenario: it needs more
      Given a node "n2" with 6 vcore
      And the asks:
        | ask   | queue  | resources | walltime | priority |
        | other | root.a | 6 vcore   | 2h       | 5        |
      When ask "full" now needs 5 vcore
      Then the plan decisions are:
        | id   | start | node | reason  |
        | full | 2h    | n2   | changed |

    Scenario: it needs longer, and fits no more before another
      Given the asks:
        | ask  | queue  | resources | walltime |
        | next | root.a | 4 vcore   | 1h       |
      When "full" now has walltime 2h
      Then the plan decisions are:
        | id   | start | reason    |
        | next | 3h    | outranked |

  Rule: it may change its node

    @one-instant
    Scenario: its node leaves, and another fits at the same instant
      Given ask "full" is removed
      And a node "n2" with 4 vcore
      And the asks:
        | ask   | queue  | resources | walltime |
        | other | root.a | 4 vcore   | 1h       |
      And the cycle runs
      And the asks:
        | ask  | queue  | resources | walltime |
        | sole | root.a | 4 vcore   | 1h       |
      When node "n1" is drained
      Then the plan decisions are:
        | id   | start | node | reason |
        | sole | 1h    | n2   | node   |
