var e=`Feature: Partitions

  A partition is a cluster of its own: nodes, queues, rules, limits and switches. All partitions share the clock, the policies and the
  IDs.

  Rule: nodes and applications belong to the partition that they name, and without one to the first

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |

    Scenario: decisions name any partition but the first
      When the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  |           |
        | g1   | 4 vcore  | gpu       |
      And the applications:
        | application | queue  | partition |
        | main        | root.a | default   |
        | train       | root.a | gpu       |
      Then the decisions are:
        | type          | id    | queue  | partition |
        | node.accepted | n1    |        | none      |
        | node.accepted | g1    |        | gpu       |
        | app.accepted  | main  | root.a | none      |
        | app.accepted  | train | root.a | gpu       |

    Scenario: names of partitions count without case
      When the nodes:
        | node | capacity | partition |
        | g1   | 4 vcore  | GPU       |
      Then the nodes show:
        | node | partition |
        | g1   | gpu       |

    Scenario: an unknown partition is refused
      When the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  | fpga      |
      And the applications:
        | application | queue  | partition |
        | app         | root.a | fpga      |
      Then the decisions are:
        | type          | id  | reason            |
        | node.rejected | n1  | unknown-partition |
        | app.rejected  | app | unknown-partition |

    Scenario: an ask is placed on nodes of its application's partition only
      Given the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  |           |
        | g1   | 2 vcore  | gpu       |
      When the asks:
        | ask   | queue  | resources | partition |
        | train | root.a | 3 vcore   | gpu       |
        | small | root.a | 2 vcore   | gpu       |
        | main  | root.a | 3 vcore   |           |
      Then "train" waits
      And "small" is allocated on "g1"
      And "main" is allocated on "n1"

    Scenario: a node of another partition is unknown as a required node
      Given the nodes:
        | node | capacity | partition |
        | g1   | 2 vcore  | gpu       |
      When the asks:
        | ask | queue  | resources | node |
        | ds  | root.a | 1 vcore   | g1   |
      Then "ds" waits

    Scenario: an allocation cannot be restored on a node of another partition
      Given the nodes:
        | node | capacity | partition |
        | g1   | 2 vcore  | gpu       |
      And an application "main" in root.a
      When "main" has "old" for 1 vcore restored on "g1"
      Then "old" is rejected because of unknown-node

    Scenario: each root has the total of its own nodes
      When the nodes:
        | node | capacity          | partition |
        | n1   | 4 vcore           |           |
        | g1   | 2 vcore, 9 memory | gpu       |
      Then the queues show:
        | queue     | max               |
        | root      | 4 vcore           |
        | [gpu]root | 2 vcore, 9 memory |

    Scenario: usage of one partition does not show in the other
      Given the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  |           |
        | g1   | 4 vcore  | gpu       |
      When the asks:
        | ask   | queue  | resources | partition |
        | train | root.a | 3 vcore   | gpu       |
      Then the queues show:
        | queue       | used    |
        | root.a      | nothing |
        | [gpu]root.a | 3 vcore |

    Scenario: a node, once added, is known by its ID alone
      Given the nodes:
        | node | capacity | partition |
        | g1   | 4 vcore  | gpu       |
      And the asks:
        | ask   | queue  | resources | partition |
        | train | root.a | 3 vcore   | gpu       |
      When node "g1" is removed
      Then the release decisions are:
        | id    | reason       |
        | train | node_removed |

  Rule: an ID is taken in all partitions at once

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And the nodes:
        | node | capacity | partition |
        | g1   | 4 vcore  | gpu       |
      And the asks:
        | ask | queue  | resources | partition |
        | one | root.a | 1 vcore   | gpu       |

    Scenario: of a node
      When a node "g1" with 4 vcore
      Then "g1" is rejected because of duplicate

    Scenario: of an application
      When an application "one" in root.a
      Then "one" is rejected because of duplicate

    Scenario: of an ask
      Given an application "two" in root.a
      When "two" asks "one" for 1 vcore
      Then "one" is rejected because of duplicate

    Scenario: an application that has ended frees its ID in all partitions
      Given application "one" is removed
      When an application "one" in root.a
      Then the decisions are:
        | type         | id  | partition |
        | app.accepted | one | none      |

  Rule: the cycle is complete for one partition before the next one's begins, in the order of the configuration

    Scenario: an older ask of a later partition comes after all asks of the first
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  |           |
        | g1   | 4 vcore  | gpu       |
      When the asks:
        | ask | queue  | resources | partition | priority |
        | g   | root.a | 1 vcore   | gpu       | 100      |
        | m   | root.a | 1 vcore   |           | 0        |
        | n   | root.a | 1 vcore   |           | 0        |
      Then "m", "n" and "g" are allocated in this order

    Scenario: preemption of the first partition comes before the allocations of the second
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b |            |                  |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And a node "n1" with 4 vcore
      And "old" asks in root.b for 4 vcore
      And the cycle runs
      And "new" asks in root.a for 4 vcore
      And 9s pass
      When 1s passes
      And the nodes:
        | node | capacity | partition |
        | g1   | 4 vcore  | gpu       |
      And the asks:
        | ask   | queue  | resources | partition |
        | train | root.a | 1 vcore   | gpu       |
      Then the decisions include:
        | type       | id    |
        | preemption | old   |
        | allocation | train |

    Scenario: a manual cycle counts the allocations of all partitions
      Given the scheduler is stepped by hand
      And the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  |           |
        | g1   | 4 vcore  | gpu       |
      And the asks:
        | ask | queue  | resources | partition |
        | m   | root.a | 1 vcore   |           |
        | g   | root.a | 1 vcore   | gpu       |
      When the cycle runs for at most 1 allocation
      Then "m" is allocated
      And "g" waits
      When the cycle runs for at most 1 allocation
      Then "g" is allocated on "g1"

  Rule: time passes in all partitions alike

    Scenario: applications of several partitions end in the order in which they were submitted
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And the asks:
        | ask   | queue  | resources | partition |
        | train | root.a | 1 vcore   | gpu       |
        | main  | root.a | 1 vcore   |           |
      And ask "main" is removed
      And ask "train" is removed
      When 30s pass
      Then the app.state decisions are:
        | id    | to        |
        | train | Completed |
        | main  | Completed |

  Rule: settings of a partition hold in that partition alone

    Scenario: each has its own order of nodes
      Given nodes are sorted by binpacking in partition "gpu"
      And the nodes:
        | node | capacity | occupied | partition |
        | n1   | 4 vcore  |          |           |
        | n2   | 4 vcore  | 2 vcore  |           |
        | g1   | 4 vcore  |          | gpu       |
        | g2   | 4 vcore  | 2 vcore  | gpu       |
      When the asks:
        | ask   | queue        | resources | partition |
        | main  | root.default | 1 vcore   |           |
        | train | root.default | 1 vcore   | gpu       |
      Then "main" is allocated on "n1"
      And "train" is allocated on "g2"

    Scenario: preemption may be off in one of them
      Given the queues:
        | queue  | guaranteed |
        | root.a | 4 vcore    |
        | root.b |            |
      And the queues of partition "gpu":
        | queue  | guaranteed |
        | root.a | 4 vcore    |
        | root.b |            |
      And preemption is off in partition "gpu"
      And the nodes:
        | node | capacity | partition |
        | n1   | 4 vcore  |           |
        | g1   | 4 vcore  | gpu       |
      And the asks:
        | ask   | queue  | resources | partition |
        | main  | root.b | 4 vcore   |           |
        | train | root.b | 4 vcore   | gpu       |
      And the cycle runs
      And the asks:
        | ask      | queue  | resources | partition |
        | hungry   | root.a | 4 vcore   |           |
        | hungry-g | root.a | 4 vcore   | gpu       |
      When 30s pass
      Then the preemption decisions are:
        | id   | for    |
        | main | hungry |

  Rule: a reload cannot leave out a partition with nodes or live applications

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |

    Scenario: not one that has nodes
      Given the nodes:
        | node | capacity | partition |
        | g1   | 4 vcore  | gpu       |
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues: [{name: a}]
        """
      Then the config.rejected decisions are:
        | type            |
        | config.rejected |
      And the nodes show:
        | node | partition |
        | g1   | gpu       |

    Scenario: not one that has a live application
      Given the applications:
        | application | queue  | partition |
        | train       | root.a | gpu       |
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues: [{name: a}]
        """
      Then the config.rejected decisions are:
        | type            |
        | config.rejected |
      And application "train" is New

    Scenario: one that holds nothing any more may go
      Given the applications:
        | application | queue  | partition |
        | train       | root.a | gpu       |
      And application "train" is removed
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues: [{name: a}]
        """
      And the applications:
        | application | queue  | partition |
        | again       | root.a | gpu       |
      Then the decisions are:
        | type            | id    | reason            |
        | config.accepted |       |                   |
        | app.rejected    | again | unknown-partition |

    Scenario: two partitions that change places keep their nodes
      Given the nodes:
        | node | capacity | partition |
        | n1   | 1 vcore  |           |
        | g1   | 4 vcore  | gpu       |
      When the configuration:
        """yaml
        partitions:
        - name: gpu
          queues: [{name: a}]
        - name: default
          queues: [{name: a}]
        """
      Then the nodes show:
        | node | partition |
        | n1   | default   |
        | g1   | none      |
      When "train" asks in root.a for 4 vcore
      Then "train" is allocated on "g1"

  Rule: where there is one partition before a reload and one after it, a new name renames it

    Scenario: nodes and applications stay
      Given a node "n1" with 4 vcore
      And "app" asks in root.default for 1 vcore
      When the configuration:
        """yaml
        partitions:
        - name: prod
          queues: [{name: default}]
        """
      Then the configuration is accepted
      And "app" is allocated on "n1"
      When the nodes:
        | node | capacity | partition |
        | n2   | 4 vcore  | prod      |
        | n3   | 4 vcore  | default   |
      Then the decisions are:
        | type          | id | reason            |
        | node.accepted | n2 |                   |
        | node.rejected | n3 | unknown-partition |
`;export{e as default};