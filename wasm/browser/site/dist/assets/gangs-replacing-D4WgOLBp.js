var e=`Feature: Replacing placeholders

  A real ask whose task group has an allocated placeholder can only replace one. The placeholder is told to leave, and the
  ask lands when it has left.

  Background: a gang with the placeholders h1 on n1 and h2 on n2, and as much free room on each
    Given the queues:
      | queue  | max     |
      | root.a | 8 vcore |
      | root.b |         |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And a gang "train" in root.a with placeholders for 4 vcore
    And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
    And the cycle runs

  Rule: the ask replaces the oldest placeholder of its group on whose node it fits without that placeholder

    Scenario: the placeholder is told to leave, and the ask lands when it has left
      When "train" asks "t1" of group "workers" for 2 vcore
      Then the decisions are:
        | type                 | id | for | node |
        | placeholder.replaced | h1 | t1  | n1   |
      And "t1" waits
      And the asks show:
        | ask | node | leaving |
        | h1  | n1   | t1      |
      When "h1" is released
      Then the decisions are:
        | type       | id | node | reason   |
        | release    | h1 |      | replaced |
        | allocation | t1 | n1   |          |

    Scenario Outline: an ask of <amount> replaces a placeholder of 2 vcore where 2 vcore are free
      When "train" asks "t1" of group "workers" for <amount>
      Then "h1" is replaced by "t1" on "n1"

      Examples:
        | amount     |
        | 100m vcore |
        | 2 vcore    |
        | 3 vcore    |
        | 4 vcore    |

    Scenario: a younger placeholder is replaced if the node of the oldest is too full
      Given the asks:
        | ask | queue  | resources | node |
        | o   | root.b | 2 vcore   | n1   |
      And the cycle runs
      When "train" asks "t1" of group "workers" for 3 vcore
      Then "h2" is replaced by "t1" on "n2"

    Scenario: a younger placeholder is replaced if constraints exclude the node of the oldest
      Given node "n2" is updated with attributes zone=b
      When the asks:
        | ask | application | resources | task group | constraints |
        | t1  | train       | 1 vcore   | workers    | zone=b      |
      Then "h2" is replaced by "t1" on "n2"

    Scenario: each task replaces one placeholder
      When "train" asks "t1" and "t2" of group "workers" for 2 vcore
      Then the decisions are:
        | type                 | id | for |
        | placeholder.replaced | h1 | t1  |
        | placeholder.replaced | h2 | t2  |

    Scenario: the task of highest priority replaces the oldest
      When "train" asks "t1" of group "workers" for 2 vcore
      And "train" asks "t2" of group "workers" for 2 vcore with priority 1
      Then the decisions are:
        | type                 | id | for |
        | placeholder.replaced | h1 | t2  |
        | placeholder.replaced | h2 | t1  |

    Scenario: a task does not replace a placeholder of another group
      Given "train" asks placeholder "s1" of group "servers" for 2 vcore
      And the cycle runs
      When "train" asks "t1" of group "servers" for 2 vcore
      Then "s1" is replaced by "t1"

    Scenario: placeholders above the declared sum are replaced too
      Given "train" asks placeholder "h3" of group "workers" for 2 vcore
      And the cycle runs
      When "train" asks "t1", "t2" and "t3" of group "workers" for 2 vcore
      Then the decisions are:
        | type                 | id | for |
        | placeholder.replaced | h1 | t1  |
        | placeholder.replaced | h2 | t2  |
        | placeholder.replaced | h3 | t3  |

    Scenario: a draining node keeps its placeholder but takes no task
      Given node "n1" is drained
      When "train" asks "t1" of group "workers" for 2 vcore
      Then "h2" is replaced by "t1" on "n2"
      And "h1" is allocated on "n1"

    Scenario: replacements come before ordinary asks in a cycle
      When "web" asks in root.b for 2 vcore with priority 9
      And "train" asks "t1" of group "workers" for 2 vcore
      Then the decisions include:
        | type                 | id  |
        | placeholder.replaced | h1  |
        | allocation           | web |

  Rule: a reservation bars only an ask that is larger than the placeholder

    Background:
      Given the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.b | 1 vcore   | n1   |
        | o2  | other       | root.b | 1 vcore   | n2   |
      And the cycle runs
      And "big" asks in root.b for 2 vcore
      And 2s pass
      And the cycle runs

    Scenario: n1 is reserved for another queue
      Then the nodes show:
        | node | reserved |
        | n1   | big      |
        | n2   | none     |

    Scenario Outline: an ask of <amount> replaces <placeholder>
      When "train" asks "t1" of group "workers" for <amount>
      Then "<placeholder>" is replaced by "t1" on "<node>"

      Examples:
        | amount  | placeholder | node |
        | 2 vcore | h1          | n1   |
        | 3 vcore | h2          | n2   |

  Rule: if the ask fits on no placeholder's node, it replaces the oldest and lands on the first node that takes it

    Background:
      Given the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.b | 2 vcore   | n1   |
        | o2  | other       | root.b | 2 vcore   | n2   |
      And a node "y" with 3 vcore
      And a node "z" with 3 vcore
      And the cycle runs

    Scenario: the ask lands on another node
      When "train" asks "t1" of group "workers" for 3 vcore
      Then the decisions are:
        | type                 | id | for | node |
        | placeholder.replaced | h1 | t1  | y    |
      When "h1" is released
      Then "t1" is allocated on "y"

    Scenario: nodes are tried in node order
      Given "o3" asks in root.b for 1 vcore
      And the cycle runs
      When "train" asks "t1" of group "workers" for 3 vcore
      Then "h1" is replaced by "t1" on "z"

    Scenario: the room on that node is kept
      Given "train" asks "t1" of group "workers" for 3 vcore
      And the cycle runs
      When "o3" asks in root.b for 3 vcore
      And "o4" asks in root.b for 3 vcore
      Then "o3" is allocated on "z"
      And "o4" waits

  Rule: headroom counts the placeholder as gone

    Background:
      Given the queues:
        | queue  | max     |
        | root.a | 4 vcore |

    Scenario: a task as large as its placeholder needs no headroom
      When "train" asks "t1" of group "workers" for 2 vcore
      Then "h1" is replaced by "t1"
      When "h1" is released
      Then "t1" is allocated

    Scenario: a task that would exceed the max even so does not land
      When "train" asks "t1" of group "workers" for 3 vcore
      Then the decisions are:
        | type                | id | reason    |
        | placeholder.timeout | h1 | too-small |
      And "t1" waits

  Rule: limits count the placeholder as gone

    Scenario: a task and its placeholder never count twice
      Given the queues:
        | queue  |
        | root.a |
      And the limits:
        | queue  | users | max     |
        | root.a | ann   | 2 vcore |
      And the applications:
        | application | queue  | user | placeholders |
        | etl         | root.a | ann  | 2 vcore      |
      And "etl" asks placeholder "e1" of group "workers" for 2 vcore
      And the cycle runs
      When "etl" asks "t1" of group "workers" for 2 vcore
      Then "e1" is replaced by "t1"
      When "e1" is released
      Then "t1" is allocated

  Rule: an ask that fits nowhere and exceeds the oldest placeholder in a type releases that placeholder

    Scenario: the ask is ordinary from then on
      When "train" asks "t1" of group "workers" for 5 vcore
      Then the decisions are:
        | type                | id | app   | node | reason    |
        | placeholder.timeout | h1 | train | n1   | too-small |
      And "t1" waits
      When "h1" is released
      Then the decisions are:
        | type    | id | reason  |
        | release | h1 | timeout |
      When a node "z" with 8 vcore
      Then "t1" is allocated on "z"

    Scenario: such an ask replaces no other placeholder later
      Given "train" asks "t1" of group "workers" for 5 vcore
      And the cycle runs
      When ask "t1" now needs 2 vcore
      Then there is no placeholder.replaced decision
      And "t1" is allocated
      And the asks show:
        | ask | leaving |
        | h2  | none    |

    Scenario: exceeding it in one type is enough
      When "train" asks "t1" of group "workers" for 1 vcore, 1Gi memory
      Then the decisions are:
        | type                | id | reason    |
        | placeholder.timeout | h1 | too-small |

    Scenario: such an ask reserves a node like any other
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "y" with 4 vcore
      And a node "z" with 4 vcore
      And the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.b | 2 vcore   | n1   |
        | o2  | other       | root.b | 2 vcore   | n2   |
        | o3  | other       | root.b | 1 vcore   | y    |
        | o4  | other       | root.b | 1 vcore   | z    |
      And the cycle runs
      And "train" asks "t1" of group "workers" for 4 vcore
      When 2s pass
      Then the decisions are:
        | type        | id | node |
        | reservation | t1 | n1   |

    Scenario: the next task of the group replaces the next placeholder
      Given "train" asks "t1" of group "workers" for 5 vcore
      And the cycle runs
      When "train" asks "t2" of group "workers" for 2 vcore
      Then "h2" is replaced by "t2" on "n2"

  Rule: an ask that fits nowhere and does not exceed the oldest placeholder waits

    Scenario: it replaces a placeholder as soon as it fits
      When the asks:
        | ask | application | resources | task group | constraints |
        | t1  | train       | 2 vcore   | workers    | zone=b      |
      Then "t1" waits
      And nothing is decided
      When node "n2" is updated with attributes zone=b
      Then "h2" is replaced by "t1" on "n2"

    Scenario: it reserves no node
      Given node "n1" is drained
      And node "n2" is drained
      And a node "z" with 2 vcore
      And "o" asks in root.b for 1 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 2 vcore
      When 10s pass
      Then nothing is decided

    Scenario: it does not preempt
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 8 vcore    | 10s              |
        | root.b |            |                  |
      And node "n1" is drained
      And node "n2" is drained
      And a node "z" with 2 vcore
      And "o" asks in root.b for 2 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 2 vcore
      When 1m passes
      Then no allocation is preempted

  Rule: a task with a required node replaces a placeholder there, otherwise the oldest

    Scenario: the placeholder on the required node, even if it is not the oldest
      When the asks:
        | ask | application | resources | node | task group |
        | t1  | train       | 2 vcore   | n2   | workers    |
      Then "h2" is replaced by "t1" on "n2"

    Scenario: the oldest placeholder, if none is on the required node
      Given a node "z" with 2 vcore
      When the asks:
        | ask | application | resources | node | task group |
        | t1  | train       | 2 vcore   | z    | workers    |
      Then "h1" is replaced by "t1" on "z"

  Rule: until the placeholder has left, room and headroom are kept for the ask, but not the whole node

    Scenario: for a larger ask, more than the placeholder's room is kept
      Given "train" asks "t1" of group "workers" for 3 vcore
      And the cycle runs
      When "o1" asks in root.b for 2 vcore
      And "o2" asks in root.b for 1 vcore
      And "o3" asks in root.b for 1 vcore
      Then "o1" is allocated on "n2"
      And "o2" is allocated on "n1"
      And "o3" waits

    Scenario: for a smaller ask, the rest of the placeholder's room is free once the placeholder has left
      Given "train" asks "t1" of group "workers" for 1 vcore
      And the cycle runs
      And node "n1" is updated with attributes zone=a
      When the asks:
        | ask | queue  | resources | constraints |
        | o1  | root.b | 3 vcore   | zone=a      |
      Then "o1" waits
      When "h1" is released
      Then "t1", "o1" are allocated in this order

    Scenario: headroom is kept for the ask
      Given the queues:
        | queue  | max     |
        | root.a | 5 vcore |
        | root.b |         |
      And "train" asks "t1" of group "workers" for 3 vcore
      And the cycle runs
      When "web" asks in root.a for 1 vcore
      Then "web" waits

    Scenario: the placeholder leaves even if the ask is withdrawn
      Given "train" asks "t1" of group "workers" for 2 vcore
      And the cycle runs
      And ask "t1" is removed
      When "train" asks "t2" of group "workers" for 2 vcore
      Then "h2" is replaced by "t2" on "n2"
      When "h1" is released
      Then the decisions are:
        | type    | id | reason   |
        | release | h1 | replaced |

    Scenario: if the node is removed, the ask replaces the next placeholder
      Given "train" asks "t1" of group "workers" for 2 vcore
      And the cycle runs
      When node "n1" is removed
      Then the decisions are:
        | type                 | id | for | node | reason       |
        | release              | h1 |     |      | node_removed |
        | placeholder.replaced | h2 | t1  | n2   |              |

  Rule: a task of a formed gang is ordinary if its group has no placeholder left

    Scenario: the second of two tasks for one placeholder is placed at once
      Given "train" asks placeholder "s1" of group "servers" for 1 vcore
      And the cycle runs
      When "train" asks "t1" and "t2" of group "servers" for 1 vcore
      Then the decisions are:
        | type                 | id | for |
        | placeholder.replaced | s1 | t1  |
        | allocation           | t2 |     |

    Scenario: a task of a group that never had a placeholder
      When "train" asks "t1" of group "observers" for 1 vcore
      Then "t1" is allocated

    Scenario: a task without a group
      When "train" asks "t1" for 1 vcore
      Then "t1" is allocated
`;export{e as default};