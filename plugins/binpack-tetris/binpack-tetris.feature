Feature: binpack-tetris

  An ask goes where what it wants and what is left point the same way: the largest dot product of the two, both as
  shares of what the node has.

  Background:
    Given nodes are sorted by binpack-tetris

  Rule: an ask goes where much is left of what it wants much of

    Scenario Outline: <wants> goes to the node with <left> left
      Given the nodes:
        | node    | capacity            | occupied |
        | a-half  | 10 vcore, 10 memory | 5 vcore, 5 memory |
        | b-bytes | 10 vcore, 10 memory | 8 vcore  |
        | c-cores | 10 vcore, 10 memory | 8 memory |
      When "job" asks in root.default for <wants>
      Then "job" is allocated on "<node>"

      Examples:
        | wants             | node    | left   | alignments                   |
        | 2 vcore           | c-cores | cores  | 0.2 × 1 against 0.2 × 0.5    |
        | 2 memory          | b-bytes | memory | 0.2 × 1 against 0.2 × 0.5    |
        | 2 vcore, 1 memory | c-cores | cores  | 0.22 against 0.15 and 0.14   |
        | 1 vcore, 2 memory | b-bytes | memory | 0.22 against 0.15 and 0.14   |

  Rule: shares count, not amounts

    Scenario: of two empty nodes the small one, of which the ask is a larger part
      Given a node "a-large" with 16 vcore
      And a node "b-small" with 4 vcore
      When "job" asks in root.default for 2 vcore
      Then "job" is allocated on "b-small"

  Rule: of equals, the fuller

    Scenario: what the ask does not want is used there
      Given the nodes:
        | node    | capacity            | occupied |
        | a-empty | 10 vcore, 10 memory |          |
        | b-used  | 10 vcore, 10 memory | 6 memory |
      When "job" asks in root.default for 2 vcore
      Then "job" is allocated on "b-used"

  Rule: every type counts

    Scenario: GPUs, too
      Given the nodes:
        | node    | capacity                   | occupied         |
        | a-cores | 10 vcore, 8 nvidia.com/gpu | 6 nvidia.com/gpu |
        | b-gpus  | 10 vcore, 8 nvidia.com/gpu | 5 vcore          |
      When "job" asks in root.default for 1 vcore, 2 nvidia.com/gpu
      Then "job" is allocated on "b-gpus"
