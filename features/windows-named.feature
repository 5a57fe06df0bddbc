Feature: Windows for some users and queues

  A window may name queues, users and groups: an application is named by its queue or one above, by its user or by a group. While the window is
  open, only they are placed on its nodes, and their allocations end with it.

  Background: a node of four cores
    Given the queues:
      | queue    |
      | root.p   |
      | root.p.a |
      | root.b   |
    And a node "n1" with 4 vcore

  Rule: while it is open, only those that it names are placed

    Scenario Outline: by <key>
      Given the windows:
        | window | from | until | nodes | <key>   |
        | class  | 0s   | 2h    | n1    | <value> |
      When the applications:
        | application | queue    | user | groups |
        | in          | root.p.a | ann  | staff  |
        | out         | root.b   | bob  | guests |
      And "in" asks "named" for 1 vcore
      And "out" asks "other" for 1 vcore
      Then "named" is allocated on "n1"
      And "other" waits

      Examples:
        | key    | value          |
        | queues | root.p.a       |
        | queues | root.p         |
        | queues | ROOT.P         |
        | users  | ann            |
        | users  | eve, ann       |
        | groups | staff          |

    Scenario: a queue with the beginning of another name is not named
      Given the queues:
        | queue   |
        | root.b  |
        | root.bb |
      And the windows:
        | window | from | until | nodes | queues |
        | class  | 0s   | 2h    | n1    | root.b |
      When "j" asks in root.bb for 1 vcore
      Then "j" waits

    Scenario: an application that moves into a named queue
      Given the windows:
        | window | from | until | nodes | queues   |
        | class  | 0s   | 2h    | n1    | root.p.a |
      And "j" asks in root.b for 1 vcore
      When application "j" is moved to root.p.a
      Then "j" is allocated on "n1"

    Scenario: free room is its own at once, whatever the others' priority
      Given the windows:
        | window | from | until | nodes | queues |
        | class  | 1h   | 2h    | n1    | root.p |
      And "urgent" asks in root.b for 4 vcore with priority 9
      When 1h passes
      And "pupil" asks in root.p.a for 4 vcore
      Then "pupil" is allocated on "n1"
      And "urgent" waits

  Rule: who is named may be placed before it opens, and keeps that promise

    Background:
      Given the windows:
        | window | from | until | nodes | queues |
        | class  | 1h   | 2h    | n1    | root.p |

    Scenario: without an end
      When "j" asks in root.p.a for 1 vcore
      Then the asks show:
        | ask | node | ends |
        | j   | n1   | none |

    Scenario: beyond its end
      When the asks:
        | ask | queue    | resources | walltime |
        | j   | root.p.a | 1 vcore   | 5h       |
      Then the asks show:
        | ask | node | ends |
        | j   | n1   | 5h   |

  Rule: what it names is placed from its start on until its end at the latest

    Background:
      Given the windows:
        | window | from | until | nodes | queues |
        | class  | 1h   | 2h    | n1    | root.p |
      And 1h passes

    Scenario: the allocations promise to end with it
      When the asks:
        | ask  | queue    | resources | walltime |
        | long | root.p.a | 1 vcore   | 5h       |
        | any  | root.p.a | 1 vcore   |          |
        | min  | root.p.a | 1 vcore   | 10m      |
      Then the asks show:
        | ask  | node | ends |
        | long | n1   | 2h   |
        | any  | n1   | 2h   |
        | min  | n1   | 70m  |

    @one-instant
    Scenario: they are asked to leave then
      When the asks:
        | ask  | queue    | resources | walltime |
        | long | root.p.a | 1 vcore   | 5h       |
        | same | root.p.a | 1 vcore   | 1h       |
      And 1h passes
      Then the walltime.exceeded decisions are:
        | at | id   | reason   |
        | 2h | long | window   |
        | 2h | same | walltime |

    Scenario: a later walltime does not lengthen them
      When "j" asks in root.p.a for 1 vcore
      And "j" now has walltime 5h
      Then the asks show:
        | ask | walltime | ends |
        | j   | 5h       | 2h   |

    Scenario: one that may stay is not asked
      When the asks:
        | ask | queue    | resources | overrun |
        | j   | root.p.a | 1 vcore   | allow   |
      And 1h passes
      Then there is no walltime.exceeded decision

    Scenario: restored ones that were made in it end with it, earlier ones do not
      When 10m pass
      And the allocations:
        | allocation | queue    | resources | on | since |
        | in         | root.p.a | 1 vcore   | n1 | 65m   |
        | before     | root.p.a | 1 vcore   | n1 | 30m   |
      Then the asks show:
        | ask    | ends |
        | in     | 2h   |
        | before | none |

  Rule: with window.unbounded allow, asks without a walltime run until it opens

    Background:
      Given the configuration:
        """
        partitions:
          - window: {unbounded: allow}
            queues: [{name: a}, {name: b}]
        """
      And the windows:
        | window | from | until | nodes | queues |
        | class  | 1h   | 2h    | n1    | root.b |

    Scenario: they promise to end at its start, and are asked to leave
      When "j" asks in root.a for 1 vcore
      Then the asks show:
        | ask | node | ends |
        | j   | n1   | 1h   |
      When 1h passes
      Then the walltime.exceeded decisions are:
        | at | id | reason |
        | 1h | j  | window |

    Scenario: a promise that passes its start is still refused
      When the asks:
        | ask | queue  | resources | walltime |
        | j   | root.a | 1 vcore   | 61m      |
      Then "j" waits

  Rule: of several windows, all must agree

    Scenario: who is named by one of two is not placed
      Given the windows:
        | window | from | until | nodes | queues | users |
        | one    | 0s   | 2h    | n1    | root.p |       |
        | two    | 1h   | 3h    | n1    |        | ann   |
      And 1h passes
      When "bob's" asks in root.p.a as user "bob" for 1 vcore
      And "ann's" asks in root.p.a as user "ann" for 1 vcore
      Then "bob's" waits
      And "ann's" is allocated on "n1"
      And the asks show:
        | ask   | ends |
        | ann's | 2h   |

    Scenario: a window that opens shortens promises, so that they fit before another one
      Given the windows:
        | window | from | until | nodes | queues |
        | class  | 1h   | 2h    | n1    | root.p |
        | patch  | 3h   | 4h    | n1    |        |
      And the asks:
        | ask | queue    | resources | walltime |
        | j   | root.p.a | 1 vcore   | 10h      |
      Then "j" waits
      When 1h passes
      Then the asks show:
        | ask | node | ends |
        | j   | n1   | 2h   |
