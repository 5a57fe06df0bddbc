var e=`Feature: Dynamic queues and preemption by quota

  Dynamic queues release resources when a queue above exceeds its max. They are never due themselves.

  Background: a dynamic queue that uses 4 cores
    Given preemption by quota is on
    And the placement rules:
      | rule     | create |
      | provided | yes    |
    And the queues:
      | queue  | max     | parent | template max | quota.preemption.delay |
      | root.d | 4 vcore | true   | 4 vcore      | 10s                    |
    And a node "n1" with 8 vcore
    And "d1" asks in root.d.new for 2 vcore
    And "d2" asks in root.d.new for 2 vcore
    And the cycle runs

  Scenario: a lower max in the template makes no queue due
    When the queues:
      | queue  | max     | parent | template max | quota.preemption.delay |
      | root.d | 4 vcore | true   | 1 vcore      | 10s                    |
    Then the queues show:
      | queue      | max     | used    |
      | root.d.new | 1 vcore | 4 vcore |
    When 1h passes
    Then no allocation is preempted

  Scenario: a lower max of the queue above preempts from a dynamic queue
    When the queues:
      | queue  | max     | parent | quota.preemption.delay |
      | root.d | 2 vcore | true   | 10s                    |
    And 10s pass
    Then the quota of root.d preempts "d2"

  Scenario: a guaranteed that a tag has set protects a dynamic queue
    Given the applications:
      | application | queue      | tags                                       |
      | tagged      | root.d.new | namespace.resourceguaranteed={"vcore":"3"} |
    When the queues:
      | queue  | max     | parent | quota.preemption.delay |
      | root.d | 2 vcore | true   | 10s                    |
    And 10s pass
    Then no allocation is preempted

  Scenario: a dynamic queue that becomes managed can be due
    When the queues:
      | queue      | max     | quota.preemption.delay |
      | root.d     | 4 vcore | 10s                    |
      | root.d.new | 1 vcore |                        |
    And 9s pass
    Then no allocation is preempted
    When 1s passes
    Then the quota of root.d.new preempts "d1" and "d2"
`;export{e as default};