Feature: An application with placeholders is preempted as one

  With gang disruption "unit", victims leave a formed gang allocations that add up to what its placeholders declared, or none.

  Background: a queue guaranteed 4 cores, whose asks wait 10s before they preempt, and a formed gang on three nodes
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 4 vcore    | 10s              |
      | root.b |            |                  |
    And a node "n1" with 1 vcore
    And a node "n2" with 1 vcore
    And a node "n3" with 1 vcore
    And the applications:
      | application | queue  | placeholders | gang disruption |
      | train       | root.b | 3 vcore      | unit            |
    And "train" asks placeholders "h1", "h2" and "h3" of group "workers" for 1 vcore
    And the cycle runs

  Rule: a set of victims leaves the declared sum, or nothing

    Scenario: all leave although one would be enough
      Given "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang ended |
        | h1 | x   | n1   | yes        |
        | h2 | x   | n2   | yes        |
        | h3 | x   | n3   | yes        |

    Scenario: what is there beyond the sum leaves alone
      Given a node "n4" with 1 vcore
      And "train" asks placeholder "h4" of group "workers" for 1 vcore
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang ended |
        | h4 | x   | n4   |            |

    Scenario: a placeholder of another application leaves rather than the gang
      Given a node "n4" with 1 vcore
      And a gang "other" in root.b with placeholders for 2 vcore
      And "other" asks placeholder "o1" of group "workers" for 1 vcore
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "o1" on "n4"
      And 1 allocation is preempted

    Scenario: an allocation that must not leave saves the others
      Given a node "n4" with 1 vcore
      And the asks:
        | ask | application | resources | node |
        | d   | train       | 1 vcore   | n4   |
      And the cycle runs
      And "h3" is released
      And "web" asks in root.b for 1 vcore
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "web"

    Scenario: below the sum they leave together
      Given "h3" is released
      And "web" asks in root.b for 1 vcore with priority 9
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang ended |
        | h1 | x   | n1   | yes        |
        | h2 | x   | n2   | yes        |

    Scenario: a task for which a placeholder leaves counts
      Given a node "n4" with 1 vcore
      And "train" asks placeholder "h4" of group "workers" for 1 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 1 vcore
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "h4"
      And 1 allocation is preempted

    Scenario: an atomic gang inside ends with it
      Given application "train" is removed
      And the applications:
        | application | queue  | placeholders | gang disruption |
        | both        | root.b | 3 vcore      | unit            |
      And the asks:
        | ask | application | resources | task group | placeholder | gang | gang min |
        | e1  | both        | 1 vcore   | workers    | yes         |      |          |
        | g1  | both        | 1 vcore   | workers    | yes         | g    | 2        |
        | g2  | both        | 1 vcore   | workers    | yes         | g    | 2        |
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang | gang ended |
        | e1 | x   | n1   |      | yes        |
        | g1 | x   | n2   | g    | yes        |
        | g2 | x   | n3   | g    | yes        |

    Scenario: a gang preempts it whole
      Given an application "job" in root.a
      And "job" asks "m1" and "m2" in gang "m" of at least 2 for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang ended |
        | h1 | m1  | n1   | yes        |
        | h2 | m2  | n2   | yes        |
        | h3 | m1  | n3   | yes        |

    Scenario: a quota takes all of it
      Given preemption by quota is on
      When the queues:
        | queue  | max     | quota.preemption.delay |
        | root.a |         |                        |
        | root.b | 2 vcore | 10s                    |
      And 10s pass
      Then the quota of root.b preempts "h1", "h2" and "h3"

  Rule: only a formed gang, and only with this disruption

    Scenario: placeholders of a gang that has not formed leave one by one
      Given the applications:
        | application | queue  | placeholders | gang disruption |
        | early       | root.b | 4 vcore      | unit            |
      And application "train" is removed
      And "early" asks placeholders "e1" and "e2" of group "workers" for 1 vcore
      And "web" asks in root.b for 1 vcore with priority 9
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "e2"
      And 1 allocation is preempted

    Scenario: by default each allocation may leave alone
      Given the applications:
        | application | queue  | placeholders | gang disruption |
        | each        | root.b | 3 vcore      | member          |
      And application "train" is removed
      And "each" asks placeholders "e1", "e2" and "e3" of group "workers" for 1 vcore
      And the cycle runs
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "e3"
      And 1 allocation is preempted

    Scenario: a queue lets its gangs leave one by one
      Given the queues:
        | queue  | guaranteed | preemption.delay | preemption.gangs |
        | root.a | 4 vcore    | 10s              |                  |
        | root.b |            |                  | member           |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "h3"
      And 1 allocation is preempted

  Rule: it is never broken

    Scenario: a lost node leaves the others running
      When node "n1" is removed
      Then the release decisions are:
        | id | reason       |
        | h1 | node_removed |
      And application "train" is Starting

  @snapshot
  Rule: a snapshot keeps it

    Scenario: a restored gang is preempted as one
      Given the scheduler is restored from a snapshot
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then 3 allocations are preempted
