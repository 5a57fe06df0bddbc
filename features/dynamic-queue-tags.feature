Feature: Quotas of dynamic queues by tags

  An application that is placed in a dynamic queue may carry the queue's quota in its tags: namespace.resourcequota is its max,
  namespace.resourceguaranteed its guaranteed, namespace.resourcemaxapps its maxapplications.

  Background:
    Given the queues:
      | queue     | parent | template guaranteed | template max      | template maxapplications |
      | root.dev  | true   | 1 vcore, 1 memory   | 2 vcore, 2 memory | 2                        |
      | root.prod |        |                     |                   |                          |
    And the placement rules:
      | rule     | create |
      | provided | yes    |
    And a node "n1" with 10 vcore, 10 memory

  Rule: each tag sets one setting as a whole, and leaves the others

    Scenario: the max
      When the applications:
        | application | queue      | tags                                |
        | app         | root.dev.x | namespace.resourcequota={"vcore":4} |
      Then the queues show:
        | queue      | guaranteed        | max     | maxapplications |
        | root.dev.x | 1 vcore, 1 memory | 4 vcore | 2               |

    Scenario: a max without types is no bound
      When the applications:
        | application | queue      | tags                       |
        | app         | root.dev.x | namespace.resourcequota={} |
      Then the queues show:
        | queue      | guaranteed        | max     | maxapplications |
        | root.dev.x | 1 vcore, 1 memory | nothing | 2               |
      When "app" asks "wide" for 9 vcore
      Then "wide" is allocated

    Scenario: an empty text changes nothing
      Given the applications:
        | application | queue      | tags                                |
        | first       | root.dev.x | namespace.resourcequota={"vcore":4} |
      When the applications:
        | application | queue      | tags                     |
        | next        | root.dev.x | namespace.resourcequota= |
      Then the queues show:
        | queue      | max     |
        | root.dev.x | 4 vcore |

    Scenario: the guaranteed
      When the applications:
        | application | queue      | tags                                        |
        | app         | root.dev.x | namespace.resourceguaranteed={"memory":"2"} |
      Then the queues show:
        | queue      | guaranteed | max               | maxapplications |
        | root.dev.x | 2 memory   | 2 vcore, 2 memory | 2               |

    Scenario: the maxapplications
      When the applications:
        | application | queue      | tags                        |
        | app         | root.dev.x | namespace.resourcemaxapps=7 |
      Then the queues show:
        | queue      | guaranteed        | max               | maxapplications |
        | root.dev.x | 1 vcore, 1 memory | 2 vcore, 2 memory | 7               |

    Scenario: all of them at once
      When the applications:
        | application | queue      | tags                                                                                                                        |
        | app         | root.dev.x | namespace.resourcequota={"vcore":"4","memory":"5"}, namespace.resourceguaranteed={"vcore":"3"}, namespace.resourcemaxapps=1 |
      Then the queues show:
        | queue      | guaranteed | max               | maxapplications |
        | root.dev.x | 3 vcore    | 4 vcore, 5 memory | 1               |

    Scenario: names of tags count without case
      When the applications:
        | application | queue      | tags                                |
        | app         | root.dev.x | Namespace.ResourceQuota={"vcore":4} |
      Then the queues show:
        | queue      | max     |
        | root.dev.x | 4 vcore |

    Scenario: a dynamic parent gets none of it
      When the applications:
        | application | queue        | tags                                |
        | app         | root.dev.x.y | namespace.resourcequota={"vcore":4} |
      Then the queues show:
        | queue        | max     |
        | root.dev.x   | nothing |
        | root.dev.x.y | 4 vcore |

    Scenario: a zero forbids
      Given the applications:
        | application | queue      | tags                                           |
        | app         | root.dev.x | namespace.resourcequota={"vcore":4,"memory":0} |
      When "app" asks "plain" for 1 vcore
      And "app" asks "large" for 1 vcore, 1 memory
      Then "plain" is allocated
      And "large" waits

  Rule: amounts are quantities, or stored units in the wire form

    Scenario Outline: <text> is <amount>
      When the applications:
        | application | queue      | tags                           |
        | app         | root.dev.x | namespace.resourcequota=<text> |
      Then the queues show:
        | queue      | max      |
        | root.dev.x | <amount> |

      Examples:
        | text                                    | amount     |
        | {"vcore":"4"}                           | 4 vcore    |
        | {"vcore":4}                             | 4 vcore    |
        | {"vcore":"1500m"}                       | 1.5 vcore  |
        | {"memory":"4Gi"}                        | 4Gi memory |
        | {"resources":{"vcore":{"value":4000}}}  | 4 vcore    |
        | {"resources":{"memory":{"value":4096}}} | 4Ki memory |

    Scenario Outline: <tag> cannot be read
      When the applications:
        | application | queue      | tags  |
        | app         | root.dev.x | <tag> |
      Then the decisions are:
        | type         | id  | reason  |
        | app.rejected | app | bad-tag |

      Examples:
        | tag                                                              |
        | namespace.resourcequota=4                                        |
        | namespace.resourcequota={"vcore":                                |
        | namespace.resourcequota={"vcore":"four"}                         |
        | namespace.resourcequota={"vcore":"-4"}                           |
        | namespace.resourcequota={"resources":{"vcore":{"value":"four"}}} |
        | namespace.resourcequota={"vcore":1,"vcore":2}                    |
        | namespace.resourcequota={"vcore":1} {"vcore":2}                  |
        | namespace.resourcequota={"vcore":null}                           |
        | namespace.resourcequota={"vcore":"1.5m"}                         |
        | namespace.resourcequota={"resources":{"vcore":{"value":-1}}}     |
        | namespace.resourcequota={"resources":{"vcore":4}}                |
        | namespace.resourceguaranteed=[]                                  |
        | namespace.resourcemaxapps=many                                   |
        | namespace.resourcemaxapps=-1                                     |

  Rule: the latest application with a tag decides

    Background:
      Given the applications:
        | application | queue      | tags                                |
        | first       | root.dev.x | namespace.resourcequota={"vcore":4} |

    Scenario: a later value replaces the earlier one as a whole
      When the applications:
        | application | queue      | tags                                 |
        | second      | root.dev.x | namespace.resourcequota={"memory":3} |
      Then the queues show:
        | queue      | max      |
        | root.dev.x | 3 memory |

    Scenario Outline: an application whose tag is <how> changes nothing
      When the applications:
        | application | queue      | tags   |
        | second      | root.dev.x | <tags> |
      Then the queues show:
        | queue      | max     |
        | root.dev.x | 4 vcore |

      Examples:
        | how    | tags                     |
        | absent | nothing                  |
        | empty  | namespace.resourcequota= |

    Scenario: it stays when the application has left
      Given the applications:
        | application | queue      |
        | second      | root.dev.x |
      When application "first" is removed
      Then the queues show:
        | queue      | max     |
        | root.dev.x | 4 vcore |

    Scenario: one that is rejected changes nothing
      When the applications:
        | application | queue      | tags                                                               |
        | second      | root.dev.x | namespace.resourcequota={"vcore":9}, namespace.resourcemaxapps=bad |
      Then "second" is rejected because of bad-tag
      And the queues show:
        | queue      | max     |
        | root.dev.x | 4 vcore |

    Scenario: it stays over a reload of the template
      When the queues:
        | queue    | parent | template max |
        | root.dev | true   | 9 vcore      |
      Then the queues show:
        | queue      | max     | maxapplications |
        | root.dev.x | 4 vcore | 0               |

    Scenario: it is forgotten when the queue becomes a configured one
      When the queues:
        | queue      |
        | root.dev.x |
      Then the queues show:
        | queue      | max     | dynamic |
        | root.dev.x | nothing | no      |

    Scenario: a queue that is created again has none of it
      Given application "first" is removed
      When 10s pass
      And an application "second" in root.dev.x
      Then the queues show:
        | queue      | max               |
        | root.dev.x | 2 vcore, 2 memory |

  Rule: quotas by tags bound new asks, and are not compared with the queues above

    Scenario: a max below the usage stops new asks only
      Given the applications:
        | application | queue      | tags                                |
        | first       | root.dev.x | namespace.resourcequota={"vcore":4} |
      And "first" asks "old" for 3 vcore
      When the applications:
        | application | queue      | tags                                |
        | second      | root.dev.x | namespace.resourcequota={"vcore":2} |
      And "first" asks "new" for 1 vcore
      Then "old" is allocated
      And "new" waits
      When "old" is released
      Then "new" is allocated

    Scenario: a raised max lets in an ask that waits
      Given the applications:
        | application | queue      | tags                                |
        | first       | root.dev.x | namespace.resourcequota={"vcore":1} |
      And "first" asks "big" for 3 vcore
      When the applications:
        | application | queue      | tags                                |
        | second      | root.dev.x | namespace.resourcequota={"vcore":3} |
      Then "big" is allocated

    Scenario: a maxapplications makes the next application wait
      Given the applications:
        | application | queue      | tags                        |
        | first       | root.dev.x | namespace.resourcemaxapps=1 |
      And "first" asks "one" for 1 vcore
      When "second" asks in root.dev.x for 1 vcore
      Then "second" waits
      When the applications:
        | application | queue      | tags                        |
        | third       | root.dev.x | namespace.resourcemaxapps=2 |
      Then "second" is allocated

    Scenario: they may exceed the amounts that are configured above
      Given the queues:
        | queue    | parent | max     |
        | root.dev | true   | 3 vcore |
      When the applications:
        | application | queue      | tags                                                                           |
        | app         | root.dev.x | namespace.resourcequota={"vcore":9}, namespace.resourceguaranteed={"vcore":10} |
      Then the queues show:
        | queue      | guaranteed | max     | headroom           |
        | root.dev.x | 10 vcore   | 9 vcore | 3 vcore, 10 memory |

  Rule: a configured queue never looks at them

    Scenario: neither at good ones nor at bad ones
      When the applications:
        | application | queue     | tags                                |
        | good        | root.prod | namespace.resourcequota={"vcore":4} |
        | bad         | root.prod | namespace.resourcequota=many        |
      Then the app.accepted decisions are:
        | id   | queue     |
        | good | root.prod |
        | bad  | root.prod |
      And the queues show:
        | queue     | max     |
        | root.prod | nothing |
