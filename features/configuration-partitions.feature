Feature: What a configuration may say of partitions, access and templates

  Rule: a partition has a name of its own, and is named "default" without one

    Scenario Outline: <names> are refused
      When the configuration:
        """yaml
        partitions:
        - name: <first>
          queues: [{name: a}]
        - name: <second>
          queues: [{name: a}]
        """
      Then the configuration is refused with:
        | line | queue     | key  |
        | 4    | partition | name |

      Examples:
        | names                         | first | second  |
        | two of one name               | gpu   | gpu     |
        | two that differ in case       | gpu   | GPU     |
        | one named default and one not | ""    | default |

    Scenario: one may be without a name
      When the configuration:
        """yaml
        partitions:
        - queues: [{name: a}]
        - name: gpu
          queues: [{name: a}]
        """
      And the nodes:
        | node | capacity | partition |
        | n1   | 1 vcore  | default   |
      Then the configuration is accepted
      And the nodes show:
        | node | partition |
        | n1   | none      |

    Scenario: errors outside the first partition name it before the queue
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues: [{name: a}]
        - name: gpu
          queues: [{name: a, properties: {priority.policy: wall}}]
        """
      Then the configuration is refused with:
        | line | queue       | key             |
        | 5    | [gpu]root.a | priority.policy |

    Scenario: warnings do too
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues: [{name: a}]
        - name: gpu
          queues: [{name: a, properties: {priority.offset: high}}]
        """
      Then the configuration is accepted with the warnings:
        | queue       | key             |
        | [gpu]root.a | priority.offset |

    Scenario: an error in one partition refuses the whole configuration
      Given a node "n1" with 1 vcore
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues: [{name: new}]
        - name: gpu
          queues: []
        """
      And an application "app" in root.new
      Then "app" is rejected because of unknown-queue

    Scenario Outline: the users and groups of a partition are resolved by <type>
      When the configuration:
        """yaml
        partitions:
        - name: default
          usergroupresolver: {type: "<type>"}
          queues: [{name: a}]
        """
      Then the configuration is accepted

      Examples:
        | type |
        |      |
        | none |
        | os   |
        | ldap |

    Scenario: any other resolver is refused
      When the configuration:
        """yaml
        partitions:
        - name: default
          usergroupresolver: {type: nis}
          queues: [{name: a}]
        """
      Then the configuration is refused with:
        | line | queue     | key                    |
        | 3    | partition | usergroupresolver.type |

  Rule: below root no queue is named @recovery@

    Scenario Outline: <queue> is <verdict>
      When the queues:
        | queue   |
        | <queue> |
      Then the config.<verdict> decisions are:
        | type             |
        | config.<verdict> |

      Examples:
        | queue             | verdict  |
        | root.@recovery@   | rejected |
        | root.@Recovery@   | rejected |
        | root.a.@recovery@ | accepted |

  Rule: an access list is "*", or valid users, one space and valid groups

    Scenario Outline: the list "<list>" is refused
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            <key>: "<list>"
        """
      Then the configuration is refused with:
        | line | queue  | key   |
        | 5    | root.a | <key> |

      Examples:
        | key       | list         |
        | submitacl | alice  ops   |
        | submitacl | alice, bob   |
        | submitacl | alice ops qa |
        | submitacl | alice,*      |
        | submitacl | alice ops,*  |
        | submitacl | 1alice       |
        | submitacl | alice,,bob   |
        | submitacl | alice dev$x  |
        | adminacl  | alice  ops   |
        | adminacl  | alice,*      |

    Scenario Outline: the list "<list>" is accepted
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            submitacl: "<list>"
            adminacl: "<list>"
        """
      Then the configuration is accepted

      Examples:
        | list                  |
        |                       |
        | *                     |
        | * *                   |
        | alice,bob             |
        | alice,bob ops,qa      |
        | a.b@c:d/e#f$ _g.h:i-j |

  Rule: a childtemplate is as sound as a queue

    Scenario Outline: <template> is refused at <key>
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: a
            parent: true
            childtemplate: <template>
          - name: b
        """
      Then the configuration is refused with:
        | line | queue  | key   |
        | 6    | root.a | <key> |

      Examples:
        | template                                               | key                                       |
        | {resources: {guaranteed: {vcore: 2}, max: {vcore: 1}}} | childtemplate.resources.guaranteed.vcore  |
        | {resources: {max: {vcore: many}}}                      | childtemplate.resources.max.vcore         |
        | {maxapplications: -1}                                  | childtemplate.maxapplications             |
        | {properties: {priority.policy: wall}}                  | childtemplate.properties.priority.policy  |
        | {properties: {priority.unknown: x}}                    | childtemplate.properties.priority.unknown |
        | {submitacl: "*"}                                       | childtemplate.submitacl                   |

    Scenario: it may guarantee more than the queue has
      When the queues:
        | queue  | parent | max     | guaranteed | template guaranteed | template max | template maxapplications | maxapplications |
        | root.a | true   | 2 vcore | 1 vcore    | 5 vcore             | 9 vcore      | 9                        | 1               |
        | root.b |        |         |            |                     |              |                          |                 |
      Then the configuration is accepted

    Scenario: on a leaf it has no effect, and is warned of
      When the queues:
        | queue  | template max |
        | root.a | 2 vcore      |
      Then the configuration is accepted with the warnings:
        | queue  | key           |
        | root.a | childtemplate |

    Scenario: a warning of a property names the template
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - {name: a, parent: true, childtemplate: {properties: {priority.offset: high}}}
          - {name: b}
        """
      Then the configuration is accepted with the warnings:
        | queue  | key                                      |
        | root.a | childtemplate.properties.priority.offset |
