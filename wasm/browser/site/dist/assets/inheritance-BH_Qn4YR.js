var e=`Feature: Which properties children inherit

  Rule: a child that does not set a property has its parent's

    Scenario: the order of applications comes down the tree until a queue sets its own
      Given the queues:
        | queue      | application.sort.policy |
        | root.a     | fair                    |
        | root.a.b.c |                         |
        | root.a.d   | stateaware              |
        | root.e     |                         |
      Then the queues show:
        | queue      | sort       |
        | root.a.b.c | fair       |
        | root.a.d   | stateaware |
        | root.e     | fifo       |

    Scenario: properties that only policies know come down too
      Given the queues:
        | queue    | property team.colour | property team.size |
        | root.a   | red                  | 3                  |
        | root.a.x | blue                 |                    |
      Then the queues show:
        | queue    | properties                    |
        | root.a   | team.colour=red, team.size=3  |
        | root.a.x | team.colour=blue, team.size=3 |

  Rule: priority.policy and priority.offset are never inherited

    Scenario: an offset counts once, where it is set
      Given the queues:
        | queue    | priority.offset |
        | root.a   | 5               |
        | root.a.x |                 |
      When "job" asks in root.a.x for 1 vcore with priority 1
      Then the queues show:
        | queue    | priority |
        | root.a.x | 1        |
        | root.a   | 6        |

    Scenario: a fence stands where it is set
      Given the queues:
        | queue    | priority.policy |
        | root.a   | fence           |
        | root.a.x |                 |
      When "job" asks in root.a.x for 1 vcore with priority 7
      Then the queues show:
        | queue    | priority |
        | root.a.x | 7        |
        | root.a   | 0        |

  Rule: application.sort.priority is inherited only as disabled

    Scenario Outline: above <above>, own <own>: the <first> one is first
      Given the queues:
        | queue    | application.sort.priority |
        | root.a   | <above>                   |
        | root.a.x | <own>                     |
      And a node "n1" with 10 vcore
      When "older" asks in root.a.x for 1 vcore with priority 1
      And "higher" asks in root.a.x for 1 vcore with priority 2
      Then "<first>", "<second>" are allocated in this order

      Examples:
        | above    | own      | first  | second |
        |          |          | higher | older  |
        | enabled  |          | higher | older  |
        | disabled |          | older  | higher |
        | disabled | enabled  | higher | older  |
        | enabled  | disabled | older  | higher |

    Scenario: an enabled of its own ends disabled for what is below too
      Given the queues:
        | queue        | application.sort.priority |
        | root.a       | disabled                  |
        | root.a.x     | enabled                   |
        | root.a.x.one |                           |
      And a node "n1" with 10 vcore
      When "older" asks in root.a.x.one for 1 vcore with priority 1
      And "higher" asks in root.a.x.one for 1 vcore with priority 2
      Then "higher", "older" are allocated in this order

  Rule: preemption.policy is inherited only as disabled, which cannot be undone

    Scenario Outline: above <above>, own <own>: <in force>
      Given the queues:
        | queue    | preemption.policy |
        | root.a   | <above>           |
        | root.a.x | <own>             |
      Then the queues show:
        | queue    | properties |
        | root.a.x | <in force> |

      Examples:
        | above    | own     | in force                   |
        | disabled |         | preemption.policy=disabled |
        | disabled | default | preemption.policy=disabled |
        | disabled | fence   | preemption.policy=disabled |
        | fence    |         | nothing                    |
        | default  | fence   | preemption.policy=fence    |
`;export{e as default};