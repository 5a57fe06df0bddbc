Feature: What a configuration may say of placement rules

  Each error names the file, the line, the place and the key; rules count from 1.

  Rule: a rule is of a known kind, and has the keys that its kind needs

    Scenario Outline: <rule> is refused at <key>
      When the configuration:
        """yaml
        partitions:
        - name: default
          placementrules:
          - {name: provided}
          - <rule>
          queues: [{name: a}]
        """
      Then the configuration is refused with:
        | line | queue     | key   |
        | 5    | partition | <key> |

      Examples: its name
        | rule            | key                    |
        | {name: lottery} | placementrules[2].name |
        | {create: true}  | placementrules[2].name |

      Examples: its value
        | rule                                                                                                   | key                     |
        | {name: tag}                                                                                            | placementrules[2].value |
        | {name: fixed, create: true}                                                                            | placementrules[2].value |
        | {name: tag, value: ""}                                                                                 | placementrules[2].value |
        | {name: fixed, value: "a b", create: true}                                                              | placementrules[2].value |
        | {name: fixed, value: a..b, create: true}                                                               | placementrules[2].value |
        | {name: fixed, value: x12345678901234567890123456789012345678901234567890123456789012345, create: true} | placementrules[2].value |

      Examples: its parent
        | rule                                                                             | key                                   |
        | {name: user, create: true, parent: {name: lottery}}                              | placementrules[2].parent.name         |
        | {name: user, create: true, parent: {name: tag}}                                  | placementrules[2].parent.value        |
        | {name: user, create: true, parent: {name: user, parent: {name: tag}}}            | placementrules[2].parent.parent.value |
        | {name: fixed, value: root.x.y, create: true, parent: {name: user, create: true}} | placementrules[2].parent              |

      Examples: an unknown key
        | rule                       | key                      |
        | {name: user, queue: a}     | placementrules[2].queue  |
        | {name: user, create: many} | placementrules[2].create |

    Scenario Outline: <rule> is accepted
      When the configuration:
        """yaml
        partitions:
        - name: default
          placementrules:
          - <rule>
          queues: [{name: a}]
        """
      Then the configuration is accepted

      Examples:
        | rule                                                                    |
        | {name: provided}                                                        |
        | {name: User, create: true}                                              |
        | {name: TAG, value: Name.Space}                                          |
        | {name: fixed, value: A}                                                 |
        | {name: fixed, value: root.a}                                            |
        | {name: fixed, value: x.y, create: true}                                 |
        | {name: user, create: true, parent: {name: tag, value: t, create: true}} |

    Scenario Outline: a value has no effect on a rule by <kind>, and is warned of
      When the configuration:
        """yaml
        partitions:
        - name: default
          placementrules:
          - {name: <kind>, value: x}
          queues: [{name: a}]
        """
      Then the configuration is accepted with the warnings:
        | queue     | key                     |
        | partition | placementrules[1].value |

      Examples:
        | kind     |
        | provided |
        | user     |

  Rule: a fixed rule that may not create names a configured leaf

    Background:
      Given the queues:
        | queue      | parent |
        | root.dev.a |        |
        | root.lab   | true   |

    Scenario Outline: the value <value> is refused
      When the placement rules:
        | rule  | value   |
        | fixed | <value> |
      Then the configuration is refused with:
        | queue     | key                     |
        | partition | placementrules[1].value |

      Examples:
        | value    |
        | absent   |
        | dev      |
        | lab      |
        | dev.b    |
        | dev.a.b  |
        | root.dev |

    Scenario Outline: the value <value> is accepted
      When the placement rules:
        | rule  | value   |
        | fixed | <value> |
      Then the configuration is accepted

      Examples:
        | value      |
        | dev.a      |
        | Dev.A      |
        | root.dev.a |

    Scenario: below a fixed parent rule the whole name counts
      When the placement rules:
        | rule         | value |
        | fixed        | a     |
        | parent fixed | dev   |
      Then the configuration is accepted
      When the placement rules:
        | rule         | value |
        | fixed        | b     |
        | parent fixed | dev   |
      Then the configuration is refused with:
        | queue     | key                     |
        | partition | placementrules[1].value |

    Scenario: below any other rule the queue is not known, so nothing is refused
      When the placement rules:
        | rule       | value     |
        | fixed      | absent    |
        | parent tag | namespace |
      Then the configuration is accepted

    Scenario: a parent rule names a configured parent
      When the placement rules:
        | rule         | value | create |
        | user         |       | yes    |
        | parent fixed | lab   |        |
      Then the configuration is accepted

    Scenario Outline: a parent rule that names <value> is refused
      When the placement rules:
        | rule         | value   | create |
        | user         |         | yes    |
        | parent fixed | <value> |        |
      Then the configuration is refused with:
        | queue     | key                            |
        | partition | placementrules[1].parent.value |

      Examples:
        | value  |
        | dev.a  |
        | absent |

  Rule: a fixed rule that may create needs no queue, and no leaf may be in its way

    Background:
      Given the queues:
        | queue      |
        | root.dev.a |

    Scenario Outline: the value <value> is <verdict>
      When the placement rules:
        | rule  | value   | create |
        | fixed | <value> | yes    |
      Then the config.<verdict> decisions are:
        | type             |
        | config.<verdict> |

      Examples:
        | value        | verdict  |
        | dev.a        | accepted |
        | dev.b        | accepted |
        | new.x.y      | accepted |
        | dev.a.b      | rejected |
        | dev          | rejected |
        | @recovery@   | rejected |
        | @recovery@.a | rejected |

    Scenario Outline: a parent rule of the value <value> is <verdict>
      When the placement rules:
        | rule         | value   | create |
        | user         |         | yes    |
        | parent fixed | <value> | yes    |
      Then the config.<verdict> decisions are:
        | type             |
        | config.<verdict> |

      Examples:
        | value | verdict  |
        | dev   | accepted |
        | new   | accepted |
        | dev.a | rejected |

  Rule: a filter allows or denies valid names, or one expression that compiles

    Scenario Outline: the filter <filter> is refused at <key>
      When the configuration:
        """yaml
        partitions:
        - name: default
          placementrules:
          - name: user
            create: true
            filter: <filter>
          queues: [{name: a}]
        """
      Then the configuration is refused with:
        | line | queue     | key                            |
        | 6    | partition | placementrules[1].filter.<key> |

      Examples:
        | filter                | key       |
        | {type: perhaps}       | type      |
        | {users: ["a b"]}      | users[1]  |
        | {users: [bob, 1abc]}  | users[2]  |
        | {users: ["*", bob]}   | users[1]  |
        | {users: ["(bob"]}     | users[1]  |
        | {groups: ["dev ops"]} | groups[1] |
        | {groups: ["[a"]}      | groups[1] |

    Scenario Outline: the filter <filter> is accepted
      When the configuration:
        """yaml
        partitions:
        - name: default
          placementrules:
          - name: user
            create: true
            filter: <filter>
          queues: [{name: a}]
        """
      Then the configuration is accepted

      Examples:
        | filter                                             |
        | {}                                                 |
        | {type: Deny, users: [bob]}                         |
        | {users: ["a.b@c:d/e#f$", _x], groups: ["a.b:c-d"]} |
        | {users: ["^(a\|b)+$"]}                             |
        | {users: [".*"], groups: ["dev-.*"]}                |
