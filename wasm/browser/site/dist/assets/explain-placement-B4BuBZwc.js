var e=`@explain
Feature: Where an application would go, and why it is where it is

  Rule: without rules an application goes to the queue that it names

    Background:
      Given the queues:
        | queue    | submitacl |
        | root.a   | alice     |
        | root.a.b |           |

    Scenario: or it is refused, with the reason
      Then applications would be placed like this:
        | user  | queue    | placed in | rule | tried | reason        |
        | alice | root.a.b | root.a.b  | none | none  | none          |
        | alice | ROOT.A.B | root.a.b  | none | none  | none          |
        | bob   | root.a.b | none      | none | none  | access-denied |
        | alice | root.x   | none      | none | none  | unknown-queue |
        | alice | root.a   | none      | none | none  | not-a-leaf    |

    Scenario: an unknown partition
      Then applications would be placed like this:
        | user  | queue    | partition | placed in | reason            |
        | alice | root.a.b | gpu       | none      | unknown-partition |

  Rule: with rules each one is told, up to the one that yields a queue

    Background:
      Given the queues:
        | queue       | submitacl | parent |
        | root.people | *         | yes    |
        | root.batch  | alice     |        |
      And the placement rules:
        | rule         | value       | create | filter | groups   |
        | tag          | namespace   | true   | deny   | students |
        | parent fixed | root.people |        |        |          |
        | provided     |             |        |        |          |
        | user         |             | true   |        |          |
        | parent fixed | root.people |        |        |          |

    Scenario: what each rule makes, and why it does not match
      Then applications would be placed like this:
        | user  | groups   | queue      | tags           | placed in        | rule | tried                                                                         | creates          |
        | alice | none     | root.batch | namespace=team | root.people.team | 1    | 1 root.people.team                                                            | root.people.team |
        | alice | students | root.batch | namespace=team | root.batch       | 2    | 1 filter, 2 root.batch                                                        | none             |
        | bob   | students | root.batch | namespace=team | root.people.bob  | 3    | 1 filter, 2 root.batch no-access, 3 root.people.bob                           | root.people.bob  |
        | eve   | none     | root.none  |                | root.people.eve  | 3    | 1 no-name, 2 root.none absent, 3 root.people.eve                              | root.people.eve  |
        | a$    | none     | ""         |                | none             | none | 1 no-name, 2 no-name, 3 root.people.a$ bad-name, fallback root.default absent | none             |

    Scenario: asking makes no queue
      Then applications would be placed like this:
        | user | queue | placed in       |
        | bob  | ""    | root.people.bob |
      And there is no explanation of queue "root.people.bob"

    Scenario: a forced application goes to the recovery queue
      Then applications would be placed like this:
        | user | queue | tags                          | placed in       |
        | a$   | ""    | application.create.force=true | root.@recovery@ |

    Scenario: an application keeps what came of the rules
      When the applications:
        | application | user | groups   | queue      | tags           |
        | thesis      | bob  | students | root.batch | namespace=team |
      Then application "thesis" is explained by:
        | queue | root.people.bob                                     |
        | rule  | 3                                                   |
        | tried | 1 filter, 2 root.batch no-access, 3 root.people.bob |

    Scenario: rules that come later say nothing of it
      Given the applications:
        | application | user | queue |
        | early       | bob  | ""    |
      When the placement rules:
        | rule     | value |
        | provided |       |
      Then application "early" is explained by:
        | rule  | 3                                       |
        | tried | 1 no-name, 2 no-name, 3 root.people.bob |
      And applications would be placed like this:
        | user | queue           | placed in       | rule |
        | bob  | root.people.bob | root.people.bob | 1    |

    @snapshot
    Scenario: a restored scheduler knows it too
      Given the applications:
        | application | user | queue |
        | early       | bob  | ""    |
      When the scheduler is restored from a snapshot
      Then application "early" is explained by:
        | rule  | 3                                       |
        | tried | 1 no-name, 2 no-name, 3 root.people.bob |

  Rule: a dynamic queue tells whose child template it has

    Background:
      Given the queues:
        | queue         | parent | template max |
        | root.top      | yes    | 4 vcore      |
        | root.top.near | yes    | 2 vcore      |
        | root.bare     | yes    |              |
      And the placement rules:
        | rule     | create |
        | provided | true   |

    Scenario Outline: <leaf>
      When an application "app" in <leaf>
      Then queue "<leaf>" is explained by:
        | dynamic  | yes        |
        | template | <template> |

      Examples:
        | leaf            | template      |
        | root.top.x      | root.top      |
        | root.top.x.y    | root.top      |
        | root.top.near.x | root.top.near |
        | root.bare.x     | none          |

    Scenario: dynamic parents and configured queues have none
      When an application "app" in root.top.x.y
      Then queue "root.top.x" is explained by:
        | dynamic  | yes  |
        | template | none |
      And queue "root.top" is explained by:
        | dynamic  | no   |
        | template | none |
`;export{e as default};