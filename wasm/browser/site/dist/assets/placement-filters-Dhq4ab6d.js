var e=`Feature: Filters of placement rules

  A filter restricts a placement rule to some users and groups. It is checked first; a rule does not match if its filter bars the user.

  Rule: "allow" is for the users and groups that are listed, "deny" for all others

    Scenario Outline: <filter>, users <users>, groups <groups>: <user> of the groups <of> is placed in <queue>
      Given the queues:
        | queue     |
        | root.a    |
        | root.rest |
      And the placement rules:
        | rule  | value | filter   | users   | groups   |
        | fixed | a     | <filter> | <users> | <groups> |
        | fixed | rest  |          |         |          |
      When the applications:
        | application | user   | groups |
        | app         | <user> | <of>   |
      Then the app.accepted decisions are:
        | id  | queue        |
        | app | root.<queue> |

      Examples: allow
        | filter | users      | groups   | user  | of      | queue |
        | allow  | alice, bob | none     | bob   | none    | a     |
        | allow  | alice, bob | none     | erin  | none    | rest  |
        | allow  | none       | dev, ops | erin  | qa, ops | a     |
        | allow  | none       | dev, ops | dev   | none    | rest  |
        | allow  | alice      | ops      | erin  | ops     | a     |
        | allow  | alice      | ops      | alice | none    | a     |

      Examples: deny
        | filter | users      | groups   | user  | of   | queue |
        | deny   | alice, bob | none     | bob   | none | rest  |
        | deny   | alice, bob | none     | erin  | none | a     |
        | deny   | none       | dev, ops | erin  | ops  | rest  |
        | deny   | alice      | ops      | alice | qa   | rest  |
        | deny   | alice      | ops      | erin  | qa   | a     |

      Examples: names count with case
        | filter | users | groups | user  | of   | queue |
        | allow  | alice | none   | Alice | none | rest  |
        | allow  | none  | ops    | erin  | Ops  | rest  |

    Scenario: a filter of type allow without names lets all pass
      Given the queues:
        | queue  |
        | root.a |
      When the placement rules:
        | rule  | value | filter |
        | fixed | a     | allow  |
      And the applications:
        | application | user |
        | app         | erin |
      Then the configuration is accepted
      And the app.accepted decisions are:
        | id  | queue  |
        | app | root.a |

    Scenario: a filter of type deny without names bars all users, with a warning
      Given the queues:
        | queue     |
        | root.a    |
        | root.rest |
      When the placement rules:
        | rule  | value | filter |
        | fixed | a     | deny   |
        | fixed | rest  |        |
      And the applications:
        | application | user |
        | app         | erin |
      Then the configuration is accepted with the warnings:
        | queue     | key                           |
        | partition | placementrules[1].filter.type |
      And the app.accepted decisions are:
        | id  | queue     |
        | app | root.rest |

    Scenario: a filter without a type allows
      When the configuration:
        """yaml
        partitions:
        - name: default
          placementrules:
          - {name: fixed, value: a, filter: {users: [alice]}}
          queues: [{name: a}]
        """
      And the applications:
        | application | user  |
        | hers        | alice |
        | his         | bob   |
      Then the decisions include:
        | type         | id   | reason     |
        | app.accepted | hers |            |
        | app.rejected | his  | not-placed |

  Rule: a single entry with one of ^$*+?()[{}| is an expression, which may match anywhere

    Scenario Outline: users "<expression>": <user> is placed in <queue>
      Given the queues:
        | queue     |
        | root.a    |
        | root.rest |
      And the placement rules:
        | rule  | value | filter | users        |
        | fixed | a     | allow  | <expression> |
        | fixed | rest  |        |              |
      When the applications:
        | application | user   |
        | app         | <user> |
      Then the app.accepted decisions are:
        | id  | queue        |
        | app | root.<queue> |

      Examples:
        | expression | user     | queue |
        | ^svc-      | svc-etl  | a     |
        | ^svc-      | my-svc-1 | rest  |
        | svc+       | my-svcc1 | a     |
        | (?i)^svc   | SVC-etl  | a     |
        | ^svc       | SVC-etl  | rest  |
        | [0-9]{2}   | bob42    | a     |
        | ^a\\|^b     | bob      | a     |
        | a.c        | abc      | rest  |

    Scenario: a user name that ends in $ is an expression where it stands alone
      Given the queues:
        | queue     |
        | root.a    |
        | root.rest |
      And the placement rules:
        | rule  | value | filter | users |
        | fixed | a     | allow  | a$    |
        | fixed | rest  |        |       |
      When the applications:
        | application | user |
        | matched     | bba  |
        | named       | a$   |
      Then the app.accepted decisions are:
        | id      | queue     |
        | matched | root.a    |
        | named   | root.rest |

    Scenario: among several entries it is a name
      Given the queues:
        | queue     |
        | root.a    |
        | root.rest |
      And the placement rules:
        | rule  | value | filter | users   |
        | fixed | a     | allow  | a$, bob |
        | fixed | rest  |        |         |
      When the applications:
        | application | user |
        | other       | bba  |
        | named       | a$   |
      Then the app.accepted decisions are:
        | id    | queue     |
        | other | root.rest |
        | named | root.a    |

    Scenario: an expression for groups is held against each group alone
      Given the queues:
        | queue     |
        | root.a    |
        | root.rest |
      And the placement rules:
        | rule  | value | filter | groups |
        | fixed | a     | allow  | ^d.*s$ |
        | fixed | rest  |        |        |
      When the applications:
        | application | user | groups   |
        | two         | erin | dev, ops |
        | one         | erin | qa, devs |
      Then the app.accepted decisions are:
        | id  | queue     |
        | two | root.rest |
        | one | root.a    |

    Scenario: users may be an expression beside a list of groups
      Given the queues:
        | queue     |
        | root.a    |
        | root.rest |
      And the placement rules:
        | rule  | value | filter | users | groups   |
        | fixed | a     | deny   | ^svc- | dev, ops |
        | fixed | rest  |        |       |          |
      When the applications:
        | application | user  | groups |
        | service     | svc-1 | qa     |
        | developer   | erin  | dev    |
        | other       | erin  | qa     |
      Then the app.accepted decisions are:
        | id        | queue     |
        | service   | root.rest |
        | developer | root.rest |
        | other     | root.a    |
`;export{e as default};