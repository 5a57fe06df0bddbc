Feature: What a configuration may say of limits

  Rule: a limit names users or groups, and bounds something

    Scenario Outline: <limit> is refused
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            limits:
            - <limit>
        """
      Then the configuration is refused with:
        | line | queue  | key   |
        | 6    | root.a | <key> |

      Examples: it names neither a user nor a group
        | limit                                       | key       |
        | {maxapplications: 1}                        | limits[1] |
        | {users: [], groups: [], maxapplications: 1} | limits[1] |

      Examples: it bounds nothing
        | limit                                                        | key                    |
        | {users: [bob]}                                               | limits[1]              |
        | {users: [bob], maxresources: {}}                             | limits[1]              |
        | {users: [bob], maxapplications: 0}                           | limits[1]              |
        | {users: [bob], maxresources: {vcore: 0}}                     | limits[1].maxresources |
        | {users: [bob], maxresources: {vcore: 0}, maxapplications: 1} | limits[1].maxresources |

      Examples: a value or a key is wrong
        | limit                                      | key                          |
        | {users: [bob], maxresources: {vcore: x}}   | limits[1].maxresources.vcore |
        | {users: [bob], maxapplications: -1}        | limits[1].maxapplications    |
        | {users: [bob], max: 1, maxapplications: 1} | limits[1].max                |

      Examples: a name is wrong
        | limit                                     | key                 |
        | {users: ["b b"], maxapplications: 1}      | limits[1].users[1]  |
        | {users: [bob, 1b], maxapplications: 1}    | limits[1].users[2]  |
        | {groups: ["dev ops"], maxapplications: 1} | limits[1].groups[1] |
        | {users: [bob, "*"], maxapplications: 1}   | limits[1].users[2]  |
        | {users: [bob, bob], maxapplications: 1}   | limits[1].users[2]  |

    Scenario Outline: <limit> is accepted
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            limits:
            - <limit>
        """
      Then the configuration is accepted

      Examples:
        | limit                                                                    |
        | {limit: a description, users: [bob], maxapplications: 1}                 |
        | {users: [bob], groups: [dev], maxresources: {vcore: 1}}                  |
        | {users: ["b.b@c:d/e#f$"], groups: ["a.b:c-d/e#f@g"], maxapplications: 1} |
        | {users: [bob], maxresources: {vcore: 0, memory: 1}}                      |
        | {users: [bob], maxresources: {}, maxapplications: 1}                     |
        | {users: ["*"], maxapplications: 1}                                       |

  Rule: a name stands once in a queue, and "*" in the last limit

    Scenario Outline: <case>
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            limits:
            - <first>
            - <second>
        """
      Then the configuration is refused with:
        | queue  | key   |
        | root.a | <key> |

      Examples:
        | case                                    | first                               | second                              | key                 |
        | a user twice                            | {users: [bob], maxapplications: 1}  | {users: [bob], maxapplications: 2}  | limits[2].users[1]  |
        | a group twice                           | {groups: [dev], maxapplications: 1} | {groups: [dev], maxapplications: 2} | limits[2].groups[1] |
        | a user after all users                  | {users: ["*"], maxapplications: 1}  | {users: [bob], maxapplications: 2}  | limits[1].users[1]  |
        | all groups without a named group before | {users: [bob], maxapplications: 1}  | {groups: ["*"], maxapplications: 2} | limits[2].groups[1] |

    Scenario Outline: <case>
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            limits:
            - <first>
            - <second>
        """
      Then the configuration is accepted

      Examples:
        | case                              | first                               | second                              |
        | a user and a group of one name    | {users: [dev], maxapplications: 1}  | {groups: [dev], maxapplications: 2} |
        | users that differ in case         | {users: [bob], maxapplications: 1}  | {users: [Bob], maxapplications: 2}  |
        | all users after a user            | {users: [bob], maxapplications: 1}  | {users: ["*"], maxapplications: 2}  |
        | all groups after a group          | {groups: [dev], maxapplications: 1} | {groups: ["*"], maxapplications: 2} |
        | a limit of groups after all users | {users: ["*"], maxapplications: 1}  | {groups: [dev], maxapplications: 2} |

  Rule: a limit is at most the max and the maxapplications of its queue

    Scenario Outline: <bound> is refused at <key>
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            maxapplications: 5
            resources: {max: {vcore: 4, nvidia.com/gpu: 0}}
            limits:
            - {users: [bob], <bound>}
        """
      Then the configuration is refused with:
        | line | queue  | key             |
        | 8    | root.a | limits[1].<key> |

      Examples:
        | bound                                       | key                         |
        | maxresources: {vcore: 5}                    | maxresources.vcore          |
        | maxapplications: 6                          | maxapplications             |
        | maxresources: {vcore: 1, nvidia.com/gpu: 1} | maxresources.nvidia.com/gpu |

    Scenario: it may reach that, and bound types that the queue leaves open
      When the queues:
        | queue  | max     | maxapplications |
        | root.a | 4 vcore | 5               |
      And the limits:
        | queue  | users | max                  | maxapplications |
        | root.a | bob   | 4 vcore, 64Gi memory | 5               |
      Then the configuration is accepted

  Rule: a limit is at most that of the same user or group in the nearest queue above that sets the type

    Background:
      Given the queues:
        | queue      |
        | root.a.b.c |

    Scenario Outline: below <above> for <user>, <below> for <user below> is <verdict>
      When the limits:
        | queue      | users        | max     |
        | root.a     | <user>       | <above> |
        | root.a.b.c | <user below> | <below> |
      Then the config.<verdict> decisions are:
        | type             |
        | config.<verdict> |

      Examples:
        | above   | user | user below | below    | verdict  |
        | 4 vcore | bob  | bob        | 4 vcore  | accepted |
        | 4 vcore | bob  | bob        | 5 vcore  | rejected |
        | 4 vcore | bob  | alice      | 5 vcore  | accepted |
        | 4 vcore | *    | bob        | 5 vcore  | rejected |
        | 4 vcore | *    | *          | 5 vcore  | rejected |
        | 4 vcore | bob  | *          | 5 vcore  | accepted |
        | 4 vcore | bob  | bob        | 5 memory | accepted |

    Scenario: the user's own limit above counts instead of that of all
      When the limits:
        | queue      | users | max     |
        | root.a     | bob   | 9 vcore |
        | root.a     | *     | 4 vcore |
        | root.a.b.c | bob   | 9 vcore |
      Then the configuration is accepted

    Scenario: each type is held against the nearest queue that bounds it
      When the limits:
        | queue      | users | max               |
        | root.a     | bob   | 4 vcore           |
        | root.a.b   | bob   | 9 memory          |
        | root.a.b.c | bob   | 5 vcore, 9 memory |
      Then the configuration is refused with:
        | queue      | key                          |
        | root.a.b.c | limits[1].maxresources.vcore |

    Scenario: groups are held against their own limit, by name
      When the limits:
        | queue      | groups | max     |
        | root.a     | dev    | 4 vcore |
        | root.a     | *      | 1 vcore |
        | root.a.b.c | qa     | 9 vcore |
        | root.a.b.c | dev    | 5 vcore |
      Then the configuration is refused with:
        | queue      | key                          |
        | root.a.b.c | limits[2].maxresources.vcore |

    Scenario: applications are held against those above
      When the limits:
        | queue      | users | maxapplications |
        | root.a     | bob   | 4               |
        | root.a.b.c | bob   | 5               |
      Then the configuration is refused with:
        | queue      | key                       |
        | root.a.b.c | limits[1].maxapplications |

    Scenario: zero applications, which is no bound, is valid everywhere
      When the limits:
        | queue      | users | maxapplications | max     |
        | root.a     | bob   | 4               |         |
        | root.a.b.c | bob   | 0               | 1 vcore |
      Then the configuration is accepted

  Rule: limits of the partition are those of root

    Scenario Outline: with <own> at root, they are <verdict>
      When the configuration:
        """yaml
        partitions:
        - name: default
          limits: [{users: [bob], maxresources: {vcore: 2}}]
          queues:
          - name: root
            limits: <own>
            queues: [{name: a}]
        """
      Then the config.<verdict> decisions are:
        | type             |
        | config.<verdict> |

      Examples:
        | own                                            | verdict  |
        | []                                             | accepted |
        | [{users: [bob], maxresources: {vcore: 2000m}}] | accepted |
        | [{users: [bob], maxresources: {vcore: 3}}]     | rejected |
        | [{users: [alice], maxresources: {vcore: 2}}]   | rejected |

    Scenario: a limit below is held against them
      When the configuration:
        """yaml
        partitions:
        - name: default
          limits: [{users: [bob], maxresources: {vcore: 2}}]
          queues:
          - name: a
            limits: [{users: [bob], maxresources: {vcore: 3}}]
        """
      Then the configuration is refused with:
        | line | queue  | key                          |
        | 6    | root.a | limits[1].maxresources.vcore |

    Scenario: an error in them is told of the partition
      When the configuration:
        """yaml
        partitions:
        - name: default
          limits: [{users: [bob]}]
          queues: [{name: a}]
        """
      Then the configuration is refused with:
        | line | queue     | key       |
        | 3    | partition | limits[1] |
