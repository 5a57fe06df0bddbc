var e=`@policies
Feature: Policy modules

  Inputs announce the modules that exist; configurations are checked against these. A module that fails, or that does not
  exist, is replaced by its fallback, and put in quarantine.

  Rule: a configuration may name what was announced, at the points that it serves

    Scenario: an order of applications by a module
      Given policy "by-size" is announced with the manifest:
        """json
        {"name": "by-size", "points": {"app.order": {"columns": ["used:vcore"], "keys": 1, "depends": "row"}}}
        """
      When the queues:
        | queue  | application.sort.policy |
        | root.a | by-size                 |
      Then the configuration is accepted
      And the queues show:
        | queue  | sort    |
        | root.a | by-size |

    Scenario: not at a point that it does not serve
      Given policy "by-free" is announced with the manifest:
        """json
        {"name": "by-free", "points": {"node.score": {"columns": ["free:vcore"], "keys": 1, "depends": "row"}}}
        """
      When the queues:
        | queue  | application.sort.policy |
        | root.a | by-free                 |
      Then the configuration is refused with:
        | queue  | key                     |
        | root.a | application.sort.policy |

    Scenario: not one that was not announced
      When the queues:
        | queue  | application.sort.policy |
        | root.a | by-size                 |
      Then the configuration is refused with:
        | queue  | key                     |
        | root.a | application.sort.policy |

    Scenario: not what was removed again
      Given policy "by-size" is announced with the manifest:
        """json
        {"name": "by-size", "points": {"app.order": {"columns": ["used:vcore"], "keys": 1, "depends": "row"}}}
        """
      And policy "by-size" is removed
      When the queues:
        | queue  | application.sort.policy |
        | root.a | by-size                 |
      Then the configuration is refused with:
        | queue  | key                     |
        | root.a | application.sort.policy |

  Rule: what cannot be used or is unknown is ignored

    Scenario Outline: a manifest with <what>
      When policy "broken" is announced with the manifest:
        """json
        <manifest>
        """
      Then the policy.set of "broken" is ignored because of bad-manifest

      Examples:
        | what                 | manifest                                                                                          |
        | an unfinished object | {"name": "broken"                                                                                 |
        | another name         | {"name": "whole", "points": {"app.order": {"keys": 1, "depends": "row"}}}                         |
        | no point             | {"name": "broken", "points": {}}                                                                  |
        | an unknown point     | {"name": "broken", "points": {"moon.order": {"keys": 1, "depends": "row"}}}                       |
        | nine keys            | {"name": "broken", "points": {"app.order": {"keys": 9, "depends": "row"}}}                        |
        | an unknown column    | {"name": "broken", "points": {"app.order": {"columns": ["colour"], "keys": 1, "depends": "row"}}} |

    Scenario: a policy that was not announced cannot be removed
      When policy "ghost" is removed
      Then the policy.remove of "ghost" is ignored because of unknown-policy

  Rule: where a module does not answer, its fallback does

    Background:
      Given policy "by-size" is announced with the manifest:
        """json
        {"name": "by-size", "points": {"app.order": {"columns": ["used:vcore"], "keys": 1, "depends": "row", "fallback": "fair"}}}
        """
      And the queues:
        | queue  | application.sort.policy |
        | root.a | by-size                 |
      And a node "n1" with 10 vcore

    Scenario: it says so, and scheduling goes on
      When "x" asks in root.a for 2 vcore
      Then "x" is allocated
      And the policy.fault decisions are:
        | policy  | reason  | fallback |
        | by-size | missing | fair     |

    Scenario: in the order of the fallback
      Given "x" asks in root.a for 2 vcore
      And "y" asks in root.a for 1 vcore
      When "x" asks "x2" for 1 vcore
      And "y" asks "y2" for 1 vcore
      Then "y2", "x2" are allocated in this order

    Scenario: it is asked again after 1 second, then after 2, then after 4
      Given "x" asks in root.a for 11 vcore
      When 7s pass
      Then the policy.fault decisions are:
        | at | policy  | reason  |
        | 1s | by-size | missing |
        | 3s | by-size | missing |
        | 7s | by-size | missing |

    Scenario: removed while in force
      When policy "by-size" is removed
      Then the decisions are:
        | type         | policy  | reason  | fallback |
        | policy.fault | by-size | removed | fair     |

  Rule: an ask with a predicate of the host needs the host's answer

    Scenario: without an answer, no node fits
      Given a node "n1" with 10 vcore
      When the asks:
        | ask | queue        | resources | predicate |
        | a   | root.default | 1 vcore   | affinity  |
      Then "a" waits
      And the policy.fault decisions are:
        | policy   | reason  |
        | affinity | missing |
`;export{e as default};