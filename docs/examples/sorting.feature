Feature: the worked numbers of the page about sorting

  Scenario: 90 % of the cores and 50 % of the memory are 70 %
    Given a node "n1" with 10 vcore, 100Gi memory
    When "half" asks in root.default for 9 vcore, 50Gi memory
    Then the nodes show:
      | node | utilisation |
      | n1   | 70 %        |

  Scenario: with weights 4 and 1 they are 82 %
    Given nodes are sorted by fair with weights 4 vcore, 1 memory
    And the queues:
      | queue        |
      | root.default |
    And a node "n1" with 10 vcore, 100Gi memory
    When "half" asks in root.default for 9 vcore, 50Gi memory
    Then the nodes show:
      | node | utilisation |
      | n1   | 82 %        |

  Scenario: the queue with the smaller share comes first
    Given the queues:
      | queue     | guaranteed | max     |
      | root.prod | 4 vcore    |         |
      | root.lab  |            | 8 vcore |
    And a node "n1" with 10 vcore, 10Gi memory
    And "p1" asks in root.prod for 3 vcore
    And "l1" asks in root.lab for 4 vcore
    When "p2" asks in root.prod for 1 vcore
    And "l2" asks in root.lab for 1 vcore
    Then "l2" and "p2" are allocated in this order
    And the queues show:
      | queue     | fair share |
      | root.prod | 1          |
      | root.lab  | 5/8        |
