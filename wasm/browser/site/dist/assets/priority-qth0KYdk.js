var e=`Feature: Priority

  Rule: an application is as urgent as its most urgent pending ask

    Scenario: 20 while that waits, then 10, then none
      Given the scheduler is stepped by hand
      And a node "n1" with 4 vcore
      And an application "app" in root.default
      And "app" asks "ten" for 1 vcore with priority 10
      And "app" asks "twenty" for 1 vcore with priority 20
      Then the applications show:
        | application | priority |
        | app         | 20       |
      When the cycle runs for at most 1 allocation
      Then "twenty" is allocated in this order
      And the applications show:
        | application | priority |
        | app         | 10       |
      When the cycle runs for at most 1 allocation
      Then the applications show:
        | application | priority |
        | app         | none     |

    Scenario: an ask that nothing can place counts too
      Given an application "app" in root.default
      When "app" asks "impossible" for 1000 unobtainium with priority 50
      Then the applications show:
        | application | priority |
        | app         | 50       |
      And the queues show:
        | queue        | priority |
        | root.default | 50       |

    Scenario: an ask that is withdrawn counts no more
      Given an application "app" in root.default
      And "app" asks "ten" for 1 vcore with priority 10
      And "app" asks "twenty" for 1 vcore with priority 20
      When ask "twenty" is removed
      Then the applications show:
        | application | priority |
        | app         | 10       |

    Scenario: an update moves it both ways
      Given an application "app" in root.default
      And "app" asks "one" for 1 vcore with priority 1
      When ask "one" now has priority 9
      Then the queues show:
        | queue        | priority |
        | root.default | 9        |
      When ask "one" now has priority -9
      Then the queues show:
        | queue        | priority |
        | root.default | -9       |

    Scenario: without a word an ask has priority 0
      When "app" asks in root.default for 1 vcore
      Then the asks show:
        | ask | priority |
        | app | 0        |

  Rule: a leaf is as urgent as its most urgent application, plus its offset

    Scenario: 20 plus 5 is 25, and 10 plus 5 is 15
      Given the queues:
        | queue  | priority.offset |
        | root.a | 5               |
      And the scheduler is stepped by hand
      And a node "n1" with 4 vcore
      And "ten" asks in root.a for 1 vcore with priority 10
      And "twenty" asks in root.a for 1 vcore with priority 20
      Then the queues show:
        | queue  | priority |
        | root.a | 25       |
      When the cycle runs for at most 1 allocation
      Then the queues show:
        | queue  | priority |
        | root.a | 15       |
      When the cycle runs for at most 1 allocation
      Then the queues show:
        | queue  | priority |
        | root.a | none     |

    Scenario: an application that may not start still lends its priority
      Given the queues:
        | queue  | maxapplications |
        | root.a | 1               |
      And a node "n1" with 4 vcore
      And "running" asks in root.a for 1 vcore
      When "waiting" asks in root.a for 1 vcore with priority 7
      Then "waiting" waits
      And the queues show:
        | queue  | priority |
        | root.a | 7        |

  Rule: a parent is as urgent as its most urgent child, plus its offset

    Scenario: offsets add up on the way to the root
      Given the queues:
        | queue      | priority.offset |
        | root.a     | 100             |
        | root.a.b   | 10              |
        | root.a.b.c | 1               |
        | root.a.b.d | -1              |
      When "c" asks in root.a.b.c for 1 vcore with priority 1000
      And "d" asks in root.a.b.d for 1 vcore with priority 1001
      Then the queues show:
        | queue      | priority |
        | root.a.b.c | 1001     |
        | root.a.b.d | 1000     |
        | root.a.b   | 1011     |
        | root.a     | 1111     |
        | root       | 1111     |

    Scenario: a queue with nothing pending has no priority, whatever its offset
      Given the queues:
        | queue  | priority.offset |
        | root.a | 1000            |
        | root.b |                 |
      When "b" asks in root.b for 1 vcore with priority -5
      Then the queues show:
        | queue  | priority |
        | root.a | none     |
        | root   | -5       |

    Scenario: on root, policy and offset have no effect
      Given the queues:
        | queue  | priority.policy | priority.offset |
        | root   | fence           | 1000            |
        | root.a |                 |                 |
      When "a" asks in root.a for 1 vcore with priority 3
      Then the queues show:
        | queue  | priority |
        | root.a | 3        |
        | root   | 3        |

  Rule: an offset moves a whole queue, not the order inside it

    Scenario: a fenced sandbox asks for the moon and gets its offset
      Given the queues:
        | queue        | priority.policy | priority.offset |
        | root.prod    | default         | 5               |
        | root.sandbox | fence           | -10             |
      And a node "n1" with 1 vcore
      When "shouting" asks in root.sandbox for 1 vcore with priority 1000
      And "low" asks in root.prod for 1 vcore with priority 0
      Then "low" is allocated
      And "shouting" waits
      And the queues show:
        | queue        | priority |
        | root.sandbox | -10      |
      When ask "shouting" now has priority 2000
      Then the queues show:
        | queue        | priority |
        | root.sandbox | -10      |

    Scenario: both inside the moved queue go in their own order
      Given the queues:
        | queue  | priority.offset |
        | root.a | 100             |
        | root.b |                 |
      And a node "n1" with 3 vcore
      When "b50" asks in root.b for 1 vcore with priority 50
      And "a1" asks in root.a for 1 vcore with priority 1
      And "a2" asks in root.a for 1 vcore with priority 2
      Then "a2", "a1", "b50" are allocated in this order

  Rule: each sum stays within 32 bits, step by step

    Scenario Outline: priority <priority>, offset <leaf> in the leaf and <parent> in its parent
      Given the queues:
        | queue    | priority.offset |
        | root.p   | <parent>        |
        | root.p.a | <leaf>          |
      When "job" asks in root.p.a for 1 vcore with priority <priority>
      Then the queues show:
        | queue    | priority  |
        | root.p.a | <in leaf> |
        | root.p   | <in all>  |

      Examples:
        | priority    | leaf        | parent      | in leaf     | in all      |
        | 1           | 2147483647  | 0           | 2147483647  | 2147483647  |
        | 10          | 2147483647  | -2147483647 | 2147483647  | 0           |
        | 2147483647  | 1           | 1           | 2147483647  | 2147483647  |
        | 2147483647  | -1          | 1           | 2147483646  | 2147483647  |
        | -1          | -2147483648 | 0           | -2147483648 | -2147483648 |
        | -10         | -2147483648 | 2147483647  | -2147483648 | -1          |
        | -2147483648 | 0           | -1          | -2147483648 | -2147483648 |

    Scenario Outline: an offset of "<text>" counts as <offset>
      Given the queues:
        | queue  | priority.offset |
        | root.a | <text>          |
      When "job" asks in root.a for 1 vcore
      Then the queues show:
        | queue  | priority |
        | root.a | <offset> |

      Examples:
        | text        | offset      |
        | 7           | 7           |
        | +7          | 7           |
        | -7          | -7          |
        | 007         | 7           |
        | ""          | 0           |
        | seven       | 0           |
        | 7.0         | 0           |
        | 0x7         | 0           |
        | 2147483647  | 2147483647  |
        | 2147483648  | 0           |
        | -2147483648 | -2147483648 |
        | 1500000000  | 1500000000  |

  Rule: a fence makes a queue's priority its offset; inside, priorities order as usual

    Scenario: tenants cannot shout past one another, nor past the system
      Given the queues:
        | queue           | priority.policy |
        | root.system     |                 |
        | root.tenant1    | fence           |
        | root.tenant1.a  | fence           |
        | root.tenant1.b  |                 |
        | root.tenant2    | fence           |
        | root.tenant2.q1 |                 |
        | root.tenant2.q2 |                 |
      When "a" asks in root.tenant1.a for 1 vcore with priority 90
      And "b" asks in root.tenant1.b for 1 vcore with priority 20
      And "q1" asks in root.tenant2.q1 for 1 vcore with priority 30
      And "q2" asks in root.tenant2.q2 for 1 vcore with priority 40
      And "system" asks in root.system for 1 vcore with priority 1
      Then the queues show:
        | queue           | priority |
        | root.system     | 1        |
        | root.tenant1    | 0        |
        | root.tenant1.a  | 0        |
        | root.tenant1.b  | 20       |
        | root.tenant2    | 0        |
        | root.tenant2.q1 | 30       |
        | root.tenant2.q2 | 40       |
      When a node "n1" with 5 vcore
      Then the decisions include:
        | type       | id     |
        | allocation | system |
        | allocation | b      |
        | allocation | a      |
      And the decisions include:
        | type       | id     |
        | allocation | system |
        | allocation | q2     |
        | allocation | q1     |

    Scenario Outline: a fence with the offset <offset> shows <shown>, whatever asks inside
      Given the queues:
        | queue          | priority.policy | priority.offset | application.sort.priority |
        | root.fenced    | fence           | <offset>        | enabled                   |
        | root.fenced.in |                 | 50              |                           |
      When "job" asks in root.fenced.in for 1 vcore with priority <asked>
      Then the queues show:
        | queue          | priority |
        | root.fenced.in | <inside> |
        | root.fenced    | <shown>  |

      Examples:
        | offset | asked | inside | shown |
        | 100    | 7     | 57     | 100   |
        | 100    | -700  | -650   | 100   |
        |        | 7     | 57     | 0     |

    Scenario: a fence with nothing pending inside has no priority
      Given the queues:
        | queue  | priority.policy | priority.offset |
        | root.a | fence           | 10              |
      Then the queues show:
        | queue  | priority |
        | root.a | none     |

    Scenario: a fenced leaf orders its own applications by priority
      Given the queues:
        | queue  | priority.policy |
        | root.a | fence           |
      And a node "n1" with 2 vcore
      When "low" asks in root.a for 1 vcore with priority 1
      And "high" asks in root.a for 1 vcore with priority 2
      Then "high", "low" are allocated in this order

  Rule: priority can be switched off, queue by queue

    Scenario: disabled in a parent, its children go by fair share alone
      Given the queues:
        | queue  | guaranteed | application.sort.priority |
        | root   |            | disabled                  |
        | root.a | 10 vcore   | enabled                   |
        | root.b | 10 vcore   | enabled                   |
      And a node "n1" with 3 vcore
      And "a0" asks in root.a for 1 vcore
      When "a" asks in root.a for 1 vcore with priority 100
      And "b" asks in root.b for 1 vcore
      Then "b", "a" are allocated in this order

    Scenario: disabled in a leaf, its applications go by submission and its asks still by priority
      Given the queues:
        | queue  | application.sort.priority |
        | root.a | disabled                  |
      And a node "n1" with 3 vcore
      And an application "older" in root.a
      And an application "younger" in root.a
      When "younger" asks "y9" for 1 vcore with priority 9
      And "older" asks "o1" for 1 vcore with priority 1
      And "older" asks "o2" for 1 vcore with priority 2
      Then "o2", "o1", "y9" are allocated in this order

    Scenario: a leaf that ignores priority still shows it to its parent
      Given the queues:
        | queue  | application.sort.priority |
        | root.a | disabled                  |
        | root.b |                           |
      And a node "n1" with 2 vcore
      When "a" asks in root.a for 1 vcore with priority 3
      And "b" asks in root.b for 1 vcore with priority 2
      Then "a", "b" are allocated in this order

  Rule: a queue tree with a system and two fenced tenants, step by step

    Background:
      Given the queues:
        | queue                           | priority.policy | priority.offset |
        | root.system.system-normal       |                 | 0               |
        | root.system.system-high         |                 | 1000            |
        | root.system.system-low          |                 | -1000           |
        | root.tenants                    | fence           |                 |
        | root.tenants.tenant-a           | fence           | 10              |
        | root.tenants.tenant-a.child-a-1 |                 |                 |
        | root.tenants.tenant-a.child-a-2 |                 |                 |
        | root.tenants.tenant-b           | fence           | 0               |
        | root.tenants.tenant-b.child-b-1 |                 |                 |
        | root.tenants.tenant-b.child-b-2 |                 |                 |
      And the scheduler is stepped by hand
      And the asks:
        | ask        | queue                           | priority | resources |
        | b2-P8      | root.tenants.tenant-b.child-b-2 | 8        | 1 vcore   |
        | b1-P7      | root.tenants.tenant-b.child-b-1 | 7        | 1 vcore   |
        | b1-P9      | root.tenants.tenant-b.child-b-1 | 9        | 1 vcore   |
        | a2-P4      | root.tenants.tenant-a.child-a-2 | 4        | 1 vcore   |
        | a2-P6      | root.tenants.tenant-a.child-a-2 | 6        | 1 vcore   |
        | a1-P5      | root.tenants.tenant-a.child-a-1 | 5        | 1 vcore   |
        | a1-P8      | root.tenants.tenant-a.child-a-1 | 8        | 1 vcore   |
        | low-P3     | root.system.system-low          | 3        | 1 vcore   |
        | normal-P2  | root.system.system-normal       | 2        | 1 vcore   |
        | normal-P10 | root.system.system-normal       | 10       | 1 vcore   |
        | high-P1    | root.system.system-high         | 1        | 1 vcore   |
      And a node "n1" with 11 vcore

    Scenario: before scheduling
      Then the queues show:
        | queue                           | priority |
        | root.system                     | 1001     |
        | root.system.system-normal       | 10       |
        | root.system.system-high         | 1001     |
        | root.system.system-low          | -997     |
        | root.tenants                    | 0        |
        | root.tenants.tenant-a           | 10       |
        | root.tenants.tenant-a.child-a-1 | 8        |
        | root.tenants.tenant-a.child-a-2 | 6        |
        | root.tenants.tenant-b           | 0        |
        | root.tenants.tenant-b.child-b-1 | 9        |
        | root.tenants.tenant-b.child-b-2 | 8        |

    Scenario: the order of scheduling
      When the cycle runs
      Then the allocation decisions are:
        | id         | queue                           | priority |
        | high-P1    | root.system.system-high         | 1        |
        | normal-P10 | root.system.system-normal       | 10       |
        | normal-P2  | root.system.system-normal       | 2        |
        | a1-P8      | root.tenants.tenant-a.child-a-1 | 8        |
        | a2-P6      | root.tenants.tenant-a.child-a-2 | 6        |
        | a1-P5      | root.tenants.tenant-a.child-a-1 | 5        |
        | a2-P4      | root.tenants.tenant-a.child-a-2 | 4        |
        | b1-P9      | root.tenants.tenant-b.child-b-1 | 9        |
        | b2-P8      | root.tenants.tenant-b.child-b-2 | 8        |
        | b1-P7      | root.tenants.tenant-b.child-b-1 | 7        |
        | low-P3     | root.system.system-low          | 3        |

    Scenario Outline: after step <step>, <task>
      When the cycle runs for at most <step> allocations
      Then the decisions include:
        | type       | id     |
        | allocation | <task> |
      And the queues show:
        | queue    | priority   |
        | <leaf>   | <in leaf>  |
        | <parent> | <above it> |
        | <top>    | <at top>   |

      Examples:
        | step | task       | leaf                            | in leaf | parent                | above it | top          | at top |
        | 1    | high-P1    | root.system.system-high         | none    | root.system           | 10       | root         | 10     |
        | 2    | normal-P10 | root.system.system-normal       | 2       | root.system           | 2        | root         | 2      |
        | 3    | normal-P2  | root.system.system-normal       | none    | root.system           | -997     | root         | 0      |
        | 4    | a1-P8      | root.tenants.tenant-a.child-a-1 | 5       | root.tenants.tenant-a | 10       | root.tenants | 0      |
        | 5    | a2-P6      | root.tenants.tenant-a.child-a-2 | 4       | root.tenants.tenant-a | 10       | root.tenants | 0      |
        | 6    | a1-P5      | root.tenants.tenant-a.child-a-1 | none    | root.tenants.tenant-a | 10       | root.tenants | 0      |
        | 7    | a2-P4      | root.tenants.tenant-a.child-a-2 | none    | root.tenants.tenant-a | none     | root.tenants | 0      |
        | 8    | b1-P9      | root.tenants.tenant-b.child-b-1 | 7       | root.tenants.tenant-b | 0        | root.tenants | 0      |
        | 9    | b2-P8      | root.tenants.tenant-b.child-b-2 | none    | root.tenants.tenant-b | 0        | root.tenants | 0      |
        | 10   | b1-P7      | root.tenants.tenant-b.child-b-1 | none    | root.tenants.tenant-b | none     | root.tenants | none   |
        | 11   | low-P3     | root.system.system-low          | none    | root.system           | none     | root         | none   |
`;export{e as default};