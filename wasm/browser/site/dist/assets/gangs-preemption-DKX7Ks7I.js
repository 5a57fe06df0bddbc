var e=`Feature: Placeholders as victims

  A placeholder does no work yet, so the choice of victims ranks it below every priority.

  Background: a guaranteed queue, and a node that another queue uses
    Given the queues:
      | queue     | guaranteed | preemption.delay |
      | root.prod | 2 vcore    | 10s              |
      | root.test |            |                  |
    And a node "n1" with 4 vcore
    And a gang "train" in root.test with placeholders for 9 vcore

  Scenario: a placeholder is preferred to a task of lower priority
    Given "train" asks placeholder "h1" of group "workers" for 2 vcore with priority 5
    And "web" asks in root.test for 2 vcore with priority 1
    And the cycle runs
    And "p" asks in root.prod for 2 vcore with priority 5
    When 10s pass
    Then "p" preempts "h1"

  Scenario: a placeholder is preferred to a task of the same priority
    Given "web" asks in root.test for 2 vcore
    And the cycle runs
    And "train" asks placeholder "h1" of group "workers" for 2 vcore
    And the cycle runs
    And "p" asks in root.prod for 2 vcore
    When 10s pass
    Then "p" preempts "h1"

  Scenario: two placeholders are preferred to one task
    Given "train" asks placeholders "h1" and "h2" of group "workers" for 1 vcore
    And "web" asks in root.test for 2 vcore
    And the cycle runs
    And "p" asks in root.prod for 2 vcore
    When 10s pass
    Then "p" preempts "h1" and "h2"

  Scenario: law 6 uses the own priority of a placeholder
    Given "train" asks placeholder "h1" of group "workers" for 4 vcore with priority 5
    And the cycle runs
    And "p" asks in root.prod for 2 vcore with priority 4
    When 1m passes
    Then no allocation is preempted

  Scenario: a preempted placeholder does not count for forming
    Given a gang "etl" in root.test with placeholders for 4 vcore
    And "etl" asks placeholder "e1" of group "workers" for 3 vcore
    And the cycle runs
    And "p" asks in root.prod for 2 vcore
    And 10s pass
    And the cycle runs
    And "e1" is released
    And a node "n2" with 4 vcore
    When "etl" asks placeholder "e2" of group "workers" for 3 vcore
    Then "e2" is allocated on "n2"
    And application "etl" is Accepted

  Scenario: a formed gang stays formed when a placeholder is preempted
    Given a gang "etl" in root.test with placeholders for 4 vcore
    And "etl" asks placeholders "e1" and "e2" of group "workers" for 2 vcore
    And the cycle runs
    And "p" asks in root.prod for 2 vcore
    And 10s pass
    And the cycle runs
    And "e2" is released
    When "etl" asks "t1" of group "workers" for 2 vcore
    Then "e1" is replaced by "t1"
    And the asks show:
      | ask | node |
      | p   | n1   |

  Scenario: a placeholder that is being replaced is no victim
    Given a gang "etl" in root.test with placeholders for 4 vcore
    And "etl" asks placeholder "e1" of group "workers" for 4 vcore
    And the cycle runs
    And "etl" asks "t1" of group "workers" for 4 vcore
    And the cycle runs
    And "p" asks in root.prod for 2 vcore
    When 10s pass
    Then no allocation is preempted
    When "e1" is released
    Then "t1" is allocated
    And "p" preempts "t1"

  Scenario: intra-queue preemption uses the own priority of a placeholder
    Given the queues:
      | queue     | preemption.intra-queue | preemption.delay |
      | root.test | enabled                | 10s              |
    And "train" asks placeholder "h1" of group "workers" for 4 vcore with priority 5
    And the cycle runs
    And "web" asks in root.test for 4 vcore with priority 5
    And "api" asks in root.test for 4 vcore with priority 6
    When 10s pass
    Then "api" preempts "h1"
    And 1 allocation is preempted

  Scenario: preemption by quota takes a placeholder before any task
    Given preemption by quota is on
    And the queues:
      | queue     | max     |
      | root.test | 4 vcore |
    And "train" asks placeholder "h1" of group "workers" for 2 vcore with priority 5
    And "web" asks in root.test for 2 vcore with priority 1
    And the cycle runs
    When the queues:
      | queue     | max     | quota.preemption.delay |
      | root.test | 3 vcore | 10s                    |
    And 10s pass
    Then the quota of root.test preempts "h1"
    When "h1" is released
    Then the release decisions are:
      | id | reason    |
      | h1 | preempted |
`;export{e as default};