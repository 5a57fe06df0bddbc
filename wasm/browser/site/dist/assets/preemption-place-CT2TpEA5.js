var e=`Feature: The place of an application with a kept node

  While a node is kept for one of its asks, an application holds its place: it counts for maxapplications as if it ran, and
  for stateaware as if it were Starting. So the ask can land as soon as its victims have left.

  Rule: it holds a place under maxapplications, of its queue and of those above

    Background: p waits for t, and one application may run in org
      Given the queues:
        | queue         | guaranteed | maxapplications |
        | root.org      |            | 1               |
        | root.org.prod | 1 vcore    |                 |
        | root.org.dev  |            |                 |
        | root.test     |            |                 |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And "p" asks in root.org.prod for 1 vcore
      And 30s pass
      And the cycle runs
      And a node "n2" with 2 vcore

    Scenario Outline: others find it taken, in <where>
      When "q" asks in <where> for 1 vcore with priority 9
      And "t" is released
      Then "p" is allocated on "n1"
      And "q" waits

      Examples:
        | where         |
        | root.org.prod |
        | root.org.dev  |

    Scenario: nothing else has changed for the application
      Then application "p" is Accepted

    Scenario: it may have another ask allocated meanwhile
      When "p" asks "p2" for 1 vcore
      Then "p2" is allocated on "n2"
      And application "p" is Starting
      When "t" is released
      Then "p" is allocated on "n1"

    Scenario Outline: the place is free when the node is kept no longer: <how>
      Given "q" asks in root.org.dev for 1 vcore
      And the cycle runs
      When <how>
      Then "q" is allocated on "n2"

      Examples:
        | how                         |
        | ask "p" is removed          |
        | application "p" is removed  |
        | ask "p" now needs 100 vcore |

    Scenario: a reload that lets fewer run does not end it
      Given the queues:
        | queue         | guaranteed | maxapplications |
        | root.org      |            | 2               |
        | root.org.prod | 1 vcore    |                 |
        | root.org.dev  |            |                 |
        | root.test     |            |                 |
      And "q" asks in root.org.dev for 1 vcore
      And the cycle runs
      When the queues:
        | queue         | guaranteed | maxapplications |
        | root.org      |            | 1               |
        | root.org.prod | 1 vcore    |                 |
        | root.org.dev  |            |                 |
        | root.test     |            |                 |
      Then there is no preemption.lapsed decision
      When "t" is released
      Then "p" is allocated on "n1"

  Rule: an application with several kept nodes counts once

    Scenario: two may run, and the second one starts
      Given the queues:
        | queue     | guaranteed | maxapplications |
        | root.prod | 2 vcore    | 2               |
        | root.test |            |                 |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t1         | root.test | 1 vcore   | n1 |
        | t2         | root.test | 1 vcore   | n2 |
      And an application "p" in root.prod
      And "p" asks "p1", "p2" for 1 vcore
      And 30s pass
      And the cycle runs
      And a node "n3" with 2 vcore
      When "q" asks in root.prod for 1 vcore
      And "r" asks in root.prod for 1 vcore
      Then "q" is allocated on "n3"
      And "r" waits

  Rule: in a stateaware leaf it counts as Starting

    Background: p waits for t; older was submitted before it and has asked for nothing yet
      Given the queues:
        | queue     | guaranteed | application.sort.policy |
        | root.prod | 2 vcore    | stateaware              |
        | root.test |            |                         |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And an application "older" in root.prod
      And "p" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs
      And a node "n2" with 2 vcore

    Scenario Outline: an older application that gets its first ask waits: priority <priority>
      When "older" asks "o1" for 1 vcore with priority <priority>
      Then "o1" waits
      When "t" is released
      Then "p" is allocated on "n1"
      And "o1" waits

      Examples:
        | priority |
        | 0        |
        | 9        |

    Scenario: also where one application may run
      Given the queues:
        | queue     | guaranteed | application.sort.policy | maxapplications |
        | root.prod | 2 vcore    | stateaware              | 1               |
        | root.test |            |                         |                 |
      And "older" asks "o1" for 1 vcore
      When "t" is released
      Then "p" is allocated on "n1"
      And "o1" waits
      When "p" is released
      Then "o1" is allocated

    Scenario: when it has gone, the older one may start
      Given "older" asks "o1" for 1 vcore
      And the cycle runs
      When ask "p" is removed
      Then "o1" is allocated on "n2"

    Scenario: those that run are not held up
      Given the applications:
        | application | queue     | tags                                |
        | quick       | root.prod | application.stateaware.disable=true |
      When "quick" has "q1" for 500m vcore restored on "n2"
      And "quick" asks "q2" for 1 vcore
      Then "q2" is allocated on "n2"
      And there is no preemption.lapsed decision

    Scenario: one that is Starting with nothing pending comes last
      When "older" has "o1" for 500m vcore restored on "n2"
      Then there is no preemption.lapsed decision

    Scenario: one that is Starting and stands before it ends that
      Given "older" asks "o2" for 2 vcore
      And the cycle runs
      When "older" has "o1" for 500m vcore restored on "n2"
      Then the preemption.lapsed decisions are:
        | for | node | reason        |
        | p   | n1   | not-startable |
      And the nodes show:
        | node | kept |
        | n1   | none |

    Scenario: one that is Starting and stands behind does not, until its priority is higher
      Given the asks:
        | ask | application | queue     | resources |
        | y   | young       | root.prod | 1 vcore   |
      When "young" has "y1" for 500m vcore restored on "n2"
      Then there is no preemption.lapsed decision
      When ask "y" now has priority 1
      Then the decisions are:
        | type              | for | node | reason        | id    | to      |
        | preemption.lapsed | p   | n1   | not-startable |       |         |
        | allocation        |     | n2   |               | y     |         |
        | app.state         |     |      |               | young | Running |

  Rule: where a reload turns the leaf stateaware, the first in order keeps its node

    Background: x and y wait for their victims
      Given the queues:
        | queue     | guaranteed |
        | root.prod | 2 vcore    |
        | root.test |            |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t1         | root.test | 1 vcore   | n1 |
        | t2         | root.test | 1 vcore   | n2 |
      And "x" asks in root.prod for 1 vcore
      And "y" asks in root.prod for 1 vcore
      And 30s pass
      And the cycle runs

    Scenario: the older
      When the queues:
        | queue     | guaranteed | application.sort.policy |
        | root.prod | 2 vcore    | stateaware              |
        | root.test |            |                         |
      Then the preemption.lapsed decisions are:
        | for | node | reason        |
        | y   | n1   | not-startable |
      When "t1" and "t2" are released
      Then "x" is allocated on "n2"
      And "y" waits

    Scenario: the one of higher priority
      Given ask "y" now has priority 1
      When the queues:
        | queue     | guaranteed | application.sort.policy |
        | root.prod | 2 vcore    | stateaware              |
        | root.test |            |                         |
      Then the preemption.lapsed decisions are:
        | for | node | reason        |
        | x   | n2   | not-startable |

    Scenario: with one place as well, whoever took it keeps it
      When the queues:
        | queue     | guaranteed | maxapplications |
        | root.prod | 2 vcore    | 1               |
        | root.test |            |                 |
      Then there is no preemption.lapsed decision
      When "t1" and "t2" are released
      Then "x", "y" are allocated in this order
`;export{e as default};