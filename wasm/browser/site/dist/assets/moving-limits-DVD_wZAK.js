var e=`Feature: Moving an application where limits bound users and groups

  Rule: every limit of the new queue must hold with the usage of the application

    Background:
      Given the queues:
        | queue      |
        | root.a     |
        | root.user  |
        | root.group |
        | root.users |
        | root.both  |
      And the limits:
        | queue      | users | groups | max     | maxapplications |
        | root.user  | bob   |        | 2 vcore |                 |
        | root.group |       | dev    | 2 vcore |                 |
        | root.users | bob   |        |         | 1               |
        | root.both  |       | dev    |         | 1               |
      And a node "n1" with 100 vcore
      And the asks:
        | ask   | queue      | user  | groups | resources |
        | app   | root.a     | bob   | dev    | 3 vcore   |
        | users | root.users | bob   | none   | 1 vcore   |
        | both  | root.both  | alice | dev    | 1 vcore   |

    Scenario Outline: <queue> is refused because of <reason>
      When application "app" is moved to <queue>
      Then the app.move of "app" is ignored because of <reason>
      And the queues show:
        | queue  | used    | applications |
        | root.a | 3 vcore | 1            |

      Examples:
        | queue      | reason                 |
        | root.user  | user-limit             |
        | root.group | group-limit            |
        | root.users | user-max-applications  |
        | root.both  | group-max-applications |

    Scenario: it counts for the group that the limits of its new queue name
      Given the limits:
        | queue      | groups | max      |
        | root.a     | dev    | 50 vcore |
        | root.group | ops    | 50 vcore |
        | root.group | *      | 50 vcore |
      When application "app" is moved to root.group
      Then the applications show:
        | application | group |
        | app         | *     |

  Rule: a limit that counts the application already does not bar its move

    Scenario: limits that it shares already do not bar it, however far they are passed
      Given the queues:
        | queue    |
        | root.p.a |
        | root.p.b |
      And the limits:
        | queue  | users | groups | max     | maxapplications |
        | root.p | bob   |        | 8 vcore | 2               |
        | root.p |       | dev    | 8 vcore | 2               |
      And a node "n1" with 9 vcore
      And the asks:
        | ask   | queue    | user | groups | resources |
        | app   | root.p.a | bob  | dev    | 4 vcore   |
        | other | root.p.a | bob  | dev    | 4 vcore   |
      And the cycle runs
      And the limits:
        | queue  | users | groups | max     | maxapplications |
        | root.p | bob   |        | 2 vcore | 1               |
        | root.p |       | dev    | 2 vcore | 1               |
      When application "app" is moved to root.p.b
      Then the app.moved decisions are:
        | id  | to       |
        | app | root.p.b |

    Scenario Outline: a limit above both queues bars it where it comes to count for another group: <reason>
      Given the queues:
        | queue    |
        | root.p.a |
        | root.p.b |
      And the limits:
        | queue    | groups | max     | maxapplications |
        | root.p   | dev    | 8 vcore | 8               |
        | root.p   | ops    | <max>   | <places>        |
        | root.p.b | ops    | <max>   | <places>        |
      And a node "n1" with 9 vcore
      And the asks:
        | ask   | queue    | user  | groups   | resources |
        | app   | root.p.a | bob   | dev, ops | 4 vcore   |
        | other | root.p.a | alice | ops      | 1 vcore   |
      When application "app" is moved to root.p.b
      Then the app.move of "app" is ignored because of <reason>

      Examples:
        | max     | places | reason                 |
        | 4 vcore | 2      | group-limit            |
        | 5 vcore | 1      | group-max-applications |
`;export{e as default};