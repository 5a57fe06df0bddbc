Feature: Walltimes of gangs

  A member of a gang that is asked to leave at its promised end is lost to its gang. Placeholders promise an end only if they say so.

  Rule: members that are asked to leave break their gang

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And a node "n1" with 4 vcore
      And an application "train" in root.a

    Scenario: one member ends before the others
      Given the asks:
        | ask | application | resources | gang | gang min | walltime |
        | w1  | train       | 1 vcore   | g    | 2        | 10m      |
        | w2  | train       | 1 vcore   | g    | 2        | 20m      |
      When 10m pass
      Then the decisions are:
        | type              | id | gang | allocated | min | reason   |
        | walltime.exceeded | w1 |      |           |     | walltime |
        | gang.broken       |    | g    | 1         | 2   | timeout  |

    Scenario: a gang with a repair of 0s ends as a whole
      Given the asks:
        | ask | application | resources | gang | gang min | walltime | gang repair |
        | w1  | train       | 1 vcore   | g    | 2        | 10m      | 0s          |
        | w2  | train       | 1 vcore   | g    | 2        | 20m      | 0s          |
      When 10m pass
      Then the decisions are:
        | type              | id | gang | reason   |
        | walltime.exceeded | w1 |      | walltime |
        | gang.broken       |    | g    | timeout  |
        | gang.ended        |    | g    |          |

    Scenario: ends of one instant count together
      Given the asks:
        | ask | application | resources | gang | gang min | walltime | count |
        | w   | train       | 1 vcore   | g    | 3        | 10m      | 3     |
      When 10m pass
      Then the decisions are:
        | type              | id  |
        | walltime.exceeded | w-1 |
        | walltime.exceeded | w-2 |
        | walltime.exceeded | w-3 |

    Scenario: a member beyond the minimum breaks nothing
      Given the asks:
        | ask | application | resources | gang | gang min | walltime |
        | w1  | train       | 1 vcore   | g    | 2        | 1h       |
        | w2  | train       | 1 vcore   | g    | 2        | 1h       |
        | w3  | train       | 1 vcore   | g    | 2        | 10m      |
      When 10m pass
      Then the decisions are:
        | type              | id |
        | walltime.exceeded | w3 |

  Rule: placeholders and their tasks

    Background:
      Given the queues:
        | queue  | walltime.default |
        | root.a | 10m              |
      And a node "n1" with 4 vcore
      And a gang "train" in root.a with placeholders for 1 vcore and a timeout of 10h

    Scenario: a placeholder without a walltime promises no end
      When "train" asks placeholder "hold" of group "g" for 1 vcore
      Then the asks show:
        | ask  | node | walltime | ends |
        | hold | n1   | none     | none |

    Scenario: a placeholder may promise one
      Given the asks:
        | ask  | application | resources | task group | placeholder | walltime |
        | hold | train       | 1 vcore   | g          | yes         | 3m       |
      When 3m pass
      Then the walltime.exceeded decisions are:
        | id   |
        | hold |

    Scenario: the task that replaces it counts from its own allocation
      Given "train" asks placeholder "hold" of group "g" for 1 vcore
      And 4m pass
      And "train" asks "task" of group "g" for 1 vcore
      And 1m passes
      When "hold" is released
      Then the asks show:
        | ask  | node | walltime | ends |
        | task | n1   | 10m      | 15m  |
