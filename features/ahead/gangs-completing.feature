Feature: The end of a gang

  A formed gang whose tasks have all ended is Completing, placeholders or not. They leave when its 30 seconds are over.

  Background: a gang whose first task t1 has taken the place of h1, and that still has h2
    Given a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And a gang "train" in root.default with placeholders for 4 vcore
    And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
    And the cycle runs
    And "train" asks "t1" of group "workers" for 2 vcore
    And the cycle runs
    And "h1" is released
    And the cycle runs

  Scenario: without tasks it is Completing though it has placeholders
    When "t1" is released
    Then the decisions are:
      | type      | id    | from     | to         | reason   |
      | release   | t1    |          |            | finished |
      | app.state | train | Starting | Completing | idle     |
    And "h2" is allocated on "n2"

  Scenario: a pending task keeps it from that
    Given "train" asks "t2" for 9 vcore
    When "t1" is released
    Then application "train" is Starting

  Scenario: after 30 seconds its placeholders are told to leave, and then it is Completed
    Given "t1" is released
    When 30s pass
    Then the decisions are:
      | type                | id | app   | node | reason         |
      | placeholder.timeout | h2 | train | n2   | app-completing |
    When "h2" is released
    Then the decisions are:
      | type      | id    | from       | to        | reason             |
      | release   | h2    |            |           | timeout            |
      | app.state | train | Completing | Completed | completing-timeout |

  Scenario: pending placeholders are gone with that
    Given "train" asks placeholder "h3" of group "workers" for 9 vcore
    And "t1" is released
    When 30s pass
    Then the decisions are:
      | type                | id | node | reason         |
      | placeholder.timeout | h3 | none | app-completing |
      | placeholder.timeout | h2 | n2   | app-completing |

  Scenario: when its last placeholder leaves by itself it is Completed after its 30 seconds, not before
    Given "t1" is released
    And 10s pass
    And "h2" is released
    When 19s pass
    Then application "train" is Completing
    When 1s passes
    Then application "train" is Completed

  Scenario: a task before that brings it back, and finds its placeholder there
    Given "t1" is released
    And 29s pass
    When "train" asks "t2" of group "workers" for 2 vcore
    Then the decisions are:
      | type                 | id    | for | from       | to      | reason    |
      | app.state            | train |     | Completing | Running | ask-added |
      | placeholder.replaced | h2    | t2  |            |         |           |

  Scenario: a formed gang that has had no task waits for one
    Given a gang "etl" in root.default with placeholders for 1 vcore
    And "etl" asks placeholder "e1" of group "workers" for 1 vcore
    When 1m passes
    Then application "etl" is Starting

  Scenario: a formed gang that loses its last placeholder without a task is Completing
    Given a gang "etl" in root.default with placeholders for 1 vcore
    And "etl" asks placeholder "e1" of group "workers" for 1 vcore
    And the cycle runs
    When "e1" is released
    Then the app.state decisions are:
      | id  | from     | to         | reason |
      | etl | Starting | Completing | idle   |

  Scenario Outline: a gang that went Completing before it was formed comes back as Accepted, with a <kind>
    Given a gang "etl" in root.default with placeholders for 4 vcore
    And "etl" asks placeholder "e1" of group "workers" for 1 vcore
    And the cycle runs
    And "e1" is released
    When the asks:
      | ask | application | resources | task group | placeholder   |
      | e2  | etl         | 9 vcore   | workers    | <placeholder> |
    Then the app.state decisions are:
      | id  | from       | to       | reason    |
      | etl | Completing | Accepted | ask-added |

    Examples:
      | kind        | placeholder |
      | placeholder | yes         |
      | task        | no          |

  Scenario: removed, it goes with its placeholders in one transition
    When application "train" is removed
    Then the decisions are:
      | type      | id    | from     | to        | reason      |
      | release   | h2    |          |           | app_removed |
      | release   | t1    |          |           | app_removed |
      | app.state | train | Starting | Completed | app-removed |
