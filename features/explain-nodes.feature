@explain
Feature: Which node an ask may get, and what keeps it off others

  Rule: the queue that lacks room tells its use and its max

    Scenario: beside what is missing
      Given the queues:
        | queue  | max     |
        | root.a | 4 vcore |
      And a node "n1" with 10 vcore
      And "there" asks in root.a for 3 vcore
      And the cycle runs
      When "new" asks in root.a for 2 vcore
      Then ask "new" is explained by:
        | needs       | 2 vcore                     |
        | lacks       | root.a 1 vcore              |
        | use and max | root.a 3000m of 4000m vcore |

  Rule: every attribute that nodes fail on is named, with the wanted and the present values

    Scenario: two attributes, of which one fails on all nodes
      Given the nodes:
        | node | capacity | attributes       |
        | n1   | 4 vcore  | zone=a, disk=ssd |
        | n2   | 4 vcore  | zone=b, disk=hdd |
        | n3   | 4 vcore  | zone=b           |
      When the asks:
        | ask   | queue        | resources | constraints      |
        | picky | root.default | 1 vcore   | zone=c, disk=ssd |
      Then ask "picky" is explained by:
        | reasons    | no-node-fits                               |
        | nodes      | 2 constraint disk, 1 constraint zone       |
        | attributes | disk ssd: 1 hdd 1 without, zone c: 2 b 1 a |

  Rule: a required node that does not exist is said to be missing

    Scenario Outline: node <node>
      Given a node "n1" with 1 vcore
      And "there" asks in root.default for 1 vcore
      And the cycle runs
      When the asks:
        | ask    | queue        | resources | node   |
        | daemon | root.default | 1 vcore   | <node> |
      Then ask "daemon" is explained by:
        | required node | <said> |

      Examples:
        | node | said       |
        | n1   | n1         |
        | n9   | n9 missing |

  Rule: the ask that holds a node is named, and how long it may

    Scenario: a reservation
      Given the nodes:
        | node | capacity | schedulable |
        | n1   | 4 vcore  | yes         |
        | n2   | 8 vcore  | no          |
      And "there" asks in root.default for 3 vcore
      And the cycle runs
      And "big" asks in root.default for 4 vcore
      And 2s pass
      When "small" asks in root.default for 1 vcore
      Then ask "small" is explained by:
        | nodes | 1 draining, 1 reserved               |
        | held  | n1 for big in root.default until 32s |

  Rule: nodes are listed in the order in which they are tried, with their scores

    Scenario: those that take the ask, behind those that come first and do not
      Given the queues:
        | queue        | max     |
        | root.q       | 1 vcore |
        | root.default |         |
      And the nodes:
        | node | capacity |
        | n1   | 4 vcore  |
        | n2   | 2 vcore  |
        | n3   | 8 vcore  |
        | n4   | 1 vcore  |
      And the allocations:
        | allocation | queue        | resources | on |
        | x          | root.default | 1 vcore   | n1 |
        | y          | root.default | 4 vcore   | n3 |
      When "new" asks in root.q for 2 vcore
      Then ask "new" is explained by:
        | by         | fair                    |
        | candidates | n2 0, n1 -0.25, n3 -0.5 |

  Rule: a queue lists the properties in force, and the queues that set them

    Scenario: own and inherited ones
      Given the queues:
        | queue    | preemption.delay | priority.offset | preemption.policy |
        | root.a   | 10s              | 5               | fence             |
        | root.a.x |                  | 3               |                   |
      Then queue "root.a.x" is explained by:
        | in force | preemption.delay 10s from root.a, priority.offset 3 from root.a.x |
        | fence    | root.a                                                            |

    Scenario: a queue above that disables preemption overrides the own policy
      Given the queues:
        | queue    | preemption.policy |
        | root.a   | disabled          |
        | root.a.x | fence             |
      Then queue "root.a.x" is explained by:
        | in force | preemption.policy disabled from root.a |
        | fence    | none                                   |
