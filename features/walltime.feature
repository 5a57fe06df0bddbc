Feature: Walltimes, promised ends

  An ask may promise to end: its walltime counts from its allocation. What is still there at its promised end, after all inputs of that
  instant, is asked to leave like a victim of preemption.

  Background: a node of four cores
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore

  Rule: at its promised end, an allocation is asked to leave

    Background:
      Given the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 4 vcore   | 10m      |

    Scenario: it promises to end 10 minutes after its allocation
      Then the asks show:
        | ask | node | walltime | ends |
        | j   | n1   | 10m      | 10m  |

    Scenario: the time that it waits does not count
      Given the asks:
        | ask | queue  | resources | walltime |
        | k   | root.a | 4 vcore   | 10m      |
      And 3m pass
      When "j" is released
      Then the asks show:
        | ask | node | ends |
        | k   | n1   | 13m  |

    Scenario: at the promised end, not before
      When 599999ms pass
      Then there is no walltime.exceeded decision
      When 1ms passes
      Then the decisions are:
        | type              | at  | id | app | node | reason   |
        | walltime.exceeded | 10m | j  | j   | n1   | walltime |

    Scenario: its room is free once it has left
      Given "next" asks in root.a for 4 vcore
      When 10m pass
      Then "next" waits
      When "j" is released
      Then the decisions include:
        | type       | at  | id   | reason  |
        | release    | 10m | j    | timeout |
        | allocation | 10m | next |         |

    Scenario: an end at the very instant keeps the promise
      When 10m pass
      And "j" is released
      Then the release decisions are:
        | id | reason   |
        | j  | finished |
      And there is no walltime.exceeded decision

    Scenario: it is asked once
      Given 10m pass
      When 1h passes
      Then there is no walltime.exceeded decision
      And the asks show:
        | ask | node | leaves |
        | j   | n1   | yes    |

    Scenario: its end comes from its application
      Given 10m pass
      When application "j" is removed
      Then the release decisions are:
        | id | reason      |
        | j  | app_removed |

    Scenario: one that its owner is ending is not asked again
      Given the cycle runs
      And "j" is ending
      When 10m pass
      Then there is no walltime.exceeded decision

    Scenario: those of one instant are asked in the order of allocation
      Given a node "n2" with 4 vcore
      And the asks:
        | ask | queue  | resources | walltime |
        | z   | root.a | 1 vcore   | 10m      |
        | b   | root.a | 1 vcore   | 10m      |
      When 10m pass
      Then the walltime.exceeded decisions are:
        | id | node |
        | j  | n1   |
        | z  | n2   |
        | b  | n2   |

    Scenario: it ends on a node that is drained
      Given the cycle runs
      And node "n1" is drained
      When 10m pass
      Then the walltime.exceeded decisions are:
        | id | node |
        | j  | n1   |

    Scenario: a later ask of its name has a promise of its own
      Given 5m pass
      And "j" is released
      And the asks:
        | ask | queue  | application | resources | walltime |
        | j   | root.a | other       | 4 vcore   | 10m      |
      When 9m pass
      Then there is no walltime.exceeded decision
      When 1m passes
      Then the walltime.exceeded decisions are:
        | id | at  |
        | j  | 15m |

  Rule: without a walltime, no end is promised

    Scenario: nothing says when it ends
      Given "j" asks in root.a for 4 vcore
      When 1000h pass
      Then there is no walltime.exceeded decision
      And the asks show:
        | ask | walltime | ends |
        | j   | none     | none |

    Scenario: a walltime past the end of the clock is unbounded
      Given 1s passes
      And the asks:
        | ask | queue  | resources | walltime                |
        | j   | root.a | 4 vcore   | 2562047h47m16.854775807s |
      When 1000h pass
      Then there is no walltime.exceeded decision
      And the asks show:
        | ask | node | ends |
        | j   | n1   | none |

  Rule: an allocation that was asked to leave is no victim of preemption

    Background: j may be preempted by p
      Given the queues:
        | queue     | guaranteed |
        | root.a    |            |
        | root.prod | 4 vcore    |
      And the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 4 vcore   | 10s      |
      And 1s passes
      And "p" asks in root.prod for 4 vcore

    Scenario: p waits for the room
      When 1m passes
      Then no allocation is preempted
      And the walltime.exceeded decisions are:
        | id |
        | j  |
      When "j" is released
      Then "p" is allocated

    Scenario: a victim that has not left is not asked again
      Given "j" now has walltime 1m
      And 31s pass
      Then "p" preempts "j"
      When 1m passes
      Then there is no walltime.exceeded decision
      When "j" is released
      Then the release decisions are:
        | id | reason    |
        | j  | preempted |

  Rule: walltime.overrun says what happens at the promised end

    Scenario: with allow, the allocation may stay
      Given the queues:
        | queue  | walltime.overrun |
        | root.a | allow            |
      And the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 4 vcore   | 10m      |
      When 1h passes
      Then there is no walltime.exceeded decision
      And the asks show:
        | ask | node | ends |
        | j   | n1   | 10m  |

    Scenario: an ask may say for itself that it may stay
      Given the asks:
        | ask | queue  | resources | walltime | overrun |
        | j   | root.a | 4 vcore   | 10m      | allow   |
      When 1h passes
      Then there is no walltime.exceeded decision

    Scenario: an ask may say for itself that it ends
      Given the queues:
        | queue  | walltime.overrun |
        | root.a | allow            |
      And the asks:
        | ask | queue  | resources | walltime | overrun |
        | j   | root.a | 4 vcore   | 10m      | end     |
      When 1h passes
      Then the walltime.exceeded decisions are:
        | id | at  |
        | j  | 10m |

  Rule: a snapshot keeps promises

    @snapshot
    Scenario: of allocations and of pending asks
      Given the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 4 vcore   | 10m      |
        | k   | root.a | 4 vcore   | 20m      |
      And 4m pass
      And the scheduler is restored from a snapshot
      When 6m pass
      Then the walltime.exceeded decisions are:
        | id | at  |
        | j  | 10m |
      When "j" is released
      Then the asks show:
        | ask | node | ends |
        | k   | n1   | 30m  |

    @snapshot
    Scenario: one that was asked to leave is not asked again
      Given the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 4 vcore   | 10m      |
      And 10m pass
      And the scheduler is restored from a snapshot
      When 1h passes
      Then there is no walltime.exceeded decision
      When "j" is released
      Then the release decisions are:
        | id | reason  |
        | j  | timeout |

  @explain
  Rule: an explanation names the promised end

    Scenario: of an allocation
      Given the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 4 vcore   | 10m      |
      When 4m pass
      Then ask "j" is explained by:
        | ends | 10m |
