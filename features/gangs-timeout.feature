Feature: The placeholder timeout

  Placeholders hold room for a limited time, which counts from the first that is allocated. At the timeout all placeholders
  leave, and a gang that is not formed continues without them or fails.

  Background:
    Given the queues:
      | queue    | maxapplications |
      | root.a   |                 |
      | root.one | 1               |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore

  Rule: the timeout counts from the first allocated placeholder, and ends with the last one

    Scenario Outline: a timeout of <timeout> is <time>
      Given the applications:
        | application | queue  | placeholders | placeholder timeout |
        | train       | root.a | 4 vcore      | <timeout>           |
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      When 72h pass
      Then the placeholder.timeout decisions are:
        | at     | id | reason  |
        | <time> | h1 | timeout |

      Examples:
        | timeout | time |
        |         | 15m  |
        | 0s      | 15m  |
        | 90s     | 90s  |
        | 24h     | 24h  |

    Scenario: pending placeholders end in the order of asks, in which repairs come first
      Given a gang "train" in root.a with placeholders for 9 vcore and a timeout of 1m
      And the asks:
        | ask | application | resources | task group | placeholder | gang | gang min | count |
        | w   | train       | 2 vcore   | workers    | true        | g    | 2        | 2     |
      And "train" asks placeholder "h1" of group "workers" for 9 vcore
      And the cycle runs
      And "w-1" fails
      And the cycle runs
      And the asks:
        | ask | application | resources | task group | placeholder | gang | gang min |
        | w-3 | train       | 9 vcore   | workers    | true        | g    | 2        |
      When 1m passes
      Then the placeholder.timeout decisions are:
        | id  | node |
        | w-3 | none |
        | h1  | none |
        | w-2 | n2   |

    Scenario: pending placeholders do not start it
      Given a gang "train" in root.a with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 9 vcore
      When 24h pass
      Then nothing is decided

    Scenario: a second placeholder does not prolong it
      Given a gang "train" in root.a with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And 50s pass
      And "train" asks placeholder "h2" of group "workers" for 2 vcore
      When 10s pass
      Then the placeholder.timeout decisions are:
        | id |
        | h1 |
        | h2 |

    Scenario: it continues while another placeholder is allocated
      Given a gang "train" in root.a with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And 50s pass
      And "h1" is released
      When 10s pass
      Then the placeholder.timeout decisions are:
        | id |
        | h2 |

    Scenario: it continues while another placeholder is pending
      Given a gang "train" in root.a with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And "train" asks placeholder "h2" of group "workers" for 9 vcore
      And 50s pass
      And "h1" is released
      When 10s pass
      Then the placeholder.timeout decisions are:
        | id | node |
        | h2 | none |

    Scenario: it starts again after the last placeholder has ended
      Given a gang "train" in root.a with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And 50s pass
      And "h1" is released
      And "train" asks placeholder "h2" of group "workers" for 2 vcore
      When 59s pass
      Then there is no placeholder.timeout decision
      When 1s passes
      Then the placeholder.timeout decisions are:
        | id |
        | h2 |

    Scenario: a restored placeholder starts it
      Given a gang "train" in root.a with placeholders for 9 vcore and a timeout of 1m
      And the allocations:
        | allocation | application | resources | on | task group | placeholder |
        | h1         | train       | 2 vcore   | n1 | workers    | yes         |
      When 1m passes
      Then the placeholder.timeout decisions are:
        | id | node |
        | h1 | n1   |

  Rule: at the timeout pending placeholders are dropped, and allocated placeholders are told to leave

    Scenario: pending placeholders in ask order, then allocated ones, the oldest first
      Given a gang "train" in root.a with placeholders for 4 vcore and a timeout of 1m
      And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And "train" asks placeholder "p1" of group "workers" for 9 vcore
      And "train" asks placeholder "p2" of group "workers" for 9 vcore with priority 1
      When 1m passes
      Then the decisions are:
        | type                | id | app   | node | reason  |
        | placeholder.timeout | p2 | train | none | timeout |
        | placeholder.timeout | p1 | train | none | timeout |
        | placeholder.timeout | h1 | train | n1   | timeout |
        | placeholder.timeout | h2 | train | n2   | timeout |
      And ask "p1" is gone
      And "h1" is allocated on "n1"

    Scenario: the release has the reason timeout
      Given a gang "train" in root.a with placeholders for 2 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And 1m passes
      When "h1" is released
      Then the release decisions are:
        | id | reason  |
        | h1 | timeout |

    Scenario: a placeholder that is being replaced is not told again
      Given a gang "train" in root.a with placeholders for 4 vcore and a timeout of 1m
      And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 2 vcore
      When 1m passes
      Then the placeholder.timeout decisions are:
        | id |
        | h2 |
      When "h1" is released
      Then "t1" is allocated on "n1"

  Rule: a formed gang loses only its placeholders

    Background:
      Given a gang "train" in root.a with placeholders for 4 vcore and a timeout of 1m
      And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs

    Scenario: its state does not change
      When 1m passes
      Then there is no app.state decision
      And application "train" is Starting

    Scenario: its tasks are ordinary asks from then on
      Given 1m passes
      When "train" asks "t1" of group "workers" for 2 vcore
      Then "t1" is allocated on "n1"

    Scenario: it accepts new placeholders, with a new timeout
      Given 1m passes
      And "h1" and "h2" are released
      And "train" asks placeholder "h3" of group "workers" for 2 vcore
      And the cycle runs
      When 1m passes
      Then the placeholder.timeout decisions are:
        | id |
        | h3 |

  Rule: a Soft gang that is not formed continues without placeholders

    Background:
      Given a gang "train" in root.one with placeholders for 9 vcore and a timeout of 1m
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs

    Scenario: it is Resuming, and Accepted when the last placeholder has left
      Given "train" asks "t1" of group "workers" for 1 vcore
      When 1m passes
      Then the decisions are:
        | type                | id    | from     | to       | reason       |
        | placeholder.timeout | h1    |          |          | timeout      |
        | app.state           | train | Accepted | Resuming | gang-timeout |
      When "h1" is released
      Then the decisions are:
        | type       | id    | from     | to       | reason           |
        | release    | h1    |          |          | timeout          |
        | app.state  | train | Resuming | Accepted | gang-over        |
        | allocation | t1    |          |          |                  |
        | app.state  | train | Accepted | Starting | first-allocation |

    Scenario: Soft is the default style
      Given the applications:
        | application | queue  | placeholders | placeholder timeout | gang style |
        | etl         | root.a | 9 vcore      | 1m                  | Soft       |
      And "etl" asks placeholder "e1" of group "workers" for 2 vcore
      When 1m passes
      Then application "etl" is Resuming
      And application "train" is Resuming

    Scenario: with nothing pending it is Completing
      Given 1m passes
      When "h1" is released
      Then the app.state decisions are:
        | id    | from     | to         | reason |
        | train | Resuming | Completing | idle   |

    Scenario: a Resuming application places nothing
      Given 1m passes
      And the cycle runs
      When "train" asks "t1" for 1 vcore
      Then "t1" waits
      And nothing is decided

    Scenario: a Resuming application reserves nothing
      Given 1m passes
      And the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.a | 1 vcore   | n1   |
        | o2  | other       | root.a | 1 vcore   | n2   |
      And the cycle runs
      And "train" asks "t1" for 4 vcore
      When 10s pass
      Then there is no reservation decision

    Scenario: a Resuming application keeps its place
      Given 1m passes
      When "web" asks in root.one for 1 vcore
      Then "web" waits
      And the queues show:
        | queue    | running |
        | root.one | 1       |

    Scenario: it accepts no more placeholders
      Given 1m passes
      When "train" asks placeholder "h2" of group "workers" for 2 vcore
      Then the decisions are:
        | type         | id | app   | reason    |
        | ask.rejected | h2 | train | gang-over |
      When "train" asks "t1" for 1 vcore
      And "h1" is released
      And "train" asks placeholder "h3" of group "workers" for 2 vcore
      Then "h3" is rejected because of gang-over

    Scenario: with only pending placeholders it is Accepted again at once
      Given "train" asks placeholder "h2" of group "workers" for 9 vcore
      And "train" asks "t1" for 1 vcore
      And the cycle runs
      And "h1" is released
      When 1m passes
      Then the decisions are:
        | type                | id    | from     | to       | reason           |
        | placeholder.timeout | h2    |          |          | timeout          |
        | app.state           | train | Accepted | Resuming | gang-timeout     |
        | app.state           | train | Resuming | Accepted | gang-over        |
        | allocation          | t1    |          |          |                  |
        | app.state           | train | Accepted | Starting | first-allocation |

  Rule: a Hard gang that is not formed fails

    Background:
      Given the applications:
        | application | queue    | placeholders | placeholder timeout | gang style |
        | train       | root.one | 9 vcore      | 1m                  | Hard       |
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs

    Scenario: it is Failing, and Failed when the last placeholder has left
      When 1m passes
      Then the decisions are:
        | type                | id    | from     | to      | reason       |
        | placeholder.timeout | h1    |          |         | timeout      |
        | app.state           | train | Accepted | Failing | gang-timeout |
      When "h1" is released
      Then the decisions are:
        | type      | id    | from    | to     | reason  |
        | release   | h1    |         |        | timeout |
        | app.state | train | Failing | Failed | failed  |

    Scenario: its real asks are dropped without decisions
      Given "train" asks "t1" and "t2" of group "workers" for 2 vcore
      When 1m passes
      Then the decisions are:
        | type                | id    |
        | placeholder.timeout | h1    |
        | app.state           | train |
      And ask "t1" is gone
      And ask "t2" is gone

    Scenario Outline: a Failing application accepts no <kind>
      Given 1m passes
      When the asks:
        | ask | application | resources | task group | placeholder   |
        | t1  | train       | 1 vcore   | workers    | <placeholder> |
      Then "t1" is rejected because of app-failing

      Examples:
        | kind        | placeholder |
        | task        | no          |
        | placeholder | yes         |

    Scenario: a Failing application accepts no restored allocation
      Given 1m passes
      When "train" has "t1" for 1 vcore restored on "n1"
      Then "t1" is rejected because of app-failing

    Scenario: a Failing application holds no place
      Given "web" asks in root.one for 1 vcore
      When 1m passes
      Then application "train" is Failing
      And "web" is allocated

    Scenario: its ID is free once it is Failed, not before
      Given 1m passes
      When an application "train" in root.a
      Then "train" is rejected because of duplicate
      When "h1" is released
      And an application "train" in root.a
      Then application "train" is New

    Scenario: with nothing allocated it is Failing and Failed at once
      Given "train" asks placeholder "h2" of group "workers" for 9 vcore
      And the cycle runs
      And "h1" is released
      When 1m passes
      Then the decisions are:
        | type                | id    | from     | to      | reason       |
        | placeholder.timeout | h2    |          |         | timeout      |
        | app.state           | train | Accepted | Failing | gang-timeout |
        | app.state           | train | Failing  | Failed  | failed       |

    Scenario: a Failed application expires
      Given 1m passes
      And "h1" is released
      When 72h pass
      Then the app.state decisions are:
        | id    | from   | to      | reason  |
        | train | Failed | Expired | expired |

    Scenario: a Hard gang that is formed in time does not fail
      Given "train" asks placeholder "h2" of group "workers" for 4 vcore
      And "train" asks placeholder "h3" of group "workers" for 2 vcore
      And a node "n3" with 4 vcore
      And "train" asks placeholder "h4" of group "workers" for 1 vcore
      When 1m passes
      Then application "train" is Starting
