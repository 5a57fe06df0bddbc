Feature: typing
  Scenario: a slip of the pen
    Given a node "n1" with 8 vcore
    When "a" aks in root.default for 1 vcore
    Then "a" is placed on "n1"
