Feature: our cluster

  Scenario: training never passes its max
    Given the configuration file "queues.yaml"
    And a node "n1" with 16 vcore, 64Gi memory
    When "fit" asks in root.research.vision for 6 vcore
    Then "fit" waits
    And ask "fit" is explained by:
      | reasons | headroom                    |
      | lacks   | root.research.vision 2 vcore |
