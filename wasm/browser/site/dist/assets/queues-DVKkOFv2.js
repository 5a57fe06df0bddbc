var e=`Feature: Queues, limits and headroom

  Rule: without any configuration there is one leaf, root.default

    Scenario: an unconfigured scheduler takes applications in root.default
      Given a node "n1" with 1 vcore
      When "a" asks in root.default for 1 vcore
      Then "a" is allocated on "n1"

  Rule: an application is submitted to an active leaf, by its full name in any case

    Background:
      Given the queues:
        | queue     | parent |
        | root.prod |        |
        | root.team | true   |
        | root.x.y  |        |

    Scenario Outline: <queue> is <told>
      When the applications:
        | application | queue   |
        | app         | <queue> |
      Then "app" is rejected because of <told>

      Examples:
        | queue       | told          |
        | ""          | no-queue      |
        | root.absent | unknown-queue |
        | prod        | unknown-queue |
        | y           | unknown-queue |
        | root.prod.z | unknown-queue |
        | root        | not-a-leaf    |
        | root.team   | not-a-leaf    |
        | root.x      | not-a-leaf    |

    Scenario Outline: <queue> is root.prod
      When the applications:
        | application | queue   |
        | app         | <queue> |
      Then the decisions are:
        | type         | id  | queue     |
        | app.accepted | app | root.prod |

      Examples:
        | queue     |
        | root.prod |
        | ROOT.PROD |
        | Root.Prod |

    Scenario: a name in capitals is configured, and shown in lower case
      Given the queues:
        | queue        |
        | root.Finance |
      When an application "app" in root.finance
      Then the applications show:
        | application | queue        |
        | app         | root.finance |

  Rule: a parent uses what all below it use

    Scenario: usage adds up to the root and goes down again
      Given the queues:
        | queue    |
        | root.a.x |
        | root.a.y |
        | root.b   |
      And a node "n1" with 10 vcore, 10 memory
      When "x" asks in root.a.x for 1 vcore
      And "y" asks in root.a.y for 2 vcore, 3 memory
      And "b" asks in root.b for 4 vcore
      Then the queues show:
        | queue    | used              |
        | root     | 7 vcore, 3 memory |
        | root.a   | 3 vcore, 3 memory |
        | root.a.x | 1 vcore           |
        | root.b   | 4 vcore           |
      When "y" is released
      Then the queues show:
        | queue    | used    |
        | root     | 5 vcore |
        | root.a   | 1 vcore |
        | root.a.y | nothing |

  Rule: headroom is the smallest of max minus usage, type by type, over a leaf and all above it

    Scenario: each type has its own narrowest place
      Given the queues:
        | queue    | max                |
        | root.a   | 4 vcore            |
        | root.a.x | 3 vcore, 10 memory |
        | root.a.y |                    |
      And a node "n1" with 10 vcore, 12 memory
      When "y" asks in root.a.y for 2 vcore, 5 memory
      Then the queues show:
        | queue    | headroom          |
        | root     | 8 vcore, 7 memory |
        | root.a   | 2 vcore, 7 memory |
        | root.a.x | 2 vcore, 7 memory |
      When "y" is released
      Then the queues show:
        | queue    | headroom           |
        | root.a.x | 3 vcore, 10 memory |
        | root.a.y | 4 vcore, 12 memory |

    Scenario Outline: an ask of two types needs headroom in both: <max>
      Given the queues:
        | queue  | max   |
        | root.a | <max> |
      And a node "n1" with 9 vcore, 9 memory
      When "a" asks in root.a for 2 vcore, 2 memory
      Then "a" waits

      Examples:
        | max               |
        | 1 vcore, 2 memory |
        | 2 vcore, 1 memory |

    Scenario: an ask may use headroom up to the last unit
      Given the queues:
        | queue  | max         |
        | root.a | 1500m vcore |
      And a node "n1" with 10 vcore
      When "exact" asks in root.a for 1500m vcore
      Then "exact" is allocated on "n1"
      When "more" asks in root.a for 1m vcore
      Then "more" waits

    Scenario: a max stops an ask although a node has room
      Given the queues:
        | queue  | max     |
        | root.a | 2 vcore |
        | root.b |         |
      And a node "n1" with 10 vcore
      When "a" asks in root.a for 3 vcore
      And "b" asks in root.b for 3 vcore
      Then "a" waits
      And "b" is allocated on "n1"

    Scenario: a parent's max is shared by its children
      Given the queues:
        | queue    | max     |
        | root.a   | 3 vcore |
        | root.a.x | 2 vcore |
        | root.a.y | 3 vcore |
      And a node "n1" with 10 vcore
      And "x" asks in root.a.x for 2 vcore
      When "y" asks in root.a.y for 2 vcore
      Then "y" waits
      When "small" asks in root.a.y for 1 vcore
      Then "small" is allocated
      And "y" waits
      When "x" is released
      Then "y" is allocated

    Scenario: a max two levels up counts
      Given the queues:
        | queue      | max     |
        | root.a     | 1 vcore |
        | root.a.b.c |         |
      And a node "n1" with 10 vcore
      When "two" asks in root.a.b.c for 2 vcore
      And "one" asks in root.a.b.c for 1 vcore
      Then "two" waits
      And "one" is allocated

    Scenario: a guaranteed is no limit
      Given the queues:
        | queue  | guaranteed |
        | root.a | 1 vcore    |
      And a node "n1" with 10 vcore
      When "a" asks in root.a for 10 vcore
      Then "a" is allocated

    Scenario: the cluster's total is root's max, however the nodes are cut
      Given the queues:
        | queue  | max      |
        | root.a | 90 vcore |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      Then the queues show:
        | queue  | headroom |
        | root.a | 2 vcore  |
`;export{e as default};