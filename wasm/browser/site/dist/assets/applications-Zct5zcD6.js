var e=`Feature: The states of an application

  New, Accepted at the first ask, Starting at the first allocation, Running at the second or after 5 minutes,
  Completing when nothing is left, Completed after 30 seconds, Expired after 3 days.

  Background:
    Given a node "n1" with 10 vcore

  Rule: each step has its reason

    Scenario: the whole life of an application with two asks
      When an application "app" in root.default
      And "app" asks "one", "two" for 1 vcore
      Then the decisions are:
        | type         | id  | from     | to       | reason            | queue        | node | priority | resources |
        | app.accepted | app |          |          |                   | root.default |      |          |           |
        | app.state    | app | New      | Accepted | ask-added         |              |      |          |           |
        | allocation   | one |          |          |                   | root.default | n1   | 0        | 1 vcore   |
        | app.state    | app | Accepted | Starting | first-allocation  |              |      |          |           |
        | allocation   | two |          |          |                   | root.default | n1   | 0        | 1 vcore   |
        | app.state    | app | Starting | Running  | second-allocation |              |      |          |           |
      When "one" and "two" are released
      Then the decisions are:
        | type      | id  | from    | to         | reason   |
        | release   | one |         |            | finished |
        | release   | two |         |            | finished |
        | app.state | app | Running | Completing | idle     |
      When 30s pass
      Then the decisions are:
        | type      | at  | id  | from       | to        | reason             |
        | app.state | 30s | app | Completing | Completed | completing-timeout |
      When 72h pass
      Then the decisions are:
        | type      | at       | id  | from      | to      | reason  |
        | app.state | 72h0m30s | app | Completed | Expired | expired |
      And application "app" is gone

    Scenario: New until it asks
      When an application "app" in root.default
      Then application "app" is New
      And there is no app.state decision

    Scenario: New for as long as it likes
      Given an application "app" in root.default
      When 1000h pass
      Then application "app" is New

  Rule: Starting becomes Running after 5 minutes

    Scenario: at 5 minutes, not before
      Given "app" asks in root.default for 1 vcore
      When 4m59s pass
      Then application "app" is Starting
      When 1s passes
      Then the decisions are:
        | type      | at | id  | from     | to      | reason           |
        | app.state | 5m | app | Starting | Running | starting-timeout |

    Scenario: the time counts from the first allocation
      Given "app" asks in root.default for 11 vcore
      And 10m pass
      And node "n1" is updated with capacity 11 vcore
      When 4m59s pass
      Then application "app" is Starting
      When 1s passes
      Then application "app" is Running

    Scenario: the second allocation ends the waiting
      Given an application "app" in root.default
      And "app" asks "one", "two" for 1 vcore
      When 10m pass
      Then nothing is decided

    Scenario: the second allocation ever counts, not two at a time
      Given an application "app" in root.default
      And "app" asks "one" for 6 vcore
      And "app" asks "two" for 6 vcore
      When "one" is released
      Then the decisions are:
        | type       | id  | from     | to      |
        | release    | one |          |         |
        | allocation | two |          |         |
        | app.state  | app | Starting | Running |

    Scenario Outline: the tag application.stateaware.disable=<value>
      Given the applications:
        | application | queue        | tags                                   |
        | app         | root.default | application.stateaware.disable=<value> |
      When "app" asks "one" for 1 vcore
      Then the app.state decisions are:
        | id  | from     | to       | reason           |
        | app | New      | Accepted | ask-added        |
        | app | Accepted | <state>  | first-allocation |

      Examples:
        | value | state    |
        | true  | Running  |
        | false | Starting |
        | 1     | Starting |

  Rule: without asks and allocations an application is Completing

    Scenario: from Accepted, when its last ask is withdrawn
      Given "app" asks in root.default for 11 vcore
      When ask "app" is removed
      Then the decisions are:
        | type      | id  | from     | to         | reason |
        | app.state | app | Accepted | Completing | idle   |

    Scenario: from Starting, when its last allocation ends
      Given "app" asks in root.default for 1 vcore
      When "app" is released
      Then the decisions are:
        | type      | id  | from     | to         | reason   |
        | release   | app |          |            | finished |
        | app.state | app | Starting | Completing | idle     |

    Scenario: not while an ask is pending
      Given an application "app" in root.default
      And "app" asks "one" for 1 vcore
      And "app" asks "big" for 100 vcore
      When "one" is released
      Then application "app" is Starting

    Scenario: a new ask brings it back to Running
      Given "app" asks in root.default for 1 vcore
      And the cycle runs
      And "app" is released
      And 29s pass
      When "app" asks "again" for 1 vcore
      Then the decisions are:
        | type       | id    | from       | to      | reason    |
        | app.state  | app   | Completing | Running | ask-added |
        | allocation | again |            |         |           |
      When 1m passes
      Then nothing is decided
      And application "app" is Running

    Scenario: back from Accepted it is Running too
      Given "app" asks in root.default for 11 vcore
      And ask "app" is removed
      When "app" asks "fits" for 1 vcore
      Then the app.state decisions are:
        | id  | from       | to      |
        | app | Completing | Running |

    Scenario: the 30 seconds begin again
      Given "app" asks in root.default for 1 vcore
      And the cycle runs
      And "app" is released
      And 20s pass
      And "app" asks "again" for 1 vcore
      And the cycle runs
      And "again" is released
      When 29s pass
      Then application "app" is Completing
      When 1s passes
      Then application "app" is Completed

    Scenario: at 30 seconds it is too late to ask
      Given "app" asks in root.default for 1 vcore
      And the cycle runs
      And "app" is released
      When 30s pass
      And "app" asks "late" for 1 vcore
      Then the decisions are:
        | type         | id   | to        | reason              |
        | app.state    | app  | Completed | completing-timeout  |
        | ask.rejected | late |           | unknown-application |

  Rule: an application that is removed is Completed in one step

    Scenario: its allocations are released, its asks dropped without a word
      Given an application "app" in root.default
      And "app" asks "z", "a" for 1 vcore
      And "app" asks "big" for 100 vcore
      When application "app" is removed
      Then the decisions are:
        | type      | id  | from    | to        | reason      |
        | release   | z   |         |           | app_removed |
        | release   | a   |         |           | app_removed |
        | app.state | app | Running | Completed | app-removed |
      And ask "big" is gone
      And the queues show:
        | queue        | used    | pending |
        | root.default | nothing | nothing |

    Scenario Outline: from <state>
      Given an application "app" in root.default
      And "app" asks "one" for <needs>
      When application "app" is removed
      Then the app.state decisions are:
        | from    | to        | reason      |
        | <state> | Completed | app-removed |

      Examples:
        | state    | needs    |
        | Accepted | 11 vcore |
        | Starting | 1 vcore  |

    Scenario: from New
      Given an application "app" in root.default
      When application "app" is removed
      Then the decisions are:
        | type      | id  | from | to        |
        | app.state | app | New  | Completed |

    Scenario: its timers go with it
      Given "app" asks in root.default for 1 vcore
      And the cycle runs
      And application "app" is removed
      When 5m pass
      Then nothing is decided

  Rule: timers of one instant go off in the order in which the applications were submitted

    Scenario: two applications complete together
      Given an application "second" in root.default
      And an application "first" in root.default
      And "first" asks "f" for 11 vcore
      And "second" asks "s" for 11 vcore
      And ask "f" is removed
      And ask "s" is removed
      When 30s pass
      Then the decisions are:
        | type      | id     | to        |
        | app.state | second | Completed |
        | app.state | first  | Completed |

    @one-instant
    Scenario: one completes, one expires, one has started
      Given an application "completes" in root.default
      And an application "expires" in root.default
      And an application "starts" in root.default
      And application "expires" is removed
      And 71h55m pass
      And "starts" asks "s" for 1 vcore
      And 4m30s pass
      And "completes" asks "c" for 11 vcore
      And ask "c" is removed
      When 30s pass
      Then the decisions are:
        | at  | type      | id        | from       | to        |
        | 72h | app.state | completes | Completing | Completed |
        | 72h | app.state | expires   | Completed  | Expired   |
        | 72h | app.state | starts    | Starting   | Running   |

  Rule: an ID is free again once its application has ended

    Scenario: a live application keeps its ID
      Given an application "app" in root.default
      When an application "app" in root.default
      Then "app" is rejected because of duplicate

    Scenario: a Completing application is still alive
      Given "app" asks in root.default for 11 vcore
      And ask "app" is removed
      When an application "app" in root.default
      Then "app" is rejected because of duplicate

    Scenario: a Completed one gives it back, and still expires on its day
      Given an application "app" in root.default
      And application "app" is removed
      When an application "app" in root.default
      Then the decisions are:
        | type         | id  |
        | app.accepted | app |
      When 72h pass
      Then the decisions are:
        | type      | id  | from      | to      |
        | app.state | app | Completed | Expired |
      And application "app" is New

    Scenario: a rejected one leaves its ID free and does not expire
      When an application "app" in root.absent
      Then "app" is rejected because of unknown-queue
      When an application "app" in root.default
      Then the decisions are:
        | type         | id  |
        | app.accepted | app |
      When 1000h pass
      Then nothing is decided

    Scenario: an application removed twice is ignored the second time
      Given an application "app" in root.default
      And application "app" is removed
      When application "app" is removed
      Then the app.remove of "app" is ignored because of unknown-application
`;export{e as default};