Feature: Access to queues

  A queue's submitacl names the users and groups that may submit applications to it and to all queues below it; an adminacl
  names those that may also administer them.

  Rule: who is on neither list of the queue or of a queue above it may not submit

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
        | user  | groups     | queue         |
        | alice | none       | root.prod.web |
        | bob   | none       | root.prod.web |
        | erin  | sales      | root.prod.web |
        | carol | none       | root.prod.web |
        | erin  | dev, ops   | root.prod.web |
        | dave  | none       | root.prod.etl |
        | alice | none       | root.prod.etl |

    Scenario Outline: <user> of the groups <groups> may not submit to <queue>
      When the applications:
        | application | queue   | user   | groups   |
        | app         | <queue> | <user> | <groups> |
      Then "app" is rejected because of access-denied

      Examples:
        | user  | groups     | queue         |
        | erin  | none       | root.prod.web |
        | erin  | dev        | root.prod.web |
        | Alice | none       | root.prod.web |
        | erin  | Sales      | root.prod.web |
        | sales | none       | root.prod.web |
        | erin  | alice      | root.prod.web |
        | dave  | none       | root.prod.web |
        | alice | none       | root.test     |
