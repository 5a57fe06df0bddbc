Feature: deadline

  Applications by the latest instant at which what is left of their work can start: the tag "deadline" less the asks
  that are pending times the tag "duration", in seconds. An ask without a duration takes 60.

  Background:
    Given the queues:
      | queue  | application.sort.policy |
      | root.a | deadline                |
    And a node "n1" with 10 vcore

  Rule: what must start first goes first

    Scenario: the same work, the earlier due first
      Given the applications:
        | application | queue  | tags          |
        | later       | root.a | deadline=2000 |
        | sooner      | root.a | deadline=1000 |
      When "later" asks "l" for 1 vcore
      And "sooner" asks "s" for 1 vcore
      Then "s", "l" are allocated in this order

    Scenario: due later, but with more left to do
      Given the applications:
        | application | queue  | tags                       |
        | short       | root.a | deadline=1000              |
        | long        | root.a | deadline=1200,duration=600 |
      When "short" asks "s" for 1 vcore
      And "long" asks "l" for 1 vcore
      Then "l", "s" are allocated in this order

    Scenario: each ask that is pending counts, and each that is placed counts no more
      Given the applications:
        | application | queue  | tags                       |
        | many        | root.a | deadline=1000,duration=100 |
        | one         | root.a | deadline=850,duration=100  |
      When "many" asks "m1", "m2", "m3" for 1 vcore
      And "one" asks "o" for 1 vcore
      Then "m1", "o", "m2", "m3" are allocated in this order

  Rule: of equals, the one due first

    Scenario: both must start at 900
      Given the applications:
        | application | queue  | tags                       |
        | long        | root.a | deadline=1100,duration=200 |
        | short       | root.a | deadline=1000,duration=100 |
      When "long" asks "l" for 1 vcore
      And "short" asks "s" for 1 vcore
      Then "s", "l" are allocated in this order

  Rule: who is never due comes last

    Scenario Outline: <what>
      Given the applications:
        | application | queue  | tags              |
        | never       | root.a | <tags>            |
        | due         | root.a | deadline=99999999 |
      When "never" asks "n" for 1 vcore
      And "due" asks "d" for 1 vcore
      Then "d", "n" are allocated in this order

      Examples:
        | what                          | tags              |
        | no deadline                   |                   |
        | a deadline that is no number  | deadline=tomorrow |

    Scenario: among themselves in the order in which they came
      Given an application "first" in root.a
      And an application "second" in root.a
      When "second" asks "s" for 1 vcore
      And "first" asks "f" for 1 vcore
      Then "f", "s" are allocated in this order
