Feature: gpu-frag

  Whole GPUs stay whole: an ask goes where it adds least to what no usual ask could use. GPUs are counted as
  gpu_milli, 1000 each. What is usual are the shapes that the policy comes with.

  Background:
    Given nodes are sorted by gpu-frag

  Rule: a share of a GPU goes where a GPU is broken already

    Scenario: and leaves the other node whole
      Given the nodes:
        | node     | capacity                 | occupied      |
        | a-whole  | 32 vcore, 2000 gpu_milli |               |
        | b-broken | 32 vcore, 2000 gpu_milli | 500 gpu_milli |
      When "share" asks in root.default for 4 vcore, 500 gpu_milli
      Then "share" is allocated on "b-broken"

    Scenario: into the rest that it fits best
      Given the nodes:
        | node    | capacity                 | occupied      |
        | a-loose | 32 vcore, 1000 gpu_milli | 200 gpu_milli |
        | b-tight | 32 vcore, 1000 gpu_milli | 530 gpu_milli |
      When "share" asks in root.default for 4 vcore, 470 gpu_milli
      Then "share" is allocated on "b-tight"

  Rule: GPUs without cores beside them are of no use to others

    Scenario: who needs few cores goes where few are left
      Given the nodes:
        | node   | capacity                 | occupied |
        | a-many | 32 vcore, 1000 gpu_milli |          |
        | b-few  | 32 vcore, 1000 gpu_milli | 28 vcore |
      When "small" asks in root.default for 4 vcore, 1000 gpu_milli
      Then "small" is allocated on "b-few"

  Rule: who wants no GPU takes none away from others

    Scenario: a node without GPUs first
      Given a node "a-gpus" with 32 vcore, 1000 gpu_milli
      And a node "b-none" with 32 vcore
      When "plain" asks in root.default for 4 vcore
      Then "plain" is allocated on "b-none"

    Scenario: or one whose GPUs are all taken
      Given the nodes:
        | node    | capacity                 | occupied       |
        | a-free  | 32 vcore, 1000 gpu_milli |                |
        | b-taken | 32 vcore, 1000 gpu_milli | 1000 gpu_milli |
      When "plain" asks in root.default for 4 vcore
      Then "plain" is allocated on "b-taken"

    Scenario: else one that has cores to spare for its GPUs
      Given a node "a-scarce" with 12 vcore, 1000 gpu_milli
      And a node "b-spare" with 64 vcore, 1000 gpu_milli
      When "plain" asks in root.default for 8 vcore
      Then "plain" is allocated on "b-spare"
