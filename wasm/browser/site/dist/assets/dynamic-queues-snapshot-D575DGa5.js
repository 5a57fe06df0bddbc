var e=`@snapshot
Feature: A snapshot keeps dynamic queues

  Background:
    Given the queues:
      | queue    | parent | template max | submitacl |
      | root     |        |              | *         |
      | root.dev | true   | 2 vcore      |           |
    And the placement rules:
      | rule     | create |
      | provided | yes    |
    And a node "n1" with 9 vcore

  Scenario: the queues and the settings of their template
    Given an application "app" in root.dev.x.y
    When the scheduler is restored from a snapshot
    Then nothing is decided
    And the queues show:
      | queue        | dynamic | leaf | max     |
      | root.dev.x   | yes     | no   | nothing |
      | root.dev.x.y | yes     | yes  | 2 vcore |

  Scenario: the quota that tags have set
    Given the applications:
      | application | queue      | tags                                                             |
      | app         | root.dev.x | namespace.resourcequota={"vcore":4}, namespace.resourcemaxapps=3 |
    When the scheduler is restored from a snapshot
    Then the queues show:
      | queue      | max     | maxapplications |
      | root.dev.x | 4 vcore | 3               |

  Scenario: tags go before a template that a later reload brings
    Given the applications:
      | application | queue      | tags                                |
      | app         | root.dev.x | namespace.resourcequota={"vcore":4} |
    And the scheduler is restored from a snapshot
    When the queues:
      | queue    | parent | template max |
      | root.dev | true   | 3 vcore      |
    Then the queues show:
      | queue      | max     |
      | root.dev.x | 4 vcore |

  Scenario: since when a queue is empty
    Given an application "app" in root.dev.x
    And application "app" is removed
    And 6s pass
    When the scheduler is restored from a snapshot
    And 3s pass
    Then nothing is decided
    When 1s passes
    Then the queue.state decisions are:
      | queue      | to      | reason |
      | root.dev.x | stopped | empty  |

  Scenario: the recovery queue and its applications
    Given the applications:
      | application | queue | tags                          |
      | app         | ""    | application.create.force=true |
    And "app" asks "one" for 3 vcore
    When the scheduler is restored from a snapshot
    Then the queues show:
      | queue           | dynamic | used    | sort |
      | root.@recovery@ | yes     | 3 vcore | fifo |
    When "app" asks "two" for 3 vcore
    Then "two" is allocated

  Scenario: a dynamic queue below a draining parent
    Given an application "app" in root.dev.x
    And the queues:
      | queue        |
      | root.default |
    When the scheduler is restored from a snapshot
    Then the queues show:
      | queue      | state    | dynamic |
      | root.dev   | draining | no      |
      | root.dev.x | draining | yes     |
    When application "app" is removed
    Then the queue.state decisions are:
      | queue      | to      |
      | root.dev.x | stopped |
      | root.dev   | stopped |

  Scenario: the rules and the access lists
    Given the queues:
      | queue    | parent | submitacl |
      | root.dev | true   | alice     |
    When the scheduler is restored from a snapshot
    And the applications:
      | application | queue      | user  |
      | hers        | root.dev.x | alice |
      | his         | root.dev.x | bob   |
    Then the decisions include:
      | type         | id   | queue      | reason        |
      | app.accepted | hers | root.dev.x |               |
      | app.rejected | his  |            | access-denied |
`;export{e as default};