Feature: Fairness over time

  With a half-life, the order of children looks at what they have used, not only at what they use now. Past usage loses half of its weight in
  each half-life.

  Rule: aged usage approaches current usage, and is half as far away after each half-life

    Scenario Outline: eight cores are used, and after <time> they count as <aged>
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
      And a node "n1" with 8 vcore
      And "a" asks in root.a for 8 vcore
      When <time> passes
      Then the queues show:
        | queue  | used   | aged   |
        | root.a | 8 vcore | <aged> |

      Examples:
        | time | aged     |
        | 10m  | 4 vcore  |
        | 20m  | 6 vcore  |
        | 30m  | 7 vcore  |
        | 40m  | 7.5 vcore |
        | 50m  | 7.75 vcore |

    Scenario Outline: what has ended counts half after each half-life, after <time> it is <aged>
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
      And a node "n1" with 8 vcore
      And "a" asks in root.a for 8 vcore
      And 10m pass
      And "a" is released
      When <time> passes
      Then the queues show:
        | queue  | used    | aged   |
        | root.a | 0 vcore | <aged> |

      Examples:
        | time | aged     |
        | 1ns  | 4 vcore |
        | 10m  | 2 vcore  |
        | 20m  | 1 vcore  |
        | 50m  | 125m vcore |

    Scenario: a parent's usage ages as that of its parent's children, by the half-life above it
      Given the queues:
        | queue    | fairness.half-life |
        | root     | 10m                |
        | root.a   | 20m                |
        | root.a.x |                    |
      And a node "n1" with 8 vcore
      And "x" asks in root.a.x for 8 vcore
      When 20m pass
      Then the queues show:
        | queue    | aged    |
        | root.a   | 6 vcore |
        | root.a.x | 4 vcore |

    Scenario: allocations that leave count until their release, and placeholders count
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
      And a node "n1" with 8 vcore
      And a gang "g" in root.a with placeholders for 8 vcore
      And "g" asks placeholder "p" of group "w" for 8 vcore
      When 10m pass
      Then the queues show:
        | queue  | aged    |
        | root.a | 4 vcore |

  Rule: without a half-life only current usage counts

    Scenario: whoever has worked alone gets as much as before
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And 10m pass
      And "a0" is released
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 4     |
        | b   | b           | root.b | 1 vcore   | 4     |
      Then "a-1", "b-1", "a-2", "b-2" are allocated in this order

    Scenario: a half-life of zero is none
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 0s                 |
        | root.a |                    |
        | root.b |                    |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And 10m pass
      And "a0" is released
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 4     |
        | b   | b           | root.b | 1 vcore   | 4     |
      Then "a-1", "b-1", "a-2", "b-2" are allocated in this order

    Scenario: a queue can switch the half-life off for its children
      Given the queues:
        | queue    | fairness.half-life |
        | root     | 10m                |
        | root.p   | 0s                 |
        | root.p.a |                    |
        | root.p.b |                    |
      And a node "n1" with 4 vcore
      And "a0" asks in root.p.a for 4 vcore
      And 10m pass
      And "a0" is released
      When "a1" asks in root.p.a for 1 vcore
      And "b1" asks in root.p.b for 1 vcore
      Then "a1", "b1" are allocated in this order

  Rule: the queue that has used least comes first

    Scenario: after one queue has worked alone, the other one catches up
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
        | root.b |                    |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And 10m pass
      And "a0" is released
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 4     |
        | b   | b           | root.b | 1 vcore   | 4     |
      Then "b-1", "b-2", "b-3", "b-4" are allocated in this order

    Scenario: usage is compared as a share of the guarantee
      Given the queues:
        | queue  | fairness.half-life | guaranteed |
        | root   | 10m                |            |
        | root.a |                    | 4 vcore    |
        | root.b |                    | 1 vcore    |
      And a node "n1" with 8 vcore
      And "a0" asks in root.a for 4 vcore
      And "b0" asks in root.b for 2 vcore
      When 10m pass
      Then the queues show:
        | queue  | aged    | aged share |
        | root.a | 2 vcore |            |
        | root.b | 1 vcore |            |
      When "a1" asks in root.a for 1 vcore
      And "b1" asks in root.b for 1 vcore
      Then "a1", "b1" are allocated in this order

    Scenario: priority comes before usage
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
        | root.b |                    |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And 10m pass
      And "a0" is released
      When "b1" asks in root.b for 2 vcore
      And "a1" asks in root.a for 2 vcore with priority 1
      Then "a1", "b1" are allocated in this order

  Rule: a queue below its guarantee comes first, by current usage

    Scenario: past usage takes nothing from a guarantee
      Given the queues:
        | queue  | fairness.half-life | guaranteed |
        | root   | 10m                |            |
        | root.a |                    | 2 vcore    |
        | root.b |                    |            |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And 1h passes
      And "a0" is released
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 4     |
        | b   | b           | root.b | 1 vcore   | 4     |
      Then "a-1", "a-2", "b-1", "b-2" are allocated in this order

    Scenario: among queues below their guarantees, past usage decides
      Given the queues:
        | queue  | fairness.half-life | guaranteed |
        | root   | 10m                |            |
        | root.a |                    | 4 vcore    |
        | root.b |                    | 4 vcore    |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And 1h passes
      And "a0" is released
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 4     |
        | b   | b           | root.b | 1 vcore   | 4     |
      Then "b-1", "b-2", "b-3", "b-4" are allocated in this order

    Scenario: a guarantee of zero is none to come first by
      Given the queues:
        | queue  | fairness.half-life | guaranteed |
        | root   | 10m                |            |
        | root.a |                    | 0 vcore    |
        | root.b |                    |            |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 2 vcore
      And 10m pass
      And "a0" is released
      When "a1" asks in root.a for 1 vcore
      And "b1" asks in root.b for 1 vcore
      Then "b1", "a1" are allocated in this order

  Rule: the look-ahead mixes current usage in

    Scenario Outline: with a look-ahead of <ahead>, eight unused cores that were used for a half-life count as <compared>
      Given the queues:
        | queue  | fairness.half-life | fairness.look-ahead |
        | root   | 10m                | <ahead>             |
        | root.a |                    |                     |
      And a node "n1" with 8 vcore
      And "a" asks in root.a for 8 vcore
      And 10m pass
      When "a" is released
      Then the queues show:
        | queue  | compared   |
        | root.a | <compared> |

      Examples:
        | ahead | compared |
        | 0s    | 4 vcore  |
        | 10m   | 2 vcore  |
        | 20m   | 1 vcore  |

    Scenario: with an endless look-ahead the order is that of current usage
      Given the queues:
        | queue  | fairness.half-life | fairness.look-ahead |
        | root   | 10m                | 2562047h            |
        | root.a |                    |                     |
        | root.b |                    |                     |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And 10m pass
      And "a0" is released
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 4     |
        | b   | b           | root.b | 1 vcore   | 4     |
      Then "a-1", "b-1", "a-2", "b-2" are allocated in this order

    Scenario: without look-ahead only the past counts, so of queues without one, that with more pending asks comes first
      Given the queues:
        | queue  | fairness.half-life | fairness.look-ahead |
        | root   | 10m                | 0s                  |
        | root.a |                    |                     |
        | root.b |                    |                     |
      And a node "n1" with 4 vcore
      When the asks:
        | ask | application | queue  | resources | count |
        | a   | a           | root.a | 1 vcore   | 4     |
        | b   | b           | root.b | 1 vcore   | 3     |
      Then "a-1", "a-2", "b-1", "a-3" are allocated in this order

  Rule: an order follows aged usage at events and at multiples of its period, which wake nothing

    Scenario: nothing happens because time passes
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
        | root.b |                    |
      And a node "n1" with 4 vcore
      And "a0" asks in root.a for 4 vcore
      And "b1" asks in root.b for 4 vcore
      When 5m pass
      Then there is no allocation decision
      And the queues show:
        | queue  | used    |
        | root.a | 4 vcore |

  Rule: a queue that is gone is remembered for twenty half-lives

    Scenario Outline: after <time> a queue comes back, and counts as <aged>
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
        | root.b |                    |
      And a node "n1" with 8 vcore, 8000000 memory
      And "a" asks in root.a for 8000000 memory
      And 10m pass
      And application "a" is removed
      And the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                properties: {fairness.half-life: 10m}
                queues: [{name: b}]
        """
      And <time> passes
      When the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                properties: {fairness.half-life: 10m}
                queues: [{name: a}, {name: b}]
        """
      Then the queues show:
        | queue  | aged   |
        | root.a | <aged> |

      Examples:
        | time  | aged           |
        | 10m   | 2000000 memory |
        | 190m  | 8 memory       |
        | 200m  | 0 memory       |

  Rule: a reload switches aging on and off

    Scenario: switched on, aged usage begins at zero
      Given the queues:
        | queue  |
        | root.a |
        | root.b |
      And a node "n1" with 8 vcore
      And "a" asks in root.a for 8 vcore
      And 1h passes
      And the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                properties: {fairness.half-life: 10m}
                queues: [{name: a}, {name: b}]
        """
      When 10m pass
      Then the queues show:
        | queue  | aged    |
        | root.a | 4 vcore |

    Scenario: a changed half-life applies from then on
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
      And a node "n1" with 8 vcore
      And "a" asks in root.a for 8 vcore
      And 10m pass
      And "a" is released
      And the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                properties: {fairness.half-life: 1h}
                queues: [{name: a}]
        """
      When 1h passes
      Then the queues show:
        | queue  | aged    |
        | root.a | 2 vcore |

    Scenario: switched off, past usage is forgotten
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
      And a node "n1" with 8 vcore
      And "a" asks in root.a for 8 vcore
      And 10m pass
      And "a" is released
      And the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                queues: [{name: a}]
        """
      When the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                properties: {fairness.half-life: 10m}
                queues: [{name: a}]
        """
      Then the queues show:
        | queue  | aged    |
        | root.a | 0 vcore |

    Scenario: a moved application takes its usage along, and leaves its past behind
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
        | root.b |                    |
      And a node "n1" with 8 vcore
      And "x" asks in root.a for 8 vcore
      And 10m pass
      And application "x" is moved to root.b
      When 10m pass
      Then the queues show:
        | queue  | used    | aged    |
        | root.a | 0 vcore | 2 vcore |
        | root.b | 8 vcore | 4 vcore |

    @snapshot
    Scenario: a snapshot carries aged usage
      Given the queues:
        | queue  | fairness.half-life |
        | root   | 10m                |
        | root.a |                    |
      And a node "n1" with 8 vcore
      And "a" asks in root.a for 8 vcore
      And 10m pass
      And the scheduler is restored from a snapshot
      When 10m pass
      Then the queues show:
        | queue  | aged    |
        | root.a | 6 vcore |

  Rule: values that are no durations are refused

    Scenario: a half-life below a second
      When the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                properties: {fairness.half-life: 500ms}
        """
      Then the configuration is refused with:
        | line | queue | key                | expected                                               | found   |
        | 4    | root  | fairness.half-life | a duration of 1s or more, such as 24h, or 0s for none | "500ms" |

    Scenario: a negative look-ahead, and an unknown name
      When the configuration:
        """yaml
        partitions:
          - queues:
              - name: root
                properties:
                  fairness.look-ahead: -1s
                  fairness.half-time: 1h
        """
      Then the configuration is refused with:
        | line | queue | key                 | expected                                     | found                |
        | 5    | root  | fairness.look-ahead | a duration such as 1h, or 0s for none        | "-1s"                |
        | 6    | root  | fairness.half-time  | fairness.half-life or fairness.look-ahead    | "fairness.half-time" |
