var e=`Feature: The end of a kept node

  A node that is kept for an ask and that the ask does not land on is free again. preemption.lapsed tells which ask, which node
  and why; each cause has its reason.

  Background: p takes u of n2, the younger
    Given the queues:
      | queue     | guaranteed |
      | root.prod | 2 vcore    |
      | root.test |            |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And a node "n3" with 1 vcore
    And the allocations:
      | allocation | queue     | resources | on |
      | t          | root.test | 2 vcore   | n1 |
      | u          | root.test | 2 vcore   | n2 |
    And "p" asks in root.prod for 2 vcore
    And 30s pass
    And the cycle runs

  Scenario Outline: <reason>: <cause>
    When <cause>
    Then the preemption.lapsed decisions are:
      | for | node | reason   |
      | p   | n2   | <reason> |

    Examples:
      | cause                                          | reason         |
      | node "n2" is drained                           | no-longer-fits |
      | node "n2" is updated with capacity 1999m vcore | no-longer-fits |
      | ask "p" now needs 2001m vcore                  | no-longer-fits |
      | ask "p" is removed                             | withdrawn      |
      | application "p" is removed                     | withdrawn      |
      | node "n2" is removed                           | node-removed   |

  Scenario: the ask looks for victims again in that same instant
    When node "n2" is drained
    Then the decisions are:
      | type              | for | node | reason         | id |
      | preemption.lapsed | p   | n2   | no-longer-fits |    |
      | preemption        | p   | n1   |                | t  |

  Scenario: it comes before the application's change of state
    When ask "p" is removed
    Then the decisions are:
      | type              | for | node | reason    | id | to         |
      | preemption.lapsed | p   | n2   | withdrawn |    |            |
      | app.state         |     |      | idle      | p  | Completing |

  Scenario: it comes before the releases on the node
    When node "n2" is removed
    Then the decisions include:
      | type              | for | node | reason       | id |
      | preemption.lapsed | p   | n2   | node-removed |    |
      | release           |     |      | node_removed | u  |

  Scenario: an ask that lands gives none
    When "u" is released
    Then "p" is allocated on "n2"
    And there is no preemption.lapsed decision
`;export{e as default};