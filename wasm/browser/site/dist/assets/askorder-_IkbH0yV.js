var e=`Feature: The order of asks in an application

  Background:
    Given a node "n1" with 10 vcore
    And an application "app" in root.default

  Rule: the higher priority first, then the one submitted first

    Scenario: three priorities
      When "app" asks "low" for 1 vcore with priority -1
      And "app" asks "plain" for 1 vcore
      And "app" asks "high" for 1 vcore with priority 1
      Then "high", "plain", "low" are allocated in this order

    Scenario: equals go in the order in which they came
      When "app" asks "z", "a", "m" for 1 vcore
      Then "z", "a", "m" are allocated in this order

    Scenario: the whole range of priorities
      When "app" asks "lowest" for 1 vcore with priority -2147483648
      And "app" asks "highest" for 1 vcore with priority 2147483647
      Then "highest", "lowest" are allocated in this order

    Scenario: driver and executors
      When "app" asks "executor1", "executor2" for 4 vcore with priority 1
      And "app" asks "driver" for 4 vcore with priority 10
      Then "driver", "executor1" are allocated in this order
      And "executor2" waits

  Rule: an ask that does not fit does not stop the next

    Scenario: a large one of high priority waits, a small one goes
      When "app" asks "large" for 11 vcore with priority 9
      And "app" asks "small" for 1 vcore
      Then "small" is allocated
      And "large" waits

  Rule: an update keeps the place in the order of submission

    Scenario: a changed size
      When "app" asks "first", "second" for 1 vcore
      And ask "first" now needs 2 vcore
      Then "first", "second" are allocated in this order
      And the asks show:
        | ask   | resources |
        | first | 2 vcore   |

    Scenario: a priority raised and taken back
      When "app" asks "first", "second" for 1 vcore
      And ask "first" now has priority -1
      And ask "first" now has priority 0
      Then "first", "second" are allocated in this order

    Scenario: a priority that is raised counts
      When "app" asks "first", "second" for 1 vcore
      And ask "second" now needs 1 vcore and has priority 1
      Then "second", "first" are allocated in this order

    Scenario: an ask made smaller goes when it fits
      Given "app" asks "big" for 20 vcore
      When ask "big" now needs 10 vcore
      Then "big" is allocated on "n1"
      And the queues show:
        | queue        | used     | pending |
        | root.default | 10 vcore | nothing |

    Scenario: a time of waiting goes on through an update
      Given "app" asks "big" for 20 vcore
      And 1s passes
      When ask "big" now needs 30 vcore
      Then the asks show:
        | ask | submitted |
        | big | 0s        |
`;export{e as default};