var e=`Feature: Limits of users

  A limit of a queue bounds the resources and the running applications of a user in the queue and all queues below it.

  Rule: a limit bounds each user that it names, and users do not share it

    Background:
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 100 vcore, 100 memory

    Scenario: two users of one limit do not share it
      Given the limits:
        | queue  | users      | max     |
        | root.a | alice, bob | 2 vcore |
      When "hers" asks in root.a as user "alice" for 2 vcore
      And "his" asks in root.a as user "bob" for 2 vcore
      Then "hers" and "his" are allocated

    Scenario: all applications of a user share it
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      When "one" asks in root.a as user "bob" for 2 vcore
      And "two" asks in root.a as user "bob" for 2 vcore
      Then "one" is allocated
      And "two" waits

    Scenario: a user may reach it, and not pass it
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      When "exact" asks in root.a as user "bob" for 3 vcore
      Then "exact" is allocated
      When "more" asks in root.a as user "bob" for 1m vcore
      Then "more" waits

    Scenario: users that no limit names are not bounded
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      When "hers" asks in root.a as user "alice" for 50 vcore
      Then "hers" is allocated

    Scenario: names count with case
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      When "other" asks in root.a as user "Bob" for 50 vcore
      Then "other" is allocated

    Scenario: usage in another queue does not count
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      When "elsewhere" asks in root.b as user "bob" for 50 vcore
      And "here" asks in root.a as user "bob" for 2 vcore
      Then "elsewhere" and "here" are allocated

    Scenario: an ask that a limit stops does not stop other users
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      And the asks:
        | ask  | queue  | user  | resources | priority |
        | his  | root.a | bob   | 3 vcore   | 100      |
        | hers | root.a | alice | 3 vcore   | 0        |
      Then "his" waits
      And "hers" is allocated

    Scenario: an ask that fits passes one that does not
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      And the asks:
        | ask   | application | queue  | user | resources |
        | big   | app         | root.a | bob  | 3 vcore   |
        | small | app         |        |      | 2 vcore   |
      Then "big" waits
      And "small" is allocated

  Rule: the limit of "*" holds for each user that no other limit of the queue names

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And a node "n1" with 100 vcore, 100 memory

    Scenario: for each alone
      Given the limits:
        | queue  | users | max     |
        | root.a | *     | 2 vcore |
      When "hers" asks in root.a as user "alice" for 2 vcore
      And "his" asks in root.a as user "bob" for 2 vcore
      And "more" asks in root.a as user "bob" for 1 vcore
      Then "hers" and "his" are allocated
      And "more" waits

    Scenario: a limit that names the user replaces it, upwards too
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 5 vcore |
        | root.a | *     | 2 vcore |
      When "his" asks in root.a as user "bob" for 5 vcore
      And "hers" asks in root.a as user "alice" for 3 vcore
      Then "his" is allocated
      And "hers" waits

    Scenario: a limit that names the user for applications alone frees that user's resources
      Given the limits:
        | queue  | users | max     | maxapplications |
        | root.a | bob   |         | 2               |
        | root.a | *     | 2 vcore |                 |
      When "his" asks in root.a as user "bob" for 50 vcore
      Then "his" is allocated

    Scenario: a type that the user's own limit leaves out is not bounded by that of all
      Given the limits:
        | queue  | users | max               |
        | root.a | bob   | 2 vcore           |
        | root.a | *     | 1 vcore, 1 memory |
      When "his" asks in root.a as user "bob" for 2 vcore, 50 memory
      Then "his" is allocated

    Scenario: only "*" can name the empty user
      Given the limits:
        | queue  | users | max     |
        | root.a | *     | 2 vcore |
      When "one" asks in root.a for 2 vcore
      And "two" asks in root.a for 1 vcore
      Then "one" is allocated
      And "two" waits

  Rule: limits look at the types that an ask needs

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And a node "n1" with 100 vcore, 100 memory

    Scenario: a type that a limit does not set is not bounded
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      When "app" asks in root.a as user "bob" for 1 vcore, 90 memory
      Then "app" is allocated

    Scenario: a zero forbids the type
      Given the limits:
        | queue  | users | max               |
        | root.a | bob   | 2 vcore, 0 memory |
      When "some" asks in root.a as user "bob" for 1 vcore, 1 memory
      And "plain" asks in root.a as user "bob" for 1 vcore
      Then "some" waits
      And "plain" is allocated

    Scenario: a type used to its limit does not stop asks that do without it
      Given the limits:
        | queue  | users | max                |
        | root.a | bob   | 2 vcore, 10 memory |
      When "one" asks in root.a as user "bob" for 2 vcore
      And "two" asks in root.a as user "bob" for 10 memory
      Then "one" and "two" are allocated

    Scenario: an ask that names a type with zero needs none of it
      Given the limits:
        | queue  | users | max                |
        | root.a | bob   | 9 vcore, 10 memory |
      And "one" asks in root.a as user "bob" for 1 vcore, 10 memory
      When the limits:
        | queue  | users | max               |
        | root.a | bob   | 9 vcore, 5 memory |
      And "two" asks in root.a as user "bob" for 1 vcore, 0 memory
      Then "two" is allocated

    Scenario: each type has to fit
      Given the limits:
        | queue  | users | max                |
        | root.a | bob   | 9 vcore, 10 memory |
      When "app" asks in root.a as user "bob" for 1 vcore, 11 memory
      Then "app" waits

  Rule: limits hold in a queue and in all queues above it

    Background:
      Given the queues:
        | queue    |
        | root.a.x |
        | root.a.y |
        | root.b   |
      And a node "n1" with 100 vcore

    Scenario: the limit of a parent counts usage in all queues below it
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      When "x" asks in root.a.x as user "bob" for 2 vcore
      And "y" asks in root.a.y as user "bob" for 2 vcore
      And "b" asks in root.b as user "bob" for 2 vcore
      Then "x" and "b" are allocated
      And "y" waits

    Scenario: the narrowest of several counts
      Given the limits:
        | queue    | users | max     |
        | root     | bob   | 9 vcore |
        | root.a   | bob   | 4 vcore |
        | root.a.x | bob   | 2 vcore |
      When "x" asks in root.a.x as user "bob" for 3 vcore
      And "y" asks in root.a.y as user "bob" for 3 vcore
      Then "x" waits
      And "y" is allocated
      When "b" asks in root.b as user "bob" for 7 vcore
      Then "b" waits

    Scenario: in one queue the user's own may hold, in another that of all
      Given the limits:
        | queue    | users | max     |
        | root.a   | *     | 3 vcore |
        | root.a.x | bob   | 2 vcore |
      When "x" asks in root.a.x as user "bob" for 2 vcore
      And "y" asks in root.a.y as user "bob" for 2 vcore
      Then "x" is allocated
      And "y" waits

    Scenario: limits of the partition are those of root
      When the configuration:
        """yaml
        partitions:
        - name: default
          limits: [{users: [bob], maxresources: {vcore: 3}}]
          queues: [{name: a}, {name: b}]
        """
      And "a" asks in root.a as user "bob" for 2 vcore
      And "b" asks in root.b as user "bob" for 2 vcore
      Then "a" is allocated
      And "b" waits

    Scenario: a draining queue keeps the limits that it had
      Given the limits:
        | queue  | users | max     |
        | root.b | bob   | 2 vcore |
      And "app" asks in root.b as user "bob" for 2 vcore
      When the configuration:
        """yaml
        partitions:
        - name: default
          queues: [{name: a, queues: [{name: x}, {name: y}]}]
        """
      And "app" asks "more" for 1 vcore
      Then "more" waits

  Rule: an ask that a limit stops goes on when usage falls or the limit rises

    Background:
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And the limits:
        | queue | users | max     |
        | root  | bob   | 3 vcore |
      And a node "n1" with 100 vcore
      And "one" asks in root.a as user "bob" for 3 vcore
      And the cycle runs
      And "two" asks in root.b as user "bob" for 2 vcore

    Scenario: when an allocation of the user ends
      When "one" is released
      Then "two" is allocated

    Scenario: when an application of the user is removed
      When application "one" is removed
      Then "two" is allocated

    Scenario: when a reload raises the limit
      When the limits:
        | queue | users | max     |
        | root  | bob   | 5 vcore |
      Then "two" is allocated

    Scenario: when a reload takes the limit away
      When the limits:
        | queue | users | max     |
        | root  | alice | 3 vcore |
      Then "two" is allocated

    Scenario: not when an allocation of another user ends
      Given "hers" asks in root.a as user "alice" for 2 vcore
      When "hers" is released
      Then "two" waits

    Scenario: when its node is removed and another is there
      Given a node "n2" with 9 vcore
      When node "n1" is removed
      Then "two" is allocated on "n2"

    Scenario: a lowered limit takes no allocation away
      When the limits:
        | queue | users | max     |
        | root  | bob   | 1 vcore |
      Then "one" is allocated
      And "two" waits
      And no allocation is preempted

    Scenario: an ask that alone exceeds a limit stays pending
      When "big" asks in root.a as user "alice" for 1 vcore
      And "bobs" asks in root.a as user "bob" for 4 vcore
      And 24h pass
      Then "bobs" waits

    Scenario: an update that makes the ask small enough lets it in
      Given the limits:
        | queue | users | max     |
        | root  | bob   | 4 vcore |
      When ask "two" now needs 1 vcore
      Then "two" is allocated

    Scenario: a restored allocation counts, even past the limit
      When "two" has "old" for 9 vcore restored on "n1"
      And "one" is released
      Then "old" is allocated
      And "two" waits

  Rule: a limit never preempts

    Background:
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b |            |                  |
      And a node "n1" with 4 vcore
      And "old" asks in root.b as user "alice" for 2 vcore
      And "his" asks in root.a as user "bob" for 2 vcore
      And the cycle runs

    Scenario: an ask that its limit stops looks for no victims
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      When "more" asks in root.a as user "bob" for 2 vcore
      And 60s pass
      Then no allocation is preempted
      And "more" waits

    Scenario: within its limit it preempts
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 4 vcore |
      When "more" asks in root.a as user "bob" for 2 vcore
      And 10s pass
      Then "more" preempts "old" on "n1"

    Scenario: its limit must hold before any victim has left, even if a victim of the same user would make room
      Given the limits:
        | queue | users | max     |
        | root  | alice | 3 vcore |
      When "hers" asks in root.a as user "alice" for 2 vcore
      And 60s pass
      Then no allocation is preempted

    Scenario: required-node asks obey limits, and do not preempt past them
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      When the asks:
        | ask | queue  | user | resources | node | priority |
        | ds  | root.a | bob  | 2 vcore   | n1   | 100      |
      Then "ds" waits
      And no allocation is preempted

    Scenario: nor does it preempt within its own queue
      Given the queues:
        | queue  | preemption.intra-queue | preemption.delay |
        | root.a | enabled                | 10s              |
        | root.b |                        |                  |
      And the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      When "urgent" asks in root.a as user "bob" for 1 vcore with priority 100
      And 60s pass
      Then no allocation is preempted
      When "hers" asks in root.a as user "erin" for 1 vcore with priority 100
      And 10s pass
      Then "hers" preempts "his" on "n1"

    Scenario: a raised limit lets a waiting ask preempt at once, if its delay is over
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      And "more" asks in root.a as user "bob" for 2 vcore
      And 60s pass
      When the limits:
        | queue  | users | max     |
        | root.a | bob   | 4 vcore |
      Then "more" preempts "old" on "n1"

  Rule: room that is kept for an ask counts as used by its user

    Background:
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 4 vcore    | 10s              |
        | root.b |            |                  |
      And the limits:
        | queue  | users | max     |
        | root.a | bob   | 4 vcore |
      And a node "n1" with 4 vcore
      And "old" asks in root.b as user "alice" for 4 vcore
      And the cycle runs
      And "his" asks in root.a as user "bob" for 3 vcore
      And 10s pass

    Scenario: other asks of the user wait
      When a node "n2" with 9 vcore
      And "other" asks in root.a as user "bob" for 2 vcore
      Then "other" waits

    Scenario: the rest of the limit may be used
      When a node "n2" with 9 vcore
      And "small" asks in root.a as user "bob" for 1 vcore
      Then "small" is allocated on "n2"

    Scenario: a lowered limit lapses the kept node
      When the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      Then the preemption.lapsed decisions are:
        | for | node | reason         |
        | his | n1   | no-longer-fits |

    Scenario: a swap never counts twice
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 3 vcore |
      When "old" is released
      Then "his" is allocated on "n1"

  Rule: an ask reserves and holds nodes only within its limits

    Background:
      Given the queues:
        | queue  |
        | root.a |
      And a node "n1" with 4 vcore
      And a node "n2" with 1 vcore
      And "busy" asks in root.a as user "alice" for 3 vcore
      And the cycle runs

    Scenario: no reservation past a limit
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 1 vcore |
      When "his" asks in root.a as user "bob" for 2 vcore
      And 10s pass
      Then there is no reservation decision

    Scenario: a reservation within it
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 2 vcore |
      When "his" asks in root.a as user "bob" for 2 vcore
      And 10s pass
      Then the reservation decisions are:
        | id  | node |
        | his | n1   |

    Scenario: a required node is not held for an ask past a limit
      Given the limits:
        | queue  | users | max     |
        | root.a | bob   | 1 vcore |
      When the asks:
        | ask | queue  | user | resources | node | priority | preempts others |
        | ds  | root.a | bob  | 2 vcore   | n1   | 100      | no              |
      Then there is no reservation decision

  Rule: maxapplications bounds the applications of a user that hold a place

    Background:
      Given the queues:
        | queue    |
        | root.a.x |
        | root.a.y |
      And a node "n1" with 100 vcore

    Scenario: one more waits for a place
      Given the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 1               |
      When "one" asks in root.a.x as user "bob" for 1 vcore
      And "two" asks in root.a.y as user "bob" for 1 vcore
      And "hers" asks in root.a.x as user "alice" for 1 vcore
      Then "one" and "hers" are allocated
      And "two" waits
      And application "two" is Accepted

    Scenario: an application that has its place takes more allocations
      Given the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 1               |
      And "one" asks in root.a.x as user "bob" for 1 vcore
      When "one" asks "more" for 1 vcore
      Then "more" is allocated

    Scenario: Completing frees the place
      Given the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 1               |
      And "one" asks in root.a.x as user "bob" for 1 vcore
      And the cycle runs
      And "two" asks in root.a.y as user "bob" for 1 vcore
      When "one" is released
      Then "two" is allocated
      And application "one" is Completing

    Scenario: coming back from Completing may exceed it
      Given the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 1               |
      And "one" asks in root.a.x as user "bob" for 1 vcore
      And the cycle runs
      And "one" is released
      And "two" asks in root.a.y as user "bob" for 1 vcore
      And the cycle runs
      When "one" asks "again" for 1 vcore
      Then "again" is allocated
      And application "one" is Running

    Scenario: for each user of "*" alone
      Given the limits:
        | queue  | users | maxapplications |
        | root.a | *     | 1               |
      When "hers" asks in root.a.x as user "alice" for 1 vcore
      And "his" asks in root.a.x as user "bob" for 1 vcore
      And "more" asks in root.a.x as user "bob" for 1 vcore
      Then "hers" and "his" are allocated
      And "more" waits

    Scenario: zero is no bound
      Given the limits:
        | queue  | users | maxapplications | max      |
        | root.a | bob   | 0               | 50 vcore |
      When "one", "two" and "three" ask in root.a.x as user "bob" for 1 vcore
      Then "one", "two" and "three" are allocated

    Scenario: a raised one lets the next application start
      Given the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 1               |
      And "one" asks in root.a.x as user "bob" for 1 vcore
      And the cycle runs
      And "two" asks in root.a.x as user "bob" for 1 vcore
      When the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 2               |
      Then "two" is allocated

    Scenario: a lowered one stops no application that has a place
      Given the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 2               |
      And "one" and "two" ask in root.a.x as user "bob" for 1 vcore
      When the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 1               |
      And "two" asks "more" for 1 vcore
      Then "more" is allocated

    Scenario: an application with a kept node holds a place
      Given the queues:
        | queue  | guaranteed | preemption.delay |
        | root.a | 100 vcore  | 10s              |
        | root.b |            |                  |
      And the limits:
        | queue  | users | maxapplications |
        | root.a | bob   | 1               |
      And "old" asks in root.b as user "alice" for 100 vcore
      And the cycle runs
      And "waits-for-n1" asks in root.a as user "bob" for 100 vcore
      And 10s pass
      When a node "n2" with 1 vcore
      And "second" asks in root.a as user "bob" for 1 vcore
      Then "second" waits
`;export{e as default};