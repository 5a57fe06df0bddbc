Feature: Policy modules

  Rule: a name counts from the moment it is announced

    @policies
    Scenario: a policy that nobody announced cannot be removed
      When policy "ghost" is removed
      Then the policy.remove of "ghost" is ignored because of unknown-policy

    @policies
    Scenario: a manifest that cannot be read is ignored
      When policy "broken" is announced with the manifest:
        """
        {"name": 7
        """
      Then the policy.set of "broken" is ignored because of bad-manifest

    Scenario: a configuration cannot name a policy that nobody announced
      When the queues:
        | queue  | application.sort.policy |
        | root.a | lottery                 |
      Then the configuration is refused with:
        | queue  | key                     |
        | root.a | application.sort.policy |
