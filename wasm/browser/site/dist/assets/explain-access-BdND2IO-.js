var e=`@explain @queries
Feature: What a user may do in a queue

  Rule: the entry that lets a user in is named, of the nearest queue that has one

    Background:
      Given the queues:
        | queue         | submitacl   | adminacl  |
        | root.prod     | alice sales | carol ops |
        | root.prod.etl | dave        |           |
        | root.open     | *           |           |

    Scenario: users and groups, to submit and to administer
      Then users may do this:
        | queue         | user  | groups     | submit                          | admin                        |
        | root.prod     | alice | none       | root.prod submitacl alice       | none                         |
        | root.prod.etl | alice | none       | root.prod submitacl alice       | none                         |
        | root.prod.etl | dave  | none       | root.prod.etl submitacl dave    | none                         |
        | root.prod     | dave  | none       | none                            | none                         |
        | root.prod.etl | erin  | dev, sales | root.prod submitacl group sales | none                         |
        | root.prod.etl | carol | none       | root.prod adminacl carol        | root.prod adminacl carol     |
        | root.prod     | erin  | ops        | root.prod adminacl group ops    | root.prod adminacl group ops |
        | root.open     | erin  | none       | root.open submitacl *           | none                         |

    Scenario: names count with case
      Then users may do this:
        | queue     | user  | submit |
        | root.prod | Alice | none   |

    Scenario: an empty list admits no users
      When the queues:
        | queue         | submitacl |
        | root.prod     | alice     |
        | root.prod.etl |           |
      Then users may do this:
        | queue         | user | submit |
        | root.prod.etl | dave | none   |

  Rule: where no queue has a list, all users may do everything

    Scenario: submit and administer
      Given the queues:
        | queue  |
        | root.a |
      Then users may do this:
        | queue  | user | submit | admin |
        | root.a | bob  | open   | open  |
        | root   |      | open   | open  |

    Scenario: until one queue has one
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      When the queues:
        | queue  | adminacl |
        | root.a |          |
        | root.b | carol    |
      Then users may do this:
        | queue  | user  | submit                | admin                 |
        | root.a | bob   | none                  | none                  |
        | root.a | carol | none                  | none                  |
        | root.b | carol | root.b adminacl carol | root.b adminacl carol |
`;export{e as default};