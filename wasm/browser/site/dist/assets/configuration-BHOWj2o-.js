var e=`Feature: What a configuration may say

  Each error names the file, the line, the queue and the key.

  Rule: limits of a tree must agree with one another

    Scenario Outline: <case>
      When the queues:
        | queue    | guaranteed   | max     |
        | root.a   | <guaranteed> | <max>   |
        | root.a.x |              |         |
        | root.a.y | <y has>      | <y may> |
        | root.a.z | <z has>      |         |
      Then the configuration is refused with:
        | queue   |
        | <queue> |

      Examples:
        | case                                                   | guaranteed | max      | y has   | y may   | z has    | queue    |
        | a queue is guaranteed more than its max                |            |          | 3 vcore | 2 vcore |          | root.a.y |
        | a child may have more than its parent                  |            | 2 vcore  |         | 3 vcore |          | root.a.y |
        | the children are guaranteed more than their parent     | 4 vcore    |          | 3 vcore |         | 2 vcore  | root.a   |
        | the children are guaranteed more than their parent's max|            | 4 vcore  | 3 vcore |         | 2 vcore  | root.a   |
        | a child is guaranteed more than its parent's max       |            | 4 vcore  | 5 vcore |         |          | root.a   |
        | an explicit zero above forbids any guarantee below     |            | 0 memory |         |         | 1 memory | root.a   |

    Scenario Outline: <case>
      When the queues:
        | queue    | guaranteed   | max     |
        | root.a   | <guaranteed> | <max>   |
        | root.a.y | <y has>      | <y may> |
        | root.a.z | <z has>      |         |
      Then the configuration is accepted

      Examples:
        | case                                          | guaranteed | max     | y has      | y may   | z has     |
        | a guarantee may reach the max                 |            |         | 2 vcore    | 2 vcore |           |
        | a child may have what its parent may have     |            | 3 vcore |            | 3 vcore |           |
        | the children share all that is guaranteed above | 5 vcore    |         | 3 vcore    |         | 2 vcore   |
        | a type that the parent does not set is free   | 1 memory   |         | 9 vcore    |         | 9 vcore   |
        | the maxima of children may add up to more     |            | 3 vcore | 1 vcore    | 3 vcore | 1 vcore   |
        | half a core and half a core make one          | 1 vcore    |         | 500m vcore |         | 0.5 vcore |

    Scenario: a max is held against the nearest ancestor that sets the type
      When the queues:
        | queue      | max               |
        | root.a     | 2 vcore           |
        | root.a.b   | 9 memory          |
        | root.a.b.c | 3 vcore, 9 memory |
      Then the configuration is refused with:
        | queue      |
        | root.a.b.c |

    Scenario: a guarantee counts above a level that sets nothing
      When the queues:
        | queue      | guaranteed |
        | root.a     | 4 vcore    |
        | root.a.b   |            |
        | root.a.b.x | 3 vcore    |
        | root.a.b.y | 2 vcore    |
      Then the configuration is refused with:
        | queue  |
        | root.a |

    Scenario Outline: maxapplications <parent> above <child> is <verdict>
      When the queues:
        | queue      | maxapplications |
        | root.a     | <parent>        |
        | root.a.b   |                 |
        | root.a.b.c | <child>         |
      Then the config.<verdict> decisions are:
        | type             |
        | config.<verdict> |

      Examples:
        | parent | child | verdict  |
        | 2      | 2     | accepted |
        | 2      | 0     | accepted |
        | 0      | 9     | accepted |
        | 2      | 3     | rejected |

    Scenario: the bounds of children may add up to more than their parent's
      When the queues:
        | queue    | maxapplications |
        | root.a   | 3               |
        | root.a.b | 2               |
        | root.a.c | 3               |
      Then the configuration is accepted

  Rule: names of queues

    Scenario Outline: <name> is <verdict>
      When the queues:
        | queue       |
        | root.<name> |
      Then the config.<verdict> decisions are:
        | type             |
        | config.<verdict> |

      Examples:
        | name                                                              | verdict  |
        | a                                                                 | accepted |
        | Team_1:x#/@-                                                      | accepted |
        | 1234567890123456789012345678901234567890123456789012345678901234  | accepted |
        | 12345678901234567890123456789012345678901234567890123456789012345 | rejected |
        | a b                                                               | rejected |
        | ä                                                                 | rejected |
        | a!                                                                | rejected |

    Scenario: siblings that differ only in case are duplicates
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: root
            queues:
            - name: team
            - name: Team
        """
      Then the configuration is refused with:
        | line | key  |
        | 7    | name |

    Scenario: cousins may share a name
      When the queues:
        | queue                     |
        | root.companyA.development |
        | root.companyA.production  |
        | root.companyB.development |
      Then the configuration is accepted
      And the queues show:
        | queue                     | leaf |
        | root.companya             | no   |
        | root.companya.development | yes  |
        | root.companyb.development | yes  |

  Rule: values outside an enumeration are errors, in any case of letters

    Scenario Outline: <property> may not be <value>
      When the queues:
        | queue  | property <property> |
        | root.a | <value>             |
      Then the configuration is refused with:
        | queue  | key        |
        | root.a | <property> |

      Examples:
        | property                  | value   |
        | application.sort.policy   | lottery |
        | application.sort.policy   | ""      |
        | application.sort.priority | yes     |
        | application.sort.priority | ""      |
        | priority.policy           | wall    |
        | priority.policy           | ""      |
        | preemption.policy         | off     |
        | preemption.intra-queue    | yes     |
        | application.srot.policy   | fifo    |
        | priority.offsets          | 5       |
        | preemption.dealy          | 5s      |
        | queue.sort                | fair    |
        | reservation.dealy         | 5s      |
        | quota.max                 | 5       |

    Scenario Outline: <property> may be <value>
      When the queues:
        | queue  | property <property> |
        | root.a | <value>             |
      Then the configuration is accepted

      Examples:
        | property                  | value      |
        | application.sort.policy   | FIFO       |
        | application.sort.policy   | Fair       |
        | application.sort.policy   | stateAware |
        | application.sort.priority | Disabled   |
        | priority.policy           | FENCE      |
        | priority.policy           | default    |
        | priority.offset           | ""         |
        | preemption.policy         | disabled   |
        | preemption.intra-queue    | enabled    |
        | preemption.delay          | 5s         |
        | team.cost-centre          | 4711       |

    Scenario Outline: nodes cannot be sorted <how>
      When the configuration:
        """yaml
        partitions:
        - name: default
          nodesortpolicy:
            type: <policy>
            resourceweights: {vcore: <vcore>, memory: <memory>}
          queues:
          - name: root
            queues:
            - name: a
        """
      Then the configuration is refused with:
        | line   |
        | <line> |

      Examples:
        | how                     | policy | vcore | memory | line |
        | by an unknown policy    | chance | 1     | 1      | 4    |
        | with a negative weight  | fair   | 1     | -1     | 5    |
        | with weights all zero   | fair   | 0     | 0      | 5    |
        | with a word as a weight | fair   | heavy | 1      | 5    |

  Rule: a wrong offset or delay is no error but a warning, and the default holds

    Scenario Outline: <property> of "<value>" is warned of
      When the queues:
        | queue  | <property> |
        | root.a | <value>    |
      Then the configuration is accepted with the warnings:
        | queue  | key        |
        | root.a | <property> |

      Examples:
        | property         | value       |
        | priority.offset  | five        |
        | priority.offset  | 0x10        |
        | priority.offset  | 2147483648  |
        | priority.offset  | 1000000001  |
        | priority.offset  | -1000000001 |
        | preemption.delay | soon        |
        | preemption.delay | 0s          |
        | preemption.delay | -5s         |

    Scenario: one billion is not yet beyond
      When the queues:
        | queue  | priority.offset |
        | root.a | 1000000000      |
        | root.b | -1000000000     |
      Then the configuration is accepted

    Scenario: offsets that add up beyond one billion are warned of where they do
      When the queues:
        | queue    | priority.offset |
        | root.a   | 1000000000      |
        | root.a.b | 1000000000      |
        | root.c   | -600000000      |
        | root.c.d | -600000000      |
        | root.c.e | 600000000       |
      Then the configuration is accepted with the warnings:
        | queue    | key             |
        | root.a.b | priority.offset |
        | root.c.d | priority.offset |

    Scenario: an offset inside a fence does not count above it, and that of the fence does
      When the queues:
        | queue    | priority.policy | priority.offset |
        | root.a   | fence           | 1000000000      |
        | root.a.b |                 | 1000000000      |
        | root.c   |                 | 1000000000      |
        | root.c.d | fence           | 1000000000      |
      Then the configuration is accepted with the warnings:
        | queue    | key             |
        | root.c.d | priority.offset |

    Scenario Outline: reservation.delay of "<value>" on root is warned of
      When the queues:
        | queue  | reservation.delay |
        | root   | <value>           |
        | root.a |                   |
      Then the configuration is accepted with the warnings:
        | queue | key               |
        | root  | reservation.delay |

      Examples:
        | value |
        | later |
        | -2s   |

    Scenario: on root, priority policy and offset are silent
      When the queues:
        | queue  | priority.policy | priority.offset |
        | root   | fence           | 1000            |
        | root.a |                 |                 |
      Then the configuration is accepted

  Rule: a tree without a leaf is valid, and warned of

    Scenario Outline: <case>
      When the configuration:
        """yaml
        partitions:
        - queues:
          - name: root
            queues: <queues>
        """
      Then the configuration is accepted with the warnings:
        | queue | key    |
        | root  | queues |

      Examples:
        | case                     | queues                                         |
        | root alone               | []                                             |
        | a parent without a child | [{name: a, parent: true}]                      |
        | parents all the way down | [{name: a, queues: [{name: b, parent: true}]}] |

  Rule: a known property without a value is unset; an empty text is a value, and wrong where words are expected

    Scenario Outline: <property> without a value
      When the configuration:
        """yaml
        partitions:
        - queues:
          - name: a
            properties:
              <property>:
        """
      Then the configuration is accepted

      Examples:
        | property                  |
        | application.sort.policy   |
        | application.sort.priority |
        | priority.policy           |
        | priority.offset           |
        | preemption.policy         |
        | preemption.delay          |
        | preemption.intra-queue    |
        | quota.preemption.delay    |

    Scenario Outline: an empty text as <property>
      When the configuration:
        """yaml
        partitions:
        - queues:
          - name: a
            properties: {<property>: ""}
        """
      Then the configuration is refused with:
        | line | queue  | key        |
        | 4    | root.a | <property> |

      Examples:
        | property                |
        | application.sort.policy |
        | priority.policy         |
        | preemption.policy       |

  Rule: what is unknown or not yet built is refused by name

    Scenario Outline: <what>
      When the configuration:
        """yaml
        partitions:
        - name: default
          <partition>
          queues:
          - name: root
            queues:
            - name: a
              <queue>
        """
      Then the configuration is refused with:
        | line   | key   |
        | <line> | <key> |

      Examples:
        | what                           | partition                      | queue                               | line | key            |
        | an unknown key of a partition  | colour: red                    | maxapplications: 1                  | 3    | colour         |
        | an unknown key of a queue      | limits: []                     | maxaplications: 1                   | 8    | maxaplications |
        | a limit that bounds nothing    | limits: []                     | limits: [{limit: x, users: [u]}]    | 8    | limits[1]      |

    Scenario Outline: <what> is accepted
      When the configuration:
        """yaml
        partitions:
        - name: default
          <partition>
          queues:
          - name: root
            queues:
            - name: a
              <queue>
            - name: b
        <last>
        """
      Then the configuration is accepted

      Examples:
        | what                             | partition                    | queue                                              | last           |
        | a checksum that a tool added     | limits: []                   | maxapplications: 1                                 | checksum: 4AF1 |
        | preemption switched off          | preemption: {enabled: false} | maxapplications: 1                                 |                |
        | preemption only observed         | preemption: {observe: true}  | maxapplications: 1                                 |                |
        | an empty list of placement rules | placementrules: []           | maxapplications: 1                                 |                |
        | a back-off that is not needed    | limits: []                   | properties: {application.unschedasks.backoff: "3"} |                |
        | a parent without children        | limits: []                   | parent: true                                       |                |

    Scenario: a single queue with every property of sorting and priority at its default
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: root
            queues:
            - name: default
              properties:
                application.sort.policy: fifo
                application.sort.priority: enabled
                priority.policy: default
                priority.offset: "0"
        """
      Then the configuration is accepted
      And the queues show:
        | queue        | sort |
        | root.default | fifo |

    Scenario: root is added where the list does not begin with it
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: prod
          - name: test
        """
      Then the configuration is accepted
      And the queues show:
        | queue     | leaf |
        | root      | no   |
        | root.prod | yes  |
        | root.test | yes  |

    Scenario: a key that stands twice is an error
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: root
            queues:
            - name: a
              maxapplications: 1
              maxapplications: 2
        """
      Then the configuration is refused with:
        | line | key             |
        | 8    | maxapplications |

    Scenario: an access list of a star is accepted
      When the queues:
        | queue  | submitacl | adminacl |
        | root.a | "*"       | "*"      |
      Then the configuration is accepted

    Scenario: all errors of a text are told at once, in its order
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: root
            queues:
            - name: a
              maxapplications: many
              properties:
                priority.policy: wall
            - name: b
              resources:
                max: {vcore: -1}
        """
      Then the configuration is refused with:
        | line | queue  | key             |
        | 7    | root.a | maxapplications |
        | 9    | root.a | priority.policy |
        | 12   | root.b |                 |

    Scenario: text that is no YAML is refused
      When the configuration:
        """yaml
        partitions:
        - name: [
        """
      Then there is no config.accepted decision
      And the config.rejected decisions are:
        | type            |
        | config.rejected |

  Rule: TOML says the same

    Scenario: a tree in TOML
      When the configuration:
        """toml
        [[partitions]]
        name = "default"

        [[partitions.queues]]
        name = "root"

        [[partitions.queues.queues]]
        name = "prod"
        maxapplications = 7
        resources.max = { vcore = "2", memory = "1Gi" }
        properties = { "priority.offset" = "5" }
        """
      And "a" asks in root.prod for 1 vcore
      Then the configuration is accepted
      And the queues show:
        | queue     | max                        | maxapplications | priority |
        | root.prod | 2 vcore, 1073741824 memory | 7               | 5        |

    Scenario: a property's name holds dots and must be quoted
      When the configuration:
        """toml
        [[partitions]]
        name = "default"

        [[partitions.queues]]
        name = "root"

        [[partitions.queues.queues]]
        name = "prod"

        [partitions.queues.queues.properties]
        priority.offset = "5"
        """
      Then the configuration is refused with:
        | line | queue     |
        | 11   | root.prod |

  Rule: a refused configuration changes nothing

    Scenario: the queues, their limits and their applications stay as they were
      Given the queues:
        | queue  | max     |
        | root.a | 1 vcore |
        | root.b |         |
      And a node "n1" with 10 vcore
      And "a" asks in root.a for 1 vcore
      When the queues:
        | queue  | max     | priority.policy |
        | root.a | 5 vcore |                 |
        | root.c |         | wall            |
      And "a" asks "more" for 1 vcore
      Then the configuration is refused with:
        | queue  | key             |
        | root.c | priority.policy |
      And "more" waits
      And the queues show:
        | queue  | max     | state  |
        | root.a | 1 vcore | active |
        | root.b |         | active |
      And queue "root.c" is gone
`;export{e as default};