Feature: Moving an application where queues are dynamic or closed

  Rule: a move goes to a queue by its name; placement rules have no say in it

    Scenario: placement rules have no say in a move
      Given the queues:
        | queue    |
        | root.a   |
        | root.bob |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And the applications:
        | application | queue  | user |
        | app         | root.a | bob  |
      When application "app" is moved to root.c
      Then the app.move of "app" is ignored because of unknown-queue

    Scenario: no application moves to the recovery queue
      Given the applications:
        | application | queue        | tags                          |
        | app         | root.x       | application.create.force=true |
        | other       | root.default |                               |
      When application "other" is moved to root.@recovery@
      Then the app.move of "other" is ignored because of unknown-queue

    Scenario: an application stays in its partition
      Given the queues:
        | queue  |
        | root.a |
        | root.m |
      And the queues of partition "gpu":
        | queue  |
        | root.a |
        | root.g |
      And the applications:
        | application | queue  | partition |
        | train       | root.a | gpu       |
      When application "train" is moved to root.m
      Then the app.move of "train" is ignored because of unknown-queue
      When application "train" is moved to root.g
      Then the app.moved decisions are:
        | id    | to     |
        | train | root.g |

  Rule: access is checked again

    Scenario: a queue that is closed to the user is closed to the move
      Given the queues:
        | queue  | submitacl |
        | root.a | bob       |
        | root.b | alice     |
        | root.c | " ops"    |
      And the applications:
        | application | queue  | user | groups |
        | app         | root.a | bob  | ops    |
      When application "app" is moved to root.b
      Then the app.move of "app" is ignored because of access-denied
      When application "app" is moved to root.c
      Then the app.moved decisions are:
        | id  | to     |
        | app | root.c |

  Rule: dynamic queues end when the last application moves away, not when it moves in

    Scenario: a dynamic queue after 10 seconds
      Given the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "app" in root.x
      When application "app" is moved to root.default
      And 9s pass
      Then there is no queue.state decision
      When 1s passes
      Then the queue.state decisions are:
        | queue  | to      | reason |
        | root.x | stopped | empty  |

    Scenario: a dynamic queue that an application moves to stays
      Given the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "first" in root.x
      And application "first" is removed
      And an application "app" in root.default
      And 5s pass
      When application "app" is moved to root.x
      And 60s pass
      Then there is no queue.state decision

    Scenario: its tags set no quota of the dynamic queue that it moves to
      Given the queues:
        | queue  |
        | root.a |
      And the placement rules:
        | rule     | create |
        | provided | yes    |
      And an application "first" in root.x
      And the applications:
        | application | queue  | tags                                |
        | app         | root.a | namespace.resourcequota={"vcore":4} |
      When application "app" is moved to root.x
      Then the queues show:
        | queue  | max     |
        | root.x | nothing |
