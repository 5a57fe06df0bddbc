package features_test

import (
	"errors"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/features"
)

// judged are the tags of what a judge can be asked.
const judged = "not (@explain or @snapshot or @policies)"

// judge drives the oracle, which explains nothing, cannot be kept and knows no policy modules.
type judge struct {
	*oracle.Oracle
}

func newJudge() (features.Driver, error) { return judge{oracle.New()}, nil }

func (judge) ExplainAsk(string) (explain.AskExplanation, bool) {
	return explain.AskExplanation{}, false
}
func (judge) ExplainApp(string) (explain.AppExplanation, bool) {
	return explain.AppExplanation{}, false
}
func (judge) ExplainQueue(string) (explain.QueueExplanation, bool) {
	return explain.QueueExplanation{}, false
}
func (judge) ExplainPreemption(string) (explain.PreemptionExplanation, bool) {
	return explain.PreemptionExplanation{}, false
}
func (judge) Consolidate(string) (explain.Consolidation, bool) { return explain.Consolidation{}, false }
func (judge) ExplainMax(string, resource.Set) (explain.MaxExplanation, bool) {
	return explain.MaxExplanation{}, false
}
func (judge) ExplainPlacement(*core.AddApp) explain.PlacementExplanation {
	return explain.PlacementExplanation{}
}
func (judge) Access(string, string, []string) (explain.AccessExplanation, bool) {
	return explain.AccessExplanation{}, false
}
func (judge) LimitUsage() []core.LimitUsage { return nil }
func (judge) Restored() (features.Driver, error) {
	return nil, errors.New("the oracle has no snapshots")
}

// The oracle is held against the same scenarios: who judges must know the rules.
func TestTheOracleDoesWhatTheScenariosSay(t *testing.T) {
	run(t, features.Options{NewDriver: newJudge, Tags: judged})
}
