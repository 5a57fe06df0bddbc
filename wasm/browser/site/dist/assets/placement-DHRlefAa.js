var e=`Feature: Placement rules

  With placement rules the scheduler chooses the queue of an application, once, when it is submitted. The rules are tried in order;
  the first that yields a queue which can be used wins.

  Rule: without placement rules an application goes to the queue that it names, and none is made

    Scenario: an absent queue is unknown
      Given the queues:
        | queue  |
        | root.a |
      When an application "app" in root.b
      Then "app" is rejected because of unknown-queue

    Scenario: an empty list of rules is as none
      When the configuration:
        """yaml
        partitions:
        - name: default
          placementrules: []
          queues: [{name: a}]
        """
      And an application "app" in a
      Then "app" is rejected because of unknown-queue

    Scenario: a reload may take the rules away
      Given the queues:
        | queue  |
        | root.a |
      And the placement rules:
        | rule | create |
        | user | yes    |
      When the placement rules:
        | rule |
      And the applications:
        | application | queue  | user |
        | app         | root.a | bob  |
      Then the app.accepted decisions are:
        | id  | queue  |
        | app | root.a |

  Rule: the first rule that yields a usable queue wins

    Background:
      Given the queues:
        | queue      |
        | root.bob   |
        | root.batch |
        | root.other |

    Scenario: the first
      Given the placement rules:
        | rule     |
        | user     |
        | provided |
      When the applications:
        | application | queue      | user |
        | app         | root.batch | bob  |
      Then the app.accepted decisions are:
        | id  | queue    |
        | app | root.bob |

    Scenario: the next, where the first yields an absent queue
      Given the placement rules:
        | rule     |
        | user     |
        | provided |
      When the applications:
        | application | queue      | user  |
        | app         | root.batch | alice |
      Then the app.accepted decisions are:
        | id  | queue      |
        | app | root.batch |

    Scenario: a kind of rule may stand there several times
      Given the placement rules:
        | rule  | value | filter | users |
        | fixed | batch | allow  | bob   |
        | fixed | other |        |       |
      When the applications:
        | application | user  |
        | bobs        | bob   |
        | hers        | alice |
      Then the app.accepted decisions are:
        | id   | queue      |
        | bobs | root.batch |
        | hers | root.other |

    Scenario: an application stays where it is when the rules change
      Given the placement rules:
        | rule |
        | user |
      And the applications:
        | application | user |
        | app         | bob  |
      When the placement rules:
        | rule  | value |
        | fixed | other |
      Then the applications show:
        | application | queue    |
        | app         | root.bob |

  Rule: "provided" takes the queue that the application names

    Background:
      Given the queues:
        | queue         |
        | root.batch    |
        | root.prod.etl |
      And the placement rules:
        | rule     | create |
        | provided | yes    |

    Scenario Outline: <queue> is <full name>
      When the applications:
        | application | queue   |
        | app         | <queue> |
      Then the app.accepted decisions are:
        | id  | queue       |
        | app | <full name> |

      Examples:
        | queue         | full name         |
        | root.batch    | root.batch        |
        | batch         | root.batch        |
        | Batch         | root.batch        |
        | ROOT.Prod.ETL | root.prod.etl     |
        | root.prod.web | root.prod.web     |
        | prod.etl      | root.prod_dot_etl |
        | rooted        | root.rooted       |

    Scenario Outline: <queue> yields no queue
      When the applications:
        | application | queue   |
        | app         | <queue> |
      Then "app" is rejected because of not-placed

      Examples:
        | queue |
        | ""    |
        | root  |
        | ROOT  |
        | root. |

  Rule: "user" takes the name of the user as one label

    Background:
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule | create |
        | user | yes    |

    Scenario Outline: the user <user> is <queue>
      When the applications:
        | application | user   |
        | app         | <user> |
      Then the app.accepted decisions are:
        | id  | queue   |
        | app | <queue> |

      Examples:
        | user       | queue               |
        | bob        | root.bob            |
        | Bob        | root.bob            |
        | bob.miller | root.bob_dot_miller |
        | bob@a:1/#- | root.bob@a:1/#-     |
        | root.bob   | root.root_dot_bob   |

    Scenario Outline: the user <user> makes no label
      When the applications:
        | application | queue  | user   |
        | app         | root.a | <user> |
      Then "app" is rejected because of not-placed

      Examples:
        | user |
        |      |
        | root |
        | a$   |
        | bö   |
        | a b  |

    Scenario: users whose names make one label share a queue
      When the applications:
        | application | user    |
        | first       | a.b     |
        | second      | A_dot_B |
      Then the app.accepted decisions are:
        | id     | queue        |
        | first  | root.a_dot_b |
        | second | root.a_dot_b |

  Rule: "tag" takes the value of a tag

    Background:
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule | value     | create |
        | tag  | namespace | yes    |

    Scenario Outline: <tags> is <queue>
      When the applications:
        | application | tags   |
        | app         | <tags> |
      Then the app.accepted decisions are:
        | id  | queue   |
        | app | <queue> |

      Examples:
        | tags                                  | queue        |
        | namespace=dev                         | root.dev     |
        | NameSpace=dev                         | root.dev     |
        | namespace=Dev                         | root.dev     |
        | namespace=a.b                         | root.a_dot_b |
        | namespace=root.a.b                    | root.a.b     |
        | namespace=x, NAMESPACE=y              | root.y       |
        | namespace=x, Namespace=y, nAMESPACE=z | root.y       |

    Scenario Outline: <tags> yields no queue
      When the applications:
        | application | tags   |
        | app         | <tags> |
      Then "app" is rejected because of not-placed

      Examples:
        | tags           |
        | nothing        |
        | space=dev      |
        | namespace=     |
        | namespace=root |
        | namespace=a b  |

    Scenario: the name of the tag counts without case in the rule too
      Given the placement rules:
        | rule | value     | create |
        | tag  | NAMESPACE | yes    |
      When the applications:
        | application | tags          |
        | app         | namespace=dev |
      Then the app.accepted decisions are:
        | id  | queue    |
        | app | root.dev |

  Rule: "fixed" takes its own value, whose dots are levels

    Scenario Outline: the value <value> is <queue>
      Given the placement rules:
        | rule  | value   | create |
        | fixed | <value> | yes    |
      When the applications:
        | application | user |
        | app         | bob  |
      Then the app.accepted decisions are:
        | id  | queue   |
        | app | <queue> |

      Examples:
        | value      | queue      |
        | batch      | root.batch |
        | Batch      | root.batch |
        | a.b.c      | root.a.b.c |
        | root.a.b.c | root.a.b.c |

  Rule: a rule makes its label below the queue that its parent rule yields

    Scenario: one level
      Given the placement rules:
        | rule       | value     | create |
        | user       |           | yes    |
        | parent tag | namespace | yes    |
      When the applications:
        | application | user | tags          |
        | app         | bob  | namespace=dev |
      Then the app.accepted decisions are:
        | id  | queue        |
        | app | root.dev.bob |

    Scenario: parents of parents
      Given the placement rules:
        | rule         | value     | create |
        | user         |           | yes    |
        | parent tag   | namespace | yes    |
        | parent fixed | teams.all | yes    |
      When the applications:
        | application | user | tags          |
        | app         | bob  | namespace=dev |
      Then the app.accepted decisions are:
        | id  | queue                  |
        | app | root.teams.all.dev.bob |

    Scenario: a parent rule that yields nothing makes the whole rule yield nothing
      Given the placement rules:
        | rule       | value     | create |
        | user       |           | yes    |
        | parent tag | namespace | yes    |
        | fixed      | rest      | yes    |
      When the applications:
        | application | user |
        | app         | bob  |
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

    Scenario: the filter of a parent rule counts
      Given the placement rules:
        | rule         | value | create | filter | users |
        | user         |       | yes    |        |       |
        | parent fixed | teams | yes    | allow  | alice |
        | fixed        | rest  | yes    |        |       |
      When the applications:
        | application | user  |
        | hers        | alice |
        | his         | bob   |
      Then the app.accepted decisions are:
        | id   | queue            |
        | hers | root.teams.alice |
        | his  | root.rest        |

    Scenario: a parent rule that yields a leaf does not match
      Given the queues:
        | queue     |
        | root.dev  |
        | root.rest |
      And the placement rules:
        | rule       | value     | create |
        | user       |           | yes    |
        | parent tag | namespace | yes    |
        | fixed      | rest      |        |
      When the applications:
        | application | user | tags          |
        | app         | bob  | namespace=dev |
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

    Scenario Outline: an absent parent, where it may <parent> and the queue may <queue>, is <made>
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule       | value     | create   |
        | user       |           | <queue>  |
        | parent tag | namespace | <parent> |
        | fixed      | rest      |          |
      When the applications:
        | application | user | tags          |
        | app         | bob  | namespace=dev |
      Then the app.accepted decisions are:
        | id  | queue  |
        | app | <made> |

      Examples: "yes" says that a rule may create
        | parent | queue | made         |
        | yes    | yes   | root.dev.bob |
        | no     | yes   | root.rest    |
        | yes    | no    | root.rest    |

    Scenario: a parent that exists need not be created
      Given the queues:
        | queue    | parent |
        | root.dev | true   |
      And the placement rules:
        | rule       | value     | create |
        | user       |           | yes    |
        | parent tag | namespace | no     |
      When the applications:
        | application | user | tags          |
        | app         | bob  | namespace=dev |
      Then the app.accepted decisions are:
        | id  | queue        |
        | app | root.dev.bob |

    Scenario: a full name skips the parent rule
      Given the placement rules:
        | rule         | create | value | filter | users |
        | provided     | yes    |       |        |       |
        | parent fixed | yes    | teams | allow  | alice |
      When the applications:
        | application | queue  | user |
        | app         | root.x | bob  |
      Then the app.accepted decisions are:
        | id  | queue  |
        | app | root.x |

    Scenario Outline: a full name does not skip <key> of its own rule
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule         | create   | filter   | users   | value |
        | provided     | <create> | <filter> | <users> |       |
        | parent fixed | yes      |          |         | teams |
        | fixed        |          |          |         | rest  |
      When the applications:
        | application | queue  | user |
        | app         | root.x | bob  |
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

      Examples:
        | key        | create | filter | users |
        | the filter | yes    | allow  | alice |
        | create     | no     |        |       |

  Rule: a rule matches only with valid labels

    Scenario Outline: <name> is <verdict>
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When the applications:
        | application | queue  |
        | app         | <name> |
      Then the app.<verdict> decisions are:
        | id  |
        | app |

      Examples:
        | name                                                              | verdict  |
        | Team_1:x#/@-                                                      | accepted |
        | 1234567890123456789012345678901234567890123456789012345678901234  | accepted |
        | 12345678901234567890123456789012345678901234567890123456789012345 | rejected |
        | a!                                                                | rejected |
        | root.a..b                                                         | rejected |
        | root.a.                                                           | rejected |
        | root.b.c d                                                        | rejected |

    Scenario Outline: a queue of <number> labels, root included, is <verdict>
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When the applications:
        | application | queue   |
        | app         | <queue> |
      Then the app.<verdict> decisions are:
        | id  |
        | app |

      Examples:
        | number | queue                                                                | verdict  |
        | 32     | root.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.1.2.3.4.5.6   | accepted |
        | 33     | root.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.1.2.3.4.5.6.7 | rejected |

    Scenario Outline: nothing is placed in <queue> by name
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When the applications:
        | application | queue   |
        | app         | <queue> |
      Then "app" is rejected because of not-placed

      Examples:
        | queue             |
        | root.@recovery@   |
        | @recovery@        |
        | root.@Recovery@.a |

  Rule: a queue that is there can be used if it is an active leaf

    Scenario: a parent cannot
      Given the queues:
        | queue      |
        | root.dev.a |
        | root.rest  |
      And the placement rules:
        | rule     | value | create |
        | provided |       | yes    |
        | fixed    | rest  |        |
      When the applications:
        | application | queue    |
        | app         | root.dev |
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

    Scenario Outline: a draining leaf cannot, whether the rule creates queues (<create>) or not
      Given the queues:
        | queue     |
        | root.old  |
        | root.rest |
      And the placement rules:
        | rule     | value | create   |
        | provided |       | <create> |
        | fixed    | rest  |          |
      And an application "holds-it" in root.old
      When the queues:
        | queue     |
        | root.rest |
      And an application "app" in root.old
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

      Examples:
        | create |
        | yes    |
        | no     |

  Rule: an absent queue can be made if the nearest queue above it that exists is an active parent

    Scenario: not below a leaf
      Given the queues:
        | queue     |
        | root.dev  |
        | root.rest |
      And the placement rules:
        | rule     | value | create |
        | provided |       | yes    |
        | fixed    | rest  |        |
      When an application "app" in root.dev.x.y
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

    Scenario: not below a dynamic leaf either
      Given the placement rules:
        | rule     | value | create |
        | provided |       | yes    |
        | fixed    | rest  | yes    |
      And an application "in-the-way" in root.dev
      When an application "app" in root.dev.x
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

    Scenario: not below a draining parent
      Given the queues:
        | queue      |
        | root.old.a |
        | root.rest  |
      And the placement rules:
        | rule     | value | create |
        | provided |       | yes    |
        | fixed    | rest  |        |
      And an application "holds-it" in root.old.a
      When the queues:
        | queue     |
        | root.rest |
      And an application "app" in root.old.b
      Then the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

  Rule: a queue that is closed to the user does not match

    Background:
      Given the queues:
        | queue      | submitacl |
        | root.dev.a | alice     |
        | root.rest  | *         |
      And the placement rules:
        | rule     | value | create |
        | provided |       | yes    |
        | fixed    | rest  |        |

    Scenario: nor one that would be made below a closed one
      When the applications:
        | application | queue      | user |
        | there       | root.dev.a | bob  |
        | absent      | root.dev.b | bob  |
      Then the app.accepted decisions are:
        | id     | queue     |
        | there  | root.rest |
        | absent | root.rest |

    Scenario: one that is open to the user does
      When the applications:
        | application | queue      | user  |
        | app         | root.dev.a | alice |
      Then the app.accepted decisions are:
        | id  | queue      |
        | app | root.dev.a |

  Rule: an application that no rule places goes to root.default, if that can be used

    Scenario: to root.default
      Given the queues:
        | queue        |
        | root.default |
      And the placement rules:
        | rule |
        | user |
      When the applications:
        | application | user |
        | app         | bob  |
      Then the app.accepted decisions are:
        | id  | queue        |
        | app | root.default |

    Scenario: root.default is not made for it
      Given the queues:
        | queue  |
        | root.a |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      When the applications:
        | application | user |
        | app         | bob  |
      Then "app" is rejected because of not-placed
      And there is no queue.state decision

    Scenario: a root.default that is a parent is not usable
      Given the queues:
        | queue          |
        | root.default.a |
      And the placement rules:
        | rule |
        | user |
      When the applications:
        | application | user |
        | app         | bob  |
      Then "app" is rejected because of not-placed

    Scenario: a draining root.default is not usable
      Given the queues:
        | queue        |
        | root.default |
        | root.a       |
      And the placement rules:
        | rule |
        | user |
      And the applications:
        | application | user |
        | holds-it    | bob  |
      When the queues:
        | queue  |
        | root.a |
      And the applications:
        | application | user |
        | app         | bob  |
      Then "app" is rejected because of not-placed

    Scenario: root.default is closed to strangers too
      Given the queues:
        | queue        | submitacl |
        | root.default | alice     |
      And the placement rules:
        | rule |
        | user |
      When the applications:
        | application | user |
        | app         | bob  |
      Then "app" is rejected because of access-denied

    Scenario: without rules nothing goes to root.default by itself
      When the applications:
        | application | user |
        | app         | bob  |
      Then "app" is rejected because of no-queue

  Rule: the reason is access-denied if some queue lacked nothing but access

    Scenario: one of several
      Given the queues:
        | queue  | submitacl |
        | root.a | alice     |
      And the placement rules:
        | rule  | value |
        | fixed | a     |
        | user  |       |
      When the applications:
        | application | user |
        | app         | bob  |
      Then "app" is rejected because of access-denied

    Scenario: not if all lacked something else
      Given the queues:
        | queue  | submitacl |
        | root.a | alice     |
      And the placement rules:
        | rule |
        | user |
      When the applications:
        | application | user |
        | app         | bob  |
      Then "app" is rejected because of not-placed

  Rule: later checks reject an application, and no other rule is tried

    Background:
      Given the queues:
        | queue     |
        | root.rest |
      And the placement rules:
        | rule  | value | create |
        | user  |       | yes    |
        | fixed | rest  |        |

    Scenario: a quota that cannot be read
      When the applications:
        | application | user | tags                         |
        | app         | bob  | namespace.resourcequota=many |
      Then "app" is rejected because of bad-tag

    Scenario: a rejected application makes no queue
      When the applications:
        | application | user | tags                         |
        | app         | bob  | namespace.resourcequota=many |
      Then there is no queue.state decision

    Scenario: an application with an ID that is taken makes no queue
      Given an application "app" in root.rest
      When the applications:
        | application | user |
        | app         | bob  |
      Then the decisions are:
        | type         | id  | reason    |
        | app.rejected | app | duplicate |
`;export{e as default};