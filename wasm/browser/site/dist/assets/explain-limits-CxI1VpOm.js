var e=`@explain
Feature: What holds an ask within its limits, and what is used of them

  Rule: an ask names each limit that bars it, and what is missing there

    Background:
      Given the queues:
        | queue    |
        | root.a   |
        | root.a.x |
      And a node "n1" with 100 vcore, 100 memory

    Scenario: of a user, in the queue that has the limit
      Given the limits:
        | queue  | users | max               |
        | root.a | bob   | 4 vcore, 9 memory |
      And "first" asks in root.a.x as user "bob" for 3 vcore, 1 memory
      When "more" asks in root.a.x as user "bob" for 2 vcore, 1 memory
      Then ask "more" is explained by:
        | reasons | user-limit              |
        | limits  | root.a user bob 1 vcore |
        | lacks   | none                    |
        | fits    | 1                       |

    Scenario: all of them, the leaf first, and a user before the group
      Given the limits:
        | queue    | users | groups | max     |
        | root.a.x | bob   |        | 2 vcore |
        | root.a   | bob   | ops    | 3 vcore |
      And the asks:
        | ask   | queue    | user | groups | resources |
        | first | root.a.x | bob  | ops    | 1 vcore   |
      When the asks:
        | ask  | queue    | user | groups | resources |
        | more | root.a.x | bob  | ops    | 5 vcore   |
      Then ask "more" is explained by:
        | reasons | user-limit, group-limit                                                      |
        | limits  | root.a.x user bob 4 vcore, root.a user bob 3 vcore, root.a group ops 3 vcore |

    Scenario: an application that may not start names the limit of applications
      Given the limits:
        | queue  | groups | maxapplications |
        | root.a | ops    | 1               |
      And the asks:
        | ask   | queue    | user | groups | resources |
        | first | root.a.x | bob  | ops    | 1 vcore   |
      When the asks:
        | ask    | queue    | user | groups | resources |
        | second | root.a.x | eve  | ops    | 1 vcore   |
      Then ask "second" is explained by:
        | reasons | group-max-applications        |
        | limits  | root.a group ops applications |
      And application "second" is explained by:
        | reasons     | group-max-applications        |
        | limits      | root.a group ops applications |
        | group       | ops                           |
        | has a place | no                            |
        | place       | 1                             |
      And application "first" is explained by:
        | has a place | yes |
        | place       | 0   |
        | group       | ops |

    Scenario: usage that falls is seen at once
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 4 vcore |
      And "first" asks in root.a.x as user "bob" for 3 vcore
      And "more" asks in root.a.x as user "bob" for 4 vcore
      And the scheduler is stepped by hand
      When "first" is released
      Then ask "more" is explained by:
        | reasons | not-scheduled-yet |
        | limits  | none              |

  Rule: usage is listed wherever a limit holds for a live application

    Background:
      Given the queues:
        | queue    |
        | root.a   |
        | root.a.x |
        | root.b   |
      And a node "n1" with 100 vcore, 100 memory

    Scenario: by queue, users before groups, by name
      Given the limits:
        | queue    | users | groups | max     | maxapplications |
        | root.a   | *     |        | 8 vcore |                 |
        | root.a   |       | ops    | 9 vcore | 5               |
        | root.a.x | bob   |        |         | 2               |
      When the asks:
        | ask | queue    | user | groups | resources         |
        | b1  | root.a.x | bob  | ops    | 1 vcore, 2 memory |
        | e1  | root.a.x | eve  | ops    | 3 vcore           |
        | e2  | root.b   | eve  | ops    | 5 vcore           |
      Then limits are used like this:
        | queue    | user | group | used              | max     | applications | maxapplications |
        | root.a   | bob  |       | 1 vcore, 2 memory | 8 vcore | 1            | 0               |
        | root.a   | eve  |       | 3 vcore           | 8 vcore | 1            | 0               |
        | root.a   |      | ops   | 4 vcore, 2 memory | 9 vcore | 2            | 5               |
        | root.a.x | bob  |       | 1 vcore, 2 memory | nothing | 1            | 2               |

    Scenario: an application that waits is there, with nothing used
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 1 vcore |
      When "much" asks in root.a.x as user "bob" for 2 vcore
      Then limits are used like this:
        | queue  | user | used    | max     | applications |
        | root.a | bob  | nothing | 1 vcore | 0            |

    Scenario: with the last application the user is gone
      Given the limits:
        | queue  | users    | max     |
        | root.a | bob, eve | 2 vcore |
      And "only" asks in root.a.x as user "bob" for 1 vcore
      And "other" asks in root.a.x as user "eve" for 2 vcore
      When application "only" is removed
      Then limits are used like this:
        | queue  | user | used    |
        | root.a | eve  | 2 vcore |

    Scenario: a limit that comes counts what is there
      Given "there" asks in root.a.x as user "bob" for 3 vcore
      When the limits:
        | queue  | users | max     |
        | root.a | bob   | 1 vcore |
      Then limits are used like this:
        | queue  | user | used    | max     |
        | root.a | bob  | 3 vcore | 1 vcore |

    Scenario: placeholders count
      Given the limits:
        | queue  | users | max     |
        | root.b | bob   | 4 vcore |
      When the applications:
        | application | queue  | user | placeholders |
        | job         | root.b | bob  | 2 vcore      |
      And "job" asks placeholders "h1" and "h2" of group "w" for 1 vcore
      Then limits are used like this:
        | queue  | user | used    | applications |
        | root.b | bob  | 2 vcore | 1            |

    @snapshot
    Scenario: a restored scheduler lists the same
      Given the limits:
        | queue  | users | groups | max     |
        | root.a | *     | ops    | 4 vcore |
      And the asks:
        | ask | queue    | user | groups | resources |
        | b1  | root.a.x | bob  | ops    | 1 vcore   |
      When the scheduler is restored from a snapshot
      Then limits are used like this:
        | queue  | user | group | used    |
        | root.a | bob  |       | 1 vcore |
        | root.a |      | ops   | 1 vcore |
`;export{e as default};