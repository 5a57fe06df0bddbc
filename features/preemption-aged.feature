Feature: Which of equal victims leaves, by past usage

  With a half-life, of sets of victims that are equal except in age, the set goes whose leaves have used more: their shares by the usage that
  orders them are compared, the largest first. Then the youngest go, as without a half-life.

  Background: prod is guaranteed 1, and two queues use two nodes
    Given a node "n1" with 1 vcore
    And a node "n2" with 1 vcore

  Rule: the victim of the leaf with the larger share goes, though it is older

    Scenario Outline: much has used its node for an hour when little gets the other one
      Given the queues:
        | queue       | guaranteed | preemption.delay | fairness.half-life |
        | root.prod   | 1 vcore    | 1s               |                    |
        | root        |            |                  | <half-life>        |
        | root.much   |            |                  |                    |
        | root.little |            |                  |                    |
      And "m" asks in root.much for 1 vcore
      And the cycle runs
      And 1h passes
      And "l" asks in root.little for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1s passes
      Then "p" preempts "<victim>"

      Examples:
        | half-life | victim |
        |           | l      |
        | 1h        | m      |

    Scenario: equal shares leave it to age
      Given the queues:
        | queue       | guaranteed | preemption.delay | fairness.half-life |
        | root        |            |                  | 1h                 |
        | root.prod   | 1 vcore    | 1s               |                    |
        | root.one    |            |                  |                    |
      And "a" asks in root.one for 1 vcore
      And the cycle runs
      And 1h passes
      And "b" asks in root.one for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore
      When 1s passes
      Then "p" preempts "b"

  Rule: the other criteria come first

    Scenario: a lower priority goes, whatever its queue has used
      Given the queues:
        | queue       | guaranteed | preemption.delay | fairness.half-life |
        | root        |            |                  | 1h                 |
        | root.prod   | 1 vcore    | 1s               |                    |
        | root.much   |            |                  |                    |
        | root.little |            |                  |                    |
      And "m" asks in root.much for 1 vcore with priority 1
      And the cycle runs
      And 1h passes
      And "l" asks in root.little for 1 vcore
      And the cycle runs
      And "p" asks in root.prod for 1 vcore with priority 1
      When 1s passes
      Then "p" preempts "l"

  Rule: the largest shares are compared first

    Scenario: a node with one victim of much and one of little goes before a node with two of middle
      Given the queues:
        | queue       | guaranteed | preemption.delay | fairness.half-life |
        | root        |            |                  | 1h                 |
        | root.prod   | 1 vcore    | 1s               |                    |
        | root.much   |            |                  |                    |
        | root.middle |            |                  |                    |
        | root.little |            |                  |                    |
      And a node "n3" with 1 vcore
      And the allocations:
        | allocation | application | queue       | resources  | on | preemptable |
        | big        | m           | root.much   | 1 vcore    | n3 | no          |
        | m          | m           | root.much   | 500m vcore | n1 | yes         |
        | l          | l           | root.little | 500m vcore | n1 | yes         |
        | x          | x           | root.middle | 500m vcore | n2 | yes         |
        | y          | y           | root.middle | 500m vcore | n2 | yes         |
      And the cycle runs
      And 1h passes
      And "p" asks in root.prod for 1 vcore
      When 1s passes
      Then "p" preempts "m" and "l"

    Scenario: within a node, of equal ones the victim of the larger share
      Given the queues:
        | queue       | guaranteed | preemption.delay | fairness.half-life |
        | root        |            |                  | 1h                 |
        | root.prod   | 500m vcore | 1s               |                    |
        | root.much   |            |                  |                    |
        | root.little |            |                  |                    |
      And node "n2" is removed
      And "m" asks in root.much for 500m vcore
      And the cycle runs
      And 1h passes
      And "l" asks in root.little for 500m vcore
      And the cycle runs
      And "p" asks in root.prod for 500m vcore
      When 1s passes
      Then "p" preempts "m"
