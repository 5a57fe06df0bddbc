var e=`@snapshot
Feature: A snapshot keeps gangs

  A restored scheduler continues with gangs as if nothing had happened: formed gangs stay formed, leaving placeholders are
  replaced by the same asks, and no timeout starts again.

  Background:
    Given a node "n1" with 4 vcore
    And a node "n2" with 4 vcore

  Rule: forming

    Scenario: the declared sum
      Given a gang "train" in root.default with placeholders for 4 vcore
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When the scheduler is restored from a snapshot
      And "train" asks placeholder "h2" of group "workers" for 2 vcore
      Then the app.state decisions are:
        | id    | from     | to       | reason      |
        | train | Accepted | Starting | gang-formed |

    Scenario: tasks that wait until the gang is formed
      Given a gang "train" in root.default with placeholders for 4 vcore
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 1 vcore
      When the scheduler is restored from a snapshot
      Then "t1" waits
      And nothing is decided

    Scenario: a formed gang stays formed even if a placeholder has ended
      Given a gang "train" in root.default with placeholders for 4 vcore
      And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs
      And "h1" is released
      When the scheduler is restored from a snapshot
      And "train" asks "t1" of group "workers" for 2 vcore
      Then "h2" is replaced by "t1" on "n2"

    Scenario: the place of an Accepted gang with a placeholder
      Given the queues:
        | queue    | maxapplications |
        | root.one | 1               |
      And a gang "train" in root.one with placeholders for 4 vcore
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When the scheduler is restored from a snapshot
      And "web" asks in root.one for 1 vcore
      Then "web" waits

  Rule: replacing

    Background:
      Given a gang "train" in root.default with placeholders for 4 vcore
      And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs

    Scenario: a leaving placeholder, its ask and the node
      Given "train" asks "t1" of group "workers" for 2 vcore
      And the cycle runs
      When the scheduler is restored from a snapshot
      Then nothing is decided
      When "h1" is released
      Then the decisions are:
        | type       | id | node | reason   |
        | release    | h1 |      | replaced |
        | allocation | t1 | n1   |          |

    Scenario: the room that is kept for an ask
      Given "train" asks "t1" of group "workers" for 4 vcore
      And the cycle runs
      When the scheduler is restored from a snapshot
      And the asks:
        | ask | queue        | resources | node |
        | o   | root.default | 1 vcore   | n1   |
      Then "o" waits

    Scenario: an ask that was too large for its placeholder stays ordinary
      Given "train" asks "t1" of group "workers" for 5 vcore
      And the cycle runs
      When the scheduler is restored from a snapshot
      And ask "t1" now needs 2 vcore
      Then there is no placeholder.replaced decision
      And "t1" is allocated

    Scenario: the reason why a placeholder leaves
      Given "train" asks "t1" of group "workers" for 5 vcore
      And the cycle runs
      And "train" asks "t2" of group "workers" for 2 vcore
      And the cycle runs
      When the scheduler is restored from a snapshot
      And "h1" and "h2" are released
      Then the release decisions are:
        | id | reason   |
        | h1 | timeout  |
        | h2 | replaced |

  Rule: timeouts

    Scenario: the placeholder timeout continues
      Given a gang "train" in root.default with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And 50s pass
      And the scheduler is restored from a snapshot
      When 9s pass
      Then nothing is decided
      When 1s passes
      Then the decisions are:
        | type                | id    | to       |
        | placeholder.timeout | h1    |          |
        | app.state           | train | Resuming |

    Scenario: placeholders that timed out are not told to leave again
      Given a gang "train" in root.default with placeholders for 2 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And 1m passes
      And the scheduler is restored from a snapshot
      When 3m pass
      Then nothing is decided

    Scenario: a Resuming gang takes no placeholders and places no tasks
      Given a gang "train" in root.default with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And "train" asks "t1" for 1 vcore
      And 1m passes
      And the scheduler is restored from a snapshot
      When "train" asks placeholder "h2" of group "workers" for 2 vcore
      Then "h2" is rejected because of gang-over
      And "t1" waits
      When "h1" is released
      Then "t1" is allocated

    Scenario: a Failing gang is Failed when its last placeholder has left
      Given the applications:
        | application | queue        | placeholders | placeholder timeout | gang style |
        | train       | root.default | 9 vcore      | 1m                  | Hard       |
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And 1m passes
      And the scheduler is restored from a snapshot
      When "train" asks "t1" for 1 vcore
      Then "t1" is rejected because of app-failing
      When "h1" is released
      Then application "train" is Failed

    Scenario: the gang style
      Given the applications:
        | application | queue        | placeholders | placeholder timeout | gang style |
        | train       | root.default | 9 vcore      | 1m                  | Hard       |
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the scheduler is restored from a snapshot
      When 1m passes
      Then application "train" is Failing

    Scenario: placeholders of a Completing gang that were told to leave
      Given a gang "train" in root.default with placeholders for 4 vcore
      And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 2 vcore
      And the cycle runs
      And "h1" is released
      And the cycle runs
      And "t1" is released
      And 30s pass
      And the scheduler is restored from a snapshot
      When 1m passes
      Then nothing is decided
      When "h2" is released
      Then application "train" is Completed
`;export{e as default};