Feature: Users who share a leaf

  With fair-users, the application of the user who has used least comes first.

  Rule: without a half-life, users share a leaf by what they use now

    Scenario: users share equally, however many applications they have
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair-users              |
      And a node "n1" with 4 vcore
      When the asks:
        | ask | application | queue  | user | resources | count |
        | a   | a           | root.a | ann  | 1 vcore   | 4     |
        | b   | b           | root.a | ann  | 1 vcore   | 4     |
        | c   | c           | root.a | bob  | 1 vcore   | 4     |
      Then "a-1", "c-1", "a-2", "c-2" are allocated in this order

    Scenario: applications of one user go by submission
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair-users              |
      And a node "n1" with 4 vcore
      When "x" asks in root.a as user "ann" for 2 vcore
      And "y" asks in root.a as user "ann" for 1 vcore
      Then "x", "y" are allocated in this order

    Scenario: priority comes before users
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair-users              |
      And a node "n1" with 4 vcore
      And "x" asks in root.a as user "ann" for 1 vcore
      When "y" asks in root.a as user "bob" for 1 vcore
      And "z" asks in root.a as user "ann" for 1 vcore with priority 1
      Then "z", "y" are allocated in this order

    Scenario: usage in another leaf does not count
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair-users              |
        | root.b |                         |
      And a node "n1" with 8 vcore
      And "o" asks in root.b as user "ann" for 4 vcore
      When "x" asks in root.a as user "ann" for 1 vcore
      And "y" asks in root.a as user "bob" for 1 vcore
      Then "x", "y" are allocated in this order

  Rule: with a half-life, the past of each user counts

    Scenario: a user who has worked alone waits for the others
      Given the queues:
        | queue  | application.sort.policy | fairness.half-life |
        | root.a | fair-users              | 10m                |
      And a node "n1" with 4 vcore
      And "x0" asks in root.a as user "ann" for 4 vcore
      And 10m pass
      And "x0" is released
      When the asks:
        | ask | application | queue  | user | resources | count |
        | x   | x           | root.a | ann  | 1 vcore   | 4     |
        | y   | y           | root.a | bob  | 1 vcore   | 4     |
      Then "y-1", "y-2", "y-3", "y-4" are allocated in this order

    Scenario: a leaf's shares show by whom it was used
      Given the queues:
        | queue  | application.sort.policy | fairness.half-life | fairness.look-ahead |
        | root.a | fair-users              | 1024s              | 0s                  |
      And a node "n1" with 8 vcore
      And "x" asks in root.a as user "ann" for 4 vcore
      And "y" asks in root.a as user "bob" for 2 vcore
      When 1024s pass
      Then the queues show:
        | queue  | users               |
        | root.a | ann 250000000 billionths, bob 125000000 billionths |

    Scenario Outline: a user without usage is remembered for twenty half-lives, after <time> as <users>
      Given the queues:
        | queue  | application.sort.policy | fairness.half-life | fairness.look-ahead |
        | root.a | fair-users              | 1024s              | 0s                  |
      And a node "n1" with 8 vcore
      And "x" asks in root.a as user "ann" for 8 vcore
      And 1024s pass
      And "x" is released
      When <time> passes
      Then the queues show:
        | queue  | users   |
        | root.a | <users> |

      Examples:
        | time   | users          |
        | 1024s  | ann 250000000 billionths |
        | 2048s  | ann 125000000 billionths |
        | 10240s | ann 488000 billionths |
        | 20480s | none           |

  Rule: gangs with placeholders need fifo or stateaware

    Scenario: a gang in a leaf that sorts by users
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair-users              |
      When a gang "g" in root.a with placeholders for 2 vcore
      Then "g" is rejected because of gang-sort-policy
