Feature: sjf

  Jobs by their walltime, the shortest first. Jobs without one come last, in the order of submission.

  Background:
    Given the queues:
      | queue  | application.sort.policy | ask.sort.policy |
      | root.a | sjf                     | sjf             |
    And a node "n1" with 1 vcore

  Rule: the shortest job goes first

    Scenario: the walltime decides, not the order of submission
      When the asks:
        | ask    | queue  | resources | walltime |
        | long   | root.a | 1 vcore   | 10h      |
        | short  | root.a | 1 vcore   | 5m       |
        | medium | root.a | 1 vcore   | 1h       |
      Then "short" is allocated
      When "short" is released
      Then "medium" is allocated
      When "medium" is released
      Then "long" is allocated

    Scenario: equal ones in the order of submission
      When the asks:
        | ask    | queue  | resources | walltime |
        | first  | root.a | 1 vcore   | 1h       |
        | second | root.a | 1 vcore   | 1h       |
      Then "first" is allocated
      But "second" waits

    Scenario: an application is as long as the longest of its pending asks
      Given an application "many" in root.a
      And an application "one" in root.a
      When the asks:
        | ask | application | resources | walltime |
        | m1  | many        | 1 vcore   | 1m       |
        | m2  | many        | 1 vcore   | 3h       |
        | o1  | one         | 1 vcore   | 1h       |
      Then "o1" is allocated
      But "m1" waits

    Scenario: the asks of an application, the shortest first
      Given an application "many" in root.a
      When the asks:
        | ask | application | resources | walltime |
        | m1  | many        | 1 vcore   | 3h       |
        | m2  | many        | 1 vcore   | 1m       |
      Then "m2" is allocated
      But "m1" waits

    Scenario: a walltime that is changed counts at once
      When "busy" asks in root.a for 1 vcore
      Then "busy" is allocated
      Given the asks:
        | ask   | queue  | resources | walltime |
        | long  | root.a | 1 vcore   | 10h      |
        | short | root.a | 1 vcore   | 1h       |
      When "long" now has walltime 5m
      And "busy" is released
      Then "long" is allocated
      But "short" waits

  Rule: jobs without a walltime come last

    Scenario: however long the others are
      When the asks:
        | ask     | queue  | resources | walltime |
        | open    | root.a | 1 vcore   |          |
        | bounded | root.a | 1 vcore   | 1000h    |
      Then "bounded" is allocated
      But "open" waits

    Scenario: an application with one such ask too
      Given an application "mixed" in root.a
      And an application "bounded" in root.a
      When the asks:
        | ask | application | resources | walltime |
        | x1  | mixed       | 1 vcore   | 1m       |
        | x2  | mixed       | 1 vcore   |          |
        | b1  | bounded     | 1 vcore   | 1h       |
      Then "b1" is allocated
      But "x1" waits

    Scenario: the default of the queue is a walltime
      Given the queues:
        | queue  | application.sort.policy | walltime.default |
        | root.b | sjf                     | 30m              |
      When the asks:
        | ask     | queue  | resources | walltime |
        | hour    | root.b | 1 vcore   | 1h       |
        | default | root.b | 1 vcore   |          |
      Then "default" is allocated
      But "hour" waits
