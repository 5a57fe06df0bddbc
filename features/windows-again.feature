Feature: Windows that come again, and nodes that come and go

  With every, a window opens again that long after it has opened. In the configuration, a schedule of cron says when it opens, in UTC; a journal
  that counts from 0s begins on Thursday, 1 January 1970.

  Background: a node of four cores
    Given the queues:
      | queue  |
      | root.a |
      | root.b |
    And a node "n1" with 4 vcore

  Rule: every opens it again

    Background:
      Given the windows:
        | window | from | until | every | nodes |
        | daily  | 2h   | 3h    | 24h   | n1    |

    Scenario: it opens and closes each day
      When 51h pass
      Then the decisions include:
        | type          | at  | id    |
        | window.opened | 2h  | daily |
        | window.closed | 3h  | daily |
        | window.opened | 26h | daily |
        | window.closed | 27h | daily |
        | window.opened | 50h | daily |
        | window.closed | 51h | daily |

    Scenario: a placement sees the next one, up to the end of its walltime
      When 3h pass
      And the asks:
        | ask  | queue  | resources | walltime |
        | fits | root.a | 1 vcore   | 23h      |
        | long | root.a | 1 vcore   | 24h      |
      Then "fits" is allocated
      And "long" waits

    Scenario: a period as long as the window closes and opens it at one instant
      Given the windows:
        | window | from | until | every | nodes | queues |
        | always | 0s   | 1h    | 1h    | n1    | root.a |
      And "j" asks in root.a for 1 vcore
      When 1h passes
      Then the decisions include:
        | type          | at | id     |
        | window.closed | 1h | always |
        | window.opened | 1h | always |

    Scenario: removed while it is open, it does not come again
      When 150m pass
      And window "daily" is removed
      And 48h pass
      Then the window.opened decisions are:
        | at |
        | 2h |

  Rule: the configuration gives a schedule

    Background:
      Given the configuration:
        """
        partitions:
          - queues: [{name: a}, {name: b}]
            windows:
              - id: night
                schedule: 0 2 * * *
                duration: 2h
                nodes: [n1, n2]
                queues: [root.b]
        """

    Scenario: it opens and closes in UTC
      When 26h pass
      Then the decisions include:
        | type          | at  | id    |
        | window.opened | 2h  | night |
        | window.closed | 4h  | night |
        | window.opened | 26h | night |

    Scenario: it places as one that an input adds
      When 2h pass
      And "out" asks in root.a for 1 vcore
      And "in" asks in root.b for 1 vcore
      Then "out" waits
      And the asks show:
        | ask | node | ends |
        | in  | n1   | 4h   |

    Scenario: a node that it names and that comes later belongs to it
      When 3h pass
      And a node "n2" with 4 vcore
      And "out" asks in root.a for 1 vcore
      Then "out" waits

    Scenario: an equal one of a reload goes on
      When 3h pass
      And the configuration:
        """
        partitions:
          - queues: [{name: a}, {name: b}, {name: c}]
            windows: [{id: night, schedule: 0 2 * * *, duration: 2h, nodes: [n1, n2], queues: [root.b]}]
        """
      Then there is no window.closed decision
      When 1h passes
      Then the window.closed decisions are:
        | at |
        | 4h |

    Scenario: a reload without it closes it
      When "j" asks in root.a for 1 vcore
      And 3h pass
      And the configuration:
        """
        partitions: [{queues: [{name: a}, {name: b}]}]
        """
      Then the decisions include:
        | type            | at | id    |
        | config.accepted | 3h |       |
        | window.closed   | 3h | night |
        | allocation      | 3h | j     |

    Scenario: another one of its ID takes its place
      When 3h pass
      And the configuration:
        """
        partitions:
          - queues: [{name: a}, {name: b}]
            windows: [{id: night, schedule: 0 3 * * *, duration: 2h, nodes: [n1]}]
        """
      Then the decisions include:
        | type          | at | id    |
        | window.closed | 3h | night |
        | window.opened | 3h | night |

    Scenario: an input does not remove it
      When window "night" is removed
      Then the ignored decisions are:
        | id    | input         | reason     |
        | night | window.remove | configured |

    Scenario: an input adds none of its ID, and a reload none of an ID that an input has added
      When the windows:
        | window | from | until | nodes |
        | night  | 1h   | 2h    | n1    |
        | other  | 1h   | 2h    | n1    |
      Then the window.rejected decisions are:
        | id    | reason    |
        | night | duplicate |
      When the configuration:
        """
        partitions:
          - queues: [{name: a}]
            windows: [{id: other, schedule: 0 2 * * *, duration: 2h, nodes: [n1]}]
        """
      Then the decisions include:
        | type            |
        | config.rejected |

    Scenario: a duration longer than the time between two starts is refused
      When the configuration:
        """
        partitions:
          - queues: [{name: a}]
            windows: [{id: w, schedule: 0 * * * *, duration: 61m, nodes: [n1]}]
        """
      Then the decisions include:
        | type            |
        | config.rejected |

  Rule: constraints in the configuration are for all nodes that meet them, as they come

    Background:
      Given the configuration:
        """
        partitions:
          - queues: [{name: a}]
            windows: [{id: w, schedule: "0 0 * * *", duration: 24h, constraints: {zone: [x]}}]
        """

    Scenario: a node that meets them, and one that does not
      Given the nodes:
        | node | capacity | attributes |
        | x1   | 4 vcore  | zone=x     |
        | y1   | 4 vcore  | zone=y     |
      And node "n1" is removed
      When "a", "b" ask in root.a for 4 vcore
      Then "a" is allocated on "y1"
      And "b" waits

    Scenario: a node that meets them no longer
      Given node "n1" is updated with attributes zone=x
      When "j" asks in root.a for 4 vcore
      Then "j" waits
      When node "n1" is updated with attributes zone=y
      Then "j" is allocated on "n1"

  Rule: nodes belong to it by their IDs

    Scenario: a node that leaves and comes back
      Given the windows:
        | window | from | until | nodes |
        | w      | 0s   | 2h    | n1    |
      When node "n1" is removed
      And 1h passes
      And a node "n1" with 4 vcore
      And "j" asks in root.a for 1 vcore
      Then "j" waits
      When 1h passes
      Then "j" is allocated on "n1"

    Scenario: a number of nodes are chosen in the order of their IDs, and stay
      Given the nodes:
        | node | capacity | attributes |
        | x3   | 4 vcore  | zone=x     |
        | x2   | 4 vcore  | zone=x     |
      And node "n1" is removed
      And the windows:
        | window | from | until | constraints | count |
        | w      | 0s   | 2h    | zone=x      | 1     |
      And the nodes:
        | node | capacity | attributes |
        | x1   | 4 vcore  | zone=x     |
      When "a", "b" and "c" ask in root.a for 4 vcore
      Then "a" is allocated on "x1"
      And "b" is allocated on "x3"
      And "c" waits

    @snapshot
    Scenario: a snapshot that is taken within a window
      Given the windows:
        | window | from | until | nodes | queues |
        | w      | 0s   | 2h    | n1    | root.a |
      And "in" asks in root.a for 1 vcore
      And "out" asks in root.b for 1 vcore
      When the scheduler is restored from a snapshot
      Then "out" waits
      When 2h pass
      Then the decisions include:
        | type              | at | id  | reason |
        | window.closed     | 2h | w   |        |
        | walltime.exceeded | 2h | in  | window |
