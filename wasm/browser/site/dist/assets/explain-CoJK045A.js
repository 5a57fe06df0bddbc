var e=`@explain
Feature: Why something waits

  Reasons are codes; counts and amounts are true at the moment of asking.

  Rule: an ask tells which queue lacks how much of what

    Scenario: every queue on the way that is short, the leaf first
      Given the queues:
        | queue    | max               |
        | root.a   | 4 vcore, 4 memory |
        | root.a.x | 2 vcore           |
      And a node "n1" with 10 vcore, 10 memory
      When "big" asks in root.a.x for 5 vcore, 6 memory
      Then ask "big" is explained by:
        | application | big                                               |
        | queue       | root.a.x                                          |
        | pending     | yes                                               |
        | reasons     | headroom                                          |
        | lacks       | root.a.x 3 vcore, root.a 2 memory, root.a 1 vcore |
        | fits        | 1                                                 |
        | blocked by  | none                                              |

    Scenario: a queue with just enough is not named
      Given the queues:
        | queue    | max     |
        | root.a   | 5 vcore |
        | root.a.x | 4 vcore |
      And a node "n1" with 5 vcore
      When "big" asks in root.a.x for 5 vcore
      Then ask "big" is explained by:
        | lacks | root.a.x 1 vcore |

    Scenario: of a queue that is over its max, all of the ask is missing
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
      And a node "n1" with 10 vcore
      And "there" asks in root.a for 3 vcore
      And the cycle runs
      And the queues:
        | queue  | max     |
        | root.a | 1 vcore |
      When "new" asks in root.a for 2 vcore
      Then ask "new" is explained by:
        | reasons | headroom       |
        | lacks   | root.a 2 vcore |

    Scenario: what the cluster itself lacks, root lacks
      Given a node "n1" with 10 vcore
      And no node has "gpu"
      When "big" asks in root.default for 12 vcore, 1 gpu
      Then ask "big" is explained by:
        | reasons | headroom, no-node-fits   |
        | lacks   | root 1 gpu, root 2 vcore |
        | nodes   | 1 too-small gpu          |

  Rule: an ask counts the nodes that fail it, each for its first cause

    Scenario: six nodes, five causes
      Given the nodes:
        | node | capacity            | occupied | attributes | schedulable |
        | n1   | 10 vcore            |          | zone=a     | no          |
        | n2   | 10 vcore            |          | zone=b     |             |
        | n3   | 10 vcore            |          |            |             |
        | n4   | 1 vcore, 10 memory  |          | zone=a     |             |
        | n5   | 10 vcore, 10 memory |          | zone=a     |             |
        | n6   | 10 vcore, 10 memory |          | zone=a     |             |
      And the asks:
        | ask | application | queue        | resources | node |
        | f5  | fill        | root.default | 9 vcore   | n5   |
        | f6  | fill        | root.default | 9 memory  | n6   |
      When the asks:
        | ask | queue        | resources         | constraints |
        | a   | root.default | 2 vcore, 2 memory | zone=a      |
      Then ask "a" is explained by:
        | reasons | no-node-fits                                                                  |
        | nodes   | 1 draining, 2 constraint zone, 1 too-small vcore, 1 full memory, 1 full vcore |
        | fits    | 0                                                                             |

    Scenario: all but the required node
      Given a node "n1" with 4 vcore
      And a node "n2" with 4 vcore
      And a node "n3" with 1 vcore
      When the asks:
        | ask    | queue        | resources | node |
        | daemon | root.default | 2 vcore   | n3   |
      Then ask "daemon" is explained by:
        | nodes | 2 not-the-required-node, 1 too-small vcore |

    Scenario: a node that is kept for another ask
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 4 vcore
      And a node "n2" with 1 vcore
      And "there" asks in root.b for 2 vcore
      And the cycle runs
      And "big" asks in root.a for 3 vcore
      And 2s pass
      And the cycle runs
      When "small" asks in root.b for 2 vcore
      Then ask "small" is explained by:
        | reasons | no-node-fits                  |
        | nodes   | 1 too-small vcore, 1 reserved |
      And ask "big" is explained by:
        | reserved | yes                             |
        | node     | n1                              |
        | nodes    | 1 too-small vcore, 1 full vcore |

    Scenario: a predicate of the host that does not admit it
      Given a node "n1" with 4 vcore
      And a node "n2" with 1 vcore
      When the asks:
        | ask | queue        | resources | predicate |
        | a   | root.default | 2 vcore   | affinity  |
      Then ask "a" is explained by:
        | reasons | no-node-fits                     |
        | nodes   | 1 too-small vcore, 1 predicate 1 |

    Scenario: an ask that holds a reservation is not among those kept out by it
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 4 vcore
      And a node "n2" with 2 vcore
      And "there" asks in root.b for 3 vcore
      And the cycle runs
      And "big" asks in root.a for 3 vcore
      And 2s pass
      Then ask "big" is explained by:
        | reserved | yes                             |
        | reasons  | no-node-fits                    |
        | nodes    | 1 too-small vcore, 1 full vcore |

    Scenario: what has changed is told at once
      Given a node "n1" with 4 vcore
      And "there" asks in root.default for 4 vcore
      And "new" asks in root.default for 4 vcore
      When node "n1" is drained
      Then ask "new" is explained by:
        | nodes | 1 draining |
      When node "n1" is resumed
      Then ask "new" is explained by:
        | nodes | 1 full vcore |

  Rule: an ask tells when its application may not start

    Scenario: every queue at its bound, the leaf first
      Given the queues:
        | queue    | maxapplications |
        | root.a   | 1               |
        | root.a.x | 1               |
      And a node "n1" with 4 vcore
      And "first" asks in root.a.x for 1 vcore
      When "second" asks in root.a.x for 1 vcore
      Then ask "second" is explained by:
        | reasons    | max-applications |
        | blocked by | root.a.x, root.a |
        | fits       | 1                |

    Scenario: another application starts first
      Given the queues:
        | queue  | application.sort.policy |
        | root.a | stateaware              |
      And a node "n1" with 4 vcore
      And "first" asks in root.a for 1 vcore
      When "second" asks in root.a for 1 vcore
      Then ask "second" is explained by:
        | reasons | state-filter |

    Scenario: several reasons at once
      Given the queues:
        | queue  | max     | maxapplications |
        | root.a | 2 vcore | 1               |
      And a node "n1" with 4 vcore
      And "first" asks in root.a for 1 vcore
      When "second" asks in root.a for 5 vcore
      Then ask "second" is explained by:
        | reasons    | headroom, no-node-fits, max-applications |
        | lacks      | root.a 4 vcore, root 2 vcore             |
        | blocked by | root.a                                   |
        | nodes      | 1 too-small vcore                        |

    Scenario: nothing is in the way but the cycle
      Given the scheduler is stepped by hand
      And a node "n1" with 4 vcore
      When "a" asks in root.default for 1 vcore
      Then ask "a" is explained by:
        | reasons | not-scheduled-yet |
        | fits    | 1                 |
        | nodes   | none              |

  Rule: an ask tells its place and its priority

    Scenario: the place in the walk, over all queues
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      When "a1" asks in root.a for 1 vcore
      And "a2" asks in root.a for 1 vcore with priority 5
      And "b" asks in root.b for 1 vcore with priority 3
      Then ask "a2" is explained by:
        | place | 1 |
      And ask "a1" is explained by:
        | place | 2 |
      And ask "b" is explained by:
        | place | 3 |

    Scenario: its priority as each queue shows it, up to the fence and beyond
      Given the queues:
        | queue      | priority.policy | priority.offset |
        | root.a     |                 | 10              |
        | root.a.b   | fence           | 7               |
        | root.a.b.c |                 | 2               |
      When "job" asks in root.a.b.c for 1 vcore with priority 40
      Then ask "job" is explained by:
        | priority | 40                                   |
        | seen     | root.a.b.c 42, root.a.b 7, root.a 17 |

    Scenario: since when it waits
      Given 5s pass
      And "a" asks in root.default for 1 vcore
      When 1m passes
      Then ask "a" is explained by:
        | since | 5s |

    Scenario: one that is allocated
      Given a node "n1" with 4 vcore
      When "a" asks in root.default for 1 vcore
      Then ask "a" is explained by:
        | pending | no   |
        | node    | n1   |
        | reasons | none |

  Rule: an application and a queue tell the same of themselves

    Scenario: an application that may not start
      Given the queues:
        | queue  | maxapplications |
        | root.a | 1               |
      And a node "n1" with 4 vcore
      And "first" asks in root.a for 1 vcore
      And an application "second" in root.a
      When "second" asks "low", "mid" for 1 vcore with priority 2
      And "second" asks "top" for 1 vcore with priority 9
      Then application "second" is explained by:
        | queue       | root.a           |
        | state       | Accepted         |
        | pending     | 3                |
        | allocations | 0                |
        | priority    | 9                |
        | reasons     | max-applications |
        | blocked by  | root.a           |
        | waits       | top, low, mid    |

    Scenario: an application with nothing pending
      Given a node "n1" with 4 vcore
      And 3s pass
      When "a" asks in root.default for 1 vcore
      Then application "a" is explained by:
        | state       | Starting        |
        | since       | 3s              |
        | pending     | 0               |
        | allocations | 1               |
        | priority    | none            |
        | reasons     | nothing-pending |

    Scenario: a queue without headroom
      Given the queues:
        | queue  | max     |
        | root.a | 3 vcore |
      And a node "n1" with 10 vcore
      And "there" asks in root.a for 2 vcore
      When "new" asks in root.a for 2 vcore
      Then queue "root.a" is explained by:
        | state    | active         |
        | used     | 2 vcore        |
        | headroom | 1 vcore        |
        | pending  | 2 vcore        |
        | reasons  | headroom       |
        | lacks    | root.a 1 vcore |

    Scenario: a parent speaks for all below it
      Given the queues:
        | queue    | max     |
        | root.a   | 4 vcore |
        | root.a.x |         |
        | root.a.y | 1 vcore |
      And a node "n1" with 10 vcore
      And "x" asks in root.a.x for 3 vcore
      When "y" asks in root.a.y for 2 vcore
      Then queue "root.a" is explained by:
        | used     | 3 vcore                          |
        | headroom | 1 vcore                          |
        | pending  | 2 vcore                          |
        | reasons  | headroom                         |
        | lacks    | root.a.y 1 vcore, root.a 1 vcore |

    Scenario: a queue with nothing pending
      Given the queues:
        | queue  |
        | root.a |
      Then queue "root.a" is explained by:
        | reasons | nothing-pending |

  Rule: an ask that alone is larger than a max or every node can never run as things are configured

    Background:
      Given the queues:
        | queue    | max     |
        | root.a   | 6 vcore |
        | root.a.x | 4 vcore |
        | root.b   |         |
      And the nodes:
        | node | capacity          | occupied | attributes | schedulable |
        | n1   | 8 vcore, 2 memory | 1 vcore  | zone=a     |             |
        | n2   | 9 vcore           |          | zone=b     | no          |
        | n3   | 2 vcore, 8 memory |          | zone=c     |             |

    Scenario Outline: <needs> in <queue> on <where>: <never>
      When the asks:
        | ask | queue   | resources | constraints   | node   |
        | big | <queue> | <needs>   | <constraints> | <node> |
      Then ask "big" is explained by:
        | never | <never> |

      Examples:
        | queue    | needs              | constraints | node  | where                    | never                                           |
        | root.a.x | 999 vcore          |             |       | any node                 | root.a.x 4 vcore, root.a 6 vcore, nodes 9 vcore |
        | root.a.x | 5 vcore            |             |       | any node                 | root.a.x 4 vcore                                |
        | root.b   | 9 vcore            |             |       | any node, a drained one  | none                                            |
        | root.b   | 10 vcore           |             |       | any node                 | nodes 9 vcore                                   |
        | root.b   | 10 vcore, 9 memory |             |       | any node                 | nodes 8 memory, nodes 9 vcore                   |
        | root.b   | 3 vcore, 3 memory  |             |       | any node                 | nodes together                                  |
        | root.b   | 8 vcore            | zone=a      |       | zone a                   | nodes 7 vcore                                   |
        | root.b   | 8 vcore            |             | n1    | n1                       | nodes 7 vcore                                   |
        | root.b   | 8 vcore            | zone=d      |       | a zone that has no node  | none                                            |
        | root.b   | 8 vcore            |             | ghost | a node that is not there | none                                            |

  Rule: of what is unknown there is no explanation

    Scenario: an ask, an application and a queue that never were
      Then there is no explanation of ask "ghost"
      And there is no explanation of application "ghost"
      And there is no explanation of queue "root.ghost"

    Scenario: an ask that was withdrawn
      Given "a" asks in root.default for 1 vcore
      When ask "a" is removed
      Then there is no explanation of ask "a"
`;export{e as default};