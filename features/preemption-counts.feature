Feature: How often something was preempted

  An ask counts how often it was preempted, also when its application asks for it again under its ID. An application counts all of its allocations
  that were preempted.

  Background: prod is guaranteed 1, and test uses it
    Given the queues:
      | queue     | guaranteed | preemption.delay |
      | root.prod | 1 vcore    | 1s               |
      | root.test |            |                  |
    And a node "n1" with 1 vcore
    And an application "test" in root.test
    And an application "prod" in root.prod

  Rule: an ask counts when it is chosen, and goes on counting when it is asked for again

    Background:
      Given "test" asks "t" for 1 vcore
      And the cycle runs
      And "prod" asks "p" for 1 vcore
      And 1s passes
      And the cycle runs

    Scenario: it counts while it leaves
      Then the asks show:
        | ask | leaves | preempted |
        | t   | yes    | 1         |
        | p   | no     | 0         |
      And the applications show:
        | application | preempted |
        | test        | 1         |
        | prod        | 0         |

    Scenario: it counts on under its ID
      Given "t" is released
      And the cycle runs
      And "test" asks "t" for 1 vcore
      And "p" is released
      And the cycle runs
      And "prod" asks "p" for 1 vcore
      When 1s passes
      Then the asks show:
        | ask | leaves | preempted |
        | t   | yes    | 2         |
      And the applications show:
        | application | preempted |
        | test        | 2         |

    Scenario: another ID begins at 0, and its application counts both
      Given "t" is released
      And the cycle runs
      And "test" asks "u" for 1 vcore
      And "p" is released
      And the cycle runs
      And "prod" asks "p" for 1 vcore
      When 1s passes
      Then the asks show:
        | ask | preempted |
        | u   | 1         |
      And the applications show:
        | application | preempted |
        | test        | 2         |

    Scenario: an end of another kind does not count, and forgets nothing
      Given "t" is released
      And the cycle runs
      And "p" is released
      And "test" asks "t" for 1 vcore
      And the cycle runs
      And "t" is released
      When "test" asks "t" for 1 vcore
      Then the asks show:
        | ask | preempted |
        | t   | 1         |

    Scenario: the ID in another application begins at 0
      Given "t" is released
      And the cycle runs
      And an application "other" in root.test
      When "other" asks "t" for 1 vcore
      Then the asks show:
        | ask | preempted |
        | t   | 0         |

    Scenario: an application of the same ID begins at 0
      Given "t" is released
      And the cycle runs
      And application "test" is removed
      And an application "test" in root.test
      When "test" asks "t" for 1 vcore
      Then the asks show:
        | ask | preempted |
        | t   | 0         |

    Scenario: a restored allocation counts on
      Given "t" is released
      And the cycle runs
      And "p" is released
      When "test" has "t" for 1 vcore restored on "n1"
      Then the asks show:
        | ask | preempted |
        | t   | 1         |

    @one-instant
    Scenario: after three days the ask counts from 0
      Given "t" is released
      And the cycle runs
      And "test" asks "keeps" for 1 vcore
      And 71h pass
      When "test" asks "t" for 1 vcore
      Then the asks show:
        | ask | preempted |
        | t   | 1         |
      Given ask "t" is removed
      And 1h passes
      When "test" asks "t" for 1 vcore
      Then the asks show:
        | ask | preempted |
        | t   | 0         |
      And the applications show:
        | application | preempted |
        | test        | 1         |

    @snapshot
    Scenario: a snapshot keeps the counts
      Given "t" is released
      And the cycle runs
      And "test" asks "t" for 1 vcore
      And "p" is released
      And the cycle runs
      And the scheduler is restored from a snapshot
      And "prod" asks "p" for 1 vcore
      When 1s passes
      Then the asks show:
        | ask | preempted |
        | t   | 2         |
      And the applications show:
        | application | preempted |
        | test        | 2         |

    @snapshot
    Scenario: a snapshot keeps the counts of asks that have left
      Given "t" is released
      And the cycle runs
      And the scheduler is restored from a snapshot
      When "test" asks "t" for 1 vcore
      Then the asks show:
        | ask | preempted |
        | t   | 1         |

    @explain
    Scenario: explanations tell the counts
      Given "t" is released
      And the cycle runs
      When "test" asks "t" for 1 vcore
      Then ask "t" is explained by:
        | preempted | 1 |
      And application "test" is explained by:
        | preempted | 1 |

  Rule: preemption of every right counts, and what is only observed does not

    Scenario: by quota
      Given preemption by quota is on
      And the queues:
        | queue     | max     |
        | root.test | 1 vcore |
      And "test" asks "t" for 1 vcore
      And the cycle runs
      When the queues:
        | queue     | max       | quota.preemption.delay |
        | root.test | 500m vcore | 10s                   |
      And 10s pass
      Then the asks show:
        | ask | preempted |
        | t   | 1         |
      And the applications show:
        | application | preempted |
        | test        | 1         |

    Scenario: for a required node
      Given "test" asks "t" for 1 vcore
      And the cycle runs
      When the asks:
        | ask | application | resources | node |
        | d   | prod        | 1 vcore   | n1   |
      Then "d" preempts "t"
      And the asks show:
        | ask | preempted |
        | t   | 1         |

    Scenario: observed
      Given preemption is observed
      And "test" asks "t" for 1 vcore
      And the cycle runs
      And "prod" asks "p" for 1 vcore
      When 1s passes
      Then the asks show:
        | ask | preempted |
        | t   | 0         |
      And the applications show:
        | application | preempted |
        | test        | 0         |

  Rule: a gang that is preempted as a whole counts each member

    Scenario: two members
      Given the queues:
        | queue     | guaranteed | preemption.delay |
        | root.prod | 1 vcore    | 1s               |
        | root.test |            |                  |
      And a node "n2" with 1 vcore
      And "test" asks "g1", "g2" in gang "g" of at least 2 for 1 vcore
      And the cycle runs
      And "prod" asks "p" for 1 vcore
      When 1s passes
      Then the asks show:
        | ask | preempted |
        | g1  | 1         |
        | g2  | 1         |
      And the applications show:
        | application | preempted |
        | test        | 2         |
