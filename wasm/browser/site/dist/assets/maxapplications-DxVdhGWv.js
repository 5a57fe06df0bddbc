var e=`Feature: maxapplications

  It bounds the applications that are Starting, Running or Resuming in a queue and, on a parent, in its subtree.

  Background:
    Given a node "n1" with 100 vcore

  Rule: at the bound an application stays Accepted until a place frees

    Background:
      Given the queues:
        | queue  | maxapplications |
        | root.a | 1               |
        | root.b |                 |

    Scenario: the second application waits, whatever room there is
      When "first" asks in root.a for 1 vcore
      And "second" asks in root.a for 1 vcore
      Then "first" is allocated
      And "second" waits
      And application "second" is Accepted
      And the queues show:
        | queue  | applications | running | maxapplications |
        | root.a | 2            | 1       | 1               |

    Scenario: the place frees when the first application is Completing, not 30 seconds later
      Given "first" asks in root.a for 1 vcore
      And "second" asks in root.a for 1 vcore
      When "first" is released
      Then the decisions are:
        | type       | id     | from     | to         |
        | release    | first  |          |            |
        | app.state  | first  | Starting | Completing |
        | allocation | second |          |            |
        | app.state  | second | Accepted | Starting   |

    Scenario: the place frees when the first application is removed
      Given "first" asks in root.a for 1 vcore
      And "second" asks in root.a for 1 vcore
      When application "first" is removed
      Then "second" is allocated

    Scenario: an application that has started goes on at the bound
      Given "first" asks in root.a for 1 vcore
      And "second" asks in root.a for 1 vcore
      When "first" asks "more" for 1 vcore
      Then "more" is allocated
      And "second" waits

    Scenario: whoever is submitted but has no allocation takes no place
      Given an application "new" in root.a
      And "accepted" asks in root.a for 1000 vcore
      When "third" asks in root.a for 1 vcore
      Then "third" is allocated
      And application "accepted" is Accepted

    Scenario: a queue at its bound does not hold up another queue
      Given "first" asks in root.a for 1 vcore
      When "second" asks in root.a for 1 vcore with priority 100
      And "other" asks in root.b for 1 vcore
      Then "second" waits
      And "other" is allocated

    Scenario: coming back to Running may pass the bound
      Given "first" asks in root.a for 1 vcore
      And the cycle runs
      And "first" is released
      And "second" asks in root.a for 1 vcore
      When "first" asks "again" for 1 vcore
      Then application "first" is Running
      And application "second" is Starting
      And "again" is allocated
      And the queues show:
        | queue  | running |
        | root.a | 2       |

    Scenario: restored allocations may pass the bound, and then nothing else starts
      Given an application "one" in root.a
      And an application "two" in root.a
      When "one" has "one-1" for 1 vcore restored on "n1"
      And "two" has "two-1" for 1 vcore restored on "n1"
      And "three" asks in root.a for 1 vcore
      Then application "two" is Starting
      And "three" waits
      When "one-1" is released
      Then "three" waits
      When "two-1" is released
      Then "three" is allocated

  Rule: a parent bounds its whole subtree

    Scenario: one place for two leaves goes to the one that the order favours
      Given the queues:
        | queue    | maxapplications |
        | root.p   | 1               |
        | root.p.a |                 |
        | root.p.b |                 |
      When "a" asks in root.p.a for 1 vcore with priority 1
      And "b" asks in root.p.b for 1 vcore with priority 2
      Then "b" is allocated
      And "a" waits
      When "b" is released
      Then "a" is allocated

    Scenario: root may set one too
      Given the queues:
        | queue  | maxapplications |
        | root   | 2               |
        | root.a |                 |
        | root.b |                 |
      When "a" asks in root.a for 1 vcore
      And "b1", "b2" ask in root.b for 1 vcore
      Then the queues show:
        | queue | running |
        | root  | 2       |
      And "b2" waits

  Rule: zero is no bound

    Scenario: three applications run where the bound is 0
      Given the queues:
        | queue  | maxapplications |
        | root.a | 0               |
      When the asks:
        | ask   | queue  | resources |
        | one   | root.a | 1 vcore   |
        | two   | root.a | 1 vcore   |
        | three | root.a | 1 vcore   |
      Then the queues show:
        | queue  | running |
        | root.a | 3       |

  Rule: a reload changes the limit and stops no application

    Scenario: lowered below the running applications, it lets them run and no other start
      Given the queues:
        | queue  | maxapplications |
        | root.a | 2               |
      And "one", "two" ask in root.a for 1 vcore
      When the queues:
        | queue  | maxapplications |
        | root.a | 1               |
      And "three" asks in root.a for 1 vcore
      And "one" asks "more" for 1 vcore
      Then "one", "two" and "more" are allocated
      And "three" waits

    Scenario: raised, it lets those that wait start
      Given the queues:
        | queue  | maxapplications |
        | root.a | 1               |
      And "one", "two" ask in root.a for 1 vcore
      When the queues:
        | queue  | maxapplications |
        | root.a | 2               |
      Then "two" is allocated
`;export{e as default};