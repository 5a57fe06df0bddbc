Feature: aging

  Applications by priority, which grows by 1 in every 5 minutes of waiting. The queue has application.sort.priority: disabled, since it
  would compare the priority of asks first.

  Background:
    Given the queues:
      | queue  | application.sort.policy | application.sort.priority |
      | root.a | aging                   | disabled                  |
    And a node "n1" with 1 vcore
    And "busy" asks in root.a for 1 vcore

  Rule: the priority grows by one in each interval

    Scenario Outline: one of priority 0 that came first, and one of priority 2, <later> later
      Given "low" asks in root.a for 1 vcore with priority 0
      And <later> pass
      And "high" asks in root.a for 1 vcore with priority 2
      When "busy" is released
      Then "<first>" is allocated
      But "<second>" waits

      Examples:
        | later | first | second |
        | 9m    | high  | low    |
        | 599s  | high  | low    |
        | 601s  | low   | high   |
        | 11m   | low   | high   |

    Scenario: of equals, the one whose own priority is higher
      Given "low" asks in root.a for 1 vcore with priority 0
      And 10m pass
      And "high" asks in root.a for 1 vcore with priority 2
      When "busy" is released
      Then "high" is allocated
      But "low" waits

    Scenario: what both wait together changes nothing
      Given "low" asks in root.a for 1 vcore with priority 0
      And 9m pass
      And "high" asks in root.a for 1 vcore with priority 2
      And 100h pass
      When "busy" is released
      Then "high" is allocated
      But "low" waits

  Rule: the priority is that of the application's pending asks

    Scenario: equal priorities in the order of submission
      Given "first" asks in root.a for 1 vcore with priority 1
      And 1s pass
      And "second" asks in root.a for 1 vcore with priority 1
      When "busy" is released
      Then "first" is allocated
      But "second" waits

    Scenario: another priority counts at once
      Given "first" asks in root.a for 1 vcore with priority 0
      And "second" asks in root.a for 1 vcore with priority 0
      When ask "second" now has priority 1
      And "busy" is released
      Then "second" is allocated
      But "first" waits
