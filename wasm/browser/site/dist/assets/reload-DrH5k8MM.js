var e=`Feature: Reload and draining

  A reload is all or nothing. A queue that it leaves out while in use drains.

  Rule: a queue in use that a reload leaves out drains, and disappears when empty

    Background:
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
        | root.b |         |
      And a node "n1" with 10 vcore
      And "job" asks in root.a for 1 vcore

    Scenario: it says so
      When the queues:
        | queue  |
        | root.b |
      Then the decisions are:
        | type            | queue  | from   | to       | reason  |
        | config.accepted |        |        |          |         |
        | queue.state     | root.a | active | draining | removed |
      And "job" is allocated

    Scenario: it takes no new application
      Given the queues:
        | queue  |
        | root.b |
      When an application "late" in root.a
      Then "late" is rejected because of queue-draining

    Scenario: its applications go on, new asks included, below the limits last configured
      Given the queues:
        | queue  |
        | root.b |
      When "job" asks "fits" for 2 vcore
      And "job" asks "too-much" for 1 vcore
      Then "fits" is allocated
      And "too-much" waits
      And the queues show:
        | queue  | state    | max     |
        | root.a | draining | 3 vcore |

    Scenario: a Completing application keeps it until it is Completed
      Given the queues:
        | queue  |
        | root.b |
      When "job" is released
      Then the queues show:
        | queue  | state    |
        | root.a | draining |
      When 30s pass
      Then the decisions are:
        | type        | id  | queue  | from       | to        | reason             |
        | app.state   | job |        | Completing | Completed | completing-timeout |
        | queue.state |     | root.a | draining   | stopped   | empty              |
      And queue "root.a" is gone
      When an application "late" in root.a
      Then "late" is rejected because of unknown-queue

    Scenario: the removal of its last application ends it at once
      Given the queues:
        | queue  |
        | root.b |
      When application "job" is removed
      Then the decisions are:
        | type        | id  | queue  | from     | to        | reason      |
        | release     | job |        |          |           | app_removed |
        | app.state   | job |        | Starting | Completed | app-removed |
        | queue.state |     | root.a | draining | stopped   | empty       |

    Scenario: a reload that names it again makes it active, with the new settings
      Given the queues:
        | queue  |
        | root.b |
      When the queues:
        | queue  | max     |
        | root.a | 5 vcore |
        | root.b |         |
      And an application "new" in root.a
      Then the decisions include:
        | type         | id  | queue  | from     | to     | reason   |
        | queue.state  |     | root.a | draining | active | restored |
        | app.accepted | new | root.a |          |        |          |
      And the queues show:
        | queue  | state  | max     |
        | root.a | active | 5 vcore |

    Scenario: a queue that drains twice says so twice
      Given the queues:
        | queue  |
        | root.b |
      And the queues:
        | queue  |
        | root.a |
        | root.b |
      When the queues:
        | queue  |
        | root.b |
      Then the queue.state decisions are:
        | queue  | from   | to       |
        | root.a | active | draining |

    Scenario: a reload that leaves a draining queue out again says nothing of it
      Given the queues:
        | queue  |
        | root.b |
      When the queues:
        | queue  |
        | root.b |
        | root.c |
      Then there is no queue.state decision
      And the queues show:
        | queue  | state    |
        | root.a | draining |

  Rule: a queue is in use while it has an application that has not ended

    Scenario: an application without asks is enough
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And an application "idle" in root.a
      When the queues:
        | queue  |
        | root.b |
      Then the queues show:
        | queue  | state    |
        | root.a | draining |

    Scenario: a Completed application is not
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And an application "done" in root.a
      And application "done" is removed
      When the queues:
        | queue  |
        | root.b |
      Then there is no queue.state decision
      And queue "root.a" is gone

    Scenario: unused queues come and go without a decision
      Given the queues:
        | queue  |
        | root.a |
      When the queues:
        | queue    |
        | root.b.c |
      Then the decisions are:
        | type            |
        | config.accepted |
      And queue "root.a" is gone
      And the queues show:
        | queue    | state  |
        | root.b.c | active |

  Rule: a subtree drains where it is in use, and empties from below

    Scenario: parents drain with their children, unused branches vanish
      Given the queues:
        | queue      |
        | root.p.b   |
        | root.p.a.x |
        | root.p.c   |
        | root.q     |
      And a node "n1" with 10 vcore
      And "x" asks in root.p.a.x for 1 vcore
      And "b" asks in root.p.b for 1 vcore
      When the queues:
        | queue  |
        | root.q |
      Then the queue.state decisions are:
        | queue      | from   | to       |
        | root.p     | active | draining |
        | root.p.a   | active | draining |
        | root.p.a.x | active | draining |
        | root.p.b   | active | draining |
      And queue "root.p.c" is gone
      When application "x" is removed
      Then the queue.state decisions are:
        | queue      | from     | to      | reason |
        | root.p.a.x | draining | stopped | empty  |
        | root.p.a   | draining | stopped | empty  |
      When application "b" is removed
      Then the queue.state decisions are:
        | queue    | from     | to      |
        | root.p.b | draining | stopped |
        | root.p   | draining | stopped |
      And queue "root.p" is gone

    Scenario: new limits of a parent that stays bind its draining child
      Given the queues:
        | queue    | max     |
        | root.p   | 9 vcore |
        | root.p.a |         |
        | root.p.b |         |
      And a node "n1" with 10 vcore
      And "job" asks in root.p.a for 1 vcore
      When the queues:
        | queue    | max     |
        | root.p   | 2 vcore |
        | root.p.b |         |
      And "job" asks "two" for 2 vcore
      And "job" asks "one" for 1 vcore
      Then "two" waits
      And "one" is allocated

  Rule: a leaf in use stays a leaf, a parent with children in use stays a parent

    Background:
      Given a node "n1" with 10 vcore

    Scenario: a leaf in use cannot become a parent
      Given the queues:
        | queue  |
        | root.a |
      And "job" asks in root.a for 1 vcore
      When the queues:
        | queue    |
        | root.a.x |
      Then the configuration is refused with:
        | queue  |
        | root.a |
      And the queues show:
        | queue  | leaf |
        | root.a | yes  |

    Scenario: an unused leaf can
      Given the queues:
        | queue  |
        | root.a |
      When the queues:
        | queue    |
        | root.a.x |
      Then the configuration is accepted
      And the queues show:
        | queue  | leaf |
        | root.a | no   |

    Scenario: a parent cannot lose its only child in use
      Given the queues:
        | queue    |
        | root.a.x |
      And "job" asks in root.a.x for 1 vcore
      When the queues:
        | queue  |
        | root.a |
      Then the configuration is refused with:
        | queue  |
        | root.a |
      And the queues show:
        | queue    | state  |
        | root.a.x | active |

    Scenario: unless it says that it is a parent; then the child drains
      Given the queues:
        | queue    |
        | root.a.x |
      And "job" asks in root.a.x for 1 vcore
      When the queues:
        | queue  | parent |
        | root.a | true   |
      Then the configuration is accepted with the warnings:
        | queue | key    |
        | root  | queues |
      And the queues show:
        | queue    | state    | leaf |
        | root.a   | active   | no   |
        | root.a.x | draining | yes  |

    Scenario: a parent whose children are unused may become a leaf
      Given the queues:
        | queue    |
        | root.a.x |
      When the queues:
        | queue  |
        | root.a |
      And "job" asks in root.a for 1 vcore
      Then "job" is allocated

  Rule: new settings count from the next cycle on

    Background:
      Given a node "n1" with 10 vcore

    Scenario: a raised max lets a waiting ask go
      Given the queues:
        | queue  | max     |
        | root.a | 1 vcore |
      And "job" asks in root.a for 2 vcore
      When the queues:
        | queue  | max     |
        | root.a | 2 vcore |
      Then "job" is allocated

    Scenario: a max below what is used takes nothing away and lets nothing in
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
      And "job" asks in root.a for 3 vcore
      When the queues:
        | queue  | max     |
        | root.a | 2 vcore |
      And "job" asks "more" for 1m vcore
      Then "job" is allocated
      And "more" waits
      And the queues show:
        | queue  | used    | headroom |
        | root.a | 3 vcore | -1 vcore |

    Scenario: an offset moves its queue at once
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And the scheduler is stepped by hand
      And "a" asks in root.a for 1 vcore
      And "b" asks in root.b for 1 vcore
      When the queues:
        | queue  | priority.offset |
        | root.a |                 |
        | root.b | 1               |
      And the cycle runs
      Then "b", "a" are allocated in this order

    Scenario: another order of applications counts, also where a queue has gone before
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And the queues:
        | queue  |
        | root.b |
      And "older" asks in root.b for 2 vcore
      And "younger" asks in root.b for 1 vcore
      And the cycle runs
      When the queues:
        | queue  | application.sort.policy |
        | root.b | fair                    |
      And "older" asks "o" for 1 vcore
      And "younger" asks "y" for 1 vcore
      Then "y", "o" are allocated in this order

    Scenario: another order of nodes counts for the next allocation
      Given the nodes:
        | node | capacity |
        | n2   | 10 vcore |
      And "one" asks in root.default for 1 vcore
      And "two" asks in root.default for 1 vcore
      And the cycle runs
      And "two" is released
      When nodes are sorted by binpacking
      And "three" asks in root.default for 1 vcore
      Then "one" and "three" are allocated on "n1"
`;export{e as default};