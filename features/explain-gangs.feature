@explain
Feature: How a gang stands, and what its asks wait for

  Rule: a member of an atomic gang tells how many fit beside one another, and what keeps the next one out

    Background:
      Given the queues:
        | queue  | max     |
        | root.a | 6 vcore |
        | root.b |         |

    Scenario: too few are pending
      Given a node "n1" with 10 vcore
      And an application "job" in root.a
      When "job" asks "j1" and "j2" in gang "g" of at least 3 for 1 vcore
      Then ask "j1" is explained by:
        | reasons      | gang-incomplete |
        | gang         | g               |
        | gang min     | 3               |
        | gang pending | 2               |
        | gang fits    | 0               |
        | gang barred  | none            |
        | gang ends    | 0s              |

    Scenario: a queue has no room for all of them
      Given a node "n1" with 10 vcore
      And an application "job" in root.a
      When "job" asks "j1", "j2" and "j3" in gang "g" of at least 3 for 3 vcore
      Then ask "j1" is explained by:
        | reasons      | gang-does-not-fit |
        | lacks        | none              |
        | gang pending | 3                 |
        | gang fits    | 2                 |
        | gang barred  | j3                |
        | gang lacks   | root.a 3 vcore    |
        | gang nodes   | none              |

    Scenario: the nodes have no room for all of them
      Given a node "n1" with 3 vcore
      And a node "n2" with 1 vcore
      And an application "job" in root.b
      When "job" asks "j1" and "j2" in gang "g" of at least 2 for 2 vcore
      Then ask "j2" is explained by:
        | reasons     | gang-does-not-fit               |
        | gang fits   | 1                               |
        | gang barred | j2                              |
        | gang lacks  | none                            |
        | gang nodes  | 1 too-small vcore, 1 full vcore |

    Scenario: a limit has no room for all of them
      Given the limits:
        | queue  | users | max     |
        | root.b | bob   | 3 vcore |
      And a node "n1" with 10 vcore
      When the asks:
        | ask | application | queue  | user | resources | gang | gang min | gang timeout |
        | j1  | job         | root.b | bob  | 2 vcore   | g    | 2        | 5m           |
        | j2  | job         | root.b | bob  | 2 vcore   | g    | 2        | 5m           |
      Then ask "j1" is explained by:
        | reasons     | gang-does-not-fit       |
        | limits      | none                    |
        | gang fits   | 1                       |
        | gang barred | j2                      |
        | gang limits | root.b user bob 1 vcore |
        | gang ends   | 5m                      |

    Scenario: once placed, its other members wait by themselves
      Given a node "n1" with 4 vcore
      And an application "job" in root.b
      When "job" asks "j1", "j2" and "j3" in gang "g" of at least 2 for 2 vcore
      Then "j1" and "j2" are allocated
      And ask "j3" is explained by:
        | reasons | headroom, no-node-fits |
        | gang    | none                   |

    Scenario: members that have succeeded are not waited for
      Given a node "n1" with 4 vcore
      And an application "job" in root.a
      And "job" asks "j1", "j2" and "j3" in gang "g" of at least 3 for 1 vcore
      And the cycle runs
      And "j1" is released
      And "j2" and "j3" fail
      When "job" asks "j4" in gang "g" of at least 3 for 1 vcore
      Then ask "j4" is explained by:
        | reasons        | gang-incomplete |
        | gang min       | 2               |
        | gang succeeded | 1               |
        | gang pending   | 1               |

    Scenario: after the fallback there is no gang any more
      Given a node "n1" with 2 vcore
      And an application "job" in root.a
      When the asks:
        | ask | application | resources | gang | gang min | gang timeout | gang fallback |
        | j1  | job         | 3 vcore   | g    | 2        | 10s          | members       |
      Then ask "j1" is explained by:
        | gang      | g   |
        | gang ends | 10s |
      When 10s pass
      Then ask "j1" is explained by:
        | gang    | none                   |
        | reasons | headroom, no-node-fits |

  Rule: a task of a gang tells what it has to do with the placeholders

    Background:
      Given the queues:
        | queue  | max     |
        | root.a | 4 vcore |
      And a node "n1" with 4 vcore
      And a node "n2" with 4 vcore
      And a gang "job" in root.a with placeholders for 4 vcore and a timeout of 10m

    Scenario: it waits until the gang is formed
      Given "job" asks placeholder "h1" of group "w" for 2 vcore
      When "job" asks "t1" of group "w" for 2 vcore
      Then ask "t1" is explained by:
        | reasons     | waits-for-gang |
        | placeholder | no             |
        | takes       | none           |
        | bound       | no             |
      And ask "h1" is explained by:
        | pending     | no   |
        | placeholder | yes  |
        | leaves for  | none |
      And application "job" is explained by:
        | formed           | no                                            |
        | declared         | 4 vcore                                       |
        | staying          | 2 vcore                                       |
        | placeholders     | 0 pending, 1 allocated, 0 leaving, 0 replaced |
        | placeholders end | 10m                                           |

    Scenario: bound to a placeholder that leaves, neither headroom nor nodes hold it
      Given "job" asks placeholders "h1" and "h2" of group "w" for 2 vcore
      When "job" asks "t1" of group "w" for 2 vcore
      Then ask "t1" is explained by:
        | reasons  | waits-for-release |
        | takes    | h1                |
        | bound    | yes               |
        | lands on | n1                |
        | lacks    | none              |
        | nodes    | none              |
      And ask "h1" is explained by:
        | leaves for | t1 |
      And application "job" is explained by:
        | formed       | yes                                           |
        | staying      | 2 vcore                                       |
        | placeholders | 0 pending, 2 allocated, 1 leaving, 0 replaced |

    Scenario: one that waits for the place of a placeholder counts as if the oldest were gone
      Given "job" asks placeholders "h1" and "h2" of group "w" for 2 vcore
      When the asks:
        | ask | application | resources | task group | constraints |
        | t1  | job         | 2 vcore   | w          | zone=east   |
      Then ask "t1" is explained by:
        | reasons | waits-for-placeholder |
        | takes   | h1                    |
        | bound   | no                    |
        | lacks   | none                  |
        | nodes   | 2 constraint zone     |

    Scenario: one for which that is not enough lacks the rest
      Given "job" asks placeholders "h1" and "h2" of group "w" for 2 vcore
      And the cycle runs
      And the scheduler is stepped by hand
      When "job" asks "t1" of group "w" for 3 vcore
      Then ask "t1" is explained by:
        | reasons | headroom, waits-for-placeholder |
        | takes   | h1                              |
        | lacks   | root.a 1 vcore                  |

    Scenario: a limit counts as if that placeholder were gone, too
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 4 vcore |
      And the applications:
        | application | queue  | user | placeholders |
        | his         | root.a | bob  | 4 vcore      |
      And "his" asks placeholders "h1" and "h2" of group "w" for 2 vcore
      And the cycle runs
      And the scheduler is stepped by hand
      When "his" asks "t1" of group "w" for 2 vcore
      And "his" asks "t2" of group "w" for 3 vcore
      Then ask "t1" is explained by:
        | limits | none |
        | lacks  | none |
      And ask "t2" is explained by:
        | limits | root.a user bob 1 vcore |
        | lacks  | root.a 1 vcore          |

    Scenario: one that gave its placeholder up is as any ask
      Given "job" asks placeholders "h1" and "h2" of group "w" for 2 vcore
      When "job" asks "t1" and "t2" of group "w" for 5 vcore
      Then ask "t1" is explained by:
        | gave up | yes                          |
        | lacks   | root.a 5 vcore, root 1 vcore |
        | takes   | none                         |

  Rule: an allocation tells what of its gang may be preempted

    Background:
      Given a node "n1" with 10 vcore

    Scenario: a gang with a surplus
      Given the allocations:
        | allocation | application | queue        | resources | on | gang | gang min | count |
        | w          | train       | root.default | 1 vcore   | n1 | g    | 3        | 4     |
      When the cycle runs
      Then ask "w-1" is explained by:
        | running gang   | g  |
        | gang runs      | 4  |
        | gang needs     | 3  |
        | gang surplus   | 1  |
        | gang by member | no |

    Scenario: an application with placeholders that is preempted as one
      Given the applications:
        | application | queue        | placeholders | gang disruption |
        | train       | root.default | 3 vcore      | unit            |
      When "train" asks placeholders "h1", "h2", "h3" and "h4" of group "workers" for 1 vcore
      And the cycle runs
      Then ask "h1" is explained by:
        | running gang   | none            |
        | gang runs      | 4               |
        | gang by member | no              |
        | gang keeps     | 3 of 4 vcore    |
      When "h1" is released
      And "h2" is released
      Then ask "h3" is explained by:
        | gang runs  | 2            |
        | gang keeps | 3 of 2 vcore |
