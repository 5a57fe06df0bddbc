var e=`Feature: Limits of groups

  A limit bounds a group by the sum of its users. An application counts for one group at most.

  Rule: the users of a group share its limit

    Background:
      Given the queues:
        | queue    |
        | root.a.x |
        | root.a.y |
      And a node "n1" with 100 vcore, 100 memory

    Scenario: usage of all of them adds up
      Given the limits:
        | queue  | groups | max     |
        | root.a | dev    | 3 vcore |
      And the asks:
        | ask  | queue    | user  | groups | resources |
        | hers | root.a.x | alice | dev    | 2 vcore   |
      When the asks:
        | ask  | queue    | user | groups | resources |
        | his  | root.a.y | bob  | dev    | 2 vcore   |
        | erin | root.a.y | erin | qa     | 2 vcore   |
      Then "hers" and "erin" are allocated
      And "his" waits
      When "hers" is released
      Then "his" is allocated

    Scenario: two groups of one limit do not share it
      Given the limits:
        | queue  | groups  | max     |
        | root.a | dev, qa | 2 vcore |
      When the asks:
        | ask  | queue    | user  | groups | resources |
        | hers | root.a.x | alice | dev    | 2 vcore   |
        | his  | root.a.y | bob   | qa     | 2 vcore   |
      Then "hers" and "his" are allocated

    Scenario: maxapplications counts the applications of all of them
      Given the limits:
        | queue  | groups | maxapplications |
        | root.a | dev    | 1               |
      When the asks:
        | ask  | queue    | user  | groups | resources |
        | hers | root.a.x | alice | dev    | 2 vcore   |
        | his  | root.a.y | bob   | dev    | 2 vcore   |
      Then "hers" is allocated
      And "his" waits
      When application "hers" is removed
      Then "his" is allocated

    Scenario: the limits of the user and of the group must both hold
      Given the limits:
        | queue  | users | groups | max     |
        | root.a | bob   |        | 2 vcore |
        | root.a |       | dev    | 3 vcore |
      When the asks:
        | ask   | queue    | user  | groups | resources |
        | hers  | root.a.x | alice | dev    | 2 vcore   |
        | his   | root.a.x | bob   | dev    | 2 vcore   |
        | small | root.a.x | bob   | dev    | 1 vcore   |
      Then "hers" and "small" are allocated
      And "his" waits

    Scenario: one limit may name users and groups, each bounded apart
      Given the limits:
        | queue  | users | groups | max     |
        | root.a | bob   | dev    | 2 vcore |
      When the asks:
        | ask  | queue    | user  | groups | resources |
        | hers | root.a.x | alice | dev    | 2 vcore   |
        | his  | root.a.x | bob   | qa     | 2 vcore   |
      Then "hers" and "his" are allocated

    Scenario: names of groups count with case
      Given the limits:
        | queue  | groups | max     |
        | root.a | dev    | 2 vcore |
      When the asks:
        | ask  | queue    | user  | groups | resources |
        | hers | root.a.x | alice | Dev    | 9 vcore   |
      Then "hers" is allocated
      And the applications show:
        | application | group |
        | hers        | none  |

  Rule: an application counts for the first group of its queue's limits that its user has

    Scenario Outline: a user of the groups <groups> counts for <group>
      Given the queues:
        | queue  |
        | root.a |
      And the limits:
        | queue  | groups   | max     |
        | root.a | ops, dev | 9 vcore |
        | root.a | qa       | 9 vcore |
      When the asks:
        | ask | queue  | user | groups   | resources |
        | app | root.a | bob  | <groups> | 1 vcore   |
      Then the applications show:
        | application | group   |
        | app         | <group> |

      Examples: the order of the configuration decides, not that of the user's groups
        | groups       | group |
        | dev          | dev   |
        | dev, ops     | ops   |
        | qa, dev, ops | ops   |
        | qa, dev      | dev   |
        | hr           | none  |
        | none         | none  |

    Scenario: it counts for no other group of its user
      Given the queues:
        | queue  |
        | root.a |
      And the limits:
        | queue  | groups | max     |
        | root.a | ops    | 9 vcore |
        | root.a | dev    | 1 vcore |
      And a node "n1" with 100 vcore
      When the asks:
        | ask | queue  | user | groups   | resources |
        | app | root.a | bob  | dev, ops | 9 vcore   |
      Then "app" is allocated

    Scenario: the queue nearest to the leaf that names a group of the user decides
      Given the queues:
        | queue    |
        | root.a.x |
        | root.a.y |
      And the limits:
        | queue    | groups | max     |
        | root.a   | ops    | 9 vcore |
        | root.a.x | dev    | 9 vcore |
      When the asks:
        | ask | queue    | user | groups   | resources |
        | x   | root.a.x | bob  | dev, ops | 1 vcore   |
        | y   | root.a.y | bob  | dev, ops | 1 vcore   |
      Then the applications show:
        | application | group |
        | x           | dev   |
        | y           | ops   |

    Scenario: then the limits of that group hold in all queues above
      Given the queues:
        | queue    |
        | root.a.x |
        | root.a.y |
      And the limits:
        | queue    | groups | max     |
        | root.a   | ops    | 1 vcore |
        | root.a   | dev    | 5 vcore |
        | root.a.x | dev    | 4 vcore |
      And a node "n1" with 100 vcore
      And the asks:
        | ask | queue    | user | groups | resources |
        | y   | root.a.y | erin | dev    | 3 vcore   |
      When the asks:
        | ask  | queue    | user | groups   | resources |
        | x    | root.a.x | bob  | dev, ops | 3 vcore   |
        | less | root.a.x | bob  | dev, ops | 2 vcore   |
      Then "y" and "less" are allocated
      And "x" waits

    Scenario: applications of one user may count for different groups
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And the limits:
        | queue  | groups | max     |
        | root.a | dev    | 2 vcore |
        | root.b | ops    | 2 vcore |
      And a node "n1" with 100 vcore
      When the asks:
        | ask | queue  | user | groups   | resources |
        | a   | root.a | bob  | dev, ops | 2 vcore   |
        | b   | root.b | bob  | dev, ops | 2 vcore   |
      Then "a" and "b" are allocated
      And the applications show:
        | application | group |
        | a           | dev   |
        | b           | ops   |

  Rule: "*" is a group of its own, of the applications that count for no named group there

    Background:
      Given the queues:
        | queue    |
        | root.a.x |
        | root.a.y |
      And the limits:
        | queue  | groups | max     |
        | root.a | dev    | 9 vcore |
        | root.a | *      | 3 vcore |
      And a node "n1" with 100 vcore

    Scenario: all others share it, those without groups too
      Given the asks:
        | ask | queue    | user  | groups | resources |
        | one | root.a.x | alice | qa     | 2 vcore   |
        | two | root.a.x | bob   | none   | 1 vcore   |
      When the asks:
        | ask   | queue    | user | groups | resources |
        | three | root.a.y | erin | ops    | 1 vcore   |
      Then "one" and "two" are allocated
      And "three" waits
      And the applications show:
        | application | group |
        | one         | *     |
        | two         | *     |
        | three       | *     |

    Scenario: it bounds no named group
      When the asks:
        | ask  | queue    | user  | groups | resources |
        | hers | root.a.x | alice | dev    | 9 vcore   |
        | his  | root.a.x | bob   | qa     | 3 vcore   |
      Then "hers" and "his" are allocated

    Scenario: it is a hit, so no queue above is asked
      Given the limits:
        | queue    | groups | max     |
        | root     | qa     | 1 vcore |
        | root.a.x | dev    | 9 vcore |
        | root.a.x | *      | 3 vcore |
      When the asks:
        | ask | queue    | user | groups | resources |
        | app | root.a.x | bob  | qa     | 3 vcore   |
      Then "app" is allocated
      And the applications show:
        | application | group |
        | app         | *     |

    Scenario: a named group nearer to the leaf goes before it
      Given the limits:
        | queue    | groups | max     |
        | root.a   | dev    | 9 vcore |
        | root.a   | *      | 1 vcore |
        | root.a.x | qa     | 5 vcore |
      When the asks:
        | ask | queue    | user | groups | resources |
        | app | root.a.x | bob  | qa     | 5 vcore   |
      Then "app" is allocated
      And the applications show:
        | application | group |
        | app         | qa    |

  Rule: groups and usage are computed again at each reload

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And the limits:
        | queue  | groups | max     |
        | root.a | dev    | 4 vcore |
      And a node "n1" with 100 vcore
      And the asks:
        | ask  | queue  | user  | groups   | resources |
        | hers | root.a | alice | dev, ops | 3 vcore   |
      And the cycle runs

    Scenario: an application comes to count for another group, with its usage
      When the limits:
        | queue  | groups | max     |
        | root.a | ops    | 4 vcore |
        | root.a | dev    | 4 vcore |
      And the asks:
        | ask | queue  | user | groups | resources |
        | ops | root.a | bob  | ops    | 2 vcore   |
        | dev | root.a | erin | dev    | 4 vcore   |
      Then the applications show:
        | application | group |
        | hers        | ops   |
      And "ops" waits
      And "dev" is allocated

    Scenario: it lets an ask in that its former group stopped
      Given the asks:
        | ask | queue  | user | groups | resources |
        | his | root.a | bob  | dev    | 2 vcore   |
      When the limits:
        | queue  | groups | max     |
        | root.a | ops    | 4 vcore |
        | root.a | dev    | 4 vcore |
      Then "his" is allocated

    Scenario: without limits it counts for none
      When the limits:
        | queue  | users | max      |
        | root.a | alice | 50 vcore |
      Then the applications show:
        | application | group |
        | hers        | none  |

    Scenario: a lowered limit takes no allocation away
      When the limits:
        | queue  | groups | max     |
        | root.a | dev    | 1 vcore |
      Then "hers" is allocated
      And no allocation is preempted

  Rule: a limit of a group never preempts, and ends the kept nodes of asks that it stops

    Scenario: an ask that the limit of its group stops looks for no victims
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b |            |                  |
      And the limits:
        | queue  | groups | max     |
        | root.a | dev    | 2 vcore |
      And a node "n1" with 4 vcore
      And the asks:
        | ask  | queue  | user  | groups | resources |
        | old  | root.b | erin  | none   | 2 vcore   |
        | hers | root.a | alice | dev    | 2 vcore   |
      And the cycle runs
      When the asks:
        | ask | queue  | user | groups | resources |
        | his | root.a | bob  | dev    | 2 vcore   |
        | qas | root.a | erin | qa     | 1 vcore   |
      And 10s pass
      Then "qas" preempts "old" on "n1"
      And "his" waits

    Scenario Outline: a reload that <case> lapses the kept node
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b |            |                  |
      And the limits:
        | queue  | groups | max     |
        | root.a | dev    | 4 vcore |
      And a node "n1" with 4 vcore
      And "old" asks in root.b for 4 vcore
      And the cycle runs
      And the asks:
        | ask | queue  | user | groups   | resources |
        | his | root.a | bob  | dev, ops | 3 vcore   |
      And 10s pass
      When the limits:
        | queue  | groups  | max     |
        | root.a | <group> | 2 vcore |
        | root.a | qa      | 9 vcore |
      Then the preemption.lapsed decisions are:
        | for | node | reason         |
        | his | n1   | no-longer-fits |

      Examples:
        | case                              | group |
        | lowers the limit                  | dev   |
        | makes the ask count for a new one | ops   |
`;export{e as default};