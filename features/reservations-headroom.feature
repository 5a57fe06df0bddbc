Feature: Reservations end with headroom

  A reserved node waits for its ask alone. Once a configured maximum, or a limit of the ask's user or group, does not let the
  ask in any more, its reservation ends in the next cycle: it would bar others for an ask that cannot land.

  Background: big has reserved n1; one core of n1 and n2 each is in use
    Given the queues:
      | queue      | max     |
      | root.org   | 6 vcore |
      | root.org.a | 4 vcore |
      | root.org.b |         |
      | root.c     |         |
    And the limits:
      | queue  | users | groups | max     |
      | root   | ann   |        | 5 vcore |
      | root.c |       | staff  | 5 vcore |
    And a node "n1" with 4 vcore
    And a node "n2" with 4 vcore
    And a node "n3" with 2 vcore
    And the allocations:
      | allocation | queue  | resources | on |
      | f1         | root.c | 1 vcore   | n1 |
      | f2         | root.c | 1 vcore   | n2 |

  Rule: a max or a limit that others have used up ends the reservation

    Background:
      Given the asks:
        | ask | application | queue      | user | resources |
        | big | big         | root.org.a | ann  | 4 vcore   |
      And 2s pass
      Then the decisions include:
        | type        | id  | node |
        | reservation | big | n1   |

    Scenario Outline: <bar>
      When the asks:
        | ask   | queue   | user   | resources | priority |
        | first | <queue> | <user> | <needs>   | 1        |
      Then the decisions include:
        | type          | id    | node   | reason      |
        | allocation    | first | <node> |             |
        | unreservation | big   | n1     | no-headroom |

      Examples:
        | bar                 | queue      | user | needs   | node |
        | the queue's own max | root.org.a | bob  | 1 vcore | n3   |
        | an ancestor's max   | root.org.b | bob  | 3 vcore | n1   |
        | the user's limit    | root.c     | ann  | 2 vcore | n3   |

    Scenario: what an allocation that is restored uses counts
      When the asks:
        | ask   | queue      | resources | node |
        | other | root.org.b | 3 vcore   | n2   |
      And the allocations:
        | allocation | queue      | resources | on |
        | more       | root.org.a | 1 vcore   | n3 |
      Then the unreservation decisions are:
        | id  | node | reason      |
        | big | n1   | no-headroom |

    Scenario: the ask itself may grow beyond its queue's max
      Given node "n1" is updated with capacity 4500m vcore
      When ask "big" now needs 4200m vcore
      Then the unreservation decisions are:
        | id  | node | reason      |
        | big | n1   | no-headroom |

    Scenario: the cluster's total does not end it
      When the asks:
        | ask   | queue  | resources | priority |
        | first | root.c | 3 vcore   | 1        |
        | next  | root.c | 3 vcore   | 1        |
      Then "first" and "next" are allocated
      And there is no unreservation decision

    Scenario: the node is open to others at once, and to the leaf's next ask
      When the asks:
        | ask   | queue      | user | resources | priority |
        | first | root.org.a | bob  | 1 vcore   | 1        |
      And the asks:
        | ask   | queue  | resources |
        | equal | root.c | 3 vcore   |
        | other | root.c | 3 vcore   |
      Then "equal" and "other" are allocated

    Scenario: it is made again as soon as the ask is let in, without a pause
      Given the asks:
        | ask   | queue      | user | resources | priority |
        | first | root.org.a | bob  | 1 vcore   | 1        |
      And 1s passes
      When "first" is released
      Then the decisions include:
        | type        | at | id  | node |
        | reservation | 3s | big | n1   |

  Rule: a reload that lowers a max or a limit does so as well

    Background:
      Given the asks:
        | ask | application | queue  | user | groups | resources |
        | big | big         | root.c | eve  | staff  | 4 vcore   |
      And 2s pass
      And the cycle runs

    Scenario Outline: <what>
      When the limits:
        | queue  | users | groups | max       |
        | root.c | eve   |        | <of eve>  |
        | root.c |       | staff  | <of them> |
      And 1s passes
      Then the unreservation decisions are:
        | id  | node | reason      |
        | big | n1   | no-headroom |

      Examples:
        | what                 | of eve  | of them     |
        | a limit of the user  | 3 vcore | 5 vcore     |
        | a limit of the group | 9 vcore | 3999m vcore |

    Scenario: a max of its queue
      When the queues:
        | queue  | max         |
        | root.c | 5999m vcore |
      And 1s passes
      Then the unreservation decisions are:
        | id  | node | reason      |
        | big | n1   | no-headroom |
