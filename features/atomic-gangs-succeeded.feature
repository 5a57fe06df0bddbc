Feature: Members of an atomic gang that have succeeded

  An allocation that is released without a failure has done its work. A gang needs as many members fewer as have succeeded, for as long as its
  application lives. So a member that is made again after a failure does not wait for others that are never made again.

  Background: room for four
    Given the queues:
      | queue  |
      | root.a |
      | root.b |
    And a node "n1" with 2 vcore
    And a node "n2" with 2 vcore
    And an application "job" in root.a

  Rule: those that succeeded are not waited for

    Scenario: two of three succeed, and the third is made again
      Given "job" asks "p1", "p2" and "p3" in gang "g" of at least 3 for 1 vcore
      And the cycle runs
      And "p1" and "p2" are released
      And "p3" fails
      When "job" asks "p3-again" in gang "g" of at least 3 for 1 vcore
      Then "p3-again" is allocated

    Scenario: seven pieces of work, three at a time
      Given "job" asks "p1", "p2" and "p3" in gang "g" of at least 3 for 1 vcore
      And the cycle runs
      And "p1", "p2" and "p3" are released
      And "job" asks "p4", "p5" and "p6" in gang "g" of at least 3 for 1 vcore
      And the cycle runs
      And "p4", "p5" and "p6" are released
      When "job" asks "p7" in gang "g" of at least 3 for 1 vcore
      Then "p7" is allocated

    Scenario: the others start together again
      Given "job" asks "p1", "p2" and "p3" in gang "g" of at least 3 for 1 vcore
      And the cycle runs
      And "p1" is released
      And "p2" and "p3" fail
      When "job" asks "p2-again" in gang "g" of at least 3 for 1 vcore
      Then "p2-again" waits
      When "job" asks "p3-again" in gang "g" of at least 3 for 1 vcore
      Then "p2-again", "p3-again" are allocated in this order

    Scenario: a member that ends last makes those complete that wait
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" is ending
      And "p2" fails
      And 1s passes
      And "job" asks "p2-again" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      When "p1" is released
      Then "p2-again" is allocated

    Scenario: if all fail, all start together again
      Given "job" asks "p1", "p2" and "p3" in gang "g" of at least 3 for 1 vcore
      And the cycle runs
      And "p1", "p2" and "p3" fail
      When "job" asks "p4" and "p5" in gang "g" of at least 3 for 1 vcore
      Then "p4" and "p5" wait
      When "job" asks "p6" in gang "g" of at least 3 for 1 vcore
      Then "p4", "p5", "p6" are allocated in this order

    Scenario: they count although the application was idle meanwhile
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" is released
      And "p2" fails
      And 29s pass
      When "job" asks "p2-again" in gang "g" of at least 2 for 1 vcore
      Then "p2-again" is allocated

    Scenario: an application that ended and comes again has nothing done
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" is released
      And "p2" fails
      And 30s pass
      And an application "job" in root.a
      When "job" asks "p2-again" in gang "g" of at least 2 for 1 vcore
      Then "p2-again" waits

    Scenario: a gang of another name has nothing done
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" and "p2" are released
      When "job" asks "q1" in gang "h" of at least 2 for 1 vcore
      Then "q1" waits

  Rule: only an end of its own, without a failure, is a success

    Scenario: a member on a node that was removed
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 2 vcore
      And the cycle runs
      And "p2" is released
      And node "n1" is removed
      And a node "n3" with 2 vcore
      When "job" asks "p1-again" in gang "g" of at least 2 for 2 vcore
      Then "p1-again" is allocated
      When "p1-again" fails
      And "job" asks "p1-once-more" in gang "g" of at least 2 for 2 vcore
      Then "p1-once-more" is allocated

    Scenario: all members on nodes that were removed
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 2 vcore
      And the cycle runs
      And node "n1" is removed
      And node "n2" is removed
      And a node "n3" with 2 vcore
      When "job" asks "p1-again" in gang "g" of at least 2 for 2 vcore
      Then "p1-again" waits

    Scenario: a member that was preempted
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a |            |                  |
        | root.b | 4 vcore    | 10s              |
      And "job" asks "p1" and "p2" in gang "g" of at least 2 for 2 vcore
      And the cycle runs
      And the asks:
        | ask | application | queue  | resources |
        | o1  | other       | root.b | 2 vcore   |
        | o2  | other       | root.b | 2 vcore   |
      And 10s pass
      And the cycle runs
      And "p1" and "p2" are released
      And a node "n3" with 4 vcore
      When "job" asks "p1-again" in gang "g" of at least 2 for 2 vcore
      Then "p1-again" waits
      When "job" asks "p2-again" in gang "g" of at least 2 for 2 vcore
      Then "p1-again", "p2-again" are allocated in this order

    Scenario: a member that said that it is ending
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" is ending
      And "p1" is released
      And "p2" fails
      When "job" asks "p2-again" in gang "g" of at least 2 for 1 vcore
      Then "p2-again" is allocated

    Scenario: a pending member that is withdrawn
      Given "job" asks "p1" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And ask "p1" is removed
      When "job" asks "p2" in gang "g" of at least 2 for 1 vcore
      Then "p2" waits

  Rule: once none is pending or allocated, a member may give another minimum, and nothing counts that was before

    Scenario: a new gang of the old name
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" and "p2" are released
      When "job" asks "q1" in gang "g" of at least 3 for 1 vcore
      And "job" asks "q2" in gang "g" of at least 3 for 1 vcore
      Then "q1" and "q2" wait
      When "job" asks "q3" in gang "g" of at least 3 for 1 vcore
      Then "q1", "q2", "q3" are allocated in this order

    Scenario: the old minimum after a new gang
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" and "p2" are released
      And "job" asks "q1" in gang "g" of at least 3 for 1 vcore
      And ask "q1" is removed
      When "job" asks "r1" in gang "g" of at least 2 for 1 vcore
      Then "r1" waits

    Scenario: another timeout is no new gang
      Given "job" asks "p1" and "p2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "p1" is released
      And "p2" fails
      When the asks:
        | ask      | application | resources | gang | gang min | gang timeout |
        | p2-again | job         | 1 vcore   | g    | 2        | 10s          |
      Then "p2-again" is allocated

  Rule: an application tells what had succeeded before a restart

    Scenario: the retry of one of three
      Given the applications:
        | application | queue  | succeeded |
        | before      | root.a | g 2, h 1  |
      When "before" asks "p3-again" in gang "g" of at least 3 for 1 vcore
      Then "p3-again" is allocated
      When "before" asks "h2" in gang "h" of at least 3 for 1 vcore
      Then "h2" waits

    Scenario: a restored member
      Given the applications:
        | application | queue  | succeeded |
        | before      | root.a | g 1       |
      And the allocations:
        | allocation | application | resources | on | gang | gang min |
        | p2         | before      | 1 vcore   | n1 | g    | 3        |
      And "p2" fails
      When "before" asks "p2-again" in gang "g" of at least 3 for 1 vcore
      Then "p2-again" waits
      When "before" asks "p3-again" in gang "g" of at least 3 for 1 vcore
      Then "p2-again", "p3-again" are allocated in this order
