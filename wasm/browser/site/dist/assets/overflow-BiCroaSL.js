var e=`Feature: Amounts beyond 2^63-1

  Amounts are counted exactly, up to 2^63-1 = 9223372036854775807 units of a type. What would take the cluster's total or what is
  used beyond that is refused, and changes nothing.

  Background:
    Given the queues:
      | queue  | guaranteed |
      | root.a | 1 memory   |
      | root.b |            |
    And a node "n1" with 9223372036854775806 memory

  Rule: the cluster's total

    Scenario: a node that would take it beyond is rejected
      When a node "n2" with 2 memory
      Then "n2" is rejected because of amount-overflow
      And node "n2" is gone
      When a node "n2" with 1 memory
      Then the queues show:
        | queue | max                        |
        | root  | 9223372036854775807 memory |

    Scenario: an update that would is ignored; the new capacity is in the place of the old
      Given a node "n2" with 1 memory
      When node "n2" is updated with capacity 2 memory
      Then the node.update of "n2" is ignored because of amount-overflow
      And the nodes show:
        | node | capacity |
        | n2   | 1 memory |
      When node "n1" is updated with capacity 9223372036854775805 memory
      And node "n2" is updated with capacity 2 memory
      Then the nodes show:
        | node | capacity |
        | n2   | 2 memory |

  Rule: what is used

    Scenario: of two restored allocations of all there can be, the second is rejected
      Given an application "x" in root.a
      And an application "y" in root.b
      And a node "n2" with 1 memory
      And "x" has "x1" for 9223372036854775807 memory restored on "n1"
      When "y" has "y1" for 9223372036854775807 memory restored on "n2"
      Then "y1" is rejected because of amount-overflow
      And the queues show:
        | queue  | used                       |
        | root   | 9223372036854775807 memory |
        | root.b | nothing                    |
      When "x1" is released
      And "y" has "y1" for 9223372036854775807 memory restored on "n2"
      Then the queues show:
        | queue  | used                       |
        | root   | 9223372036854775807 memory |
        | root.a | nothing                    |

    Scenario: on a node what others occupy counts, too
      Given node "n1" is updated with occupied 1 memory
      And an application "x" in root.a
      When "x" has "x1" for 9223372036854775807 memory restored on "n1"
      Then "x1" is rejected because of amount-overflow
      When "x" has "x1" for 9223372036854775806 memory restored on "n1"
      And node "n1" is updated with occupied 2 memory
      Then the node.update of "n1" is ignored because of amount-overflow
      And the nodes show:
        | node | occupied | used                       |
        | n1   | 1 memory | 9223372036854775806 memory |

    Scenario: each type by itself
      Given an application "x" in root.a
      And "x" has "x1" for 9223372036854775807 memory restored on "n1"
      When "x" has "x2" for 1 vcore restored on "n1"
      Then the nodes show:
        | node | used                                |
        | n1   | 9223372036854775807 memory, 1 vcore |

  Rule: pending asks are not refused

    Scenario: and none is lost when another goes
      Given "x" asks in root.a for 9223372036854775807 memory
      And "y" asks in root.a for 9223372036854775807 memory
      When "z" asks in root.a for 9223372036854775800 memory
      Then "z" is allocated on "n1"
      And the queues show:
        | queue  | pending                    | asks |
        | root.a | 9223372036854775807 memory | 2    |
      When ask "x" is removed
      Then the queues show:
        | queue  | pending                    |
        | root.a | 9223372036854775807 memory |
      When ask "y" is removed
      Then the queues show:
        | queue  | pending |
        | root.a | nothing |
`;export{e as default};