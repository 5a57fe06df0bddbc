Feature: Asks that get devices

  An ask says how many devices of a type it gets, and how much of each.

  Background:
    Given "gpu" is a type of devices
    And the queues:
      | queue  | max             |
      | root.a |                 |
      | root.b | 1500m gpu       |
      | root.c | 10 gpu.memory   |

  Rule: a share is of one device

    Scenario: two shares that do not fit one device get two
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 2} |
      When "x", "y" ask in root.a for 1 vcore, 600m gpu
      Then "x" gets the devices gpu/0
      And "y" gets the devices gpu/1
      And the nodes show:
        | node | used                | free devices          |
        | n1   | 2 vcore, 1200m gpu | gpu/0 400m, gpu/1 400m |

    Scenario: what is free in sum, but on no device, is not enough
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 2} |
      And "x", "y" ask in root.a for 1 vcore, 600m gpu
      When "z" asks in root.a for 500m gpu
      Then "z" waits
      When "w" asks in root.a for 400m gpu
      Then "w" gets the devices gpu/0

    Scenario: the node that has a device with enough is found
      Given the nodes:
        | node | capacity | devices         | occupied devices          |
        | n1   | 8 vcore  | gpu: {count: 2} | gpu: {0: 600m, 1: 600m}   |
        | n2   | 8 vcore  | gpu: {count: 1} |                           |
      When "z" asks in root.a for 500m gpu
      Then "z" is allocated on "n2"

    Scenario: an amount of resources and the devices of an ask say the same
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 4} |
      When the asks:
        | ask | queue  | resources       | devices                      |
        | x   | root.a | 1 vcore, 2 gpu  |                              |
        | y   | root.a | 1 vcore         | gpu: {count: 1, share: 250m} |
      Then the allocation decisions are:
        | id | resources         | devices      |
        | x  | 1 vcore, 2 gpu    | gpu/0, gpu/1 |
        | y  | 1 vcore, 250m gpu | gpu/2        |

    Scenario: memory bounds shares too
      Given the nodes:
        | node | capacity | devices                                    |
        | n1   | 8 vcore  | gpu: {count: 1, capacity: {memory: 80Gi}} |
      When the asks:
        | ask | queue  | resources | devices                           |
        | x   | root.a | 1 vcore   | gpu: {share: 100m, memory: 50Gi} |
        | y   | root.a | 1 vcore   | gpu: {share: 100m, memory: 50Gi} |
        | z   | root.a | 1 vcore   | gpu: {share: 100m, memory: 30Gi} |
      Then "x" is allocated on "n1"
      And "y" waits
      And "z" is allocated on "n1"
      And the nodes show:
        | node | free devices   |
        | n1   | gpu/0 800m 0Gi |

    Scenario: memory alone is a part of a device as well
      Given the nodes:
        | node | capacity | devices                                    |
        | n1   | 8 vcore  | gpu: {count: 2, capacity: {memory: 80Gi}} |
      When the asks:
        | ask | queue  | resources | devices             |
        | x   | root.a | 1 vcore   | gpu: {memory: 1Gi}  |
        | y   | root.a | 1 vcore   | gpu: {}             |
      Then "x" gets the devices gpu/0
      And "y" gets the devices gpu/1

  Rule: a whole device is one on which nothing is, and its holder bars all others

    Background:
      Given the nodes:
        | node | capacity | devices                                    |
        | n1   | 8 vcore  | gpu: {count: 3, capacity: {memory: 80Gi}} |

    Scenario: whole ones are given in order
      When "x" asks in root.a for 2 gpu
      Then "x" gets the devices gpu/0, gpu/1

    Scenario: one with a share on it is not whole
      Given "s" asks in root.a for 100m gpu
      When "x" asks in root.a for 3 gpu
      Then "x" waits
      When "y" asks in root.a for 2 gpu
      Then "y" gets the devices gpu/1, gpu/2

    Scenario: the holder of a whole device has its memory, which no queue counts
      When the asks:
        | ask | queue  | resources | devices                        |
        | x   | root.a | 1 vcore   | gpu: {count: 3}                |
        | y   | root.a | 1 vcore   | gpu: {share: 0, memory: 1Gi}   |
      Then "y" waits
      And the queues show:
        | queue  | used           |
        | root.a | 1 vcore, 3 gpu |

    Scenario: a whole device with memory must have that much
      When the asks:
        | ask | queue  | resources | devices                       |
        | x   | root.a | 1 vcore   | gpu: {share: 1, memory: 81Gi} |
        | y   | root.a | 1 vcore   | gpu: {share: 1, memory: 80Gi} |
      Then "x" waits
      And "y" gets the devices gpu/0

  Rule: several shares are of different devices

    Scenario: each gets its own device
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 2} |
      When the asks:
        | ask | queue  | resources | devices                      |
        | x   | root.a | 1 vcore   | gpu: {count: 2, share: 300m} |
        | y   | root.a | 1 vcore   | gpu: {count: 3, share: 100m} |
      Then "x" gets the devices gpu/0, gpu/1
      And "y" waits
      And the queues show:
        | queue  | used              |
        | root.a | 1 vcore, 600m gpu |

  Rule: where says which attributes a device must have

    Scenario Outline: only <values>
      Given the nodes:
        | node | capacity | devices                                                                                       |
        | n1   | 8 vcore  | gpu: [{id: a, attributes: {model: t4}}, {id: b, attributes: {model: a100}}, {id: c}] |
      When the asks:
        | ask | queue  | resources | devices                                          |
        | x   | root.a | 1 vcore   | gpu: {share: 500m, where: {model: [<values>]}} |
      Then the asks show:
        | ask | devices   |
        | x   | <devices> |

      Examples:
        | values   | devices |
        | a100     | gpu/b   |
        | h100, t4 | gpu/a   |
        | h100     | none    |

    Scenario: all attributes must be there
      Given the nodes:
        | node | capacity | devices                                                          |
        | n1   | 8 vcore  | gpu: [{id: a, attributes: {model: t4}}, {id: b, attributes: {model: t4, numa: 1}}] |
      When the asks:
        | ask | queue  | resources | devices                                       |
        | x   | root.a | 1 vcore   | gpu: {where: {model: [t4], numa: [0, 1]}} |
      Then "x" gets the devices gpu/b

  Rule: equal names an attribute in which all chosen devices agree

    Scenario: the smallest group with enough devices that fit
      Given the nodes:
        | node | capacity | devices                                                                                                                                                       |
        | n1   | 8 vcore  | gpu: [{id: a, attributes: {numa: 0}}, {id: b, attributes: {numa: 1}}, {id: c, attributes: {numa: 0}}, {id: d, attributes: {numa: 1}}, {id: e, attributes: {numa: 0}}] |
      When the asks:
        | ask | queue  | resources | devices                        |
        | x   | root.a | 1 vcore   | gpu: {count: 2, equal: numa} |
        | y   | root.a | 1 vcore   | gpu: {count: 2, equal: numa} |
        | z   | root.a | 1 vcore   | gpu: {count: 2, equal: numa} |
      Then "x" gets the devices gpu/b, gpu/d
      And "y" gets the devices gpu/a, gpu/c
      And "z" waits

    Scenario: of groups of one size, that of the first device
      Given the nodes:
        | node | capacity | devices                                                                                                                        |
        | n1   | 8 vcore  | gpu: [{id: a, attributes: {numa: 1}}, {id: b, attributes: {numa: 0}}, {id: c, attributes: {numa: 1}}, {id: d, attributes: {numa: 0}}] |
      When the asks:
        | ask | queue  | resources | devices                        |
        | x   | root.a | 1 vcore   | gpu: {count: 2, equal: numa} |
      Then "x" gets the devices gpu/a, gpu/c

    Scenario: devices without the attribute are in no group
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 4} |
      When the asks:
        | ask | queue  | resources | devices                        |
        | x   | root.a | 1 vcore   | gpu: {count: 2, equal: numa} |
      Then "x" waits

  Rule: queues and limits count what the ask names, in each dimension

    Background:
      Given the nodes:
        | node | capacity | devices                                    |
        | n1   | 8 vcore  | gpu: {count: 4, capacity: {memory: 80Gi}} |

    Scenario: a max of shares
      When "x", "y" ask in root.b for 800m gpu
      Then "x" is allocated
      And "y" waits
      And the queues show:
        | queue  | used     | pending  | headroom                                          |
        | root.b | 800m gpu | 800m gpu | 8 vcore, 700m gpu, 343597383680 gpu.memory |

    Scenario: a max of memory of devices
      When the asks:
        | ask | queue  | resources | devices                      |
        | x   | root.c | 1 vcore   | gpu: {share: 1m, memory: 11} |
        | y   | root.c | 1 vcore   | gpu: {share: 1m, memory: 10} |
        | z   | root.c | 1 vcore   | gpu: 1                       |
      Then "x" waits
      And "y", "z" are allocated

    Scenario: a limit of a user
      Given the limits:
        | queue  | users | max      |
        | root.a | ann   | 700m gpu |
      When "x" asks in root.a as user "ann" for 500m gpu
      And "y" asks in root.a as user "ann" for 500m gpu
      Then "x" is allocated
      And "y" waits

    Scenario: the cluster's total counts unhealthy devices and not those that are gone
      Given "x" asks in root.a for 500m gpu
      And the cycle runs
      When node "n1" is updated with devices gpu: [{id: 1, unhealthy: true}]
      Then the queues show:
        | queue | max            |
        | root  | 8 vcore, 1 gpu |

  Rule: what an ask may not say

    Background:
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 4} |

    Scenario Outline: <what>
      Given no node has "fpga"
      When the asks:
        | ask | queue  | resources   | devices   |
        | x   | root.a | <resources> | <devices> |
      Then "x" is rejected because of <reason>

      Examples:
        | what                                | resources             | devices    | reason            |
        | devices of another type             | 1 vcore               | fpga: 500m | not-a-device-type |
        | memory of devices among resources   | 1 vcore, 5 gpu.memory |            | device-amount     |
        | nothing                             | nothing               |            | no-resources      |

      @no-line
      Examples:
        | what                          | resources          | devices | reason            |
        | a part of what has no devices | 1 vcore, 500m fpga |         | not-a-device-type |
        | one and a half                | 1 vcore, 1500m gpu |         | device-amount     |
        | both in resources and apart   | 1 vcore, 1 gpu     | gpu: 1  | device-amount     |

    Scenario: an ask for devices alone is an ask
      When the asks:
        | ask | queue  | resources | devices   |
        | x   | root.a | nothing   | gpu: 500m |
      Then "x" gets the devices gpu/0

  Rule: an update of a pending ask replaces what it names

    Background:
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 2} |
      And the asks:
        | ask | queue  | resources | devices |
        | x   | root.a | 1 vcore   | gpu: 3  |

    Scenario: other devices
      When ask "x" now wants devices gpu: {count: 2, share: 100m}
      Then "x" gets the devices gpu/0, gpu/1

    Scenario: other resources leave the devices
      When ask "x" now needs 2 vcore
      Then "x" waits
      And the asks show:
        | ask | resources      |
        | x   | 2 vcore, 3 gpu |

    Scenario: an amount of devices among other resources replaces them
      When ask "x" now needs 2 vcore, 2 gpu
      Then "x" gets the devices gpu/0, gpu/1

    Scenario: no devices any more
      When ask "x" now wants devices nothing
      Then "x" is allocated on "n1"
      And the nodes show:
        | node | used    |
        | n1   | 1 vcore |

    Scenario: devices of another type are refused
      Given no node has "fpga"
      When ask "x" now wants devices fpga: 1
      Then the ask.update of "x" is ignored because of not-a-device-type

    Scenario: nothing is left
      Given "y" asks in root.a for 3 gpu
      When ask "y" now wants devices nothing
      Then the ask.update of "y" is ignored because of no-resources

    Scenario: an allocation keeps its devices
      Given "y" asks in root.a for 1 gpu
      And the cycle runs
      When ask "y" now wants devices gpu: 500m
      Then the ask.update of "y" is ignored because of not-pending
      And "y" gets the devices gpu/0
