Feature: Walltimes of queues, and their changes

  A queue may set the walltime of asks without one, and the longest. Both are worked out when an ask is added, and kept.

  Background: a node of four cores
    Given a node "n1" with 4 vcore

  Rule: walltime.default is for asks without a walltime

    Scenario: of the queue
      Given the queues:
        | queue  | walltime.default |
        | root.a | 1h               |
      When the asks:
        | ask   | queue  | resources | walltime |
        | plain | root.a | 1 vcore   |          |
        | own   | root.a | 1 vcore   | 2h       |
      Then the asks show:
        | ask   | walltime | ends |
        | plain | 1h       | 1h   |
        | own   | 2h       | 2h   |

    Scenario: queues inherit it, and may set another one
      Given the queues:
        | queue    | walltime.default |
        | root.p   | 1h               |
        | root.p.a |                  |
        | root.p.b | 5m               |
      When "a" asks in root.p.a for 1 vcore
      And "b" asks in root.p.b for 1 vcore
      Then the asks show:
        | ask | walltime |
        | a   | 1h       |
        | b   | 5m       |

    Scenario: a default above the max counts as the max
      Given the queues:
        | queue    | walltime.default | walltime.max |
        | root.p   | 24h              |              |
        | root.p.a |                  | 8h           |
      When "a" asks in root.p.a for 1 vcore
      Then the asks show:
        | ask | walltime |
        | a   | 8h       |

  Rule: walltime.max bounds the walltime of every ask

    Background:
      Given the queues:
        | queue  | walltime.max |
        | root.a | 8h           |

    Scenario: the max itself is allowed
      When the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 1 vcore   | 8h       |
      Then "j" is allocated

    Scenario: more is rejected
      When the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 1 vcore   | 8h1s     |
      Then "j" is rejected because of walltime-too-long

    Scenario: an ask without a walltime gets the max
      When "j" asks in root.a for 1 vcore
      Then the asks show:
        | ask | walltime | ends |
        | j   | 8h       | 8h   |

    Scenario: a restored allocation is never rejected
      When the allocations:
        | allocation | queue  | resources | on | walltime |
        | j          | root.a | 1 vcore   | n1 | 9h       |
      Then the asks show:
        | ask | walltime | ends |
        | j   | 9h       | 9h   |

  Rule: a restored allocation counts from when it was made

    Background:
      Given the queues:
        | queue  | walltime.default |
        | root.a | 1h               |

    Scenario: from its restoring, if nothing says when it was made
      Given 10m pass
      When the allocations:
        | allocation | queue  | resources | on |
        | j          | root.a | 1 vcore   | n1 |
      Then the asks show:
        | ask | walltime | ends  |
        | j   | 1h       | 1h10m |

    Scenario: from the instant before that it gives
      Given 10m pass
      When the allocations:
        | allocation | queue  | resources | on | since |
        | j          | root.a | 1 vcore   | n1 | 4m    |
        | k          | root.a | 1 vcore   | n1 | -30m  |
      Then the asks show:
        | ask | ends |
        | j   | 1h4m |
        | k   | 30m  |

    Scenario: a promise that has passed already
      When the allocations:
        | allocation | queue  | resources | on | since |
        | j          | root.a | 1 vcore   | n1 | -2h   |
      Then the walltime.exceeded decisions are:
        | id | at |
        | j  | 0s |

  Rule: the walltime of an ask may be changed

    Background:
      Given the queues:
        | queue  | walltime.max |
        | root.a | 1h           |
      And the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 4 vcore   | 10m      |
        | k   | root.a | 4 vcore   | 10m      |
      And 4m pass

    Scenario: of a pending ask
      Given "k" now has walltime 20m
      When "j" is released
      Then the asks show:
        | ask | node | ends |
        | k   | n1   | 24m  |

    Scenario: of an allocation, for longer
      Given "j" now has walltime 30m
      When 25m pass
      Then there is no walltime.exceeded decision
      When 1m passes
      Then the walltime.exceeded decisions are:
        | id | at  |
        | j  | 30m |

    Scenario: of an allocation, for shorter
      When "j" now has walltime 5m
      And 1m passes
      Then the walltime.exceeded decisions are:
        | id | at |
        | j  | 5m |

    Scenario: to one that has passed, at once
      When "j" now has walltime 1m
      Then the walltime.exceeded decisions are:
        | id | at |
        | j  | 4m |

    Scenario: not beyond the max
      When "j", "k" now have walltime 61m
      Then the ask.update of "j" is ignored because of walltime-too-long
      And the ask.update of "k" is ignored because of walltime-too-long
      And the asks show:
        | ask | walltime |
        | j   | 10m      |
        | k   | 10m      |

    Scenario: once asked to leave, it stays asked
      Given 6m pass
      When "j" now has walltime 1h
      And 10m pass
      Then there is no walltime.exceeded decision
      And the asks show:
        | ask | ends | leaves |
        | j   | 1h   | yes    |

  Rule: what was worked out when an ask was added is kept

    Background:
      Given the queues:
        | queue  | walltime.default | walltime.max | walltime.overrun |
        | root.a | 10m              | 1h           |                  |
        | root.b | 20m              | 30m          | allow            |
      And an application "job" in root.a
      And "job" asks "old" for 1 vcore
      And 1s passes

    Scenario: a reload is for later asks
      Given the queues:
        | queue  | walltime.default | walltime.max | walltime.overrun |
        | root.a | 5m               | 6m           | allow            |
      When "job" asks "new" for 1 vcore
      And "old" now has walltime 59m
      Then the asks show:
        | ask | walltime |
        | old | 59m      |
        | new | 5m       |
      When 1h passes
      Then the walltime.exceeded decisions are:
        | id  |
        | old |

    Scenario: so is a move to another queue
      Given application "job" is moved to root.b
      When "job" asks "new" for 1 vcore
      And 1h passes
      Then the walltime.exceeded decisions are:
        | id  | at  |
        | old | 10m |
      And the asks show:
        | ask | walltime |
        | old | 10m      |
        | new | 20m      |

  Rule: unreadable settings are errors

    Scenario Outline: <property>: <value>
      When the configuration:
        """
        partitions:
        - queues:
          - name: a
            properties:
              <property>: <value>
        """
      Then the configuration is refused with:
        | line | queue  | key        | expected   | found   |
        | 5    | root.a | <property> | <expected> | <found> |

      Examples:
        | property         | value   | expected                               | found     |
        | walltime.default | 0s      | a duration above zero, such as 12h     | "0s"      |
        | walltime.max     | -1h     | a duration above zero, such as 12h     | "-1h"     |
        | walltime.max     | often   | a duration above zero, such as 12h     | "often"   |
        | walltime.overrun | perhaps | end or allow                           | "perhaps" |
