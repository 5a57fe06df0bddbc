var e=`Feature: An ask that becomes eligible looks for victims at once

  Whatever lets an application have something allocated again, its asks that have waited for the delay look for victims in
  that same cycle.

  Rule: the application that may start in a stateaware leaf changes

    Background: first may start, second waits behind it; one has room nowhere, the other may take t
      Given the queues:
        | queue     | guaranteed | application.sort.policy |
        | root.prod | 2 vcore    | stateaware              |
        | root.test |            |                         |
      And a node "n1" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
      And an application "second" in root.prod
      And the asks:
        | ask | application | queue     | resources | priority |
        | f   | first       | root.prod | 9 vcore   | 1        |
      And "second" asks "s" for 1 vcore
      And 1m passes
      And the cycle runs

    Scenario Outline: <cause>
      Then no allocation is preempted
      When <cause>
      Then "s" preempts "t"

      Examples:
        | cause                                            |
        | ask "f" is removed                               |
        | application "first" is removed                   |
        | ask "f" now has priority -1                      |
        | ask "s" now has priority 2                       |
        | "second" asks "more" for 9 vcore with priority 2 |

  Rule: a place becomes free below maxapplications

    Background: p waits for a place
      Given the queues:
        | queue     | guaranteed | maxapplications |
        | root.prod | 2 vcore    | 1               |
        | root.test |            |                 |
      And a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And the allocations:
        | allocation | queue     | resources | on |
        | t          | root.test | 1 vcore   | n1 |
        | r          | root.prod | 1 vcore   | n2 |
      And "p" asks in root.prod for 1 vcore
      And "r" asks "r2" for 9 vcore
      And 1m passes
      And node "n2" is drained
      And the cycle runs

    Scenario: the application that had it is gone
      Then no allocation is preempted
      When application "r" is removed
      Then "p" preempts "t"

    Scenario: more may run
      When the queues:
        | queue     | guaranteed | maxapplications |
        | root.prod | 2 vcore    | 2               |
        | root.test |            |                 |
      Then "p" preempts "t"
`;export{e as default};