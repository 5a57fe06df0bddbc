var e=`Feature: Gangs by placeholders

  An application that declares the sum of its placeholders is a gang. Placeholders hold room until there is enough for all
  tasks; then each task replaces one of them.

  Rule: a gang runs in a leaf that sorts by fifo or stateaware

    Scenario Outline: in a leaf that sorts by <policy> the decision is <type>
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | <policy>                |
      When a gang "train" in root.a with placeholders for 4 vcore
      Then the decisions are:
        | type   | id    | reason   |
        | <type> | train | <reason> |

      Examples:
        | policy     | type         | reason           |
        | fifo       | app.accepted | none             |
        | stateaware | app.accepted | none             |
        | fair       | app.rejected | gang-sort-policy |

    Scenario: fifo is the default
      When a gang "train" in root.default with placeholders for 4 vcore
      Then application "train" is New

    Scenario: an application without placeholders may run in a fair leaf
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      When an application "web" in root.a
      Then application "web" is New

    Scenario: an application whose placeholders need nothing is no gang
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      When a gang "web" in root.a with placeholders for 0 vcore
      Then application "web" is New

  Rule: the sum of the placeholders fits every configured max and limit from the leaf up

    Scenario Outline: <sum> with a max of <leaf> on the leaf and of <parent> on its parent
      Given the queues:
        | queue    | max      |
        | root.p   | <parent> |
        | root.p.a | <leaf>   |
      When a gang "train" in root.p.a with placeholders for <sum>
      Then the decisions are:
        | type   | id    | reason   |
        | <type> | train | <reason> |

      Examples:
        | leaf             | parent  | sum                 | type         | reason         |
        | 4 vcore          |         | 4 vcore             | app.accepted | none           |
        | 4 vcore          |         | 4001m vcore         | app.rejected | gang-too-large |
        |                  | 4 vcore | 4001m vcore         | app.rejected | gang-too-large |
        | 3 vcore          | 4 vcore | 3001m vcore         | app.rejected | gang-too-large |
        | 8Gi memory       |         | 100 vcore           | app.accepted | none           |
        | 8Gi memory       |         | 1 vcore, 9Gi memory | app.rejected | gang-too-large |
        | 0 nvidia.com/gpu |         | 1 vcore             | app.accepted | none           |
        | 0 nvidia.com/gpu |         | 1 nvidia.com/gpu    | app.rejected | gang-too-large |

    Scenario: the cluster's total does not bound it, since nodes come and go
      Given a node "n1" with 4 vcore
      When a gang "train" in root.default with placeholders for 100 vcore
      Then application "train" is New

    Scenario: the usage of others does not count
      Given the queues:
        | queue  | max     |
        | root.a | 4 vcore |
      And a node "n1" with 4 vcore
      And "web" asks in root.a for 3 vcore
      And the cycle runs
      When a gang "train" in root.a with placeholders for 4 vcore
      Then application "train" is New

    Scenario Outline: <sum> for <user>, where ann is limited to 4 vcore
      Given the queues:
        | queue  |
        | root.a |
      And the limits:
        | queue  | users | max     |
        | root.a | ann   | 4 vcore |
      When the applications:
        | application | queue  | user   | placeholders |
        | train       | root.a | <user> | <sum>        |
      Then the decisions are:
        | type   | id    | reason   |
        | <type> | train | <reason> |

      Examples:
        | user | sum     | type         | reason         |
        | ann  | 4 vcore | app.accepted | none           |
        | ann  | 5 vcore | app.rejected | gang-too-large |
        | bob  | 5 vcore | app.accepted | none           |

    Scenario: the ID of a rejected gang is free
      Given the queues:
        | queue  | max     |
        | root.a | 4 vcore |
      When a gang "train" in root.a with placeholders for 5 vcore
      And a gang "train" in root.a with placeholders for 4 vcore
      Then the decisions are:
        | type         | id    | reason         |
        | app.rejected | train | gang-too-large |
        | app.accepted | train |                |

  Rule: a placeholder belongs to a gang and names a task group

    Scenario: a placeholder of an application that is no gang is rejected
      Given an application "web" in root.default
      When "web" asks placeholder "h1" of group "workers" for 1 vcore
      Then the decisions are:
        | type         | id | app | reason     |
        | ask.rejected | h1 | web | not-a-gang |
      And application "web" is New

    Scenario: a placeholder without a task group is rejected
      Given a gang "train" in root.default with placeholders for 4 vcore
      When the asks:
        | ask | application | resources | placeholder |
        | h1  | train       | 1 vcore   | yes         |
      Then the decisions are:
        | type         | id | app   | reason        |
        | ask.rejected | h1 | train | no-task-group |

    Scenario: a restored placeholder must obey the same rules
      Given a node "n1" with 4 vcore
      And an application "web" in root.default
      And a gang "train" in root.default with placeholders for 4 vcore
      When the allocations:
        | allocation | application | resources | on | task group | placeholder |
        | h1         | web         | 1 vcore   | n1 | workers    | yes         |
        | h2         | train       | 1 vcore   | n1 |            | yes         |
      Then the decisions are:
        | type         | id | app   | reason        |
        | ask.rejected | h1 | web   | not-a-gang    |
        | ask.rejected | h2 | train | no-task-group |

    Scenario: an ask with placeholder set to no is a real ask
      Given a node "n1" with 4 vcore
      And an application "web" in root.default
      When the asks:
        | ask | application | resources | placeholder |
        | t1  | web         | 1 vcore   | no          |
      Then "t1" is allocated on "n1"

    Scenario: a task group has no effect in an application that is no gang
      Given a node "n1" with 4 vcore
      And an application "web" in root.default
      When "web" asks "t1" of group "workers" for 1 vcore
      Then "t1" is allocated on "n1"
      And application "web" is Starting

  Rule: a placeholder is placed like any ask, but its allocation does not change the state

    Background:
      Given the queues:
        | queue  | guaranteed | max     | preemption.delay |
        | root.a | 3 vcore    | 6 vcore | 10s              |
        | root.b |            |         |                  |
      And a node "n1" with 4 vcore
      And a node "n2" with 4 vcore
      And a gang "train" in root.a with placeholders for 6 vcore

    Scenario: a placeholder is allocated and counts as used
      When "train" asks placeholder "h1" of group "workers" for 2 vcore with priority 3
      Then the decisions are:
        | type       | id    | app   | queue  | node | priority | resources | to       | reason    |
        | app.state  | train |       |        |      |          |           | Accepted | ask-added |
        | allocation | h1    | train | root.a | n1   | 3        | 2 vcore   |          |           |
      And the queues show:
        | queue  | used    | headroom |
        | root.a | 2 vcore | 4 vcore  |

    Scenario: a second placeholder does not change the state either
      When "train" asks placeholders "h1" and "h2" of group "workers" for 1 vcore
      Then application "train" is Accepted
      And "h1", "h2" are allocated in this order

    Scenario: the max of the queue bounds placeholders
      Given "other" asks in root.a for 4 vcore
      And the cycle runs
      When "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      Then "h1" is allocated on "n2"
      And "h2" waits

    Scenario: a placeholder reserves a node after waiting for 2 seconds
      Given the asks:
        | ask | application | queue  | resources | count |
        | o   | other       | root.b | 2 vcore   | 2     |
      And the cycle runs
      And "train" asks placeholder "h1" of group "workers" for 3 vcore
      When 2s pass
      Then the decisions are:
        | type        | id | node |
        | reservation | h1 | n1   |

    Scenario: a placeholder preempts if its queue is entitled to
      Given the asks:
        | ask | application | queue  | resources | count |
        | o   | other       | root.b | 2 vcore   | 4     |
      And the cycle runs
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      When 10s pass
      Then "h1" preempts "o-4" on "n2"
      When "o-4" is released
      Then "h1" is allocated on "n2"

    Scenario: a placeholder with a required node goes there or nowhere
      When the asks:
        | ask | application | resources | node | task group | placeholder |
        | h1  | train       | 1 vcore   | n2   | workers    | yes         |
        | h2  | train       | 5 vcore   | n2   | workers    | yes         |
      Then "h1" is allocated on "n2"
      And "h2" waits
`;export{e as default};