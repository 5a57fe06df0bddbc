var e=`Feature: The recovery queue

  An application with the tag application.create.force=true runs already, as far as the host knows. Where no queue can be found for
  it, it is taken into root.@recovery@.

  Rule: a forced application is never left out

    Background:
      Given the queues:
        | queue        |
        | root.default |
        | root.a       |

    Scenario: without rules it goes to recovery when its queue is unknown
      When the applications:
        | application | queue  | tags                          |
        | app         | root.x | application.create.force=true |
      Then the decisions are:
        | type         | id  | queue           | from    | to     | reason  |
        | queue.state  |     | root.@recovery@ | stopped | active | created |
        | app.accepted | app | root.@recovery@ |         |        |         |

    Scenario Outline: without rules it goes to recovery from <queue>
      When the applications:
        | application | queue   | tags                          |
        | app         | <queue> | application.create.force=true |
      Then the app.accepted decisions are:
        | id  | queue           |
        | app | root.@recovery@ |

      Examples:
        | queue           |
        | ""              |
        | root            |
        | root.a.b        |
        | root.@recovery@ |

    Scenario: without rules it goes to the leaf that it names
      When the applications:
        | application | queue  | tags                          |
        | app         | root.a | application.create.force=true |
      Then the app.accepted decisions are:
        | id  | queue  |
        | app | root.a |

    Scenario: with rules it goes to recovery when none matches, not to root.default
      Given the placement rules:
        | rule |
        | user |
      When the applications:
        | application | user | tags                          |
        | app         | bob  | application.create.force=true |
      Then the app.accepted decisions are:
        | id  | queue           |
        | app | root.@recovery@ |

    Scenario: one that a rule places goes there
      Given the placement rules:
        | rule  | value |
        | fixed | a     |
      When the applications:
        | application | user | tags                          |
        | app         | bob  | application.create.force=true |
      Then the app.accepted decisions are:
        | id  | queue  |
        | app | root.a |

    Scenario: one whose queue is closed to its user goes to recovery
      Given the queues:
        | queue  | submitacl |
        | root.a | alice     |
      When the applications:
        | application | queue  | user | tags                          |
        | app         | root.a | bob  | application.create.force=true |
      Then the app.accepted decisions are:
        | id  | queue           |
        | app | root.@recovery@ |

    Scenario Outline: the tag <tag> <forces>
      When the applications:
        | application | queue  | tags  |
        | app         | root.x | <tag> |
      Then the app.<verdict> decisions are:
        | id  |
        | app |

      Examples:
        | tag                            | forces     | verdict  |
        | Application.Create.Force=true  | forces     | accepted |
        | application.create.force=false | forces not | rejected |
        | application.create.force=yes   | forces not | rejected |

  Rule: the recovery queue is a dynamic leaf in fifo order without settings of its own

    Background:
      Given the queues:
        | queue  | template max | template maxapplications | application.sort.policy |
        | root   | 1 vcore      | 1                        | fair                    |
        | root.a |              |                          |                         |
      And a node "n1" with 10 vcore

    Scenario: no template counts for it, nor does the order of applications above it
      When the applications:
        | application | queue  | tags                          |
        | app         | root.x | application.create.force=true |
      Then the queues show:
        | queue           | dynamic | leaf | sort | max     | maxapplications |
        | root.@recovery@ | yes     | yes  | fifo | nothing | 0               |

    Scenario: tags for quotas are not looked at
      When the applications:
        | application | queue  | tags                                                               |
        | app         | root.x | application.create.force=true, namespace.resourcequota={"vcore":1} |
        | other       | root.x | application.create.force=true, namespace.resourcequota=unreadable  |
      Then the app.accepted decisions are:
        | id    | queue           |
        | app   | root.@recovery@ |
        | other | root.@recovery@ |
      And the queues show:
        | queue           | max     |
        | root.@recovery@ | nothing |

    Scenario: its asks are scheduled
      Given the applications:
        | application | queue  | tags                          |
        | app         | root.x | application.create.force=true |
      When "app" asks "one", "two" for 3 vcore
      Then "one" and "two" are allocated on "n1"

    Scenario: its allocations are restored and count for root
      Given the applications:
        | application | queue  | tags                          |
        | app         | root.x | application.create.force=true |
      When "app" has "old" for 4 vcore restored on "n1"
      Then the queues show:
        | queue           | used    |
        | root            | 4 vcore |
        | root.@recovery@ | 4 vcore |

    Scenario: it is gone 10 seconds after its last application
      Given the applications:
        | application | queue  | tags                          |
        | app         | root.x | application.create.force=true |
      And application "app" is removed
      When 10s pass
      Then the decisions are:
        | type        | at  | queue           | from   | to      | reason |
        | queue.state | 10s | root.@recovery@ | active | stopped | empty  |

    Scenario: the maxapplications of root counts its applications
      Given the queues:
        | queue  | maxapplications |
        | root   | 1               |
        | root.a |                 |
      And the asks:
        | ask | queue  | resources |
        | one | root.a | 1 vcore   |
      And the cycle runs
      And the applications:
        | application | queue  | tags                          |
        | app         | root.x | application.create.force=true |
      When "app" asks "late" for 1 vcore
      Then "late" waits
      When application "one" is removed
      Then "late" is allocated

  Rule: by name the recovery queue is unknown

    Scenario Outline: <queue> is unknown, although it is there
      Given the applications:
        | application | queue  | tags                          |
        | app         | root.x | application.create.force=true |
      When an application "other" in <queue>
      Then "other" is rejected because of unknown-queue

      Examples:
        | queue           |
        | root.@recovery@ |
        | ROOT.@Recovery@ |
`;export{e as default};