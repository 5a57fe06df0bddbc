Feature: Planned starts, and how plans end

  A plan that ends without its ask starting is told without a start, and with the reason.

  Background: a full node, and an ask that is planned
    Given the queues:
      | queue  |
      | root.a |
      | root.b |
    And a node "n1" with 4 vcore
    And backfill has depth 1
    And the asks:
      | ask | queue  | resources | walltime |
      | run | root.a | 4 vcore   | 1h       |
    And the cycle runs
    And the asks:
      | ask  | queue  | resources | walltime |
      | full | root.a | 4 vcore   | 1h       |

  Scenario: the ask is withdrawn
    When ask "full" is removed
    Then the plan decisions are:
      | id   | start | node | reason    |
      | full |       |      | withdrawn |

  Scenario: its application is removed
    When application "full" is removed
    Then there is no plan decision

  Scenario: another ask takes its place
    When the asks:
      | ask    | queue  | resources | walltime | priority |
      | urgent | root.a | 4 vcore   | 1h       | 1        |
    Then the plan decisions are:
      | id     | start | reason    |
      | full   |       | unplanned |
      | urgent | 1h    | planned   |

  Scenario: no node is large enough any more
    When node "n1" is updated with capacity 3 vcore
    Then the plan decisions are:
      | id   | start | reason |
      | full |       | barred |

  Scenario: its queue does not let it in any more
    When the queues:
      | queue  | max     |
      | root.a | 3 vcore |
      | root.b |         |
    Then the plan decisions are:
      | id   | start | reason |
      | full |       | barred |

  Scenario: a limit of its user bars it
    When the limits:
      | queue  | users | max     |
      | root.a | *     | 4 vcore |
    Then the plan decisions are:
      | id   | start | reason |
      | full |       | barred |

  Scenario: its application may not start
    When the queues:
      | queue  | maxapplications |
      | root.a | 1               |
      | root.b |                 |
    Then the plan decisions are:
      | id   | start | reason |
      | full |       | barred |

  Scenario: its application moves to another queue
    When application "full" is moved to root.b
    Then there is no plan decision

  Scenario: the horizon becomes shorter than an ask that comes anew can wait
    Given ask "full" is removed
    And backfill has depth 1 and a horizon of 30m
    When the asks:
      | ask  | queue  | resources | walltime |
      | next | root.a | 4 vcore   | 1h       |
    Then there is no plan decision

  Scenario: what it waited for stays beyond the horizon
    Given backfill has depth 1 and a horizon of 2h
    And the cycle runs
    When "run" now has walltime 4h
    Then the plan decisions are:
      | id   | start | reason       |
      | full |       | out-of-reach |

  Scenario: an ask that starts has no end of its plan told
    When "run" is released
    Then "full" is allocated
    And there is no plan decision
