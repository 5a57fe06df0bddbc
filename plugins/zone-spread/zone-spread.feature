Feature: zone-spread

  Nodes of the least used domain first, in it the least used node. A domain is all nodes with the same text in an
  attribute, "zone" unless the policy is set up otherwise.

  Background:
    Given nodes are sorted by zone-spread

  Rule: the domains fill evenly

    Scenario: zone by zone, and in each node by node
      Given the nodes:
        | node | capacity | attributes |
        | a1   | 10 vcore | zone=a     |
        | a2   | 10 vcore | zone=a     |
        | b1   | 10 vcore | zone=b     |
        | b2   | 10 vcore | zone=b     |
      And an application "app" in root.default
      When "app" asks "1", "2", "3", "4" for 1 vcore
      Then the allocation decisions are:
        | id | node |
        | 1  | a1   |
        | 2  | b1   |
        | 3  | a2   |
        | 4  | b2   |

    Scenario: the share of the domain counts, not the amount
      Given the nodes:
        | node  | capacity | occupied | attributes |
        | small | 10 vcore | 2 vcore  | zone=a     |
        | wide1 | 10 vcore | 3 vcore  | zone=b     |
        | wide2 | 10 vcore |          | zone=b     |
      When "job" asks in root.default for 1 vcore
      Then "job" is allocated on "wide2"

    Scenario: a used node of the emptier domain comes before an unused one of the fuller
      Given the nodes:
        | node | capacity | occupied | attributes |
        | a1   | 10 vcore | 8 vcore  | zone=a     |
        | a2   | 10 vcore |          | zone=a     |
        | b1   | 10 vcore | 3 vcore  | zone=b     |
      When "job" asks in root.default for 1 vcore
      Then "job" is allocated on "b1"

    Scenario: the type that is used most counts
      Given the nodes:
        | node | capacity            | occupied          | attributes |
        | a    | 10 vcore, 10 memory | 2 vcore, 6 memory | zone=a     |
        | b    | 10 vcore, 10 memory | 5 vcore, 1 memory | zone=b     |
      When "job" asks in root.default for 1 vcore
      Then "job" is allocated on "b"

  Rule: a domain without room is passed over

    Scenario: the next one takes the ask
      Given the nodes:
        | node | capacity | occupied | attributes |
        | a1   | 2 vcore  |          | zone=a     |
        | b1   | 10 vcore | 5 vcore  | zone=b     |
      When "job" asks in root.default for 4 vcore
      Then "job" is allocated on "b1"

  Rule: nodes without the attribute come last

    Scenario: even unused ones
      Given the nodes:
        | node | capacity | occupied | attributes |
        | a1   | 10 vcore | 6 vcore  | zone=a     |
        | bare | 10 vcore |          |            |
      When "job" asks in root.default for 4 vcore
      And "next" asks in root.default for 4 vcore
      Then "job" is allocated on "a1"
      And "next" is allocated on "bare"
