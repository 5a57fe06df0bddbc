Feature: The right to preempt

  Each preemption names the right by which the allocation is taken: a guarantee, the priorities within a leaf, a required
  node, or the max of a queue.

  Scenario: a guarantee
    Given the queues:
      | queue    | guaranteed |
      | root.own | 1 vcore    |
      | root.lent |           |
    And a node "n1" with 1 vcore
    And the allocations:
      | allocation | queue     | resources | on |
      | guest      | root.lent | 1 vcore   | n1 |
    And "owner" asks in root.own for 1 vcore
    When 30s pass
    Then the preemption decisions are:
      | id    | for   | right     |
      | guest | owner | guarantee |

  Scenario: priorities within a leaf
    Given the queues:
      | queue    | preemption.intra-queue |
      | root.dev | enabled                |
    And a node "n1" with 1 vcore
    And the allocations:
      | allocation | queue    | resources | on |
      | low        | root.dev | 1 vcore   | n1 |
    And "high" asks in root.dev for 1 vcore with priority 1
    When 30s pass
    Then the preemption decisions are:
      | id  | for  | right |
      | low | high | queue |

  Scenario: a required node
    Given the queues:
      | queue    |
      | root.dev |
    And a node "n1" with 1 vcore
    And the allocations:
      | allocation | queue    | resources | on |
      | low        | root.dev | 1 vcore   | n1 |
    When the asks:
      | ask    | queue    | resources | node | priority |
      | daemon | root.dev | 1 vcore   | n1   | 1        |
    Then the preemption decisions are:
      | id  | for    | right         |
      | low | daemon | required-node |
