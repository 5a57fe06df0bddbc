var e=`Feature: Moving an application to another queue

  A running application goes on in another leaf of its partition, with its asks and its allocations, if that leaf and its limits have
  room for its usage.

  Rule: everything that the application has goes with it

    Background:
      Given the queues:
        | queue    |
        | root.a   |
        | root.b.x |
      And a node "n1" with 4 vcore

    Scenario: the move is one decision, and nothing else changes
      Given an application "app" in root.a
      And "app" asks "one" for 2 vcore
      And "app" asks "big" for 9 vcore
      When application "app" is moved to root.b.x
      Then the decisions are:
        | type      | id  | from   | to       |
        | app.moved | app | root.a | root.b.x |
      And "one" is allocated on "n1"
      And "big" waits

    Scenario: usage and pending asks count in the new queue, and no more in the old one
      Given an application "app" in root.a
      And "app" asks "one" for 2 vcore
      And "app" asks "big" for 9 vcore
      When application "app" is moved to root.b.x
      Then the queues show:
        | queue    | used    | pending | applications | asks | allocations |
        | root.a   | nothing | nothing | 0            | 0    | 0           |
        | root.b   | 2 vcore | 9 vcore | 1            | 1    | 1           |
        | root.b.x | 2 vcore | 9 vcore | 1            | 1    | 1           |

    Scenario: later allocations are made in the new queue
      Given "app" asks in root.a for 4 vcore
      And the cycle runs
      And "app" asks "next" for 1 vcore
      When application "app" is moved to root.b.x
      And "app" is released
      Then the allocation decisions are:
        | id   | queue    |
        | next | root.b.x |

    Scenario: its state and its timers stay
      Given "app" asks in root.a for 1 vcore
      And the cycle runs
      And 4m pass
      When application "app" is moved to root.b.x
      And 1m passes
      Then the app.state decisions are:
        | id  | from     | to      | reason           |
        | app | Starting | Running | starting-timeout |

    Scenario: it keeps its place in the order of submission
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And an application "older" in root.a
      And an application "younger" in root.b
      And "older" asks "o" for 5 vcore
      And "younger" asks "y" for 5 vcore
      When application "older" is moved to root.b
      And node "n1" is updated with capacity 5 vcore
      Then "o" is allocated
      And "y" waits

    Scenario: the name counts without case
      Given an application "app" in root.a
      When application "app" is moved to ROOT.B.X
      Then the app.moved decisions are:
        | id  | to       |
        | app | root.b.x |

    Scenario: a move to its own queue changes nothing
      Given an application "app" in root.a
      When application "app" is moved to root.a
      Then the decisions are:
        | type      | id  | from   | to     |
        | app.moved | app | root.a | root.a |

    Scenario: an ask that the old queue's max stopped may be placed in the new queue
      Given the queues:
        | queue  | max     |
        | root.a | 1 vcore |
        | root.b |         |
      And "app" asks in root.a for 2 vcore
      When application "app" is moved to root.b
      Then "app" is allocated

    Scenario: others may use the room that it leaves below a max
      Given the queues:
        | queue  | max     |
        | root.a | 2 vcore |
        | root.b |         |
      And "app" asks in root.a for 2 vcore
      And the cycle runs
      And "next" asks in root.a for 2 vcore
      When application "app" is moved to root.b
      Then "next" is allocated

  Rule: it goes to an active leaf that is open to its user

    Scenario: an unknown application does not move
      When application "app" is moved to root.default
      Then the app.move of "app" is ignored because of unknown-application

    Scenario: nor does one that has ended
      Given an application "app" in root.default
      And application "app" is removed
      When application "app" is moved to root.default
      Then the app.move of "app" is ignored because of unknown-application

    Scenario Outline: a move to <queue> is ignored because of <reason>
      Given the queues:
        | queue    |
        | root.a   |
        | root.b.x |
        | root.old |
      And an application "app" in root.a
      And an application "holds-it" in root.old
      When the queues:
        | queue    |
        | root.a   |
        | root.b.x |
      And application "app" is moved to <queue>
      Then the app.move of "app" is ignored because of <reason>
      And the applications show:
        | application | queue  |
        | app         | root.a |

      Examples:
        | queue    | reason         |
        | root.c   | unknown-queue  |
        | b.x      | unknown-queue  |
        | root.b   | not-a-leaf     |
        | root     | not-a-leaf     |
        | root.old | queue-draining |

  Rule: every bound of the new queue must hold with the usage of the application

    Background:
      Given the queues:
        | queue      | max     | maxapplications |
        | root.a     |         |                 |
        | root.b     |         |                 |
        | root.small | 2 vcore |                 |
        | root.exact | 3 vcore |                 |
        | root.one   |         | 1               |
      And a node "n1" with 100 vcore
      And "app" asks in root.a for 3 vcore
      And "one" asks in root.one for 1 vcore

    Scenario Outline: <queue> is refused because of <reason>
      When application "app" is moved to <queue>
      Then the app.move of "app" is ignored because of <reason>
      And the queues show:
        | queue  | used    | applications |
        | root.a | 3 vcore | 1            |

      Examples:
        | queue      | reason           |
        | root.small | headroom         |
        | root.one   | max-applications |

    Scenario: usage may reach the bound
      When application "app" is moved to root.exact
      Then the app.moved decisions are:
        | id  | to         |
        | app | root.exact |

    Scenario: asks that wait are not held against a bound
      Given "free" asks in root.a for 200 vcore
      When application "free" is moved to root.small
      Then the app.moved decisions are:
        | id   | to         |
        | free | root.small |
      And "free" waits

    Scenario: an application that waits for a place may wait there
      Given an application "waits" in root.one
      And "waits" asks "w" for 1 vcore
      When application "waits" is moved to root.b
      Then the app.moved decisions are:
        | id    | to     |
        | waits | root.b |
      And "w" is allocated

    Scenario: one without a place may move to a queue without places
      Given an application "new" in root.a
      When application "new" is moved to root.one
      Then the app.moved decisions are:
        | id  | to       |
        | new | root.one |

  Rule: a bound that counts the application already does not bar its move

    Scenario: between two queues below it
      Given the queues:
        | queue    | max     | maxapplications |
        | root.p   | 4 vcore | 1               |
        | root.p.a |         |                 |
        | root.p.b |         |                 |
      And a node "n1" with 9 vcore
      And "app" asks in root.p.a for 4 vcore
      And the cycle runs
      And the queues:
        | queue    | max     | maxapplications |
        | root.p   | 2 vcore | 1               |
        | root.p.a |         |                 |
        | root.p.b |         |                 |
      When application "app" is moved to root.p.b
      Then the app.moved decisions are:
        | id  | to       |
        | app | root.p.b |

  Rule: reservations and kept nodes end with a move

    Background:
      Given the queues:
        | queue     | guaranteed | preemption.delay |
        | root.low  |            |                  |
        | root.high | 4 vcore    | 10s              |
        | root.late | 4 vcore    | 10m              |
      And a node "n1" with 4 vcore
      And a node "n2" with 1 vcore
      And "old" asks in root.low for 3 vcore
      And the cycle runs

    Scenario: a reservation, and the ask makes a new one where it is due
      Given "app" asks in root.late for 2 vcore
      And 5s pass
      When application "app" is moved to root.low
      Then the decisions are:
        | type          | id  | node | from      | to       |
        | app.moved     | app |      | root.late | root.low |
        | unreservation | app | n1   |           |          |
        | reservation   | app | n1   |           |          |

    Scenario: a kept node, with the reason moved
      Given "app" asks in root.high for 4 vcore
      And 10s pass
      When application "app" is moved to root.low
      Then the decisions are:
        | type              | id  | for | node | reason |
        | app.moved         | app |     |      |        |
        | preemption.lapsed |     | app | n1   | moved  |

    Scenario: a kept node ends, so its place is not held against the new queue
      Given the queues:
        | queue     | guaranteed | preemption.delay | maxapplications |
        | root.low  |            |                  |                 |
        | root.high | 4 vcore    | 10s              |                 |
        | root.late |            |                  | 1               |
      And "small" asks in root.late for 1 vcore
      And "app" asks in root.high for 4 vcore
      And 10s pass
      When application "app" is moved to root.late
      Then the decisions are:
        | type              | id  | for | node | to        | reason |
        | app.moved         | app |     |      | root.late |        |
        | preemption.lapsed |     | app | n1   |           | moved  |
      And "app" waits

    Scenario: a move to its own queue ends neither
      Given "app" asks in root.high for 4 vcore
      And 10s pass
      When application "app" is moved to root.high
      Then there is no preemption.lapsed decision
      And the nodes show:
        | node | kept |
        | n1   | app  |

  Rule: a queue that the last application leaves ends as if the application had ended

    Scenario: a draining queue at once
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And an application "app" in root.a
      And the queues:
        | queue  |
        | root.b |
      When application "app" is moved to root.b
      Then the decisions are:
        | type        | id  | queue  | from     | to      | reason |
        | app.moved   | app |        | root.a   | root.b  |        |
        | queue.state |     | root.a | draining | stopped | empty  |
`;export{e as default};