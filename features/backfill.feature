Feature: Planned starts, backfilling

  With a depth of backfill, blocked asks get planned starts, and others are placed only where no planned ask loses its start.

  Background: a node of four cores, of which three are used for an hour
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore
    And backfill has depth 1
    And the asks:
      | ask | queue  | resources | walltime |
      | run | root.a | 3 vcore   | 1h       |

  Rule: a blocked ask is planned for the earliest instant at which it fits

    Scenario: when the allocation in its way promises to end
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      Then the plan decisions are:
        | at | id   | app  | start | node | reason  |
        | 0s | wide | wide | 1h    | n1   | planned |

    Scenario: ends of several allocations are waited for
      Given the asks:
        | ask   | queue  | resources | walltime |
        | short | root.a | 1 vcore   | 20m      |
      When the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 30m      |
      Then the plan decisions are:
        | id   | start |
        | full | 1h    |

    Scenario: the first end may suffice
      Given the asks:
        | ask   | queue  | resources | walltime |
        | short | root.a | 1 vcore   | 20m      |
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 30m      |
      Then the plan decisions are:
        | id    | start |
        | small | 20m   |

    Scenario: on the node that is free first
      Given a node "n2" with 2 vcore
      And the asks:
        | ask    | queue  | resources | walltime |
        | second | root.a | 2 vcore   | 15m      |
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      Then the plan decisions are:
        | id   | start | node |
        | wide | 15m   | n2   |

    Scenario: a node that it cannot run on does not count
      Given a node "n2" with 1 vcore
      And the asks:
        | ask    | queue  | resources | walltime |
        | second | root.a | 1 vcore   | 15m      |
        | third  | root.a | 1 vcore   | 15m      |
      When the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      Then the plan decisions are:
        | id   | start | node |
        | wide | 1h    | n1   |

    Scenario: it starts then
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 2 vcore   | 30m      |
      And 59m pass
      When 1m passes
      And "run" is released
      Then the allocation decisions are:
        | at | id   | node |
        | 1h | wide | n1   |
      And there is no plan decision

    Scenario: an ask that fits gets no plan
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 10h      |
      Then "small" is allocated
      And there is no plan decision

  Rule: an ask behind is placed only where no planned ask loses its start

    Background:
      Given the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |

    @one-instant
    Scenario: one that leaves in time is placed
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 1h       |
      Then "small" is allocated on "n1"

    Scenario: one that would still be there is not
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 61m      |
      Then "small" waits

    Scenario: nor one without a promised end
      When "small" asks in root.a for 1 vcore
      Then "small" waits

    Scenario: time that passes leaves less
      Given 1m passes
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 1h       |
      Then "small" waits

    Scenario: on another node it is in nobody's way
      When a node "n2" with 1 vcore
      And "small" asks in root.a for 1 vcore
      Then "small" is allocated on "n2"

    Scenario: once the planned ask runs, nobody is kept from the rest
      Given the asks:
        | ask  | queue  | resources | walltime |
        | tiny | root.a | 1 vcore   | 2h       |
      And the cycle runs
      And "run" is released
      And the cycle runs
      When "full" is released
      Then "tiny" is allocated on "n1"

  Rule: an ask may stay beside a planned one that leaves room for it

    Scenario: beside the planned ask there is one core left
      Given the asks:
        | ask  | queue  | resources | walltime |
        | wide | root.a | 3 vcore   | 1h       |
      When the asks:
        | ask   | queue  | resources | walltime |
        | small | root.a | 1 vcore   | 100h     |
      Then "small" is allocated on "n1"

  Rule: a depth of 0 plans nothing

    Scenario: without the key, asks behind are placed as ever
      Given backfill has depth 0
      And the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      When "small" asks in root.a for 1 vcore
      Then "small" is allocated
      And there is no plan decision

    Scenario: a reload that turns it off ends the plans
      Given the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      When backfill has depth 0
      Then the plan decisions are:
        | id   | start | node | reason    |
        | full |       |      | unplanned |

    Scenario: a reload that turns it on plans those that wait
      Given backfill has depth 0
      And the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      When backfill has depth 1
      Then the plan decisions are:
        | id   | start | reason  |
        | full | 1h    | planned |

  Rule: the depth says how many get plans

    Scenario: with depth 1, the second has no plan and nobody waits for it
      Given the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      When the asks:
        | ask  | queue  | resources | walltime |
        | next | root.a | 4 vcore   | 1h       |
      Then there is no plan decision

    Scenario: with depth 2, the second follows the first
      Given backfill has depth 2
      When the asks:
        | ask   | queue  | resources | walltime |
        | full  | root.a | 4 vcore   | 30m      |
        | next  | root.a | 4 vcore   | 1h       |
        | third | root.a | 4 vcore   | 1h       |
      Then the plan decisions are:
        | id   | start | node | reason  |
        | full | 1h    | n1   | planned |
        | next | 90m   | n1   | planned |

    Scenario: with all, everybody that is blocked does
      Given backfill has depth all
      When the asks:
        | ask | queue  | resources | walltime | count |
        | j   | root.a | 4 vcore   | 30m      | 4     |
      Then the plan decisions are:
        | id  | start |
        | j-1 | 1h    |
        | j-2 | 90m   |
        | j-3 | 2h    |
        | j-4 | 150m  |

    Scenario: a hole before a plan is used by one behind
      Given backfill has depth all
      When the asks:
        | ask   | queue  | resources | walltime |
        | wide  | root.a | 2 vcore   | 1h       |
        | full  | root.a | 4 vcore   | 1h       |
        | other | root.a | 2 vcore   | 1h       |
      Then the plan decisions are:
        | id    | start |
        | wide  | 1h    |
        | full  | 2h    |
        | other | 1h    |

    Scenario: an ask before them takes the place of the last
      Given the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      When the asks:
        | ask    | queue  | resources | walltime | priority |
        | urgent | root.a | 4 vcore   | 1h       | 10       |
      Then the plan decisions are:
        | id     | start | reason    |
        | full   |       | unplanned |
        | urgent | 1h    | planned   |

    Scenario: when the first has started, the next gets its place
      Given the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
        | next | root.a | 4 vcore   | 1h       |
      And 10m pass
      When "run" is released
      Then the decisions include:
        | type       | at  | id   | start | reason  |
        | allocation | 10m | full |       |         |
        | plan       | 10m | next | 70m   | planned |

  Rule: nothing is planned beyond the horizon

    Scenario: within it
      Given backfill has depth 1 and a horizon of 1h
      When the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      Then the plan decisions are:
        | id   | start |
        | full | 1h    |

    Scenario: not beyond it
      Given backfill has depth 1 and a horizon of 59m
      When the asks:
        | ask  | queue  | resources | walltime |
        | full | root.a | 4 vcore   | 1h       |
      Then there is no plan decision

    Scenario: one behind the horizon has none of the places
      Given backfill has depth 1 and a horizon of 59m
      And a node "n2" with 1 vcore
      And the asks:
        | ask   | queue  | resources | walltime |
        | short | root.a | 1 vcore   | 10m      |
        | brief | root.a | 1 vcore   | 10m      |
      When the asks:
        | ask   | queue  | resources | walltime |
        | full  | root.a | 4 vcore   | 1h       |
        | small | root.a | 1 vcore   | 1h       |
      Then the plan decisions are:
        | id    | start |
        | small | 10m   |
