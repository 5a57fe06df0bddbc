var e=`Feature: The end of a gang

  A formed gang whose tasks have all ended is Completing even if it has placeholders, which leave after 30 seconds.

  Background: a gang with the task t1, which replaced h1, and the placeholder h2
    Given a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And a gang "train" in root.default with placeholders for 4 vcore
    And "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
    And the cycle runs
    And "train" asks "t1" of group "workers" for 2 vcore
    And the cycle runs
    And "h1" is released
    And the cycle runs

  Scenario: without tasks it is Completing even if it has placeholders
    When "t1" is released
    Then the decisions are:
      | type      | id    | from     | to         | reason   |
      | release   | t1    |          |            | finished |
      | app.state | train | Starting | Completing | idle     |
    And "h2" is allocated on "n2"

  Scenario: a pending task prevents that
    Given "train" asks "t2" for 9 vcore
    When "t1" is released
    Then application "train" is Starting

  Scenario: after 30 seconds its placeholders leave, and then it is Completed
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

  Scenario: after 30 seconds pending placeholders are dropped
    Given "train" asks placeholder "h3" of group "workers" for 9 vcore
    And "t1" is released
    When 30s pass
    Then the decisions are:
      | type                | id | node | reason         |
      | placeholder.timeout | h3 | none | app-completing |
      | placeholder.timeout | h2 | n2   | app-completing |

  Scenario: if the last placeholder leaves earlier, it is still Completed after 30 seconds
    Given "t1" is released
    And 10s pass
    And "h2" is released
    When 19s pass
    Then application "train" is Completing
    When 1s passes
    Then application "train" is Completed

  Scenario: the placeholder timeout may come first
    Given a gang "etl" in root.default with placeholders for 2 vcore and a timeout of 1m
    And "etl" asks placeholders "e1" and "e2" of group "workers" for 1 vcore
    And the cycle runs
    And "etl" asks "x1" of group "workers" for 1 vcore
    And the cycle runs
    And "e1" is released
    And 50s pass
    And "x1" is released
    When 10s pass
    Then the decisions are:
      | type                | id | reason  |
      | placeholder.timeout | e2 | timeout |
    When 20s pass
    Then nothing is decided
    When "e2" is released
    Then the decisions are:
      | type      | id  | to        | reason             |
      | release   | e2  |           | timeout            |
      | app.state | etl | Completed | completing-timeout |

  Scenario: a new task within 30 seconds makes it Running and can use the placeholder
    Given "t1" is released
    And 29s pass
    When "train" asks "t2" of group "workers" for 2 vcore
    Then the decisions are:
      | type                 | id    | for | from       | to      | reason    |
      | app.state            | train |     | Completing | Running | ask-added |
      | placeholder.replaced | h2    | t2  |            |         |           |

  Scenario: a formed gang that has had no task is not Completing while it has placeholders
    Given a gang "etl" in root.default with placeholders for 1 vcore
    And "etl" asks placeholder "e1" of group "workers" for 1 vcore
    When 1m passes
    Then application "etl" is Starting

  Scenario: a formed gang without tasks is Completing when its last placeholder ends
    Given a gang "etl" in root.default with placeholders for 1 vcore
    And "etl" asks placeholder "e1" of group "workers" for 1 vcore
    And the cycle runs
    When "e1" is released
    Then the app.state decisions are:
      | id  | from     | to         | reason |
      | etl | Starting | Completing | idle   |

  Scenario Outline: a <kind> makes a Completing gang that was never formed Accepted
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

  Scenario: a gang that is removed ends in one transition, with its placeholders
    When application "train" is removed
    Then the decisions are:
      | type      | id    | from     | to        | reason      |
      | release   | h2    |          |           | app_removed |
      | release   | t1    |          |           | app_removed |
      | app.state | train | Starting | Completed | app-removed |
`;export{e as default};