@modules
Feature: The life of a policy module

  A module is dropped into a folder while the scheduler runs. It is proven beside what serves, and takes its place
  between two cycles; what cannot be proven changes nothing and says why.

  Background:
    Given a node "large" with 8 vcore
    And a node "small" with 5 vcore

  Rule: a module serves from the next cycle on

    Scenario: dropped in, then named by a configuration
      Given module "most-free" is dropped in
      When the configuration:
        """
        partitions: [{name: default, nodesortpolicy: {type: most-free}, queues: [{name: root, queues: [{name: a}]}]}]
        """
      Then the configuration is accepted
      When "x" asks in root.a for 2 vcore
      And "x" asks "y" for 2 vcore
      And "x" asks "z" for 1 vcore
      Then "x", "y" are allocated on "large"
      And "z" is allocated on "small"

    Scenario: a configuration that names a module which is not there is refused, and changes nothing
      When the configuration:
        """
        partitions: [{name: default, nodesortpolicy: {type: most-free}, queues: [{name: root, queues: [{name: a}]}]}]
        """
      Then the configuration is refused with:
        | key                 |
        | nodesortpolicy.type |

    Scenario: every order by modules
      Given module "orders" is dropped in
      And module "orders" is not refused
      And the queues:
        | queue      | queue.sort.policy | application.sort.policy | ask.sort.policy | weight |
        | root       | orders            |                         |                 |        |
        | root.heavy |                   | orders                  | orders          | 3      |
        | root.light |                   | orders                  | orders          |        |
      When the applications:
        | application | queue      | tags     |
        | late        | root.heavy | rank=2   |
        | first       | root.heavy | rank=1   |
        | other       | root.light |          |
      And the asks:
        | ask | application | resources |
        | l1  | late        | 1 vcore   |
        | f1  | first       | 1 vcore   |
        | f2  | first       | 2 vcore   |
        | o1  | other       | 1 vcore   |
        | o2  | other       | 1 vcore   |
      Then "f2", "o1", "f1", "l1", "o2" are allocated in this order

    Scenario: a filter acts on every ask as soon as it is there
      Given the nodes:
        | node | capacity | attributes |
        | x1   | 4 vcore  | zone=x     |
        | y1   | 9 vcore  | zone=y     |
      When module "same-zone" is dropped in
      And "a" asks in root.default for 4 vcore
      And "b" asks in root.default for 4 vcore
      Then "a" is allocated
      And "a" is allocated on "x1"
      And "b" waits

  Rule: settings beside the module say how it serves

    Scenario: parameters
      Given module "most-free" is dropped in with the settings:
        """toml
        [parameters]
        sign = -1
        """
      And nodes are sorted by most-free
      When "x" asks in root.default for 2 vcore
      Then "x" is allocated on "small"

    Scenario: another parameter takes effect at once
      Given module "most-free" is dropped in
      And nodes are sorted by most-free
      And "x" asks in root.default for 1 vcore
      When module "most-free" is dropped in with the settings:
        """toml
        [parameters]
        sign = -1
        """
      And "x" asks "y" for 1 vcore
      Then "x" is allocated on "large"
      And "y" is allocated on "small"

    Scenario Outline: settings that cannot be used: <what>
      When module "most-free" is dropped in with the settings:
        """toml
        <settings>
        """
      Then module "most-free" is refused because of <reason>

      Examples:
        | what                  | settings                               | reason                                        |
        | an unknown parameter  | parameters.sing = 1                    | expected one of sign, found "sing"            |
        | beyond its range      | parameters.sign = 2                    | expected 1 or less, found 2                   |
        | of another type       | parameters.sign = "up"                 | expected a number, found up                   |
        | an unknown key        | colour = "red"                         | colour: expected one of sha256                |
        | a fallback that is no | fallback."node.score" = "fifo"         | expected a built-in of the point              |
        | a limit of processes  | limits.deadline = "5ms"                | expected none: it is for programs       |
        | a list of tables      | parameters = [{sign = 1}]              | expected one table [parameters], found a list |
        | no finite number      | parameters.sign = nan                  | expected a finite number, found NaN           |
        | too little fuel       | limits = {fuel = 1, fuel_per_item = 1} | fuel                                          |

    Scenario: a pin that the file does not have
      When module "most-free" is dropped in with the settings:
        """toml
        sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
        """
      Then module "most-free" is refused because of the pin is 0000000000000000000000000000000000000000000000000000000000000000
      When nodes are sorted by most-free
      Then the configuration is refused with:
        | key                 |
        | nodesortpolicy.type |

  Rule: a better one takes its place between two cycles, a worse one does not

    Background:
      Given module "most-free" is dropped in
      And nodes are sorted by most-free
      And "x" asks in root.default for 1 vcore

    Scenario: swapped while allocations run
      When module "least-free" is dropped in as "most-free"
      And "x" asks "y" for 1 vcore
      Then "x" is allocated on "large"
      And "y" is allocated on "small"
      And there is no policy.fault decision

    Scenario Outline: <what> changes nothing
      When module "<module>" is dropped in as "most-free"
      Then module "most-free" is refused because of <reason>
      When "x" asks "y" for 1 vcore
      Then "x", "y" are allocated on "large"
      And there is no policy.fault decision

      Examples:
        | what                          | module | reason |
        | a file that is no module      | junk   | magic  |
        | half of a file                | half   | most-free.wasm |

    Scenario: taken away while it is in force
      When module "most-free" is taken away
      Then the policy.fault decisions are:
        | policy    | reason  | fallback   |
        | most-free | removed | binpacking |
      When "x" asks "y" for 1 vcore
      Then "x", "y" are allocated on "large"

  Rule: a module that fails is replaced by its fallback, and asked again later

    Scenario: it traps, the fallback answers, and it returns after a second
      Given module "brittle" is dropped in
      And nodes are sorted by brittle
      When "x" asks in root.default for 1 vcore
      And "x" asks "y" for 4 vcore
      Then the policy.fault decisions are:
        | at | policy  | reason | fallback   |
        | 0s | brittle | failed | binpacking |
      And "x", "y" are allocated on "large"
      When 1s passes
      And "x" asks "z" for 1 vcore
      Then there is no policy.fault decision
      And "z" is allocated on "small"

    Scenario: it never ends, and is stopped
      Given module "endless" is dropped in
      And the queues:
        | queue  | application.sort.policy |
        | root.a | endless                 |
      When the asks:
        | ask | queue  | resources | count |
        | x   | root.a | 1 vcore   | 3     |
      And "y" asks in root.a for 1 vcore
      Then "y" is allocated
      And the policy.fault decisions are:
        | policy  | reason | fallback |
        | endless | failed | fair     |

    Scenario: it answers one call in two ways, which the check of its purity finds
      Given module "counting" is dropped in
      And nodes are sorted by counting
      And a node "more" with 100 vcore
      When the asks:
        | ask | queue        | resources | count |
        | x   | root.default | 1 vcore   | 20    |
      Then the policy.fault decisions are:
        | policy   | reason | fallback   |
        | counting | impure | binpacking |

    Scenario: its calls have to be made twice too often, though each second try succeeds
      Given module "weary" is dropped in
      And nodes are sorted by weary
      And a node "more" with 100 vcore
      When the asks:
        | ask | queue        | resources | count |
        | x   | root.default | 1 vcore   | 60    |
      Then the policy.fault decisions are:
        | policy | reason   | fallback   |
        | weary  | unstable | binpacking |

  Rule: a shadow is asked beside what decides, and decides nothing

    Background:
      Given module "most-free" is dropped in
      And nodes are sorted by most-free

    Scenario: it says how often it would have chosen otherwise
      Given module "least-free" is dropped in with the settings:
        """toml
        shadow_of = "most-free"
        """
      When "x" asks in root.default for 1 vcore
      And "x" asks "y" for 2 vcore
      And "x" asks "z" for 1 vcore
      Then "x" and "y" are allocated on "large"
      And "z" is allocated on "large"
      And shadow "least-free" would have chosen otherwise in 3 of 4 rounds

    Scenario: it reads columns that the other does not
      Given module "uneven" is dropped in with the settings:
        """toml
        shadow_of = "most-free"
        """
      When "x" asks in root.default for 1 vcore
      And "x" asks "y" for 1 vcore
      Then "x" and "y" are allocated on "large"
      And shadow "uneven" would have chosen otherwise in 3 of 3 rounds

    Scenario Outline: not of <what>
      When module "<name>" is dropped in with the settings:
        """toml
        shadow_of = "<of>"
        """
      Then module "<name>" is refused because of <reason>

      Examples:
        | what                              | name       | of        | reason                                                                        |
        | what is not there                 | least-free | ghost     | expected a built-in, or a policy of this folder that decides, found "ghost"   |
        | what serves other points          | orders     | most-free | expected a policy that serves a point of this one, found "most-free"          |
        | a built-in that serves others     | least-free | fifo      | expected a policy that serves a point of this one, found "fifo"               |

  Rule: a built-in may have a shadow, too

    Background:
      Given nodes are sorted by binpacking

    Scenario: it says how often it would have chosen otherwise, from when it is dropped in
      Given module "least-free" is dropped in with the settings:
        """toml
        shadow_of = "binpacking"
        """
      When "x" asks in root.default for 1 vcore
      And "x" asks "y" for 1 vcore
      And "x" asks "z" for 2 vcore
      Then "x", "y" and "z" are allocated on "large"
      And shadow "least-free" would have chosen otherwise in 2 of 4 rounds

    Scenario: it reads columns that the built-in does not, and types that come later
      Given module "uneven" is dropped in with the settings:
        """toml
        shadow_of = "binpacking"
        """
      When "x" asks in root.default for 1 vcore
      Given a node "other" with 1 vcore, 2 nic
      When "x" asks "y" for 2 vcore
      Then "x" and "y" are allocated on "large"
      And shadow "uneven" would have chosen otherwise in 3 of 4 rounds

    Scenario: of the orders of applications and of asks
      Given module "orders" is dropped in with the settings:
        """toml
        shadow_of = "fifo"
        """
      And the applications:
        | application | queue        | tags   |
        | early       | root.default | rank=2 |
        | late        | root.default | rank=1 |
      When "early" asks "few" for 9 vcore
      And "late" asks "more" for 9 vcore
      Then shadow "orders" would have chosen otherwise in 1 of 3 rounds
      When "early" asks "many" for 10 vcore
      Then shadow "orders" would have chosen otherwise in 2 of 4 rounds

    Scenario: it is taken away, and another comes
      Given module "least-free" is dropped in with the settings:
        """toml
        shadow_of = "binpacking"
        """
      And "x" asks in root.default for 1 vcore
      When module "least-free" is taken away
      And "x" asks "y" for 1 vcore
      Then shadow "least-free" would have chosen otherwise in 1 of 2 rounds
      When module "most-free" is dropped in with the settings:
        """toml
        shadow_of = "binpacking"
        """
      And "x" asks "z" for 1 vcore
      Then "x", "y" and "z" are allocated on "large"
      And shadow "most-free" would have chosen otherwise in 0 of 2 rounds

    Scenario: only one
      Given module "least-free" is dropped in with the settings:
        """toml
        shadow_of = "binpacking"
        """
      When module "most-free" is dropped in with the settings:
        """toml
        shadow_of = "binpacking"
        """
      Then module "most-free" is refused because of "binpacking" already has the shadow "least-free"

  Rule: a process serves like a module, and its end does no harm

    Scenario: it serves
      Given module "slow" is dropped in
      And nodes are sorted by slow
      When "x" asks in root.default for 2 vcore
      Then "x" is allocated on "large"
      And there is no policy.fault decision

    Scenario: it crashes
      Given module "slow" is dropped in
      And nodes are sorted by slow
      When the process of module "slow" crashes
      And "x" asks in root.default for 2 vcore
      And "x" asks "y" for 1 vcore
      Then "x" and "y" are allocated on "large"
      And the policy.fault decisions are:
        | policy | reason | fallback   |
        | slow   | failed | binpacking |

    Scenario: it does not answer in time
      Given module "slow" is dropped in
      And nodes are sorted by slow
      When "x" asks in root.default for 1 vcore
      Then the policy.fault decisions are:
        | policy | reason | fallback   |
        | slow   | failed | binpacking |
