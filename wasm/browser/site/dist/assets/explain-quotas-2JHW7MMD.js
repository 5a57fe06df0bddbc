var e=`@explain
Feature: When a queue over its max releases resources, and what another max would take

  Rule: a queue over its max says by how much, and when its round is due

    Background:
      Given preemption by quota is on
      And the queues:
        | queue      | max      | quota.preemption.delay |
        | root.apps  | 10 vcore | 1m                     |
        | root.other |          |                        |
      And a node "n1" with 20 vcore
      And "w1" asks in root.apps for 4 vcore
      And "w2" asks in root.apps for 4 vcore

    Scenario: within the max there is none
      Then queue "root.apps" is explained by:
        | excess    | nothing |
        | round due | none    |
        | no round  | none    |

    Scenario: a lowered max, the delay after it came
      Given 10s pass
      When the queues:
        | queue      | max     | quota.preemption.delay |
        | root.apps  | 5 vcore | 1m                     |
        | root.other |         |                        |
      Then queue "root.apps" is explained by:
        | excess    | 3 vcore |
        | round due | 1m10s   |
        | no round  | none    |
      When 5s pass
      And the queues:
        | queue      | max     | quota.preemption.delay |
        | root.apps  | 4 vcore | 30s                    |
        | root.other |         |                        |
      Then queue "root.apps" is explained by:
        | excess    | 4 vcore |
        | round due | 40s     |

    Scenario: no delay is in force
      When the queues:
        | queue      | max     |
        | root.apps  | 5 vcore |
        | root.other |         |
      Then queue "root.apps" is explained by:
        | excess    | 3 vcore  |
        | round due | none     |
        | no round  | no-delay |

    Scenario: preemption by quota is off
      When preemption by quota is off
      And the queues:
        | queue      | max     | quota.preemption.delay |
        | root.apps  | 5 vcore | 1m                     |
        | root.other |         |                        |
      Then queue "root.apps" is explained by:
        | excess    | 3 vcore      |
        | round due | none         |
        | no round  | switched-off |

    Scenario: nothing more may go
      When the queues:
        | queue      | max     | guaranteed | quota.preemption.delay |
        | root.apps  | 5 vcore | 5 vcore    | 1m                     |
        | root.other |         |            |                        |
      And 1m passes
      Then no allocation is preempted
      And queue "root.apps" is explained by:
        | excess    | 3 vcore       |
        | round due | none          |
        | no round  | no-candidates |

  @queries
  Rule: what another max would take is told without taking it

    Background:
      Given preemption by quota is on
      And the queues:
        | queue           | max      | guaranteed | quota.preemption.delay |
        | root.apps       | 20 vcore |            | 1m                     |
        | root.apps.web   |          | 2 vcore    |                        |
        | root.apps.batch |          |            |                        |
      And a node "n1" with 20 vcore
      And "w1" asks in root.apps.web for 2 vcore
      And "b1" asks in root.apps.batch for 2 vcore
      And "b2" asks in root.apps.batch for 2 vcore with priority 5
      And "b3" asks in root.apps.batch for 2 vcore

    Scenario: the lowest priority first, of these the youngest
      Then a max of 5 vcore for queue "root.apps" would be explained by:
        | excess  | 3 vcore |
        | victims | b1, b3  |
        | stays   | nothing |
        | reason  | none    |
        | delay   | 1m      |
      And no allocation is preempted

    Scenario: what is guaranteed stays
      Then a max of 1 vcore for queue "root.apps" would be explained by:
        | excess  | 7 vcore    |
        | victims | b2, b1, b3 |
        | stays   | 1 vcore    |

    Scenario: a max that is wide enough takes nothing
      Then a max of 8 vcore for queue "root.apps" would be explained by:
        | excess  | nothing |
        | victims | none    |

    Scenario: a type that is left out is not bounded
      Then a max of 1 memory for queue "root.apps" would be explained by:
        | excess | nothing |

    Scenario: what it says comes true
      When the queues:
        | queue           | max     | guaranteed | quota.preemption.delay |
        | root.apps       | 5 vcore |            | 1m                     |
        | root.apps.web   |         | 2 vcore    |                        |
        | root.apps.batch |         |            |                        |
      And 1m passes
      Then the quota of root.apps preempts "b1" and "b3"

    Scenario Outline: <queue> would not release it, and what it would release otherwise
      When preemption by quota is <switch>
      Then a max of 1 vcore for queue "<queue>" would be explained by:
        | reason  | <reason>  |
        | victims | <victims> |

      Examples:
        | queue     | switch | reason       | victims    |
        | root.apps | off    | switched-off | b2, b1, b3 |
        | root      | on     | root         | b2, b1, b3 |
`;export{e as default};