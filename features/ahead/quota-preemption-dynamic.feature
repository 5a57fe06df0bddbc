Feature: Dynamic queues and preemption by quota

  Dynamic queues give when a queue above is over its max, and are never due themselves, whatever their template says.

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

  Scenario: a template's lower max makes none due
    When the queues:
      | queue  | max     | parent | template max | quota.preemption.delay |
      | root.d | 4 vcore | true   | 1 vcore      | 10s                    |
    Then the queues show:
      | queue      | max     | used    |
      | root.d.new | 1 vcore | 4 vcore |
    When 1h passes
    Then nobody is preempted

  Scenario: the lower max of the queue above takes from them
    When the queues:
      | queue  | max     | parent | quota.preemption.delay |
      | root.d | 2 vcore | true   | 10s                    |
    And 10s pass
    Then the quota of root.d preempts "d2"

  Scenario: what their tags have them guaranteed protects them
    Given the applications:
      | application | queue      | tags                                       |
      | tagged      | root.d.new | namespace.resourceguaranteed={"vcore":"3"} |
    When the queues:
      | queue  | max     | parent | quota.preemption.delay |
      | root.d | 2 vcore | true   | 10s                    |
    And 10s pass
    Then nobody is preempted

  Scenario: one that is configured now may be due
    When the queues:
      | queue      | max     | quota.preemption.delay |
      | root.d     | 4 vcore | 10s                    |
      | root.d.new | 1 vcore |                        |
    And 9s pass
    Then nobody is preempted
    When 1s passes
    Then the quota of root.d.new preempts "d1" and "d2"
