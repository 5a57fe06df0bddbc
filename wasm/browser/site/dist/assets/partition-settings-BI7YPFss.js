var e=`Feature: Rules, access and limits of partitions

  Rule: placement rules, access lists and limits of one partition say nothing in another

    Scenario: each has its own placement rules
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And the placement rules of partition "gpu":
        | rule | create |
        | user | yes    |
      When the applications:
        | application | queue  | user | partition |
        | main        | root.a | bob  |           |
        | train       | root.a | bob  | gpu       |
      Then the decisions are:
        | type         | id    | queue    | partition |
        | app.accepted | main  | root.a   | none      |
        | queue.state  |       | root.bob | gpu       |
        | app.accepted | train | root.bob | gpu       |

    Scenario: the lists of one partition close no other partition
      Given the queues:
        | queue  | submitacl |
        | root.a | alice     |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      When the applications:
        | application | queue  | user | partition |
        | main        | root.a | erin |           |
        | gpu         | root.a | erin | gpu       |
      Then the decisions are:
        | type         | id   | reason        | partition |
        | app.rejected | main | access-denied | none      |
        | app.accepted | gpu  |               | gpu       |

    Scenario: each has its own limits and counts its own usage
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      And the limits of partition "gpu":
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      And the nodes:
        | node | capacity | partition |
        | n1   | 9 vcore  |           |
        | g1   | 9 vcore  | gpu       |
      When the asks:
        | ask   | queue  | user | resources | partition |
        | main  | root.a | bob  | 9 vcore   |           |
        | train | root.a | bob  | 2 vcore   | gpu       |
        | more  | root.a | bob  | 1 vcore   | gpu       |
      Then "main" and "train" are allocated
      And "more" waits

  Rule: decisions of dynamic queues name their partition

    Scenario: a dynamic queue and a draining one name their partition when they end
      Given the queues:
        | queue  |
        | root.a |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
        | root.b |
      And the placement rules of partition "gpu":
        | rule     | create |
        | provided | yes    |
      And the applications:
        | application | queue  | partition |
        | dynamic     | root.x | gpu       |
        | draining    | root.b | gpu       |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
      When application "draining" is removed
      And application "dynamic" is removed
      And 10s pass
      Then the queue.state decisions are:
        | queue  | from     | to      | partition |
        | root.b | draining | stopped | gpu       |
        | root.x | active   | stopped | gpu       |
      And queue "[gpu]root.x" is gone
`;export{e as default};