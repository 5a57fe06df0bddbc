var e=`Feature: Limits above dynamic queues

  Rule: dynamic queues have no limits of their own, those above them hold

    Background:
      Given the queues:
        | queue  | parent |
        | root.a | true   |
        | root.b |        |
      And a node "n1" with 100 vcore

    Scenario: the limit of their parent
      Given the placement rules:
        | rule     | create |
        | provided | yes    |
      And the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      When "d" asks in root.a.d as user "bob" for 2 vcore
      And "e" asks in root.a.e as user "bob" for 2 vcore
      Then "d" is allocated
      And "e" waits

    Scenario: the limit of root counts usage of the recovery queue
      Given the limits:
        | queue | users | max     |
        | root  | bob   | 2 vcore |
      And the applications:
        | application | queue  | user | tags                          |
        | app         | root.x | bob  | application.create.force=true |
      And "app" asks "one" for 2 vcore
      When "bobs" asks in root.b as user "bob" for 1 vcore
      Then "bobs" waits
`;export{e as default};