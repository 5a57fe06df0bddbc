@explain
Feature: Explanations with windows

  An explanation says which window bars a node. A node counts for the window, whether or not it has room.

  Background: a node of four cores
    Given the queues:
      | queue  | guaranteed |
      | root.a |            |
      | root.b | 4 vcore    |
    And a node "n1" with 4 vcore

  Scenario: a window is to come
    Given the windows:
      | window | from | until | nodes |
      | patch  | 1h   | 2h    | n1    |
    When the asks:
      | ask | queue  | resources | walltime |
      | j   | root.a | 1 vcore   | 61m      |
    Then ask "j" is explained by:
      | reasons | no-node-fits   |
      | nodes   | 1 window patch |
      | fits    | 0              |

  Scenario: a window is open
    Given the windows:
      | window | from | until | nodes | queues |
      | class  | 0s   | 1h    | n1    | root.b |
    When "j" asks in root.a for 1 vcore
    Then ask "j" is explained by:
      | nodes | 1 window class |

  Scenario: once it has closed, nothing is said of it
    Given the windows:
      | window | from | until | nodes | queues |
      | class  | 0s   | 1h    | n1    | root.b |
    And "old" asks in root.b for 4 vcore
    And "j" asks in root.a for 1 vcore
    When 1h passes
    Then ask "j" is explained by:
      | nodes | 1 full vcore |

  Scenario: a node without room counts for the window
    Given "old" asks in root.a for 4 vcore
    And the windows:
      | window | from | until | nodes |
      | patch  | 1h   | 2h    | n1    |
    When "j" asks in root.a for 1 vcore
    Then ask "j" is explained by:
      | nodes | 1 window patch |

  Scenario: of several windows on a node, the first that was added counts
    Given a node "n2" with 4 vcore
    And a node "n3" with 1 vcore
    And the windows:
      | window | from | until | nodes  |
      | later  | 2h   | 3h    | n1, n2 |
      | sooner | 1h   | 2h    | n1     |
    When "j" asks in root.a for 2 vcore
    Then ask "j" is explained by:
      | nodes | 1 too-small vcore, 2 window later |

  Scenario: no victims where a window bars the ask
    Given "old" asks in root.a for 4 vcore
    And the windows:
      | window | from | until | nodes |
      | patch  | 1h   | 2h    | n1    |
    When "needy" asks in root.b for 4 vcore
    Then the preemption of ask "needy" is explained by:
      | verdict | no-node        |
      | nodes   | 1 window patch |
