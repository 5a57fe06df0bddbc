var e=`Feature: The order of applications in a leaf

  Rule: fifo, the default, goes by submission of the application

    Scenario: the oldest application is served first, whenever it asked
      Given a node "n1" with 3 vcore
      And an application "older" in root.default
      And an application "younger" in root.default
      When "younger" asks "y1" for 1 vcore
      And "older" asks "o1", "o2" for 1 vcore
      Then "o1", "o2", "y1" are allocated in this order

    Scenario: the younger get what the older leave
      Given a node "n1" with 3 vcore
      When "older" asks in root.default for 2 vcore
      And "younger" asks in root.default for 2 vcore
      And "youngest" asks in root.default for 1 vcore
      Then "older", "youngest" are allocated in this order
      And "younger" waits

    Scenario: several run at once
      Given a node "n1" with 2 vcore
      When "older" asks in root.default for 1 vcore
      And "younger" asks in root.default for 1 vcore
      Then application "older" is Starting
      And application "younger" is Starting

    Scenario: priority comes first, and only what is still pending counts
      Given a node "n1" with 4 vcore
      And an application "older" in root.default
      And an application "younger" in root.default
      When "older" asks "o5" for 1 vcore with priority 5
      And "younger" asks "y1" for 1 vcore with priority 1
      And "younger" asks "y9" for 1 vcore with priority 9
      And "older" asks "o1" for 1 vcore with priority 1
      Then "y9", "o5", "o1", "y1" are allocated in this order

  Rule: fair goes by usage, as a list of shares from the largest down

    Scenario: whoever uses least is first
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      And a node "n1" with 10 vcore
      And "older" asks in root.a for 2 vcore
      And "younger" asks in root.a for 1 vcore
      When "older" asks "o" for 1 vcore
      And "younger" asks "y" for 1 vcore
      Then "y", "o" are allocated in this order

    Scenario: what is free is spread equally
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      And a node "n1" with 4 vcore
      When the asks:
        | ask | application | queue  | resources | count |
        | x   | x           | root.a | 1 vcore   | 4     |
        | y   | y           | root.a | 1 vcore   | 4     |
      Then "x-1", "y-1", "x-2", "y-2" are allocated in this order
      And "x-3" and "y-3" wait

    Scenario: shares are of the leaf's guaranteed, where it sets one
      Given the queues:
        | queue  | application.sort.policy | guaranteed          |
        | root.a | fair                    | 10 vcore, 10 memory |
      And a node "n1" with 20 vcore, 1000 memory
      And "cores" asks in root.a for 4 vcore
      And "bytes" asks in root.a for 5 memory
      When "bytes" asks "b" for 1 vcore
      And "cores" asks "c" for 1 vcore
      Then "c", "b" are allocated in this order

    Scenario: a type without a guaranteed counts against the nearest max
      Given the queues:
        | queue  | application.sort.policy | max       |
        | root.a | fair                    | 10 memory |
      And a node "n1" with 20 vcore, 1000 memory
      And "cores" asks in root.a for 8 vcore
      And "bytes" asks in root.a for 5 memory
      When "bytes" asks "b" for 1 vcore
      And "cores" asks "c" for 1 vcore
      Then "c", "b" are allocated in this order

    Scenario: equal in the largest share, the next one decides
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      And a node "n1" with 10 vcore, 10 memory
      And "both" asks in root.a for 2 vcore, 1 memory
      And "one" asks in root.a for 2 vcore
      When "both" asks "b" for 1 vcore
      And "one" asks "o" for 1 vcore
      Then "o", "b" are allocated in this order

    Scenario: the list goes from the largest share down, whatever the types
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      And a node "n1" with 10 vcore, 10 memory
      And "cores" asks in root.a for 4 vcore, 1 memory
      And "bytes" asks in root.a for 2 vcore, 3 memory
      When "cores" asks "c" for 1 vcore
      And "bytes" asks "b" for 1 vcore
      Then "b", "c" are allocated in this order

    Scenario Outline: of nine types <seen>
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      And a node "n1" with 99 vcore, 10 t1, 10 t2, 10 t3, 10 t4, 10 t5, 10 t6, 10 t7, 10 t8, 10 t9
      And "older" asks in root.a for 5 t1, 5 t2, 5 t3, 5 t4, 5 t5, 5 t6, 5 t7, <eighth>, <ninth>
      And "younger" asks in root.a for 5 t1, 5 t2, 5 t3, 5 t4, 5 t5, 5 t6, 5 t7, 2 t8, 1 t9
      When "older" asks "o" for 1 vcore
      And "younger" asks "y" for 1 vcore
      Then "<first>", "<second>" are allocated in this order

      Examples:
        | seen                     | eighth | ninth | first | second |
        | the eighth still counts  | 3 t8   | 1 t9  | y     | o      |
        | the ninth counts no more | 2 t8   | 2 t9  | o     | y      |

    Scenario: at equal usage the older is first, and priority is before all
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      And a node "n1" with 10 vcore
      And "user" asks in root.a for 3 vcore
      When "user" asks "urgent" for 1 vcore with priority 1
      And "idle1" asks in root.a for 1 vcore
      And "idle2" asks in root.a for 1 vcore
      Then "urgent", "idle1", "idle2" are allocated in this order

    Scenario: with priority disabled, usage alone
      Given the queues:
        | queue  | application.sort.policy | application.sort.priority |
        | root.a | fair                    | disabled                  |
      And a node "n1" with 10 vcore
      And "user" asks in root.a for 3 vcore
      When "user" asks "urgent" for 1 vcore with priority 1
      And "idle" asks in root.a for 1 vcore
      Then "idle", "urgent" are allocated in this order

    Scenario: what is released counts no more
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | fair                    |
      And a node "n1" with 10 vcore
      And an application "x" in root.a
      And "x" asks "x1", "x2", "x3" for 1 vcore
      And "y" asks in root.a for 2 vcore
      And the cycle runs
      And "x1", "x2" are released
      When "y" asks "y2" for 1 vcore
      And "x" asks "x4" for 1 vcore
      Then "x4", "y2" are allocated in this order

  Rule: stateaware lets in one new application at a time

    Background:
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
      And a node "n1" with 10 vcore

    Scenario: the second allocation of one lets the next one in
      Given an application "one" in root.a
      And an application "two" in root.a
      And an application "three" in root.a
      When "three" asks "three-1" for 1 vcore
      And "two" asks "two-1", "two-2" for 1 vcore
      And "one" asks "one-1", "one-2" for 1 vcore
      Then "one-1", "one-2", "two-1", "two-2", "three-1" are allocated in this order

    Scenario: an application that is Starting blocks the next, even with nothing pending
      When "one" asks in root.a for 1 vcore
      And "two" asks in root.a for 1 vcore
      Then "one" is allocated
      And application "one" is Starting
      And "two" waits
      When 4m59s pass
      Then "two" waits
      When 1s passes
      Then application "one" is Running
      And "two" is allocated

    Scenario: a second ask of the one that is Starting lets the next one in
      Given "one" asks in root.a for 1 vcore
      And "two" asks in root.a for 1 vcore
      When "one" asks "more" for 1 vcore
      Then "more", "two" are allocated in this order

    Scenario: the oldest Accepted one blocks the others even when it fits nowhere
      When "giant" asks in root.a for 100 vcore
      And "small" asks in root.a for 1 vcore
      Then "giant" and "small" wait
      And application "small" is Accepted
      When ask "giant" is removed
      Then "small" is allocated

    Scenario: those that run are not held up by the one that waits to start
      Given an application "runner" in root.a
      And "runner" asks "r1", "r2" for 1 vcore
      And the cycle runs
      When "giant" asks in root.a for 100 vcore
      And "runner" asks "r3" for 1 vcore
      Then "r3" is allocated
      And "giant" waits

    Scenario: running ones and the new one go by submission, not by state
      Given an application "elder" in root.a
      And an application "runner" in root.a
      And "runner" asks "r1", "r2" for 1 vcore
      And the cycle runs
      When "runner" asks "r3" for 1 vcore
      And "elder" asks "e1" for 1 vcore
      Then "e1", "r3" are allocated in this order

    Scenario: of those Accepted the one of highest priority, then the oldest
      When "plain" asks in root.a for 1 vcore
      And "high1" asks in root.a for 1 vcore with priority 5
      And "high2" asks in root.a for 1 vcore with priority 5
      Then "high1" is allocated in this order
      And "plain" and "high2" wait

    Scenario: with priority disabled simply the oldest
      Given the queues:
        | queue  | application.sort.policy | application.sort.priority |
        | root.a | stateaware              | disabled                  |
      When "plain" asks in root.a for 1 vcore
      And "high" asks in root.a for 1 vcore with priority 5
      Then "plain" is allocated in this order
      And "high" waits

    Scenario: one that lost its only allocation no longer stands in the way
      Given "one" asks in root.a for 1 vcore
      And "two" asks in root.a for 1 vcore
      When "one" is released
      Then application "one" is Completing
      And "two" is allocated

    Scenario: an application that need not start slowly lets the next one in at once
      Given the applications:
        | application | queue  | tags                                |
        | quick       | root.a | application.stateaware.disable=true |
      When "quick" asks "q1" for 1 vcore
      And "two" asks in root.a for 1 vcore
      Then "q1", "two" are allocated in this order
      And application "quick" is Running

    Scenario: each leaf has its own new application
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
        | root.b | stateaware              |
      When "a1", "a2" ask in root.a for 1 vcore
      And "b1", "b2" ask in root.b for 1 vcore
      Then "a1" and "b1" are allocated
      And "a2" and "b2" wait

  Rule: where a reload leaves several Starting, the first in order passes

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And a node "n1" with 10 vcore
      And "one" asks in root.a for 1 vcore
      And "two" asks in root.a for 1 vcore
      And the cycle runs

    Scenario: both have something pending: the older
      When the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
      And "two" asks "two-2" for 1 vcore
      And "one" asks "one-2" for 100 vcore
      Then "one-2" and "two-2" wait

    Scenario: the one of higher priority before the older
      When the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
      And "two" asks "two-2" for 1 vcore with priority 1
      And "one" asks "one-2" for 100 vcore
      Then "two-2" is allocated
      And "one-2" waits

    Scenario: one with nothing pending comes last
      When the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
      And "two" asks "two-2" for 1 vcore
      Then "two-2" is allocated
`;export{e as default};