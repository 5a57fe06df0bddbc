@explain
Feature: Explanations with planned starts

  An explanation says when and where an ask is planned to start, after which allocations and planned asks, or why it has no planned start.

  Background: a node of four cores, of which three are used for an hour
    Given the queues:
      | queue  | max     |
      | root.a |         |
      | root.b | 3 vcore |
    And a node "n1" with 4 vcore
    And backfill has depth 1
    And the asks:
      | ask | queue  | resources | walltime |
      | run | root.a | 3 vcore   | 1h       |

  Rule: a planned ask is told when and where it starts, and what leaves before

    Scenario: after the allocation in its way
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      Then ask "wide" is explained by:
        | planned start | 1h           |
        | planned node  | n1           |
        | planned for   | planned      |
        | after         | run          |
        | no plan       | none         |
        | reasons       | headroom, no-node-fits |

    Scenario: after several allocations, the first to leave first
      Given the asks:
        | ask   | queue  | resources | walltime |
        | short | root.a | 1 vcore   | 20m      |
      When the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 30m      |
      Then ask "full" is explained by:
        | planned start | 1h         |
        | after         | short, run |

    Scenario: allocations that need not leave are not named
      Given the asks:
        | ask   | queue  | resources | walltime |
        | short | root.a | 1 vcore   | 20m      |
      When the asks:
        | ask   | queue  | resources | walltime |
        | other | root.a | 1 vcore   | 30m      |
      Then ask "other" is explained by:
        | planned start | 20m   |
        | after         | short |

    Scenario: after an ask that is planned before it
      Given backfill has depth 2
      When the asks:
        | ask    | queue  | resources | walltime |
        | first  | root.a | 4 vcore   | 30m      |
        | second | root.a | 4 vcore   | 30m      |
      Then ask "second" is explained by:
        | planned start | 1h30m              |
        | after         | run, first planned |

    Scenario: after an allocation of its queue
      Given backfill has depth all
      And a node "n2" with 4 vcore
      And the asks:
        | ask | queue  | resources | walltime |
        | b1  | root.b | 2 vcore   | 10m      |
      When the asks:
        | ask | queue  | resources | walltime |
        | b2  | root.b | 2 vcore   | 30m      |
      Then ask "b2" is explained by:
        | planned start | 10m      |
        | after         | b1       |
        | reasons       | headroom |

    @one-instant
    Scenario: when a window has closed
      Given the windows:
        | window | from | until | nodes |
        | patch  | 1h   | 2h    | n1    |
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      Then ask "wide" is explained by:
        | planned start | 2h                |
        | after         | run, window patch |

    Scenario: why its start moved
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      When "run" now has walltime 2h
      Then ask "wide" is explained by:
        | planned start | 2h      |
        | planned for   | overrun |

  Rule: an ask that fits, but would be in the way of a planned ask, is told which

    Background:
      Given the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |

    @one-instant
    Scenario: the room is planned for another ask
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 2h       |
      Then ask "small" is explained by:
        | reasons          | no-node-fits                      |
        | nodes            | 1 planned                         |
        | held             | n1 for full in root.a from 1h0m0s |
        | no plan          | unplanned                         |
        | shorter walltime | 1h                                |
        | shorter node     | n1                                |

    @one-instant
    Scenario: without a walltime
      When "small" asks in root.a for 1 vcore
      Then ask "small" is explained by:
        | nodes            | 1 planned |
        | shorter walltime | 1h        |

    @one-instant
    Scenario: time that passes leaves less
      Given 10m pass
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 2h       |
      Then ask "small" is explained by:
        | shorter walltime | 50m |

    Scenario: an ask that does not fit now is not told of a shorter walltime
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 2h       |
      Then ask "wide" is explained by:
        | nodes            | 1 full vcore |
        | shorter walltime | none         |

  Rule: room in a queue can be planned, too

    @one-instant
    Scenario: the queue has room now, but not when a planned ask starts
      Given backfill has depth all
      And a node "n2" with 4 vcore
      And the asks:
        | ask | queue  | resources | walltime |
        | b1  | root.b | 2 vcore   | 10m      |
        | b2  | root.b | 3 vcore   | 30m      |
      When the asks:
        | ask | queue  | resources | walltime |
        | b3  | root.b | 1 vcore   | 30m      |
      Then ask "b3" is explained by:
        | reasons          | planned-starts    |
        | planned room     | root.b from 10m0s |
        | shorter walltime | 10m                 |

  Rule: an ask without a planned start is told why

    Scenario: others come before it
      When the asks:
        | ask    | queue  | resources | walltime |
        | first  | root.a | 4 vcore   | 30m      |
        | second | root.a | 4 vcore   | 30m      |
      Then ask "second" is explained by:
        | planned start | none      |
        | no plan       | unplanned |

    Scenario: what is in its way promises no end
      Given "endless" asks in root.a for 1 vcore
      When "full" asks in root.a for 4 vcore
      Then ask "full" is explained by:
        | no plan | unbounded |

    Scenario: it starts beyond the horizon
      Given backfill has depth 1 and a horizon of 30m
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      Then ask "wide" is explained by:
        | no plan | out-of-reach |

    Scenario: it is too large
      When the asks:
        | ask | queue  | resources | walltime |
        | big | root.a | 5 vcore   | 30m      |
      Then ask "big" is explained by:
        | no plan | barred |

    Scenario: it requires a node
      When the asks:
        | ask    | queue  | resources | walltime | node | preempts others |
        | daemon | root.a | 4 vcore   | 30m      | n1   | no              |
      Then ask "daemon" is explained by:
        | no plan | required-node |

    Scenario: it lacks the headroom of its queue alone
      Given a node "n2" with 4 vcore
      And the asks:
        | ask | queue  | resources | walltime |
        | b1  | root.b | 2 vcore   | 10m      |
      When the asks:
        | ask | queue  | resources | walltime |
        | b2  | root.b | 2 vcore   | 30m      |
      Then ask "b2" is explained by:
        | no plan | headroom-only |

    Scenario: without the key, nothing is said
      Given backfill has depth 0
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      Then ask "wide" is explained by:
        | planned start | none |
        | no plan       | none |
