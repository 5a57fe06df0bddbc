var e=`Feature: The order of nodes

  Utilisation is the weighted mean, over the types that have a weight and that the node has, of used by capacity.

  Rule: 90 % of the cores and 50 % of the memory

    Scenario Outline: are <utilisation> with weights <weights>
      Given nodes are sorted by fair with weights <weights>
      And a node "n1" with 10 vcore, 10 memory
      When "a" asks in root.default for 9 vcore, 5 memory
      Then the nodes show:
        | node | utilisation   |
        | n1   | <utilisation> |

      Examples:
        | weights              | utilisation |
        | 1 vcore, 1 memory    | 70 %        |
        | 4 vcore, 1 memory    | 82 %        |
        | 1 vcore, 0.25 memory | 82 %        |
        | 1 vcore, 4 memory    | 58 %        |
        | 0 vcore, 1 memory    | 50 %        |
        | 1 vcore              | 90 %        |

    Scenario: are 70 % when no weights are given
      Given a node "n1" with 10 vcore, 10 memory
      When "a" asks in root.default for 9 vcore, 5 memory
      Then the nodes show:
        | node | utilisation |
        | n1   | 70 %        |

    Scenario: a sum that does not divide is rounded down
      Given nodes are sorted by fair with weights 1 vcore, 1 memory, 1 gpu
      And a node "n1" with 10 vcore, 10 memory, 10 gpu
      When "a" asks in root.default for 1 vcore, 1 memory, 2 gpu
      Then the nodes show:
        | node | utilisation |
        | n1   | 0.133333333 |

  Rule: only types with a weight and a capacity count

    Scenario: a type without a weight does not count
      Given a node "n1" with 10 vcore, 10 memory, 4 nvidia.com/gpu
      When "a" asks in root.default for 2 vcore, 2 memory, 4 nvidia.com/gpu
      Then the nodes show:
        | node | utilisation |
        | n1   | 20 %        |

    Scenario: a type that the node has none of does not count
      Given a node "n1" with 10 vcore
      When "a" asks in root.default for 4 vcore
      Then the nodes show:
        | node | utilisation |
        | n1   | 40 %        |

    Scenario: a node with nothing that counts is not utilised
      Given nodes are sorted by fair with weights 1 vcore
      And a node "n1" with 4 nvidia.com/gpu
      When "a" asks in root.default for 4 nvidia.com/gpu
      Then the nodes show:
        | node | utilisation |
        | n1   | 0 %         |

    Scenario: what others occupy counts as used
      Given the nodes:
        | node | capacity | occupied |
        | n1   | 10 vcore | 3 vcore  |
      When "a" asks in root.default for 2 vcore
      Then the nodes show:
        | node | utilisation | used    |
        | n1   | 50 %        | 2 vcore |

  Rule: fair takes the least utilised node

    Scenario: asks spread over the nodes
      Given a node "n1" with 10 vcore
      And a node "n2" with 10 vcore
      And a node "n3" with 10 vcore
      And an application "app" in root.default
      When "app" asks "1", "2", "3", "4" for 1 vcore
      Then the allocation decisions are:
        | id | node |
        | 1  | n1   |
        | 2  | n2   |
        | 3  | n3   |
        | 4  | n1   |

    Scenario: the share counts, not the amount
      Given the nodes:
        | node  | capacity  | occupied |
        | large | 100 vcore | 10 vcore |
        | small | 10 vcore  | 2 vcore  |
      When "a" asks in root.default for 1 vcore
      Then "a" is allocated on "large"

    Scenario: a node that is too full is passed over
      Given the nodes:
        | node | capacity            | occupied          |
        | n1   | 10 vcore, 10 memory | 9 vcore           |
        | n2   | 10 vcore, 10 memory | 5 vcore, 6 memory |
      When "a" asks in root.default for 2 vcore
      Then "a" is allocated on "n2"

    Scenario: equals go by ID, bytewise
      Given a node "n9" with 10 vcore
      And a node "n10" with 10 vcore
      And a node "N11" with 10 vcore
      And an application "app" in root.default
      When "app" asks "1", "2", "3" for 1 vcore
      Then the allocation decisions are:
        | id | node |
        | 1  | N11  |
        | 2  | n10  |
        | 3  | n9   |

    Scenario: what is released makes room and moves the node up
      Given a node "n1" with 10 vcore
      And a node "n2" with 10 vcore
      And "a" asks in root.default for 1 vcore
      And "b" asks in root.default for 1 vcore
      And the cycle runs
      And "b" is released
      When "c" asks in root.default for 1 vcore
      Then "c" is allocated on "n2"

  Rule: binpacking takes the most utilised node that fits

    Background:
      Given nodes are sorted by binpacking

    Scenario: asks fill one node before the next
      Given a node "n1" with 2 vcore
      And a node "n2" with 2 vcore
      And an application "app" in root.default
      When "app" asks "1", "2", "3", "4" for 1 vcore
      Then the allocation decisions are:
        | id | node |
        | 1  | n1   |
        | 2  | n1   |
        | 3  | n2   |
        | 4  | n2   |

    Scenario: the fullest with room, not the fullest
      Given the nodes:
        | node | capacity | occupied |
        | n1   | 10 vcore | 9 vcore  |
        | n2   | 10 vcore | 5 vcore  |
        | n3   | 10 vcore | 1 vcore  |
      When "a" asks in root.default for 2 vcore
      Then "a" is allocated on "n2"

    Scenario: equals go by ID too
      Given a node "b" with 10 vcore
      And a node "a" with 10 vcore
      When "job" asks in root.default for 1 vcore
      Then "job" is allocated on "a"

  Rule: weights change the order

    Scenario Outline: <policy> with weights <weights>
      Given nodes are sorted by <policy> with weights <weights>
      And the nodes:
        | node  | capacity            | occupied          |
        | cores | 10 vcore, 10 memory | 8 vcore           |
        | bytes | 10 vcore, 10 memory | 2 vcore, 8 memory |
      When "a" asks in root.default for 1 vcore, 1 memory
      Then "a" is allocated on "<node>"

      Examples:
        | policy     | weights           | node  | utilisations      |
        | fair       | 1 vcore, 1 memory | cores | 40 % against 50 % |
        | fair       | 4 vcore, 1 memory | bytes | 64 % against 32 % |
        | binpacking | 1 vcore, 1 memory | bytes | 50 % against 40 % |
        | binpacking | 4 vcore, 1 memory | cores | 64 % against 32 % |
`;export{e as default};