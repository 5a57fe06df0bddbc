Feature: Devices of nodes

  A node has particular devices, such as GPUs, and an ask gets particular ones: whole devices, or a share of one.

  Background:
    Given "gpu" is a type of devices
    And the queues:
      | queue  |
      | root.a |

  Rule: the node's capacity in these types is the sum of its devices

    Scenario: devices are numbered from 0
      When the nodes:
        | node | capacity         | devices         |
        | n1   | 8 vcore, 10 disk | gpu: {count: 3} |
      Then the nodes show:
        | node | capacity                | free devices              |
        | n1   | 8 vcore, 10 disk, 3 gpu | gpu/0 1, gpu/1 1, gpu/2 1 |

    Scenario: their memory is a type of its own
      When the nodes:
        | node | capacity | devices                                    |
        | n1   | 8 vcore  | gpu: {count: 2, capacity: {memory: 80Gi}} |
      Then the nodes show:
        | node | capacity                                 | free devices                 |
        | n1   | 8 vcore, 2 gpu, 171798691840 gpu.memory | gpu/0 1 80Gi, gpu/1 1 80Gi |

    Scenario: listed ones have names, and keep their order
      When the nodes:
        | node | capacity | devices                                             |
        | n1   | 8 vcore  | gpu: [{id: b}, {id: a.0_x-Y, capacity: {memory: 8Gi}}] |
      Then the nodes show:
        | node | free devices               |
        | n1   | gpu/b 1, gpu/a.0_x-Y 1 8Gi |

    Scenario: unhealthy ones count in the capacity, and have nothing free
      When the nodes:
        | node | capacity | devices                               |
        | n1   | 8 vcore  | gpu: [{id: a}, {id: b, unhealthy: true}] |
      Then the nodes show:
        | node | capacity       | free devices                |
        | n1   | 8 vcore, 2 gpu | gpu/a 1, gpu/b 0 unhealthy |

    Scenario: a node may have several types of them
      Given "fpga" is a type of devices with policy first
      When the nodes:
        | node | capacity | devices                            |
        | n1   | 8 vcore  | gpu: {count: 1}, fpga: {count: 2} |
      Then the nodes show:
        | node | capacity               | free devices                  |
        | n1   | 8 vcore, 2 fpga, 1 gpu | fpga/0 1, fpga/1 1, gpu/0 1 |

    Scenario: a type without devices on the node
      When the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 0} |
      Then the nodes show:
        | node | capacity |
        | n1   | 8 vcore  |

  Rule: a node with amounts of devices, or with devices of other types, is rejected

    Scenario Outline: <what>
      When the nodes:
        | node | capacity   | occupied   | devices   | occupied devices |
        | n1   | <capacity> | <occupied> | <devices> | <used>           |
      Then "n1" is rejected because of <reason>

      Examples:
        | what                            | capacity           | occupied     | devices          | used              | reason            |
        | devices of another type         | 8 vcore            |              | fpga: {count: 1} |                   | not-a-device-type |
        | others use one of another type  | 8 vcore            |              | gpu: {count: 1}  | fpga: {0: 500m}   | not-a-device-type |
        | an amount in the capacity       | 8 vcore, 4 gpu     |              |                  |                   | device-amount     |
        | a part of a device              | 8 vcore, 500m gpu  |              |                  |                   | device-amount     |
        | memory of devices               | 8 vcore            | 5 gpu.memory | gpu: {count: 1}  |                   | device-amount     |
        | an amount that others use       | 8 vcore            | 1 gpu        | gpu: {count: 1}  |                   | device-amount     |

      @no-line
      Examples:
        | what                          | capacity           | occupied | devices | used | reason            |
        | a part of what has no devices | 8 vcore, 500m disk |          |         |      | not-a-device-type |

    Scenario: an ID of two types does not say which device others use
      Given "fpga" is a type of devices
      When the nodes:
        | node | capacity | devices                            | occupied devices |
        | n1   | 8 vcore  | gpu: {count: 1}, fpga: {count: 1} | 0: 500m          |
      Then "n1" is rejected because of device-amount

  Rule: an update replaces the lists of the types that it names

    Background:
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 2} |

    Scenario: more devices
      When node "n1" is updated with devices gpu: {count: 3}
      Then the nodes show:
        | node | capacity       | free devices              |
        | n1   | 8 vcore, 3 gpu | gpu/0 1, gpu/1 1, gpu/2 1 |

    Scenario: none
      When node "n1" is updated with devices gpu: []
      Then the nodes show:
        | node | capacity | free devices |
        | n1   | 8 vcore  | none         |

    Scenario: a type that it does not name stays
      Given "fpga" is a type of devices
      When node "n1" is updated with devices fpga: {count: 1}
      Then the nodes show:
        | node | free devices                 |
        | n1   | fpga/0 1, gpu/0 1, gpu/1 1 |

    Scenario: its other capacity stays, and devices stay with another capacity
      Given node "n1" is updated with devices gpu: {count: 3}
      When node "n1" is updated with capacity 4 vcore
      Then the nodes show:
        | node | capacity       |
        | n1   | 4 vcore, 3 gpu |

    Scenario Outline: an update with <field> <value> is ignored
      When node "n1" is updated with <field> <value>
      Then the node.update of "n1" is ignored because of <reason>
      And the nodes show:
        | node | capacity       |
        | n1   | 8 vcore, 2 gpu |

      Examples:
        | field            | value            | reason            |
        | devices          | fpga: {count: 1} | not-a-device-type |
        | capacity         | 9 vcore, 2 gpu   | device-amount     |
        | occupied         | 1 gpu            | device-amount     |
        | occupied_devices | fpga: {0: 1}     | not-a-device-type |

    Scenario: a device that is left out stays last until it is empty
      Given the asks:
        | ask | queue  | resources | devices   |
        | x   | root.a | 1 vcore   | gpu: 500m |
      When node "n1" is updated with devices gpu: [{id: 1}, {id: 2}]
      Then the nodes show:
        | node | capacity       | used             | free devices                     |
        | n1   | 8 vcore, 2 gpu | 1 vcore, 500m gpu | gpu/1 1, gpu/2 1, gpu/0 0 gone |
      When "x" is released
      Then the nodes show:
        | node | free devices     |
        | n1   | gpu/1 1, gpu/2 1 |

    Scenario: a device that is left out takes no others
      Given the asks:
        | ask | queue  | resources | devices   |
        | x   | root.a | 1 vcore   | gpu: 500m |
      And the cycle runs
      And node "n1" is updated with devices gpu: []
      When the asks:
        | ask | queue  | resources | devices   |
        | y   | root.a | 1 vcore   | gpu: 500m |
      Then "y" waits

    Scenario: a device that comes back has what is on it
      Given the asks:
        | ask | queue  | resources | devices   |
        | x   | root.a | 1 vcore   | gpu: 500m |
      And the cycle runs
      And node "n1" is updated with devices gpu: [{id: 1}]
      When node "n1" is updated with devices gpu: [{id: 1}, {id: 0}]
      Then the nodes show:
        | node | free devices        |
        | n1   | gpu/1 1, gpu/0 500m |

    Scenario: an unhealthy device keeps what is on it, and takes no others
      Given the asks:
        | ask | queue  | resources | devices   |
        | x   | root.a | 1 vcore   | gpu: 500m |
      And the cycle runs
      And node "n1" is updated with devices gpu: [{id: 0, unhealthy: true}]
      When the asks:
        | ask | queue  | resources | devices   |
        | y   | root.a | 1 vcore   | gpu: 500m |
      Then "y" waits
      And "x" gets the devices gpu/0
      When node "n1" is updated with devices gpu: [{id: 0}]
      Then "y" gets the devices gpu/0

  Rule: others may use parts of devices

    Scenario Outline: <used> leaves <free>
      When the nodes:
        | node | capacity | devices                                    | occupied devices |
        | n1   | 8 vcore  | gpu: {count: 2, capacity: {memory: 80Gi}} | <used>           |
      Then the nodes show:
        | node | occupied   | free devices |
        | n1   | <occupied> | <free>       |

      Examples:
        | used                               | occupied                         | free                            |
        | 1: 250m                            | 250m gpu                         | gpu/0 1 80Gi, gpu/1 750m 80Gi   |
        | gpu: {0: {share: 500m, memory: 20Gi}} | 500m gpu, 21474836480 gpu.memory | gpu/0 500m 60Gi, gpu/1 1 80Gi   |
        | gpu: {0: 1}                        | 1 gpu                            | gpu/0 0 0Gi, gpu/1 1 80Gi       |

    Scenario: an update replaces what others use
      Given the nodes:
        | node | capacity | devices         | occupied devices |
        | n1   | 8 vcore  | gpu: {count: 2} | gpu: {0: 500m}   |
      When node "n1" is updated with occupied_devices 1: 250m
      Then the nodes show:
        | node | occupied | free devices        |
        | n1   | 250m gpu | gpu/0 1, gpu/1 750m |

    Scenario: a device of which others use a part is not whole
      Given the nodes:
        | node | capacity | devices         | occupied devices |
        | n1   | 8 vcore  | gpu: {count: 2} | gpu: {0: 1m}     |
      When the asks:
        | ask | queue  | resources | devices |
        | x   | root.a | 1 vcore   | gpu: 1  |
        | y   | root.a | 1 vcore   | gpu: 1  |
      Then "x" gets the devices gpu/1
      And "y" waits

    Scenario: room that is used twice counts as none
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 1} |
      And the asks:
        | ask | queue  | resources | devices   |
        | x   | root.a | 1 vcore   | gpu: 700m |
      And the cycle runs
      When node "n1" is updated with occupied_devices 0: 700m
      Then the nodes show:
        | node | used              | occupied | free devices |
        | n1   | 1 vcore, 700m gpu | 700m gpu | gpu/0 0      |

  Rule: a reload with or without a type that is in use is refused

    Scenario Outline: no type any more, while <who> has it
      Given the nodes:
        | node | capacity | devices   |
        | n1   | 8 vcore  | <devices> |
      And <what>
      When "gpu" is no type of devices any more
      Then there is no config.accepted decision

      Examples:
        | who   | devices         | what                               |
        | node  | gpu: {count: 1} | 1s pass                            |
        | ask   | gpu: []         | "x" asks in root.a for 500m gpu    |

    Scenario: no type any more, while nothing has it
      When "gpu" is no type of devices any more
      Then the configuration is accepted

    Scenario: a new type, which a node has as an amount
      Given the nodes:
        | node | capacity       |
        | n1   | 8 vcore, 2 nic |
      When "nic" is a type of devices
      Then there is no config.accepted decision

    Scenario: a new type, which an ask has as an amount
      Given no node has "nic"
      And "x" asks in root.a for 2 nic
      When "nic" is a type of devices
      Then there is no config.accepted decision

    Scenario: another policy may come at any time
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 2} |
      And "x" asks in root.a for 500m gpu
      And "gpu" is a type of devices with policy loosest
      When "y" asks in root.a for 500m gpu
      Then "x" gets the devices gpu/0
      And "y" gets the devices gpu/1

    Scenario Outline: a configuration whose device type is <what>
      When the configuration:
        """
        devices: {<type>: <settings>}
        partitions: [{name: default, queues: [{name: root}]}]
        """
      Then the configuration is refused with:
        | line | key   |
        | 1    | <key> |

      Examples:
        | what              | type  | settings         | key                |
        | named with a colon | "a:b" | {}              | devices.a:b        |
        | named with an =   | a=b   | {}               | devices.a=b        |
        | vcore             | vcore | {}               | devices.vcore      |
        | without a policy  | gpu   | {policy: best}   | devices.gpu.policy |
