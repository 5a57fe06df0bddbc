var e=`Feature: Allocations that exist already

  What exists exists: it is taken over unchecked, and no decision says allocation.

  Background:
    Given the queues:
      | queue  | max     | application.sort.policy |
      | root.a | 4 vcore | fifo                    |
    And a node "n1" with 4 vcore
    And an application "app" in root.a

  Rule: a restored allocation counts like any other

    Scenario: it is used, on its node and in its queues, and moves the state
      When "app" has "one" for 1 vcore restored on "n1" with priority 3
      Then the decisions are:
        | type      | id  | from     | to       | reason           |
        | app.state | app | New      | Accepted | ask-added        |
        | app.state | app | Accepted | Starting | first-allocation |
      And "one" is allocated on "n1"
      And the queues show:
        | queue  | used    | headroom |
        | root   | 1 vcore | 3 vcore  |
        | root.a | 1 vcore | 3 vcore  |
      And the nodes show:
        | node | used    | allocations |
        | n1   | 1 vcore | one         |

    Scenario: the second one makes its application Running
      When "app" has "one", "two" for 1 vcore restored on "n1"
      Then the app.state decisions are:
        | from     | to       | reason            |
        | New      | Accepted | ask-added         |
        | Accepted | Starting | first-allocation  |
        | Starting | Running  | second-allocation |

    Scenario: one restored and one placed make two
      Given "app" has "one" for 1 vcore restored on "n1"
      When "app" asks "two" for 1 vcore
      Then application "app" is Running

    Scenario: after 5 minutes Starting ends as before
      Given "app" has "one" for 1 vcore restored on "n1"
      When 5m pass
      Then application "app" is Running

    Scenario: it is released as any other
      Given "app" has "one" for 1 vcore restored on "n1"
      When "one" is released
      Then the decisions are:
        | type      | id  | reason   | to         |
        | release   | one | finished |            |
        | app.state | app | idle     | Completing |

    Scenario: it brings a Completing application back
      Given "app" asks "big" for 9 vcore
      And ask "big" is removed
      When "app" has "one" for 1 vcore restored on "n1"
      Then application "app" is Running

  Rule: nothing is checked but that its parts are known

    Scenario: beyond the node and beyond the max
      When "app" has "one" for 6 vcore restored on "n1"
      Then "one" is allocated on "n1"
      And the queues show:
        | queue  | used    | headroom |
        | root.a | 6 vcore | -2 vcore |
      And the nodes show:
        | node | used    |
        | n1   | 6 vcore |

    Scenario: then nothing is placed there until enough is gone
      Given "app" has "one", "two" for 3 vcore restored on "n1"
      When "app" asks "new" for 1 vcore
      Then "new" waits
      When "one" is released
      Then "new" is allocated on "n1"

    Scenario: on a drained node
      Given node "n1" is drained
      When "app" has "one" for 1 vcore restored on "n1"
      Then "one" is allocated on "n1"

    Scenario Outline: <case>
      Given "app" has "known" for 1 vcore restored on "n1"
      When "<app>" has "<ask>" for 1 vcore restored on "<node>"
      Then "<ask>" is rejected because of <reason>

      Examples:
        | case                    | app   | ask   | node  | reason              |
        | an unknown application  | ghost | new   | n1    | unknown-application |
        | an unknown node         | app   | new   | ghost | unknown-node        |
        | an ID that is allocated | app   | known | n1    | duplicate           |

    Scenario: an ID that is pending
      Given "app" asks "known" for 9 vcore
      When "app" has "known" for 1 vcore restored on "n1"
      Then "known" is rejected because of duplicate
`;export{e as default};