var e=`Feature: The life of nodes

  Rule: a node is known by its ID while it is there

    Scenario: it is accepted, a second one of the name is not
      When a node "n1" with 4 vcore
      And a node "n1" with 8 vcore
      Then the decisions are:
        | type          | id | reason    |
        | node.accepted | n1 |           |
        | node.rejected | n1 | duplicate |
      And the nodes show:
        | node | capacity |
        | n1   | 4 vcore  |

    Scenario: once removed the ID is free again
      Given a node "n1" with 4 vcore
      When node "n1" is removed
      And a node "n1" with 8 vcore
      Then the decisions are:
        | type          | id |
        | node.accepted | n1 |
      And the queues show:
        | queue | max     |
        | root  | 8 vcore |

    Scenario Outline: a <input> of a node that is not there is ignored
      When node "ghost" is <change>
      Then the decisions are:
        | type    | id    | input   | reason       |
        | ignored | ghost | <input> | unknown-node |

      Examples:
        | input       | change                        |
        | node.drain  | drained                       |
        | node.resume | resumed                       |
        | node.remove | removed                       |
        | node.update | updated with capacity 1 vcore |

  Rule: a drained node takes nothing new and keeps what it has

    Background:
      Given a node "n1" with 4 vcore
      And "there" asks in root.default for 1 vcore

    Scenario: what runs there runs on
      When node "n1" is drained
      And "new" asks in root.default for 1 vcore
      Then "there" is allocated on "n1"
      And "new" waits
      And the nodes show:
        | node | schedulable | used    |
        | n1   | no          | 1 vcore |

    Scenario: resumed it takes what waits
      Given node "n1" is drained
      And "new" asks in root.default for 1 vcore
      When node "n1" is resumed
      Then "new" is allocated on "n1"

    Scenario: drained twice, resumed twice, nothing is said
      When node "n1" is drained
      And node "n1" is drained
      And node "n1" is resumed
      And node "n1" is resumed
      Then nothing is decided
      And the nodes show:
        | node | schedulable |
        | n1   | yes         |

    Scenario: the others take what it does not
      Given a node "n2" with 4 vcore
      And node "n2" is drained
      When "new" asks in root.default for 1 vcore
      Then "new" is allocated on "n1"

    Scenario: a node may come drained
      Given the nodes:
        | node | capacity  | schedulable |
        | n2   | 100 vcore | no          |
      When "big" asks in root.default for 50 vcore
      Then "big" waits
      And the queues show:
        | queue | max       |
        | root  | 104 vcore |

  Rule: with a node go its allocations, for good

    Scenario: each is released, in the order in which they were made
      Given a node "n1" with 4 vcore
      And an application "app" in root.default
      And "app" asks "z", "a" for 1 vcore
      When node "n1" is removed
      Then the decisions are:
        | type      | id  | reason       | from    | to         |
        | release   | z   | node_removed |         |            |
        | release   | a   | node_removed |         |            |
        | app.state | app | idle         | Running | Completing |
      And ask "z" is gone
      And the queues show:
        | queue        | used    |
        | root.default | nothing |

    Scenario: an application with something left goes on
      Given a node "n1" with 1 vcore
      And a node "n2" with 1 vcore
      And an application "app" in root.default
      And "app" asks "one", "two" for 1 vcore
      When node "n1" is removed
      Then the decisions are:
        | type    | id  | reason       |
        | release | one | node_removed |
      And "two" is allocated on "n2"
      And application "app" is Running

  Rule: an update replaces each field that it names, and no other

    Background:
      Given the nodes:
        | node | capacity           | occupied | attributes     |
        | n1   | 4 vcore, 10 memory | 1 vcore  | zone=a, gpu=t4 |

    Scenario: the capacity
      When node "n1" is updated with capacity 8 vcore
      Then the nodes show:
        | node | capacity | occupied | attributes     |
        | n1   | 8 vcore  | 1 vcore  | zone=a, gpu=t4 |

    Scenario: what others occupy
      When node "n1" is updated with occupied 5 memory
      Then the nodes show:
        | node | capacity           | occupied | attributes     |
        | n1   | 4 vcore, 10 memory | 5 memory | zone=a, gpu=t4 |

    Scenario: the attributes
      When node "n1" is updated with attributes zone=b
      Then the nodes show:
        | node | capacity           | occupied | attributes |
        | n1   | 4 vcore, 10 memory | 1 vcore  | zone=b     |

    Scenario: more capacity lets in what waits
      Given "big" asks in root.default for 4 vcore
      When node "n1" is updated with capacity 5 vcore
      Then "big" is allocated on "n1"

    Scenario: less occupied lets in what waits
      Given "big" asks in root.default for 4 vcore
      When node "n1" is updated with occupied nothing
      Then "big" is allocated on "n1"

    Scenario: occupied room cannot be had, and headroom does not know of it
      When "big" asks in root.default for 4 vcore
      Then "big" waits
      And the queues show:
        | queue        | headroom           |
        | root.default | 4 vcore, 10 memory |

    Scenario: a node that shrinks below what it holds keeps it and takes no more
      Given "there" asks in root.default for 3 vcore
      When node "n1" is updated with capacity 2 vcore, 10 memory
      And "new" asks in root.default for 1m vcore
      Then "there" is allocated on "n1"
      And "new" waits
      And the nodes show:
        | node | capacity           | used    |
        | n1   | 2 vcore, 10 memory | 3 vcore |
`;export{e as default};