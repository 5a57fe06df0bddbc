package main

import (
	"os"
	"path/filepath"
	"testing"
)

// What each parameter changes, each case the other way round by default.
var settled = []struct{ name, settings, scenario string }{
	{"binpack-tetris", `alignment = "cosine"`, `
    Given nodes are sorted by binpack-tetris
    And the nodes:
      | node    | capacity            | occupied          |
      | a-empty | 10 vcore, 10 memory |                   |
      | b-half  | 10 vcore, 10 memory | 5 vcore, 5 memory |
    When "job" asks in root.default for 1 vcore, 1 memory
    Then "job" is allocated on "b-half"
`},
	{"binpack-tetris", `weights = { memory = 0 }`, `
    Given nodes are sorted by binpack-tetris
    And the nodes:
      | node    | capacity            | occupied |
      | a-bytes | 10 vcore, 10 memory | 4 vcore  |
      | b-cores | 10 vcore, 10 memory | 8 memory |
    When "job" asks in root.default for 1 vcore, 2 memory
    Then "job" is allocated on "b-cores"
`},
	{"gpu-frag", `shapes = [300, 1000, 1]`, `
    Given nodes are sorted by gpu-frag
    And the nodes:
      | node    | capacity                 | occupied      |
      | a-loose | 32 vcore, 1000 gpu_milli | 200 gpu_milli |
      | b-tight | 32 vcore, 1000 gpu_milli | 400 gpu_milli |
    When "share" asks in root.default for 1 vcore, 500 gpu_milli
    Then "share" is allocated on "a-loose"
`},
	{"zone-spread", `domain = "rack"`, `
    Given nodes are sorted by zone-spread
    And the nodes:
      | node | capacity | occupied | attributes     |
      | n1   | 10 vcore | 5 vcore  | zone=a, rack=1 |
      | n2   | 10 vcore |          | zone=b, rack=1 |
      | n3   | 10 vcore | 2 vcore  | zone=b, rack=2 |
    When "job" asks in root.default for 1 vcore
    Then "job" is allocated on "n3"
`},
	{"weighted-fair", `costs = { memory = 1 }`, `
    Given the queues:
      | queue  | queue.sort.policy |
      | root   | weighted-fair     |
      | root.a |                   |
      | root.b |                   |
    And a node "n1" with 10 vcore, 100Gi memory
    And "a0" asks in root.a for 1 vcore, 9Gi memory
    And "b0" asks in root.b for 2 vcore
    When "a" asks in root.a for 1 vcore
    And "b" asks in root.b for 1 vcore
    Then "b", "a" are allocated in this order
`},
	{"deadline", "duration = 600", `
    Given the queues:
      | queue  | application.sort.policy |
      | root.a | deadline                |
    And a node "n1" with 10 vcore
    And the applications:
      | application | queue  | tags                      |
      | known       | root.a | deadline=1000,duration=60 |
      | unknown     | root.a | deadline=1100             |
    When "known" asks "k" for 1 vcore
    And "unknown" asks "u" for 1 vcore
    Then "u", "k" are allocated in this order
`},
	{"deadline", "parallel = 3", `
    Given the queues:
      | queue  | application.sort.policy |
      | root.a | deadline                |
    And a node "n1" with 10 vcore
    And the applications:
      | application | queue  | tags          |
      | many        | root.a | deadline=1000 |
      | one         | root.a | deadline=950  |
    When "many" asks "m1", "m2", "m3" for 1 vcore
    And "one" asks "o" for 1 vcore
    Then "o", "m1", "m2", "m3" are allocated in this order
`},
	{"user-fair", `groups = false`, `
    Given the queues:
      | queue  | application.sort.policy |
      | root.a | user-fair               |
    And the limits:
      | queue | users    | groups | max     |
      | root  | ann, bob |        | 8 vcore |
      | root  |          | dev    | 4 vcore |
    And a node "n1" with 20 vcore
    And the asks:
      | ask   | queue  | user | groups | resources |
      | bob-1 | root.a | bob  |        | 3 vcore   |
      | eve-1 | root.a | eve  | dev    | 2 vcore   |
    When the asks:
      | ask   | queue  | user | groups | resources |
      | bob-2 | root.a | bob  |        | 1 vcore   |
      | ann-1 | root.a | ann  | dev    | 1 vcore   |
    Then "ann-1", "bob-2" are allocated in this order
`},
	{"user-fair", `unlimited = 0`, `
    Given the queues:
      | queue  | application.sort.policy |
      | root.a | user-fair               |
    And the limits:
      | queue | users | max     |
      | root  | bob   | 2 vcore |
    And a node "n1" with 20 vcore
    When the asks:
      | ask   | queue  | user | resources |
      | bob-1 | root.a | bob  | 1 vcore   |
      | bob-2 | root.a | bob  | 1 vcore   |
      | eve-1 | root.a | eve  | 1 vcore   |
    Then "bob-1", "eve-1", "bob-2" are allocated in this order
`},
	{"sjf", `waiting = 1`, `
    Given the queues:
      | queue  | application.sort.policy |
      | root.a | sjf                     |
    And a node "n1" with 1 vcore
    When "busy" asks in root.a for 1 vcore
    Then "busy" is allocated
    When the asks:
      | ask  | queue  | resources | walltime |
      | long | root.a | 1 vcore   | 2h       |
    And 90m pass
    And the asks:
      | ask   | queue  | resources | walltime |
      | short | root.a | 1 vcore   | 1h       |
    And "busy" is released
    Then "long" is allocated
`},
	{"aging", `interval = 60`, `
    Given the queues:
      | queue  | application.sort.policy | application.sort.priority |
      | root.a | aging                   | disabled                  |
    And a node "n1" with 1 vcore
    When "busy" asks in root.a for 1 vcore
    Then "busy" is allocated
    When "low" asks in root.a for 1 vcore with priority 0
    And 150s pass
    And "high" asks in root.a for 1 vcore with priority 2
    And "busy" is released
    Then "low" is allocated
`},
}

func TestParametersDoWhatTheirPagesSay(t *testing.T) {
	for _, c := range settled {
		t.Run(c.name+" "+c.settings, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "parameter.feature")
			text := "Feature: " + c.name + "\n\n  Scenario: " + c.settings + c.scenario
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			play(t, open(t, c.name, "[parameters]\n"+c.settings+"\n"), file)
		})
	}
}
