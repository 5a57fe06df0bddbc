package features_test

import (
	"errors"
	"testing"

	"github.com/quern-project/quern/core"
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

func (judge) ExplainAsk(string) (core.AskExplanation, bool) { return core.AskExplanation{}, false }
func (judge) ExplainApp(string) (core.AppExplanation, bool) { return core.AppExplanation{}, false }
func (judge) ExplainQueue(string) (core.QueueExplanation, bool) {
	return core.QueueExplanation{}, false
}
func (judge) ExplainPreemption(string) (core.PreemptionExplanation, bool) {
	return core.PreemptionExplanation{}, false
}
func (judge) ExplainMax(string, resource.Set) (core.MaxExplanation, bool) {
	return core.MaxExplanation{}, false
}
func (judge) ExplainPlacement(*core.AddApp) core.PlacementExplanation {
	return core.PlacementExplanation{}
}
func (judge) Access(string, string, []string) (core.AccessExplanation, bool) {
	return core.AccessExplanation{}, false
}
func (judge) LimitUsage() []core.LimitUsage { return nil }
func (judge) Restored() (features.Driver, error) {
	return nil, errors.New("the oracle has no snapshots")
}

// The oracle is held against the same scenarios: who judges must know the rules.
func TestTheOracleDoesWhatTheScenariosSay(t *testing.T) {
	run(t, features.Options{NewDriver: newJudge, Tags: judged})
}
