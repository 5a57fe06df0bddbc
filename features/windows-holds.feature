Feature: Windows, gangs, holds and preemption

  Whatever places asks asks windows first. What is held for an ask ends when a window lets it be placed there no longer.

  Background: two nodes of four cores
    Given the queues:
      | queue  | guaranteed |
      | root.a |            |
      | root.b | 8 vcore    |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore

  Rule: a gang starts where windows let all its members be placed

    Background:
      Given the windows:
        | window | from | until | nodes | queues |
        | w      | 1h   | 2h    | n1    | root.b |

    Scenario: not across the start of a window
      When the asks:
        | ask | application | queue  | resources | walltime | gang | gang min | count |
        | g   | x           | root.a | 4 vcore   | 2h       | g    | 2        | 2     |
      Then "g-1" and "g-2" wait
      When 2h pass
      Then "g-1" and "g-2" are allocated

    @one-instant
    Scenario: if it ends in time
      When the asks:
        | ask | application | queue  | resources | walltime | gang | gang min | count |
        | g   | x           | root.a | 4 vcore   | 1h       | g    | 2        | 2     |
      Then "g-1" and "g-2" are allocated

    Scenario: if it is named
      When 1h passes
      And the asks:
        | ask | application | queue  | resources | gang | gang min | count |
        | g   | x           | root.b | 4 vcore   | g    | 2        | 2     |
      Then "g-1" and "g-2" are allocated

  Rule: an ask with a required node waits for the window to close, and holds nothing

    Scenario: it is not placed, and does not hold the node
      Given the windows:
        | window | from | until | nodes | queues |
        | w      | 0s   | 1h    | n1    | root.b |
      And the asks:
        | ask    | queue  | resources | node |
        | daemon | root.a | 4 vcore   | n1   |
      Then "daemon" waits
      And there is no reservation decision
      When 1h passes
      Then "daemon" is allocated on "n1"

    Scenario: a hold ends when the window opens
      Given the asks:
        | ask | queue  | resources | node |
        | old | root.a | 4 vcore   | n1   |
      When 1s passes
      And the asks:
        | ask    | queue  | resources | node | walltime |
        | daemon | root.a | 4 vcore   | n1   | 1m       |
      Then the decisions include:
        | type        | id     | node |
        | reservation | daemon | n1   |
      When the windows:
        | window | from | until | nodes |
        | w      | 1h   | 2h    | n1    |
      And 1h passes
      Then the decisions include:
        | type          | at   | id     | node | reason |
        | window.opened | 1h   | w      |      |        |
        | unreservation | 1h   | daemon | n1   | window |

  Rule: a reservation ends when a window comes

    Scenario: its ask would not end before it
      Given "old" asks in root.a for 3 vcore
      And "older" asks in root.a for 2 vcore
      When 1s passes
      And "next" asks in root.b for 3 vcore
      And 2s pass
      Then the decisions include:
        | type        | id   |
        | reservation | next |
      When the windows:
        | window | from | until | nodes  |
        | w      | 1h   | 2h    | n1, n2 |
      Then the unreservation decisions are:
        | id   | reason |
        | next | window |

  Rule: an ask preempts only where it may be placed

    Background:
      Given "old" asks in root.a for 4 vcore
      And "older" asks in root.a for 4 vcore

    Scenario: victims only on the other node
      Given the windows:
        | window | from | until | nodes |
        | w      | 1h   | 2h    | n2    |
      And "needy" asks in root.b for 4 vcore
      When 30s pass
      Then the preemption decisions are:
        | for   | node |
        | needy | n1   |

    Scenario: none if windows close all nodes
      Given the windows:
        | window | from | until | nodes  |
        | w      | 1h   | 2h    | n1, n2 |
      And "needy" asks in root.b for 4 vcore
      When 50m pass
      Then there is no preemption decision

    Scenario: its kept node is free again when a window comes
      When 1s passes
      And "needy" asks in root.b for 4 vcore
      And 30s pass
      Then the decisions include:
        | type       | for   |
        | preemption | needy |
      When the windows:
        | window | from | until | nodes  |
        | w      | 1m   | 2h    | n1, n2 |
      Then the preemption.lapsed decisions are:
        | for   | reason |
        | needy | window |

  Rule: placeholders are asks without a walltime, and tasks replace them only where they may be placed

    Background:
      Given the applications:
        | application | queue  | placeholders |
        | x           | root.a | 4 vcore      |

    Scenario: a placeholder waits for a window to close
      Given the windows:
        | window | from | until | nodes  |
        | w      | 1h   | 2h    | n1, n2 |
      And the asks:
        | ask | application | resources | placeholder | task group |
        | p   | x           | 4 vcore   | yes         | t          |
      Then "p" waits
      When 2h pass
      Then "p" is allocated

    Scenario: a task does not replace one where it would pass the start of a window
      Given the asks:
        | ask | application | resources | placeholder | task group |
        | p   | x           | 4 vcore   | yes         | t          |
      When 1s passes
      And the windows:
        | window | from | until | nodes  |
        | w      | 1h   | 2h    | n1, n2 |
      And the asks:
        | ask  | application | resources | task group | walltime |
        | long | x           | 4 vcore   | t          | 2h       |
      Then "long" waits
      When the asks:
        | ask   | application | resources | task group | walltime |
        | short | x           | 4 vcore   | t          | 30m      |
      Then the placeholder.replaced decisions are:
        | id | for   |
        | p  | short |
