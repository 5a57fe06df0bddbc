var e=`Feature: Dynamic queues

  A placement rule that may create makes the queues that are missing. They have the settings of the nearest childtemplate above, and
  end when nothing is left in them.

  Rule: a rule makes every level that is missing, the last a leaf, the others parents

    Background:
      Given the queues:
        | queue     | parent |
        | root.dev  | true   |
        | root.prod |        |
      And the placement rules:
        | rule     | create |
        | provided | yes    |

    Scenario: from the top down, before the application is accepted
      When an application "app" in root.dev.x.y
      Then the decisions are:
        | type         | id  | queue        | from    | to     | reason  |
        | queue.state  |     | root.dev.x   | stopped | active | created |
        | queue.state  |     | root.dev.x.y | stopped | active | created |
        | app.accepted | app | root.dev.x.y |         |        |         |
      And the queues show:
        | queue        | dynamic | leaf | state  |
        | root.dev     | no      | no   | active |
        | root.dev.x   | yes     | no   | active |
        | root.dev.x.y | yes     | yes  | active |

    Scenario: in lower case
      When an application "app" in root.DEV.Team-A
      Then the queues show:
        | queue           | dynamic |
        | root.dev.team-a | yes     |

    Scenario: the next application finds it there
      Given an application "first" in root.dev.x
      When an application "second" in root.dev.x
      Then the decisions are:
        | type         | id     | queue      |
        | app.accepted | second | root.dev.x |

    Scenario: a queue may be made beside one that was made
      Given an application "first" in root.dev.x.a
      When an application "second" in root.dev.x.b
      Then the decisions are:
        | type         | id     | queue        | reason  |
        | queue.state  |        | root.dev.x.b | created |
        | app.accepted | second | root.dev.x.b |         |

    Scenario: a configured leaf is used as it is
      When an application "app" in root.prod
      Then the queues show:
        | queue     | dynamic |
        | root.prod | no      |

    Scenario: its asks are scheduled as those of any leaf
      Given a node "n1" with 4 vcore
      When "app" asks in root.dev.x for 3 vcore
      Then "app" is allocated on "n1"
      And the queues show:
        | queue      | used    |
        | root.dev   | 3 vcore |
        | root.dev.x | 3 vcore |

    Scenario: it competes with its siblings as a configured queue does
      Given a node "n1" with 4 vcore
      And "fills" asks in root.dev.x for 1 vcore
      When "more" asks in root.dev.x for 1 vcore
      And "other" asks in root.dev.y for 1 vcore
      Then "other" and "more" are allocated in this order

  Rule: a dynamic leaf has the settings of the nearest childtemplate above it, as a whole

    Scenario: bounds and properties
      Given the queues:
        | queue    | parent | template guaranteed | template max | template maxapplications | template properties        |
        | root.dev | true   | 1 vcore             | 2 vcore      | 3                        | preemption.delay=1m, own=x |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When an application "app" in root.dev.x
      Then the queues show:
        | queue      | guaranteed | max     | maxapplications | properties                 |
        | root.dev.x | 1 vcore    | 2 vcore | 3               | preemption.delay=1m, own=x |

    Scenario: dynamic parents have none of it
      Given the queues:
        | queue    | parent | template guaranteed | template max | template maxapplications | template properties |
        | root.dev | true   | 1 vcore             | 2 vcore      | 3                        | own=x               |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When an application "app" in root.dev.x.y
      Then the queues show:
        | queue        | guaranteed | max     | maxapplications | properties |
        | root.dev.x   | nothing    | nothing | 0               | nothing    |
        | root.dev.x.y | 1 vcore    | 2 vcore | 3               | own=x      |

    Scenario: the nearest counts alone, and the settings that it leaves out stay unset
      Given the queues:
        | queue      | parent | template guaranteed | template max |
        | root       |        | 1 vcore             | 2 vcore      |
        | root.dev.a | true   |                     | 3 vcore      |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When an application "near" in root.dev.a.x
      And an application "far" in root.dev.x
      Then the queues show:
        | queue        | guaranteed | max     |
        | root.dev.a.x | nothing    | 3 vcore |
        | root.dev.x   | 1 vcore    | 2 vcore |

    Scenario: an empty template is none, so the next one above counts
      Given the configuration:
        """yaml
        partitions:
        - name: default
          placementrules: [{name: provided, create: true}]
          queues:
          - name: root
            childtemplate: {maxapplications: 2}
            queues:
            - {name: dev, parent: true, childtemplate: {}}
        """
      When an application "app" in root.dev.x
      Then the queues show:
        | queue      | maxapplications |
        | root.dev.x | 2               |

    Scenario: a template says nothing of configured queues
      Given the queues:
        | queue    | template max | template maxapplications |
        | root     | 2 vcore      | 1                        |
        | root.dev |              |                          |
      Then the queues show:
        | queue    | max     | maxapplications |
        | root.dev | nothing | 0               |

    Scenario: properties that no template sets are inherited
      Given the queues:
        | queue    | parent | preemption.delay | application.sort.policy | priority.offset |
        | root.dev | true   | 1m               | fair                    | 5               |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When an application "app" in root.dev.x
      Then the queues show:
        | queue      | sort | properties                                        |
        | root.dev.x | fair | preemption.delay=1m, application.sort.policy=fair |

    Scenario: a property of the template goes before an inherited one
      Given the queues:
        | queue    | parent | application.sort.policy | template properties          |
        | root.dev | true   | fair                    | application.sort.policy=fifo |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When an application "app" in root.dev.x
      Then the queues show:
        | queue      | sort |
        | root.dev.x | fifo |

    Scenario: its max bounds the leaf
      Given the queues:
        | queue    | parent | template max |
        | root.dev | true   | 2 vcore      |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And a node "n1" with 10 vcore
      When "big" asks in root.dev.x for 3 vcore
      And "fits" asks in root.dev.x for 2 vcore
      Then "big" waits
      And "fits" is allocated

    Scenario: its maxapplications bounds the leaf
      Given the queues:
        | queue    | parent | template maxapplications |
        | root.dev | true   | 1                        |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And a node "n1" with 10 vcore
      When "first" asks in root.dev.x for 1 vcore
      And "second" asks in root.dev.x for 1 vcore
      And "elsewhere" asks in root.dev.y for 1 vcore
      Then "first" and "elsewhere" are allocated
      And "second" waits

    Scenario: its amounts are not held against those above
      Given the queues:
        | queue    | parent | max     | guaranteed | template max | template guaranteed |
        | root.dev | true   | 2 vcore | 1 vcore    | 5 vcore      | 4 vcore             |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And a node "n1" with 10 vcore
      When "app" asks in root.dev.x for 3 vcore
      Then the queues show:
        | queue      | guaranteed | max     | headroom |
        | root.dev.x | 4 vcore    | 5 vcore | 2 vcore  |
      And "app" waits

    Scenario: its guaranteed entitles the leaf to preempt
      Given the queues:
        | queue    | parent | template guaranteed |
        | root.dev | true   | 2 vcore             |
        | root.lab |        |                     |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And a node "n1" with 4 vcore
      And "old" asks in root.lab for 4 vcore
      And the cycle runs
      And "new" asks in root.dev.x for 1 vcore
      When 30s pass
      Then "new" preempts "old" on "n1"

  Rule: a dynamic leaf goes 10 seconds after its last application has left it

    Background:
      Given the queues:
        | queue    | parent |
        | root.dev | true   |
      And the placement rules:
        | rule     | create |
        | provided | yes    |

    Scenario: with the dynamic parents that it leaves empty, the child first
      Given an application "app" in root.dev.x.y
      And application "app" is removed
      When 10s pass
      Then the decisions are:
        | type        | at  | queue        | from   | to      | reason |
        | queue.state | 10s | root.dev.x.y | active | stopped | empty  |
        | queue.state | 10s | root.dev.x   | active | stopped | empty  |
      And queue "root.dev.x" is gone
      And the queues show:
        | queue    | state  |
        | root.dev | active |

    Scenario: not before
      Given an application "app" in root.dev.x
      And application "app" is removed
      When 9s pass
      Then nothing is decided
      And the queues show:
        | queue      | state  |
        | root.dev.x | active |

    Scenario: a dynamic parent stays for another queue below it
      Given an application "one" in root.dev.x.y
      And an application "two" in root.dev.x.z
      And application "one" is removed
      When 10s pass
      Then the queue.state decisions are:
        | queue        |
        | root.dev.x.y |

    Scenario: a Completing application is still in it
      Given a node "n1" with 4 vcore
      And "app" asks in root.dev.x for 1 vcore
      And the cycle runs
      And "app" is released
      When 40s pass
      Then the decisions are:
        | type        | at  | id  | queue      | to        |
        | app.state   | 30s | app |            | Completed |
        | queue.state | 40s |     | root.dev.x | stopped   |

    Scenario: another application stops the time, and the next 10 seconds are new ones
      Given an application "one" in root.dev.x
      And application "one" is removed
      And 9s pass
      And an application "two" in root.dev.x
      And 60s pass
      And application "two" is removed
      When 9s pass
      Then nothing is decided
      When 1s passes
      Then the queue.state decisions are:
        | queue      | reason |
        | root.dev.x | empty  |

    Scenario: one of two applications is enough to keep it
      Given an application "one" in root.dev.x
      And an application "two" in root.dev.x
      And application "one" is removed
      When 60s pass
      Then nothing is decided

    Scenario: at the 10 seconds themselves the timer comes first, and an application creates the queue again
      Given an application "one" in root.dev.x
      And application "one" is removed
      When 10s pass
      And an application "two" in root.dev.x
      Then the decisions are:
        | type         | id  | queue      | to      | reason  |
        | queue.state  |     | root.dev.x | stopped | empty   |
        | queue.state  |     | root.dev.x | active  | created |
        | app.accepted | two | root.dev.x |         |         |

    Scenario: queues that end at one time end in order of their paths
      Given an application "one" in root.dev.y
      And an application "two" in root.dev.x
      And application "one" is removed
      And application "two" is removed
      When 10s pass
      Then the queue.state decisions are:
        | queue      |
        | root.dev.x |
        | root.dev.y |

    Scenario: a configured queue stays, however empty
      Given the queues:
        | queue    |
        | root.dev |
      And an application "app" in root.dev
      And application "app" is removed
      When 60s pass
      Then nothing is decided

  Rule: a reload brings dynamic queues up to date

    Scenario: templates count at once
      Given the queues:
        | queue    | parent | template max |
        | root.dev | true   | 2 vcore      |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And a node "n1" with 10 vcore
      And "big" asks in root.dev.x for 3 vcore
      When the queues:
        | queue    | parent | template max |
        | root.dev | true   | 3 vcore      |
      Then "big" is allocated
      And the queues show:
        | queue      | max     |
        | root.dev.x | 3 vcore |

    Scenario: a lowered template takes no allocation away
      Given the queues:
        | queue    | parent | template max |
        | root.dev | true   | 4 vcore      |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And a node "n1" with 10 vcore
      And "app" asks in root.dev.x for 3 vcore
      When the queues:
        | queue    | parent | template max |
        | root.dev | true   | 1 vcore      |
      Then "app" is allocated
      And the queues show:
        | queue      | used    | headroom |
        | root.dev.x | 3 vcore | -2 vcore |

    Scenario: a dynamic queue outlives the rule that made it
      Given the queues:
        | queue    | parent |
        | root.dev | true   |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x
      When the placement rules:
        | rule |
      And an application "second" in root.dev.x
      Then the app.accepted decisions are:
        | id     | queue      |
        | second | root.dev.x |

    Scenario: a path that is configured now is managed, and stays
      Given the queues:
        | queue    | parent | template max |
        | root.dev | true   | 2 vcore      |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x
      When the queues:
        | queue      | template max | max     |
        | root.dev   | 2 vcore      |         |
        | root.dev.x |              | 5 vcore |
      Then the queues show:
        | queue      | dynamic | max     |
        | root.dev.x | no      | 5 vcore |
      When application "app" is removed
      And 60s pass
      Then there is no queue.state decision

    Scenario: a dynamic leaf in use becomes no parent
      Given the queues:
        | queue    | parent |
        | root.dev | true   |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x
      When the queues:
        | queue        |
        | root.dev.x.y |
      Then the configuration is refused with:
        | queue      |
        | root.dev.x |

    Scenario: an empty dynamic leaf may become a parent
      Given the queues:
        | queue    | parent |
        | root.dev | true   |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x
      And application "app" is removed
      When the queues:
        | queue        |
        | root.dev.x.y |
      Then the queues show:
        | queue        | dynamic | leaf |
        | root.dev.x   | no      | no   |
        | root.dev.x.y | no      | yes  |

    Scenario: a dynamic parent in use becomes no leaf
      Given the queues:
        | queue    | parent |
        | root.dev | true   |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x.y
      When the queues:
        | queue      |
        | root.dev.x |
      Then the configuration is refused with:
        | queue      |
        | root.dev.x |

    Scenario: a configured parent with a dynamic queue in use becomes no leaf
      Given the queues:
        | queue    | parent |
        | root.dev | true   |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x
      When the queues:
        | queue    |
        | root.dev |
      Then the configuration is refused with:
        | queue    |
        | root.dev |

    Scenario: below a draining parent it drains too
      Given the queues:
        | queue     | parent |
        | root.dev  | true   |
        | root.prod |        |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x
      When the queues:
        | queue     |
        | root.prod |
      Then the queue.state decisions are:
        | queue      | from   | to       | reason  |
        | root.dev   | active | draining | removed |
        | root.dev.x | active | draining | removed |
      When application "app" is removed
      Then the queue.state decisions are:
        | queue      | from     | to      | reason |
        | root.dev.x | draining | stopped | empty  |
        | root.dev   | draining | stopped | empty  |

    Scenario: it is active again when its parent comes back
      Given the queues:
        | queue     | parent |
        | root.dev  | true   |
        | root.prod |        |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.dev.x
      And the queues:
        | queue     |
        | root.prod |
      When the queues:
        | queue     | parent |
        | root.dev  | true   |
        | root.prod |        |
      Then the queue.state decisions are:
        | queue      | from     | to     | reason   |
        | root.dev   | draining | active | restored |
        | root.dev.x | draining | active | restored |
`;export{e as default};