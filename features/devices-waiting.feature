Feature: What waits for devices

  Background:
    Given "gpu" is a type of devices
    And the queues:
      | queue  |
      | root.a |
      | root.b |

  Rule: reservations are of nodes that would fit the ask when empty

    Scenario: a node with enough devices is reserved, and not one with enough in sum
      Given the nodes:
        | node  | capacity | devices                                                            |
        | n1    | 8 vcore  | gpu: [{id: 0}, {id: 1, unhealthy: true}, {id: 2, unhealthy: true}] |
        | n2    | 8 vcore  | gpu: {count: 2}                                                    |
        | spare | 8 vcore  | gpu: {count: 4}                                                    |
      And node "spare" is drained
      And "f" asks in root.b for 1 vcore, 2 gpu
      And the cycle runs
      And "big" asks in root.a for 1 vcore, 2 gpu
      When 2s pass
      Then the reservation decisions are:
        | id  | node |
        | big | n2   |

    Scenario: it is filled when devices are free
      Given the nodes:
        | node  | capacity | devices         |
        | n1    | 8 vcore  | gpu: {count: 1} |
        | spare | 8 vcore  | gpu: {count: 4} |
      And node "spare" is drained
      And "f" asks in root.b for 500m gpu
      And the cycle runs
      And "big" asks in root.a for 1 gpu
      And 2s pass
      And "small" asks in root.b for 100m gpu
      When "f" is released
      Then "big" gets the devices gpu/0
      And "small" waits

    Scenario: it ends when the device becomes unhealthy
      Given the nodes:
        | node  | capacity | devices         |
        | n1    | 8 vcore  | gpu: {count: 1} |
        | spare | 8 vcore  | gpu: {count: 4} |
      And node "spare" is drained
      And "f" asks in root.b for 500m gpu
      And the cycle runs
      And "big" asks in root.a for 1 gpu
      And 2s pass
      When node "n1" is updated with devices gpu: [{id: 0, unhealthy: true}]
      Then the unreservation decisions are:
        | id  | node |
        | big | n1   |

    Scenario: a required node is held until its devices are free
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 1} |
        | n2   | 8 vcore  | gpu: {count: 4} |
      And "f" asks in root.b for 1 vcore, 500m gpu
      And the cycle runs
      And the asks:
        | ask | queue  | resources | node | devices | preempts others |
        | big | root.a | 1 vcore   | n1   | gpu: 1  | no              |
      And the cycle runs
      When "s" asks in root.b for 1 vcore
      Then the nodes show:
        | node | reserved |
        | n1   | big      |
      And "s" is allocated on "n2"
      When "f" is released
      Then "big" gets the devices gpu/0

  Rule: what waits is placed when room comes

    Scenario Outline: <change>
      Given the nodes:
        | node | capacity | devices                                      | occupied devices |
        | n1   | 8 vcore  | gpu: [{id: 0}, {id: 1, unhealthy: true}] | gpu: {0: 600m}   |
      And "x" asks in root.a for 1 vcore, 500m gpu
      And the cycle runs
      When node "n1" is updated with <field> <value>
      Then "x" gets the devices gpu/<device>

      Examples:
        | change                | field            | value                    | device |
        | others use less       | occupied_devices | 0: 500m                  | 0      |
        | a device is healthy   | devices          | gpu: [{id: 1}]           | 1      |
        | a device is new       | devices          | gpu: [{id: 0}, {id: new}] | new    |

    Scenario: another node has devices
      Given the nodes:
        | node | capacity |
        | n1   | 8 vcore  |
      And no node has "gpu"
      And "x" asks in root.a for 1 vcore, 500m gpu
      When the nodes:
        | node | capacity | devices         |
        | n2   | 8 vcore  | gpu: {count: 1} |
      Then "x" is allocated on "n2"

  Rule: asks without devices do not look at them

    Scenario: they go where all devices are used
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 1} |
      And "f" asks in root.b for 1 gpu
      When "x" asks in root.a for 1 vcore
      Then "x" is allocated on "n1"

  Rule: a task lands on the devices of its placeholder

    Background:
      Given the nodes:
        | node | capacity | devices         |
        | n1   | 8 vcore  | gpu: {count: 3} |
      And the applications:
        | application | queue  | placeholders   |
        | train       | root.a | 2 vcore, 1 gpu |
      And the asks:
        | ask | application | resources | devices | task group | placeholder |
        | h1  | train       | 2 vcore   | gpu: 1  | workers    | yes         |

    Scenario: although another device comes first
      Given "first" asks in root.b for 1 vcore, 1 gpu
      And the cycle runs
      And the asks:
        | ask | application | resources | devices | task group |
        | t1  | train       | 2 vcore   | gpu: 1  | workers    |
      And the cycle runs
      When "h1" is released
      Then "t1" gets the devices gpu/0

    Scenario: a share fits where the placeholder had all
      Given the asks:
        | ask | application | resources | devices   | task group |
        | t1  | train       | 2 vcore   | gpu: 500m | workers    |
      And the cycle runs
      When "h1" is released
      Then "t1" gets the devices gpu/0

    Scenario: a larger task gets its devices anew, with those of the placeholder counted as free
      Given the asks:
        | ask | application | resources | devices | task group |
        | t1  | train       | 2 vcore   | gpu: 3  | workers    |
      And the cycle runs
      When "h1" is released
      Then "t1" gets the devices gpu/0, gpu/1, gpu/2

    Scenario: meanwhile nobody gets them
      Given the asks:
        | ask | application | resources | devices | task group |
        | t1  | train       | 2 vcore   | gpu: 3  | workers    |
      And the cycle runs
      When "x" asks in root.b for 1 vcore, 500m gpu
      Then "x" waits
