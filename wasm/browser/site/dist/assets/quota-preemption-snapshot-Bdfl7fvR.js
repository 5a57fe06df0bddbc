var e=`@snapshot
Feature: A snapshot keeps preemption by quota

  A snapshot keeps the time since which a queue has exceeded its max, and the victims that are leaving.

  Background: a queue that is over its max by 2 cores
    Given preemption by quota is on
    And the queues:
      | queue  | max     |
      | root.q | 8 vcore |
    And a node "n1" with 20 vcore
    And an application "app" in root.q
    And "app" asks "a1", "a2", "a3" and "a4" for 2 vcore
    And the cycle runs
    And the queues:
      | queue  | max     | quota.preemption.delay |
      | root.q | 6 vcore | 10s                    |

  Scenario: the delay continues
    Given 6s pass
    And the scheduler is restored from a snapshot
    When 3s pass
    Then no allocation is preempted
    When 1s passes
    Then the quota of root.q preempts "a4"

  Scenario: victims that are leaving
    Given 10s pass
    And the scheduler is restored from a snapshot
    When 1h passes
    Then no allocation is preempted
    When "a4" is released
    Then the release decisions are:
      | id | reason    |
      | a4 | preempted |

  Scenario: a lower round still waits for the victims of the queue above
    Given the queues:
      | queue    | max     |
      | root.p   | 6 vcore |
      | root.p.x | 6 vcore |
      | root.p.y |         |
      | root.q   | 8 vcore |
    And the allocations:
      | allocation | application | queue    | resources | on | count |
      | x          | x           | root.p.x | 1 vcore   | n1 | 3     |
      | y          | y           | root.p.y | 1 vcore   | n1 | 3     |
    And the queues:
      | queue    | max     | quota.preemption.delay |
      | root.p   | 4 vcore | 10s                    |
      | root.p.x | 1 vcore |                        |
      | root.p.y |         |                        |
      | root.q   | 8 vcore |                        |
    And 10s pass
    When the scheduler is restored from a snapshot
    Then no allocation is preempted
    When "x-3" is released
    Then no allocation is preempted
    When "y-3" is released
    Then the quota of root.p.x preempts "x-2"

  Scenario: a queue without candidates still waits for a change
    Given the queues:
      | queue  | max     |
      | root.r | 4 vcore |
      | root.q | 8 vcore |
    And the asks:
      | ask | application | queue  | resources | node | count |
      | r   | r           | root.r | 1 vcore   | n1   | 3     |
    And the cycle runs
    And the queues:
      | queue  | max     | quota.preemption.delay |
      | root.r | 1 vcore | 10s                    |
      | root.q | 8 vcore |                        |
    And 1m passes
    And the cycle runs
    And the scheduler is restored from a snapshot
    And "r" has "late" for 1 vcore restored on "n1"
    When 9s pass
    Then no allocation is preempted
    When 1s passes
    Then the quota of root.r preempts "late"

  Scenario: observed victims are not reported again
    Given preemption is observed
    And 10s pass
    And the scheduler is restored from a snapshot
    When 1h passes
    Then nothing is decided
`;export{e as default};