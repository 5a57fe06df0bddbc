package oracle_test

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"pgregory.net/rapid"
)

// explainer is a machine that explains why asks and applications wait.
type explainer interface {
	dumper
	ExplainApp(id string) (explain.AppExplanation, bool)
	ExplainPreemption(id string) (explain.PreemptionExplanation, bool)
}

// A complete cycle leaves nothing undone: each ask that may preempt and finds victims has preempted, and no node is claimed or reserved for an
// ask that may not use it.
func TestScheduler_LeavesNoPossibleAllocation(t *testing.T) {
	dryRuns := 0
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine().(explainer)
		r := &lockstepRun{t: t, scenario: scenarios().Draw(t, "scenario"), machines: []dumper{m}, asksByID: map[string]core.Ask{}}
		r.check = func(call string, _ []outcome) {
			l := leftover{explainer: m, dump: m.Dump(), said: r.asksByID}
			if !strings.HasPrefix(call, "cycle") && !strings.HasPrefix(call, "advance") {
				l.claimsCanBeAllocated()
			}
			if strings.HasPrefix(call, "cycle -1") {
				l.noAskHasVictims()
				l.reservationsCanBeFilled()
			}
			if dryRuns += l.dryRuns; len(l.faults) > 0 {
				r.fail("%s: %s", call, strings.Join(l.faults, "\n"))
			}
		}
		r.run()
	})
	t.Logf("%d dry runs", dryRuns)
}

// leftover checks the state after a call.
type leftover struct {
	explainer
	dump    core.Dump
	said    map[string]core.Ask
	faults  []string
	dryRuns int
}

func (l *leftover) fault(text string) { l.faults = append(l.faults, text) }

// noAskHasVictims compares the cycle with the dry run of each pending ask.
func (l *leftover) noAskHasVictims() {
	for _, id := range pendingOf(l.dump) {
		e, _ := l.ExplainPreemption(id)
		l.dryRuns++
		if e.Verdict == explain.VerdictPreempts && e.Due <= l.dump.Now && !e.Observed {
			l.fault(id + " would preempt on " + e.Node + ", and does not: " + e.Text)
		}
	}
}

// reservationsCanBeFilled checks that each reserved node can take its ask at some time, and that the ask's application may get allocations.
func (l *leftover) reservationsCanBeFilled() {
	asks, owners := map[string]core.AskDump{}, map[string]string{}
	for _, a := range l.dump.Applications {
		for _, k := range a.Asks {
			asks[k.ID], owners[k.ID] = k, a.ID
		}
	}
	for _, n := range l.dump.Nodes {
		if n.Reserved == "" {
			continue
		}
		if why := l.barred(owners[n.Reserved]); why != "" {
			l.fault(n.ID + " is reserved for " + n.Reserved + ", whose application may not have it: " + why)
		}
		fits := n.Schedulable
		for _, need := range withoutZeros(asks[n.Reserved].Resources) {
			fits = fits && valueIn(n.Capacity, need.Type)-valueIn(n.Occupied, need.Type) >= need.Value
		}
		if node := l.said[n.Reserved].Node; !fits || node != "" && node != n.ID {
			l.fault(n.ID + " is reserved for " + n.Reserved + ", which it could never take")
		}
	}
}

// claimsCanBeAllocated checks, after an input, that the application of each ask with a claim may get allocations. Within a cycle, the
// allocation of a claim may let another application start; claims that this bars end at the next input.
func (l *leftover) claimsCanBeAllocated() {
	for _, a := range l.dump.Applications {
		for _, k := range a.Asks {
			if why := l.barred(a.ID); k.Claims != "" && why != "" {
				l.fault(k.Claims + " is kept for " + k.ID + ", whose application may not have it: " + why)
			}
		}
	}
}

// barred returns the reason why an application may not get allocations, or "".
func (l *leftover) barred(app string) string {
	e, _ := l.ExplainApp(app)
	for _, why := range e.Reasons {
		if why == explain.WaitMaxApps || why == explain.WaitStateFilter {
			return string(why)
		}
	}
	return ""
}
