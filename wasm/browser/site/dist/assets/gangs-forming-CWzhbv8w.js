var e=`Feature: Forming a gang

  A gang is formed once its allocated placeholders reach the declared sum. Until then its real asks wait, so that no part
  of the gang runs while the rest does not fit.

  Background: a gang of 4 cores, and two nodes
    Given the queues:
      | queue  |
      | root.a |
      | root.b |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And a gang "train" in root.a with placeholders for 4 vcore

  Rule: a gang is formed once its allocated placeholders reach the declared sum in every type

    Scenario: with the last placeholder it is Starting
      When "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      Then the decisions are:
        | type       | id    | node | from     | to       | reason      |
        | app.state  | train |      | New      | Accepted | ask-added   |
        | allocation | h1    | n1   |          |          |             |
        | allocation | h2    | n2   |          |          |             |
        | app.state  | train |      | Accepted | Starting | gang-formed |

    Scenario Outline: a placeholder of <amount>, where 4 vcore are declared, makes it <state>
      When "train" asks placeholder "h1" of group "workers" for <amount>
      Then "h1" is allocated
      And application "train" is <state>

      Examples:
        | amount      | state    |
        | 3999m vcore | Accepted |
        | 4 vcore     | Starting |

    Scenario: placeholders of several task groups add up
      When "train" asks placeholder "h1" of group "workers" for 3 vcore
      And "train" asks placeholder "h2" of group "servers" for 1 vcore
      Then application "train" is Starting

    Scenario: every declared type counts
      Given a node "n3" with 4 vcore, 8Gi memory
      And a gang "etl" in root.a with placeholders for 2 vcore, 4Gi memory
      When "etl" asks placeholder "e1" of group "workers" for 3 vcore, 2Gi memory
      Then application "etl" is Accepted
      When "etl" asks placeholder "e2" of group "workers" for 2Gi memory
      Then application "etl" is Starting

    Scenario: a pending placeholder does not count
      When "train" asks placeholder "h1" of group "workers" for 2 vcore
      And "train" asks placeholder "h2" of group "workers" for 9 vcore
      Then "h2" waits
      And application "train" is Accepted

    Scenario: with the tag application.stateaware.disable it is Running at once
      Given the applications:
        | application | queue  | tags                                | placeholders |
        | etl         | root.a | application.stateaware.disable=true | 1 vcore      |
      When "etl" asks placeholder "e1" of group "workers" for 1 vcore
      Then the app.state decisions are:
        | id  | from     | to       | reason      |
        | etl | New      | Accepted | ask-added   |
        | etl | Accepted | Running  | gang-formed |

    Scenario: more placeholders than declared are placed too
      Given "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs
      When "train" asks placeholder "h3" of group "workers" for 2 vcore
      Then "h3" is allocated
      And application "train" is Starting

    Scenario: a placeholder that ended earlier does not count
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And "train" asks placeholder "h2" of group "workers" for 1 vcore
      And the cycle runs
      And "h1" is released
      When "train" asks placeholder "h3" of group "workers" for 2 vcore
      Then "h3" is allocated
      And application "train" is Accepted
      When "train" asks placeholder "h4" of group "workers" for 1 vcore
      Then application "train" is Starting

    Scenario: a formed gang stays formed when a placeholder ends
      Given "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs
      And "h1" is released
      When "train" asks "t1" of group "workers" for 2 vcore
      Then "h2" is replaced by "t1" on "n2"

  Rule: an allocated task makes the gang formed

    Scenario: without placeholders a task is placed like any ask
      When "train" asks "t1" of group "workers" for 1 vcore
      Then the decisions are:
        | type       | id    | node | from     | to       | reason           |
        | app.state  | train |      | New      | Accepted | ask-added        |
        | allocation | t1    | n1   |          |          |                  |
        | app.state  | train |      | Accepted | Starting | first-allocation |

    Scenario: later placeholders do not delay tasks
      Given "train" asks "t1" of group "workers" for 1 vcore
      And the cycle runs
      When "train" asks placeholder "h1" of group "servers" for 1 vcore
      And "train" asks "t2" of group "workers" for 1 vcore
      Then "h1", "t2" are allocated in this order
      And application "train" is Running

  Rule: restored allocations count

    Scenario: a restored placeholder counts
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When the allocations:
        | allocation | application | resources | on | task group | placeholder |
        | h2         | train       | 2 vcore   | n2 | workers    | yes         |
      Then the decisions are:
        | type      | id    | from     | to       | reason      |
        | app.state | train | Accepted | Starting | gang-formed |

    Scenario: restored placeholders alone can form a gang
      When the allocations:
        | allocation | application | resources | on | task group | placeholder | count |
        | h          | train       | 2 vcore   | n1 | workers    | yes         | 2     |
      Then the app.state decisions are:
        | from     | to       | reason      |
        | New      | Accepted | ask-added   |
        | Accepted | Starting | gang-formed |

    Scenario: a restored task makes the gang formed
      Given "train" has "t1" for 1 vcore restored on "n1"
      When "train" asks placeholder "h1" of group "servers" for 1 vcore
      And "train" asks "t2" of group "workers" for 1 vcore
      Then "t2" is allocated
      And application "train" is Running

  Rule: until the gang is formed, its real asks wait while it has placeholders

    Scenario: a task waits while a placeholder is allocated
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When "train" asks "t1" of group "workers" for 1 vcore
      Then "t1" waits
      And nothing is decided

    Scenario: a task waits while a placeholder is pending
      Given "train" asks placeholder "h1" of group "workers" for 9 vcore
      When "train" asks "t1" of group "workers" for 1 vcore
      Then "t1" waits

    Scenario: a task without a task group waits too
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      When "train" asks "t1" for 1 vcore
      Then "t1" waits

    Scenario: a task that was submitted before the placeholders waits too
      Given "train" asks "t1" of group "workers" for 9 vcore
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When ask "t1" now needs 1 vcore
      Then "t1" waits

    Scenario: tasks are placed when the last placeholder is withdrawn
      Given "train" asks placeholder "h1" of group "workers" for 9 vcore
      And "train" asks "t1" of group "workers" for 1 vcore
      And the cycle runs
      When ask "h1" is removed
      Then "t1" is allocated on "n1"

    Scenario: tasks are placed when the last placeholder ends
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And "train" asks "t1" of group "workers" for 1 vcore
      And the cycle runs
      When "h1" is released
      Then "t1" is allocated on "n1"

    Scenario: a waiting task reserves no node
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And "train" asks "t1" of group "workers" for 4 vcore
      And the asks:
        | ask | queue  | resources | node |
        | o   | root.b | 1 vcore   | n2   |
      When 10s pass
      Then there is no reservation decision

    Scenario: a waiting task does not preempt
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 8 vcore    | 10s              |
        | root.b |            |                  |
      And the asks:
        | ask | application | queue  | resources | node |
        | o1  | other       | root.b | 2 vcore   | n1   |
        | o2  | other       | root.b | 4 vcore   | n2   |
      And "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 4 vcore
      When 1m passes
      Then no allocation is preempted

    Scenario: waiting tasks do not delay other applications
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      And "train" asks "t1" of group "workers" for 1 vcore with priority 9
      When "web" asks in root.a for 1 vcore
      Then "web" is allocated on "n2"

    Scenario: a formed gang does not delay its tasks
      Given "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And "train" asks "t1" for 1 vcore
      When the cycle runs
      Then "t1" is allocated

  Rule: real allocations move the state of a formed gang

    Background:
      Given "train" asks placeholders "h1" and "h2" of group "workers" for 2 vcore
      And the cycle runs

    Scenario: the second makes it Running, the first changes nothing
      When "train" asks "t1" for 1 vcore
      Then there is no app.state decision
      When "train" asks "t2" for 1 vcore
      Then the app.state decisions are:
        | id    | from     | to      | reason            |
        | train | Starting | Running | second-allocation |

    Scenario: without real allocations it is Running after 5 minutes
      When 5m pass
      Then the app.state decisions are:
        | at | id    | from     | to      | reason           |
        | 5m | train | Starting | Running | starting-timeout |

  Rule: an Accepted gang with an allocated placeholder holds a place

    Background:
      Given the queues:
        | queue  | maxapplications | application.sort.policy |
        | root.a | 1               | fifo                    |
        | root.s |                 | stateaware              |

    Scenario: it counts for the maxapplications of its queue
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      When "web" asks in root.a for 1 vcore
      Then "web" waits
      And application "train" is Accepted

    Scenario: the place is free again when the placeholder has ended
      Given "train" asks placeholder "h1" of group "workers" for 2 vcore
      And the cycle runs
      And "web" asks in root.a for 1 vcore
      When "h1" is released
      Then "web" is allocated

    Scenario: a pending placeholder holds no place
      Given "train" asks placeholder "h1" of group "workers" for 9 vcore
      When "web" asks in root.a for 1 vcore
      Then "web" is allocated

    Scenario: without a free place the placeholders wait
      Given "web" asks in root.a for 1 vcore
      And the cycle runs
      When "train" asks placeholder "h1" of group "workers" for 2 vcore
      Then "h1" waits

    Scenario: it counts for the maxapplications of its user
      Given the limits:
        | queue  | users | maxapplications |
        | root.s | ann   | 1               |
      And the applications:
        | application | queue  | user | placeholders |
        | hers        | root.s | ann  | 4 vcore      |
        | more        | root.s | ann  | 4 vcore      |
      And "hers" asks placeholder "e1" of group "workers" for 1 vcore
      And the cycle runs
      When "more" asks placeholder "e2" of group "workers" for 1 vcore
      Then "e2" waits
      When "e1" is released
      Then "e2" is allocated

    Scenario: stateaware takes it for Starting
      Given a gang "etl" in root.s with placeholders for 4 vcore
      And "etl" asks placeholder "e1" of group "workers" for 1 vcore
      And the cycle runs
      When "web" asks in root.s for 1 vcore
      Then "web" waits
      When "e1" is released
      Then "web" is allocated
`;export{e as default};