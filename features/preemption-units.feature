Feature: Victims leave a running gang whole, or take all of it

  A gang is allocated as a whole, and it leaves as one: whoever preempts takes members beyond the least that the gang needs, or all members,
  on whatever nodes they are. Half of a training job does no work, so to take one worker of eight is to take eight.

  Background: a queue guaranteed 4 cores, whose asks wait 10s before they preempt
    Given the queues:
      | queue  | guaranteed | preemption.delay |
      | root.a | 4 vcore    | 10s              |
      | root.b |            |                  |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore

  Rule: a set of victims leaves a gang at least what it needs, or nothing

    Scenario: a gang leaves with all members, though one makes room enough
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 4        |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 4        |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang | gang ended |
        | w1 | x   | n1   | g    | yes        |
        | w2 | x   | n1   | g    | yes        |
        | w3 | x   | n2   | g    | yes        |
        | w4 | x   | n2   | g    | yes        |

    Scenario: an allocation that is in no gang leaves rather than a gang
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | s          | single      | root.b | 1 vcore   | n2 |      |          |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 3        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 3        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 3        |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "s" on "n2"

    Scenario: two allocations that are in no gang leave rather than a gang of one
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | s1         | single      | root.b | 1 vcore   | n1 |      |          |
        | s2         | single      | root.b | 1 vcore   | n1 |      |          |
        | w1         | train       | root.b | 2 vcore   | n2 | g    | 1        |
      And "x" asks in root.a for 2 vcore
      When 10s pass
      Then "x" preempts "s1" and "s2" on "n1"

    Scenario: so do two of different sizes on a node without gangs
      Given the allocations:
        | allocation | application | queue  | resources   | on | gang | gang min |
        | s1         | single      | root.b | 500m vcore  | n1 |      |          |
        | s2         | single      | root.b | 1500m vcore | n1 |      |          |
        | w1         | train       | root.b | 2 vcore     | n2 | g    | 1        |
      And "x" asks in root.a for 2 vcore
      When 10s pass
      Then "x" preempts "s1" and "s2" on "n1"

    Scenario: a lower priority comes before sparing a gang
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | priority |
        | s1         | single      | root.b | 1 vcore   | n1 |      |          | 0        |
        | s2         | single      | root.b | 1 vcore   | n1 |      |          | 0        |
        | w1         | train       | root.b | 1 vcore   | n2 | g    | 2        | -1       |
        | w2         | train       | root.b | 1 vcore   | n2 | g    | 2        | -1       |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "w1" and "w2" on "n2"

    Scenario: the smaller of two gangs leaves
      Given a node "n3" with 1 vcore
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 3        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 3        |
        | w3         | train       | root.b | 1 vcore   | n3 | g    | 3        |
        | v1         | tune        | root.b | 1 vcore   | n2 | h    | 2        |
        | v2         | tune        | root.b | 1 vcore   | n2 | h    | 2        |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "v1" and "v2" on "n2"

  Rule: members beyond the least are taken one by one

    Scenario: the youngest of five members leaves where four are enough
      Given a node "n3" with 1 vcore
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 4        |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 4        |
        | w5         | train       | root.b | 1 vcore   | n3 | g    | 4        |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang | gang ended |
        | w5 | x   | n3   | g    |            |

    Scenario: the surplus is a number, and a second ask finds none left
      Given a node "n3" with 1 vcore
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | priority |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 4        | 1        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 4        | 1        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 4        | 1        |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 4        | 1        |
        | w5         | train       | root.b | 1 vcore   | n3 | g    | 4        | 0        |
      And "x" asks in root.a for 1 vcore
      And 10s pass
      When "y" asks in root.a for 1 vcore
      And 10s pass
      Then no allocation is preempted

    Scenario: a member that has succeeded counts as there
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 3        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 3        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 3        |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 3        |
      And "w1" is released
      And the allocations:
        | allocation | application | queue  | resources | on |
        | s          | single      | root.b | 1 vcore   | n1 |
      And "x" asks in root.a for 2 vcore
      When 10s pass
      Then "x" preempts "w2" and "s" on "n1"

  Rule: one member that may not leave saves its gang

    Scenario: a member of too high a priority
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | priority |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 2        | 0        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 2        | 1        |
      And "x" asks in root.a for 1 vcore
      When 1m passes
      Then no allocation is preempted

    Scenario: a gang larger than what its queue uses beyond its guaranteed
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b | 2 vcore    |                  |
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 4        |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 4        |
      And "x" asks in root.a for 1 vcore
      When 1m passes
      Then no allocation is preempted

    Scenario: the property preemption.gangs lets the members go one by one
      Given the queues:
        | queue  | guaranteed | preemption.delay | preemption.gangs |
        | root.a | 4 vcore    | 10s              |                  |
        | root.b | 2 vcore    |                  | member           |
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 4        |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 4        |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 4        |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang | gang ended |
        | w4 | x   | n2   | g    |            |

    Scenario: a protected member protects its gang as long as anything else suffices
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | originator | priority |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 2        | yes        | -1       |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 2        | no         | -1       |
        | v1         | tune        | root.b | 1 vcore   | n2 | h    | 2        | no         | 0        |
        | v2         | tune        | root.b | 1 vcore   | n2 | h    | 2        | no         | 0        |
      And "x" asks in root.a for 1 vcore
      When 10s pass
      Then "x" preempts "v1" and "v2" on "n2"

  Rule: the asks of a gang say how it may be disrupted

    Scenario Outline: a gang of disruption <disruption> has five members where four are enough
      Given a node "n3" with 1 vcore
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min | gang disruption |
        | w1         | train       | root.b | 1 vcore   | n1 | g    | 4        | <disruption>    |
        | w2         | train       | root.b | 1 vcore   | n1 | g    | 4        | <disruption>    |
        | w3         | train       | root.b | 1 vcore   | n2 | g    | 4        | <disruption>    |
        | w4         | train       | root.b | 1 vcore   | n2 | g    | 4        | <disruption>    |
        | w5         | train       | root.b | 1 vcore   | n3 | g    | 4        | <disruption>    |
      And "x" asks in root.a for 2 vcore
      When 10s pass
      Then <victims> allocations are preempted

      Examples:
        | disruption | victims |
        | unit       | 5       |
        | whole      | 5       |
        | member     | 2       |

  Rule: every right to preempt keeps gangs whole

    Scenario: within a leaf
      Given the queues:
        | queue  | preemption.delay | preemption.intra-queue |
        | root.b | 10s              | enabled                |
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 2        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 2        |
      And "x" asks in root.b for 1 vcore with priority 5
      When 10s pass
      Then "x" preempts "w1" and "w2"

    Scenario: for an ask with a required node
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 2        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 2        |
      When the asks:
        | ask | application | queue  | resources | node |
        | x   | daemon      | root.a | 1 vcore   | n1   |
      Then the preemption decisions are:
        | id | for | node | right         | gang ended |
        | w1 | x   | n1   | required-node | yes        |
        | w2 | x   | n2   | required-node | yes        |

    Scenario: for a gang that preempts as a whole
      Given a node "n3" with 2 vcore
      And the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 3        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 3        |
        | w3         | train       | root.b | 2 vcore   | n3 | g    | 3        |
      And an application "mpi" in root.a
      And "mpi" asks "a" and "b" in gang "m" of at least 2 for 2 vcore
      When 10s pass
      Then the preemption decisions are:
        | id | for | node | gang | gang ended |
        | w1 | a   | n1   | g    | yes        |
        | w2 | b   | n2   | g    | yes        |
        | w3 | a   | n3   | g    | yes        |

  Rule: an ended gang waits as a gang again

    Scenario: a pending member does not run alone after its gang has ended
      Given the allocations:
        | allocation | application | queue  | resources | on | gang | gang min |
        | w1         | train       | root.b | 2 vcore   | n1 | g    | 2        |
        | w2         | train       | root.b | 2 vcore   | n2 | g    | 2        |
      And "train" asks "w3" in gang "g" of at least 2 for 1 vcore
      And "x" asks in root.a for 1 vcore
      And 10s pass
      When "w1" and "w2" are released
      Then "x" is allocated
      And "w3" waits
      When "train" asks "w4" in gang "g" of at least 2 for 1 vcore
      Then "w3" and "w4" are allocated
