package oracle_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// wanted are the kinds of decisions that random scenarios must contain to prove anything.
var wanted = []string{
	"allocation", "app.accepted", "config.accepted", "config.rejected", "node.accepted", "reservation", "unreservation",
	"app.rejected duplicate", "app.rejected no-queue", "app.rejected not-a-leaf", "app.rejected queue-draining", "app.rejected unknown-queue",
	"app.state Accepted Completed app-removed", "app.state Accepted Completing idle", "app.state Accepted Running first-allocation",
	"app.state Accepted Starting first-allocation", "app.state Completed Expired expired", "app.state Completing Completed completing-timeout",
	"app.state Completing Running ask-added", "app.state New Accepted ask-added", "app.state New Completed app-removed",
	"app.state Running Completing idle", "app.state Starting Completing idle", "app.state Starting Running second-allocation",
	"app.state Starting Running starting-timeout",
	"ask.rejected duplicate", "ask.rejected no-resources", "ask.rejected unknown-application",
	"ask.rejected unknown-node", "ignored ask.remove not-pending", "ignored ask.update not-pending", "ignored ask.update no-resources",
	"ignored allocation.release not-allocated", "ignored allocation.release unknown-ask", "ignored app.remove unknown-application",
	"ignored node.drain unknown-node", "ignored node.remove unknown-node", "ignored node.update unknown-node",
	"ask.rejected amount-overflow", "ignored node.update amount-overflow", "node.rejected amount-overflow",
	"preemption.lapsed landed-elsewhere", "preemption.lapsed no-longer-fits", "preemption.lapsed node-removed", "preemption.lapsed not-startable", "preemption.lapsed withdrawn",
	"unreservation no-headroom", "unreservation not-startable", "unreservation required-node",
	"node.rejected duplicate", "preemption", "preemption.observed", "queue.state active draining removed", "queue.state draining active restored",
	"queue.state draining stopped empty", "release app_removed", "release finished", "release node_removed", "release preempted",
}

// Scenarios are drawn until all kinds have come, some hundreds at most.
func TestRandomScenariosReachEveryKindOfDecision(t *testing.T) {
	reached := map[string]int{}
	lacks := func(kind string) bool { return reached[kind] == 0 }
	for seed := 0; seed < 600 && slices.ContainsFunc(wanted, lacks); seed++ {
		m := oracle.New()
		r := &lockstepRun{t: t, scenario: scenarios().Example(seed), machines: []dumper{m}}
		r.check = func(_ string, returns []outcome) {
			for _, d := range returns[0].decisions {
				reached[kindOf(d)]++
			}
		}
		r.run()
	}
	for _, kind := range wanted {
		if reached[kind] == 0 {
			t.Errorf("no scenario came to %q", kind)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(reached)) {
		t.Logf("%6d %s", reached[kind], kind)
	}
}

func kindOf(d core.Decision) string {
	kind := string(d.Type)
	for _, part := range []string{string(d.Input), d.From, d.To, string(d.Reason)} {
		if part != "" {
			kind += " " + part
		}
	}
	return kind
}
