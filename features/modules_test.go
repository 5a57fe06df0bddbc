package features_test

import (
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/features"
)

// most scores nodes by what is free.
type most struct{ calls *int }

// Eval answers with the first column.
func (m most) Eval(b *policy.Batch) error {
	*m.calls++
	for _, r := range b.Rows {
		b.Out[r] = b.Cols[0][r]
	}
	return nil
}

const byModule = `Feature: by a module
  Scenario: the node with the most free comes first
    Given nodes are sorted by most
    And a node "small" with 4 vcore
    And a node "large" with 8 vcore
    When the scheduler is restored from a snapshot
    And "x" asks in root.default for 2 vcore
    Then "x" is allocated on "large"
    And there is no policy.fault decision
  Scenario: it is there in each scenario
    When nodes are sorted by most
    Then the configuration is accepted
`

func TestModulesExistFromTheStartOfEveryScenario(t *testing.T) {
	calls, scenarios := 0, 0
	modules := &features.Modules{
		Announced: []core.PolicyModule{{Name: "most", SHA256: "00", Manifest: `{"name": "most", "points": {"node.score": {"columns": ["free:vcore"], "keys": 1, "depends": "row"}}}`}},
		Answer: func() func(core.Announcement) policy.Evaluator {
			scenarios++
			return func(core.Announcement) policy.Evaluator { return most{&calls} }
		},
	}
	code, out := play(t, byModule, features.Options{NewDriver: modules.Driver, Concurrency: 1})
	if code != features.Passed || calls == 0 || scenarios != 2 {
		t.Errorf("exit code %d, %d calls, %d scenarios\n%s", code, calls, scenarios, out)
	}
}
