var e=`Feature: The cycle

  Rule: the walk takes queues, applications, asks and nodes in their order, and begins again after each allocation

    Scenario: an application whose urgent ask is placed falls behind
      Given a node "n1" with 3 vcore
      And an application "one" in root.default
      And an application "two" in root.default
      When "one" asks "one-10" for 1 vcore with priority 10
      And "one" asks "one-1" for 1 vcore with priority 1
      And "two" asks "two-5" for 1 vcore with priority 5
      Then "one-10", "two-5", "one-1" are allocated in this order

    Scenario: one queue full, one application stuck, one ask too large, and the next goes
      Given the queues:
        | queue  | max     |
        | root.a | 1 vcore |
        | root.b |         |
      And a node "n1" with 4 vcore
      And an application "stuck" in root.b
      And an application "last" in root.b
      When "full" asks in root.a for 2 vcore with priority 9
      And "stuck" asks "stuck-1" for 5 vcore with priority 8
      And "last" asks "large" for 5 vcore with priority 7
      And "last" asks "small" for 1 vcore
      Then "small" is allocated in this order
      And "full", "stuck-1" and "large" wait

    Scenario: the first that fits is not the last that is looked at
      Given a node "n1" with 4 vcore
      When "three" asks in root.default for 3 vcore
      And "two" asks in root.default for 2 vcore
      And "one" asks in root.default for 1 vcore
      Then "three", "one" are allocated in this order
      And "two" waits

    Scenario: an ask that waits goes as soon as something that matters changes
      Given a node "n1" with 1 vcore
      And "a" asks in root.default for 2 vcore
      And 1h passes
      When a node "n2" with 2 vcore
      Then the allocation decisions are:
        | at | id | node |
        | 1h | a  | n2   |

    Scenario: nothing changed, nothing is decided
      Given the queues:
        | queue  | reservation.delay |
        | root   | 0s                |
        | root.a |                   |
      And a node "n1" with 1 vcore
      And "a" asks in root.a for 2 vcore
      When 1000h pass
      Then nothing is decided

  Rule: at one instant timers come first, then inputs in order, then the cycle

    Scenario: what is released and asked for in one instant fits
      Given a node "n1" with 1 vcore
      And "old" asks in root.default for 1 vcore
      When "new" asks in root.default for 1 vcore
      And "old" is released
      Then "new" is allocated

    Scenario: a late ask of high priority in the same instant is first
      Given a node "n1" with 1 vcore
      When "low" asks in root.default for 1 vcore
      And "high" asks in root.default for 1 vcore with priority 1
      Then "high" is allocated
      And "low" waits

    Scenario: an ask that came an instant earlier has its place
      Given a node "n1" with 1 vcore
      When "low" asks in root.default for 1 vcore
      And 1ms passes
      And "high" asks in root.default for 1 vcore with priority 1
      Then "low" is allocated
      And "high" waits

    Scenario: an ask withdrawn in its instant was never placed
      Given a node "n1" with 1 vcore
      And an application "app" in root.default
      When "app" asks "a" for 1 vcore
      And ask "a" is removed
      Then there is no allocation decision
      And application "app" is Completing

    @one-instant
    Scenario: timers of one instant, those of applications before ends of reservations
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 4 vcore
      And a node "n2" with 1 vcore
      And "old" asks in root.b for 2 vcore
      And 4m28s pass
      And "big" asks in root.a for 3 vcore
      And 2s pass
      And the cycle runs
      When 30s pass
      Then the decisions are:
        | at | type          | id  |
        | 5m | app.state     | old |
        | 5m | unreservation | big |

  Rule: decisions are numbered, and cause comes before effect

    Scenario: an ask that is placed at once
      Given a node "n1" with 1 vcore
      When "a" asks in root.default for 1 vcore
      Then the decisions are:
        | seq | type         | id | to       |
        | 2   | app.accepted | a  |          |
        | 3   | app.state    | a  | Accepted |
        | 4   | allocation   | a  |          |
        | 5   | app.state    | a  | Starting |

    Scenario: an allocation tells all about itself
      Given the queues:
        | queue     |
        | root.Prod |
      And a node "n1" with 4 vcore, 4Gi memory
      And an application "app" in root.prod
      When the asks:
        | ask | application | resources                               | priority |
        | a   | app         | 1.5 vcore, 1Gi memory, 0 nvidia.com/gpu | -3       |
      Then the allocation decisions are:
        | id | app | queue     | node | priority | resources                      |
        | a  | app | root.prod | n1   | -3       | 1500m vcore, 1073741824 memory |

  Rule: by hand the cycle runs only when asked, for so many allocations at most

    Background:
      Given the scheduler is stepped by hand
      And a node "n1" with 3 vcore
      And an application "app" in root.default
      And "app" asks "1", "2", "3", "4" for 1 vcore

    Scenario: without a cycle nothing is placed
      When 1m passes
      Then nothing is decided
      And "1", "2", "3" and "4" wait

    Scenario: no allocation at most is none
      When the cycle runs for at most 0 allocations
      Then nothing is decided

    Scenario: two, then what is left
      When the cycle runs for at most 2 allocations
      Then "1", "2" are allocated in this order
      When the cycle runs for at most 2 allocations
      Then "3" is allocated in this order
      And "4" waits

    Scenario: without a limit all that can be placed
      When the cycle runs
      Then "1", "2", "3" are allocated in this order

    Scenario: timers go off by themselves
      Given the cycle runs for at most 1 allocation
      When 5m pass
      Then the decisions are:
        | type      | id  | from     | to      |
        | app.state | app | Starting | Running |
`;export{e as default};