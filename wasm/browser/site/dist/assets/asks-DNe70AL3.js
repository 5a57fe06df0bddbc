var e=`Feature: Asks and allocations that come, change and go

  Background:
    Given a node "n1" with 4 vcore
    And an application "app" in root.default

  Rule: an ask belongs to a live application

    Scenario: an unknown application
      When "ghost" asks "a" for 1 vcore
      Then the decisions are:
        | type         | id | app   | reason              |
        | ask.rejected | a  | ghost | unknown-application |

    Scenario: an application that has ended
      Given application "app" is removed
      When "app" asks "a" for 1 vcore
      Then "a" is rejected because of unknown-application

  Rule: IDs of asks are unique in the partition

    Scenario Outline: while <state>, another ask of the name is rejected
      Given an application "other" in root.default
      And "app" asks "a" for <needs>
      When "other" asks "a" for 1 vcore
      Then "a" is rejected because of duplicate
      And application "other" is New

      Examples:
        | state     | needs   |
        | pending   | 5 vcore |
        | allocated | 1 vcore |

    Scenario: released, the ID is free again
      Given "app" asks "a" for 1 vcore
      And the cycle runs
      And "a" is released
      When "app" asks "a" for 2 vcore
      Then "a" is allocated
      And the asks show:
        | ask | resources |
        | a   | 2 vcore   |

    Scenario: withdrawn, the ID is free again
      Given "app" asks "a" for 5 vcore
      And ask "a" is removed
      When "app" asks "a" for 2 vcore
      Then "a" is allocated

  Rule: placeholders need an application that declares them

    Scenario: a placeholder of another application is rejected
      When the asks:
        | ask | application | resources | task group | placeholder |
        | a   | app         | 1 vcore   | tg         | yes         |
      Then "a" is rejected because of not-a-gang

    Scenario: a task group has no effect there
      When the asks:
        | ask | application | resources | task group |
        | a   | app         | 1 vcore   | tg         |
      Then "a" is allocated

  Rule: the first thing that is wrong is told

    Scenario Outline: <case>
      Given "app" asks "known" for 1 vcore
      When the asks:
        | ask   | application | resources   | task group | placeholder |
        | <ask> | <app>       | <resources> | tg         | <holder>    |
      Then "<ask>" is rejected because of <reason>

      Examples:
        | case                                         | ask   | app   | resources | holder | reason              |
        | the application before the ID                | known | ghost | 1 vcore   |        | unknown-application |
        | the ID before the placeholder                | known | app   | 1 vcore   | yes    | duplicate           |
        | the placeholder before the lack of resources | new   | app   | nothing   | yes    | not-a-gang          |

  Rule: pending asks can be changed and withdrawn, allocations released

    Scenario: an ask that is withdrawn is gone without a word
      Given "app" asks "big" for 5 vcore
      And "app" asks "a" for 1 vcore
      When ask "big" is removed
      Then nothing is decided
      And ask "big" is gone

    Scenario: an ask may be larger than everything, and waits
      When "app" asks "big" for 1000 vcore
      Then "big" waits
      And there is no ask.rejected decision

    Scenario: a release makes room at once
      Given "app" asks "a" for 4 vcore
      And the cycle runs
      And "app" asks "b" for 4 vcore
      When "a" is released
      Then the decisions are:
        | type       | id  | reason            | node |
        | release    | a   | finished          |      |
        | allocation | b   |                   | n1   |
        | app.state  | app | second-allocation |      |

    Scenario: an ask that is grown beyond what is free waits
      When "app" asks "a" for 1 vcore
      And ask "a" now needs 5 vcore
      Then "a" waits
      And the queues show:
        | queue        | pending |
        | root.default | 5 vcore |

  Rule: what does not fit the state of an ask is ignored

    Background:
      Given "app" asks "placed" for 1 vcore
      And "app" asks "pending" for 5 vcore

    Scenario: withdrawing an allocation
      When ask "placed" is removed
      Then the ask.remove of "placed" is ignored because of not-pending
      And "placed" is allocated

    Scenario: releasing what is pending
      When "pending" is released
      Then the allocation.release of "pending" is ignored because of not-allocated
      And "pending" waits

    Scenario: updating an allocation
      When ask "placed" now needs 2 vcore
      Then the ask.update of "placed" is ignored because of not-pending
      And the asks show:
        | ask    | resources |
        | placed | 1 vcore   |

    Scenario: updating to nothing changes the priority neither
      When ask "pending" now needs 0 vcore and has priority 7
      Then the ask.update of "pending" is ignored because of no-resources
      And the asks show:
        | ask     | resources | priority |
        | pending | 5 vcore   | 0        |

    Scenario: what is unknown
      When ask "ghost" is removed
      And ask "ghost" now has priority 1
      And "ghost" is released
      And application "ghost" is removed
      Then the decisions are:
        | type    | id    | input              | reason              |
        | ignored | ghost | ask.remove         | unknown-ask         |
        | ignored | ghost | ask.update         | unknown-ask         |
        | ignored | ghost | allocation.release | unknown-ask         |
        | ignored | ghost | app.remove         | unknown-application |
`;export{e as default};