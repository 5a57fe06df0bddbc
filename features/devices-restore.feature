Feature: Allocations with devices that exist already

  Background:
    Given "gpu" is a type of devices
    And the queues:
      | queue  |
      | root.a |
    And the nodes:
      | node | capacity | devices         |
      | n1   | 8 vcore  | gpu: {count: 3} |

  Rule: the input names the devices

    Scenario: they are used as it says
      When the allocations:
        | allocation | queue  | resources | on | devices         | placed devices |
        | x          | root.a | 1 vcore   | n1 | gpu: {count: 2} | gpu: [2, 0]    |
      Then "x" gets the devices gpu/2, gpu/0
      And there is no allocation decision
      And the nodes show:
        | node | free devices              |
        | n1   | gpu/0 0, gpu/1 1, gpu/2 0 |

    Scenario: what exists exists, on a full device too
      Given "w" asks in root.a for 1 gpu
      And the cycle runs
      When the allocations:
        | allocation | queue  | resources | on | devices   | placed devices |
        | x          | root.a | 1 vcore   | n1 | gpu: 500m | gpu: [0]       |
      Then "x" gets the devices gpu/0
      And the nodes show:
        | node | used               | free devices              |
        | n1   | 1 vcore, 1500m gpu | gpu/0 0, gpu/1 1, gpu/2 1 |
      When "x" is released
      And "y" asks in root.a for 3 gpu
      Then "y" waits
      When "w" is released
      Then "y" gets the devices gpu/0, gpu/1, gpu/2

    Scenario: an unknown device has no capacity until an update names it
      When the allocations:
        | allocation | queue  | resources | on | devices   | placed devices |
        | x          | root.a | 1 vcore   | n1 | gpu: 500m | gpu: [7]       |
      Then the nodes show:
        | node | capacity       | free devices                             |
        | n1   | 8 vcore, 3 gpu | gpu/0 1, gpu/1 1, gpu/2 1, gpu/7 0 gone |
      When node "n1" is updated with devices gpu: [{id: 7}]
      Then the nodes show:
        | node | capacity       | free devices |
        | n1   | 8 vcore, 1 gpu | gpu/7 500m   |

    Scenario: an unknown device goes with its last allocation
      Given the allocations:
        | allocation | queue  | resources | on | devices   | placed devices |
        | x          | root.a | 1 vcore   | n1 | gpu: 500m | gpu: [7]       |
        | y          | root.a | 1 vcore   | n1 | gpu: 500m | gpu: [7]       |
      When "x" is released
      Then the nodes show:
        | node | free devices                             |
        | n1   | gpu/0 1, gpu/1 1, gpu/2 1, gpu/7 0 gone |
      When "y" is released
      Then the nodes show:
        | node | free devices              |
        | n1   | gpu/0 1, gpu/1 1, gpu/2 1 |

    Scenario: unknown devices come last, by name
      When the allocations:
        | allocation | queue  | resources | on | devices         | placed devices |
        | x          | root.a | 1 vcore   | n1 | gpu: {count: 2} | gpu: [9, 10]   |
      Then the nodes show:
        | node | free devices                                              |
        | n1   | gpu/0 1, gpu/1 1, gpu/2 1, gpu/10 0 gone, gpu/9 0 gone |

  Rule: without their names, they are chosen

    Scenario: by policy
      Given node "n1" is updated with occupied_devices 1: 300m
      When the allocations:
        | allocation | queue  | resources | on | devices   |
        | x          | root.a | 1 vcore   | n1 | gpu: 500m |
      Then "x" gets the devices gpu/1

    Scenario: where none fits, the freest
      Given node "n1" is updated with occupied_devices gpu: {0: 900m, 1: 700m, 2: 800m}
      When the allocations:
        | allocation | queue  | resources | on | devices                      |
        | x          | root.a | 1 vcore   | n1 | gpu: {count: 2, share: 500m} |
      Then "x" gets the devices gpu/1, gpu/2
      And the nodes show:
        | node | free devices                 |
        | n1   | gpu/0 100m, gpu/1 0, gpu/2 0 |

    Scenario: as many as there are
      When the allocations:
        | allocation | queue  | resources | on | devices |
        | x          | root.a | 1 vcore   | n1 | gpu: 5  |
      Then "x" gets the devices gpu/0, gpu/1, gpu/2
      And the queues show:
        | queue  | used           |
        | root.a | 1 vcore, 5 gpu |

    Scenario: a type of which the node has none
      Given "fpga" is a type of devices
      And no node has "fpga"
      When the allocations:
        | allocation | queue  | resources | on | devices    |
        | x          | root.a | 1 vcore   | n1 | fpga: 500m |
      Then "x" is allocated on "n1"
      And the nodes show:
        | node | used                |
        | n1   | 1 vcore, 500m fpga |

  Rule: what is restored is refused as an ask is

    Scenario Outline: <what>
      Given no node has "fpga"
      When the allocations:
        | allocation | queue  | resources   | on | devices   |
        | x          | root.a | <resources> | n1 | <devices> |
      Then "x" is rejected because of <reason>

      Examples:
        | what                | resources          | devices  | reason            |
        | another type        | 1 vcore            | fpga: 1  | not-a-device-type |
        | memory of devices   | 1 vcore, 5 gpu.memory |       | device-amount     |
