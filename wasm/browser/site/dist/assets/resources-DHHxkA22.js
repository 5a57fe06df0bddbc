var e=`Feature: Resources

  A resource is a set of named amounts. vcore is counted in milli-cores, memory in bytes, everything else in units.

  Rule: quantities are written as in Kubernetes, and a plain number of vcore means cores

    Scenario Outline: "<written>" in a max
      Given the queues:
        | queue  | max       |
        | root.a | <written> |
      Then the queues show:
        | queue  | max      |
        | root.a | <stored> |

      Examples:
        | written          | stored             |
        | 4 vcore          | 4000m vcore        |
        | 500m vcore       | 500m vcore         |
        | 1.5 vcore        | 1500m vcore        |
        | 0.001 vcore      | 1m vcore           |
        | 1k vcore         | 1000000m vcore     |
        | 64Gi memory      | 68719476736 memory |
        | 1.5Gi memory     | 1610612736 memory  |
        | 10G memory       | 10000000000 memory |
        | 1e3 memory       | 1000 memory        |
        | 2000m memory     | 2 memory           |
        | 8 nvidia.com/gpu | 8 nvidia.com/gpu   |

    Scenario Outline: <what> is no quantity of <type>
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: root
            queues:
            - name: a
              resources:
                max: {<type>: "<written>"}
        """
      Then the configuration is refused with:
        | line | queue  | found     |
        | 8    | root.a | <written> |

      Examples:
        | what                            | type   | written              |
        | a fraction of a milli-core      | vcore  | 0.0005               |
        | half a byte                     | memory | 0.5                  |
        | a byte and a half, in thousands | memory | 1500m                |
        | less than nothing               | memory | -1                   |
        | an unknown suffix               | memory | 4X                   |
        | two numbers                     | vcore  | 1 2                  |
        | more than 63 bits               | memory | 9223372036854775808  |
        | 63 bits of bytes in Ei          | memory | 8Ei                  |
        | more than 63 bits of milli      | vcore  | 9223372036854775.808 |

  Rule: a type that is missing means something else in each place

    Scenario: missing in a max, it is unlimited
      Given the queues:
        | queue  | max     |
        | root.a | 1 vcore |
      And a node "n1" with 2 vcore, 10 memory
      When "all-memory" asks in root.a for 1 vcore, 10 memory
      Then "all-memory" is allocated on "n1"

    Scenario: an explicit zero in a max forbids the type, and only that
      Given the queues:
        | queue  | max              |
        | root.a | 0 nvidia.com/gpu |
      And a node "n1" with 4 vcore, 4 nvidia.com/gpu
      When "gpu" asks in root.a for 1 vcore, 1 nvidia.com/gpu
      And "plain" asks in root.a for 1 vcore
      Then "gpu" waits
      And "plain" is allocated

    Scenario: missing on a node, there is none
      Given a node "n1" with 4 vcore
      And no node has "nvidia.com/gpu"
      When "gpu" asks in root.default for 1 vcore, 1 nvidia.com/gpu
      Then "gpu" waits

    Scenario: missing in an ask, it does not matter how little the node has of it
      Given a node "n1" with 4 vcore, 1 nvidia.com/gpu
      And "gpu" asks in root.default for 1 vcore, 1 nvidia.com/gpu
      When "plain" asks in root.default for 3 vcore
      Then "plain" is allocated on "n1"

    Scenario: missing in a guaranteed, nothing is guaranteed and the share is one of the cluster
      Given the queues:
        | queue  | guaranteed |
        | root.a | 2 vcore    |
      And a node "n1" with 10 vcore, 100 memory
      When "a" asks in root.a for 1 vcore, 60 memory
      Then the queues show:
        | queue  | fair share |
        | root.a | 60 %       |

  Rule: an ask asks for something

    Scenario Outline: an ask for <resources> is rejected
      Given an application "app" in root.default
      When "app" asks "a" for <resources>
      Then "a" is rejected because of no-resources
      And application "app" is New

      Examples:
        | resources         |
        | nothing           |
        | 0 vcore           |
        | 0 vcore, 0 memory |

    Scenario: zero of one type beside some of another is an ask
      Given a node "n1" with 1 vcore
      When "a" asks in root.default for 1 vcore, 0 memory
      Then "a" is allocated on "n1"

  Rule: arithmetic saturates and never wraps

    Scenario: two nodes of the largest size make a cluster of the largest size
      Given a node "n1" with 9223372036854775807 memory
      When a node "n2" with 9223372036854775807 memory
      Then the queues show:
        | queue | max                        |
        | root  | 9223372036854775807 memory |

    Scenario: what is pending stays at the limit
      When "a", "b" ask in root.default for 9223372036854775807 memory
      Then the queues show:
        | queue        | pending                    | asks |
        | root.default | 9223372036854775807 memory | 2    |
        | root         | 9223372036854775807 memory | 2    |

    Scenario: an ask of the largest size fits once, not twice
      Given a node "n1" with 9223372036854775807 memory
      When a node "n2" with 9223372036854775807 memory
      And "a", "b" ask in root.default for 9223372036854775807 memory
      Then "a" is allocated
      And "b" waits
      And the queues show:
        | queue | used                       | headroom |
        | root  | 9223372036854775807 memory | 0 memory |

  Rule: root has what its nodes have, and nothing is configured for it

    Scenario: root's max follows nodes that come, change and go
      Given a node "n1" with 4 vcore
      And a node "n2" with 2 vcore, 8 memory
      Then the queues show:
        | queue | max               |
        | root  | 6 vcore, 8 memory |
      When node "n1" is updated with capacity 5 vcore
      Then the queues show:
        | queue | max               |
        | root  | 7 vcore, 8 memory |
      When node "n1" is removed
      Then the queues show:
        | queue | max               |
        | root  | 2 vcore, 8 memory |

    Scenario: a drained node still counts
      Given a node "n1" with 4 vcore
      When node "n1" is drained
      Then the queues show:
        | queue | max     |
        | root  | 4 vcore |

    Scenario Outline: <kind> of root is an error
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues:
          - name: root
            resources:
              <kind>: {vcore: 1}
            queues:
            - name: a
        """
      Then the configuration is refused with:
        | queue |
        | root  |

      Examples:
        | kind       |
        | guaranteed |
        | max        |

    Scenario: what no node has can be asked for and waits
      Given a node "n1" with 4 vcore
      And no node has "unobtainium"
      When "a" asks in root.default for 1 unobtainium
      Then "a" waits
      When node "n1" is updated with capacity 4 vcore, 1 unobtainium
      Then "a" is allocated on "n1"
`;export{e as default};