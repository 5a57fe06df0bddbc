Feature: Which devices an ask gets

  Rule: shares go where the policy of their type says

    Scenario Outline: <policy>
      Given "gpu" is a type of devices with policy <policy>
      And the nodes:
        | node | capacity | devices         | occupied devices                       |
        | n1   | 8 vcore  | gpu: {count: 4} | gpu: {0: 200m, 1: 600m, 2: 800m}       |
      When "x" asks in root.default for 300m gpu
      Then "x" gets the devices gpu/<device>

      Examples:
        | policy   | device |
        | tightest | 1      |
        | loosest  | 3      |
        | first    | 0      |

    Scenario: without a word, the tightest
      Given "gpu" is a type of devices
      And the nodes:
        | node | capacity | devices         | occupied devices |
        | n1   | 8 vcore  | gpu: {count: 2} | gpu: {1: 100m}   |
      When "x" asks in root.default for 300m gpu
      Then "x" gets the devices gpu/1

    Scenario Outline: of equal shares, memory decides with <policy>
      Given "gpu" is a type of devices with policy <policy>
      And the nodes:
        | node | capacity | devices                                                                                                        |
        | n1   | 8 vcore  | gpu: [{id: a, capacity: {memory: 40Gi}}, {id: b, capacity: {memory: 20Gi}}, {id: c, capacity: {memory: 80Gi}}] |
      When the asks:
        | ask | queue        | resources | devices                           |
        | x   | root.default | 1 vcore   | gpu: {share: 100m, memory: 10Gi} |
      Then "x" gets the devices gpu/<device>

      Examples:
        | policy   | device |
        | tightest | b      |
        | loosest  | c      |
        | first    | a      |

    Scenario Outline: several by <policy>, each in turn
      Given "gpu" is a type of devices with policy <policy>
      And the nodes:
        | node | capacity | devices         | occupied devices                 |
        | n1   | 8 vcore  | gpu: {count: 4} | gpu: {0: 200m, 1: 600m, 2: 800m} |
      When the asks:
        | ask | queue        | resources | devices                      |
        | x   | root.default | 1 vcore   | gpu: {count: 2, share: 300m} |
      Then "x" gets the devices <devices>

      Examples:
        | policy   | devices      |
        | tightest | gpu/1, gpu/0 |
        | loosest  | gpu/3, gpu/0 |
        | first    | gpu/0, gpu/1 |

    Scenario Outline: whole ones are given in order with <policy>
      Given "gpu" is a type of devices with policy <policy>
      And the nodes:
        | node | capacity | devices                                                                                                        |
        | n1   | 8 vcore  | gpu: [{id: a, capacity: {memory: 40Gi}}, {id: b, capacity: {memory: 20Gi}}, {id: c, capacity: {memory: 80Gi}}] |
      When "x" asks in root.default for 2 gpu
      Then "x" gets the devices gpu/a, gpu/b

      Examples:
        | policy   |
        | tightest |
        | loosest  |
        | first    |

    Scenario: each type has its own policy
      Given "gpu" is a type of devices with policy loosest
      And "fpga" is a type of devices with policy first
      And the nodes:
        | node | capacity | devices                            | occupied devices                       |
        | n1   | 8 vcore  | gpu: {count: 2}, fpga: {count: 2} | gpu: {0: 100m}, fpga: {1: 100m}      |
      When "x" asks in root.default for 100m gpu, 100m fpga
      Then "x" gets the devices fpga/0, gpu/1

  Rule: a release gives back what the allocation had

    Scenario: in its place in the order
      Given "gpu" is a type of devices
      And the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 3} |
      And "x", "y", "z" ask in root.default for 1 gpu
      And the cycle runs
      And "y" is released
      When "w" asks in root.default for 500m gpu
      Then "w" gets the devices gpu/1
      And the nodes show:
        | node | free devices                 |
        | n1   | gpu/0 0, gpu/1 500m, gpu/2 0 |

    Scenario: a removed node takes its devices with it
      Given "gpu" is a type of devices
      And the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 1} |
      And "x" asks in root.default for 1 gpu
      And the cycle runs
      When node "n1" is removed
      Then the queues show:
        | queue | used    | max     |
        | root  | nothing | nothing |

    Scenario: a drained node takes no asks, and its devices count
      Given "gpu" is a type of devices
      And the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 1} |
      And node "n1" is drained
      When "x" asks in root.default for 500m gpu
      Then "x" waits
      And the queues show:
        | queue | max            |
        | root  | 8 vcore, 1 gpu |
