Feature: Windows for maintenance

  A window reserves nodes from one time until another. One that names no application is a maintenance: while it is open, nothing is placed there, and
  before, only what promises to end by then.

  Background: a node of four cores
    Given the queues:
      | queue  |
      | root.a |
    And a node "n1" with 4 vcore

  Rule: before its start, only asks are placed that promise to end by then

    Background:
      Given the windows:
        | window | from | until | nodes |
        | patch  | 1h   | 2h    | n1    |

    @one-instant
    Scenario: a promise that ends at its start
      When the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 1 vcore   | 1h       |
      Then "j" is allocated on "n1"

    Scenario: a promise that passes its start
      When the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 1 vcore   | 61m      |
      Then "j" waits

    Scenario: no promise
      When "j" asks in root.a for 1 vcore
      Then "j" waits

    Scenario: a promise fits no longer when time has passed
      When 30m pass
      And the asks:
        | ask   | queue  | resources | walltime |
        | long  | root.a | 1 vcore   | 31m      |
        | short | root.a | 1 vcore   | 30m      |
      Then "long" waits
      And "short" is allocated on "n1"

    Scenario: the walltime of a queue counts
      Given the queues:
        | queue  | walltime.default |
        | root.a | 45m              |
      When "j" asks in root.a for 1 vcore
      Then "j" is allocated on "n1"

    Scenario: another node takes it
      Given a node "n2" with 4 vcore
      When "j" asks in root.a for 1 vcore
      Then "j" is allocated on "n2"

    Scenario: a shorter walltime lets a pending ask in
      Given the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 1 vcore   | 2h       |
      When "j" now has walltime 10m
      Then "j" is allocated on "n1"

    Scenario: of one application, the ask that ends in time
      When the asks:
        | ask   | application | queue  | resources | walltime |
        | long  | x           | root.a | 1 vcore   | 3h       |
        | short | x           | root.a | 1 vcore   | 10m      |
      Then "long" waits
      And "short" is allocated on "n1"

  Rule: while it is open, nothing is placed; afterwards, everything is

    Background:
      Given the windows:
        | window | from | until | nodes |
        | patch  | 1h   | 2h    | n1    |
      And the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 1 vcore   | 90m      |
      And "unbounded" asks in root.a for 1 vcore

    Scenario: it opens and closes, and then the asks are placed
      When 2h pass
      Then the decisions include:
        | type          | at | id        |
        | window.opened | 1h | patch     |
        | window.closed | 2h | patch     |
        | allocation    | 2h | j         |
        | allocation    | 2h | unbounded |

    Scenario: in between
      When 1h passes
      And the asks:
        | ask   | queue  | resources | walltime |
        | short | root.a | 1 vcore   | 1m       |
      And 59m pass
      Then "short", "j" and "unbounded" wait

    Scenario: it is removed
      When 90m pass
      And window "patch" is removed
      Then the decisions include:
        | type          | at  | id    |
        | window.closed | 90m | patch |
        | allocation    | 90m | j     |

    Scenario: it is removed before it opens
      When window "patch" is removed
      Then "j" and "unbounded" are allocated
      And there is no window.closed decision

    Scenario: its ID is free again after its end
      When 2h pass
      And the windows:
        | window | from | until | nodes |
        | patch  | 3h   | 4h    | n1    |
      Then there is no window.rejected decision

  Rule: what runs there when it comes stays

    Background:
      Given "old" asks in root.a for 2 vcore

    Scenario: it opens on nodes that are in use, and says so
      Given a node "n2" with 4 vcore
      When the windows:
        | window | from | until | nodes  |
        | patch  | 1h   | 2h    | n1, n2 |
      And 1h passes
      Then the window.opened decisions are:
        | at | id    | nodes |
        | 1h | patch | n1    |
      And "old" is allocated on "n1"

    Scenario: a window that began in the past opens at once
      When 3h pass
      And the windows:
        | window | from | until | nodes |
        | patch  | 1h   | 4h    | n1    |
      Then the decisions include:
        | type            | at | id    | nodes |
        | window.accepted | 3h | patch |       |
        | window.opened   | 3h | patch | n1    |

    Scenario: without an end it stays open until it is removed
      When the windows:
        | window | from | nodes |
        | patch  | 0s   | n1    |
      And "new" asks in root.a for 1 vcore
      And 1000h pass
      Then "new" waits
      When window "patch" is removed
      Then "new" is allocated on "n1"

  Rule: a window that cannot be is rejected

    Scenario Outline: <why>
      When 1h passes
      And the windows:
        | window | from   | until   | every   | nodes   | count   |
        | w      | <from> | <until> | <every> | <nodes> | <count> |
      Then the window.rejected decisions are:
        | id | reason   |
        | w  | <reason> |

      Examples:
        | why                          | from | until | every | nodes  | count | reason       |
        | until before from            | 3h   | 2h    |       | n1     |       | bad-window   |
        | until at from                | 3h   | 3h    |       | n1     |       | bad-window   |
        | until in the past            | 1m   | 59m   |       | n1     |       | bad-window   |
        | until now                    | 1m   | 60m   |       | n1     |       | bad-window   |
        | every shorter than its time  | 2h   | 4h    | 1h    | n1     |       | bad-window   |
        | every without until          | 2h   |       | 1h    | n1     |       | bad-window   |
        | an unknown node              | 2h   | 3h    |       | n1, n9 |       | unknown-node |
        | more nodes than there are    | 2h   | 3h    |       |        | 2     | bad-window   |

    Scenario: a second one of the same ID
      When the windows:
        | window | from | until | nodes |
        | w      | 1h   | 2h    | n1    |
        | w      | 3h   | 4h    | n1    |
      Then the window.rejected decisions are:
        | id | reason    |
        | w  | duplicate |

    Scenario: one of a partition that does not exist
      When the windows:
        | window | from | until | nodes | partition |
        | w      | 1h   | 2h    | n1    | gpu       |
      Then the window.rejected decisions are:
        | id | reason            |
        | w  | unknown-partition |

    Scenario: the removal of one that does not exist
      When window "w" is removed
      Then the ignored decisions are:
        | id | input         | reason         |
        | w  | window.remove | unknown-window |
