var e=`Feature: Access to queues

  A queue's submitacl names the users and groups that may submit applications to it and to all queues below it; an adminacl
  names those that may also administer them.

  Rule: the lists of a queue and of all queues above it let users in, and no list keeps users out

    Background:
      Given the queues:
        | queue         | submitacl       | adminacl  |
        | root.prod     | alice,bob sales | carol ops |
        | root.prod.etl | dave            |           |
        | root.prod.web |                 |           |
        | root.test     |                 |           |

    Scenario Outline: <user> of the groups <groups> may submit to <queue>
      When the applications:
        | application | queue   | user   | groups   |
        | app         | <queue> | <user> | <groups> |
      Then the decisions are:
        | type         | id  | queue   |
        | app.accepted | app | <queue> |

      Examples:
        | user  | groups   | queue         |
        | alice | none     | root.prod.web |
        | bob   | none     | root.prod.web |
        | erin  | sales    | root.prod.web |
        | carol | none     | root.prod.web |
        | erin  | dev, ops | root.prod.web |
        | dave  | none     | root.prod.etl |
        | alice | none     | root.prod.etl |

    Scenario Outline: <user> of the groups <groups> may not submit to <queue>
      When the applications:
        | application | queue   | user   | groups   |
        | app         | <queue> | <user> | <groups> |
      Then "app" is rejected because of access-denied

      Examples:
        | user  | groups | queue         |
        | erin  | none   | root.prod.web |
        | erin  | dev    | root.prod.web |
        | sales | none   | root.prod.web |
        | erin  | alice  | root.prod.web |
        | dave  | none   | root.prod.web |
        | alice | none   | root.test     |

    Scenario Outline: names count with case: <user> of the group <groups> is a stranger
      When the applications:
        | application | queue         | user   | groups   |
        | app         | root.prod.web | <user> | <groups> |
      Then "app" is rejected because of access-denied

      Examples:
        | user  | groups |
        | Alice | none   |
        | erin  | Sales  |

    Scenario: an application without a user is a stranger
      When an application "app" in root.prod.web
      Then "app" is rejected because of access-denied

  Rule: a list is "*", or users, one space and groups

    Scenario Outline: the list "<list>" opens a queue to <user> of the group <groups>
      Given the queues:
        | queue  | submitacl |
        | root.a | "<list>"  |
      When the applications:
        | application | queue  | user   | groups   |
        | app         | root.a | <user> | <groups> |
      Then the decisions are:
        | type         | id  |
        | app.accepted | app |

      Examples:
        | list      | user     | groups |
        | *         | erin     | none   |
        | * ops     | erin     | none   |
        | alice *   | erin     | none   |
        | alice,bob | bob      | none   |
        | alice ops | erin     | ops    |
        | svc:a/b$  | svc:a/b$ | none   |

    Scenario: a list that begins with a space is one of groups alone
      Given the queues:
        | queue  | submitacl |
        | root.a | " ops"    |
      When the applications:
        | application | queue  | user | groups |
        | of-ops      | root.a | erin | ops    |
        | named-ops   | root.a | ops  | none   |
      Then the decisions are:
        | type         | id        | reason        |
        | app.accepted | of-ops    |               |
        | app.rejected | named-ops | access-denied |

  Rule: a partition in which no queue has a list is open to all

    Scenario: without lists every user may submit everywhere
      Given the queues:
        | queue  |
        | root.a |
      When the applications:
        | application | queue  | user |
        | app         | root.a | erin |
      Then the decisions are:
        | type         | id  |
        | app.accepted | app |

    Scenario: one list anywhere closes all queues that no list opens
      Given the queues:
        | queue  | submitacl |
        | root.a | alice     |
        | root.b |           |
      When the applications:
        | application | queue  | user |
        | app         | root.b | erin |
      Then "app" is rejected because of access-denied

    Scenario: an adminacl alone does so too
      Given the queues:
        | queue  | adminacl |
        | root.a | alice    |
        | root.b |          |
      When the applications:
        | application | queue  | user  |
        | hers        | root.a | alice |
        | other       | root.b | erin  |
      Then the decisions are:
        | type         | id    | reason        |
        | app.accepted | hers  |               |
        | app.rejected | other | access-denied |

    Scenario Outline: a list that is <empty> counts as a list
      Given the queues:
        | queue  | submitacl |
        | root.a | <list>    |
        | root.b |           |
      When the applications:
        | application | queue  | user |
        | a           | root.a | erin |
        | b           | root.b | erin |
      Then the app.rejected decisions are:
        | id | reason        |
        | a  | access-denied |
        | b  | access-denied |

      Examples:
        | empty   | list |
        | empty   | ""   |
        | a space | " "  |

    Scenario: a list of root opens all queues
      Given the queues:
        | queue    | submitacl |
        | root     | alice     |
        | root.a.x | bob       |
      When the applications:
        | application | queue    | user  |
        | app         | root.a.x | alice |
      Then the decisions are:
        | type         | id  |
        | app.accepted | app |

  Rule: a dynamic queue has no lists of its own, those above it count

    Background:
      Given the queues:
        | queue    | parent | submitacl |
        | root.dev | true   | alice     |
      And the placement rules:
        | rule     | create |
        | provided | yes    |

    Scenario: the list of its parent opens it
      When the applications:
        | application | queue        | user  |
        | app         | root.dev.x.y | alice |
      Then the app.accepted decisions are:
        | id  | queue        |
        | app | root.dev.x.y |

    Scenario: it is closed to all others, although it is there
      Given the applications:
        | application | queue      | user  |
        | hers        | root.dev.x | alice |
      When the applications:
        | application | queue      | user |
        | his         | root.dev.x | bob  |
      Then "his" is rejected because of access-denied

  Rule: access is checked when an application is submitted, and never again

    Background:
      Given the queues:
        | queue  | submitacl |
        | root.a | alice,bob |
      And a node "n1" with 4 vcore
      And the applications:
        | application | queue  | user |
        | bobs        | root.a | bob  |

    Scenario: an application goes on when a reload takes its user off the list
      When the queues:
        | queue  | submitacl |
        | root.a | alice     |
      And "bobs" asks "more" for 1 vcore
      Then "more" is allocated on "n1"

    Scenario: the next application of that user is refused
      When the queues:
        | queue  | submitacl |
        | root.a | alice     |
      And the applications:
        | application | queue  | user |
        | second      | root.a | bob  |
      Then "second" is rejected because of access-denied

    Scenario: a reload that puts a user on the list lets the next application in
      When the queues:
        | queue  | submitacl      |
        | root.a | alice,bob,erin |
      And the applications:
        | application | queue  | user |
        | app         | root.a | erin |
      Then the app.accepted decisions are:
        | id  | queue  |
        | app | root.a |

  Rule: other faults of the queue are told before access

    Scenario Outline: <queue> is <reason> for a stranger too
      Given the queues:
        | queue    | submitacl |
        | root.a.x | alice     |
      When the applications:
        | application | queue   | user |
        | app         | <queue> | erin |
      Then "app" is rejected because of <reason>

      Examples:
        | queue  | reason        |
        | root.b | unknown-queue |
        | root.a | not-a-leaf    |
`;export{e as default};