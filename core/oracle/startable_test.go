package oracle_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// explainer is a machine that says why something waits.
type explainer interface {
	dumper
	ExplainApp(id string) (core.AppExplanation, bool)
	ExplainPreemption(id string) (core.PreemptionExplanation, bool)
}

// What a cycle that ran to its end leaves undone nobody could do: whoever may take victims has taken them, and no node is kept
// or reserved for an ask that may not have it.
func TestNothingIsLeftUndoneAndNothingIsBarredForNothing(t *testing.T) {
	dryRuns := 0
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine().(explainer)
		r := &trial{t: t, scenario: scenarios().Draw(t, "scenario"), machines: []dumper{m}, said: map[string]core.Ask{}}
		r.check = func(call string, _ []outcome) {
			l := leftover{explainer: m, dump: m.Dump(), said: r.said}
			if !strings.HasPrefix(call, "cycle") && !strings.HasPrefix(call, "advance") {
				l.keptNodesMayBeLandedOn()
			}
			if strings.HasPrefix(call, "cycle -1") {
				l.nobodyHasVictims()
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

// leftover looks at what a call left behind.
type leftover struct {
	explainer
	dump    core.Dump
	said    map[string]core.Ask
	faults  []string
	dryRuns int
}

func (l *leftover) fault(text string) { l.faults = append(l.faults, text) }

// nobodyHasVictims compares the cycle with the dry run of each ask that waits.
func (l *leftover) nobodyHasVictims() {
	for _, id := range pendingOf(l.dump) {
		e, _ := l.ExplainPreemption(id)
		l.dryRuns++
		if e.Verdict == core.VerdictPreempts && e.Due <= l.dump.Now && !e.Observed {
			l.fault(id + " would preempt on " + e.Node + ", and does not: " + e.Text)
		}
	}
}

// reservationsCanBeFilled checks that each reserved node would take its ask some time, and that the ask's application may
// be allocated to.
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

// keptNodesMayBeLandedOn checks, after an input, that the application of each ask that a node is kept for may be allocated
// to. Within a cycle one that lands may let in another that is Starting; whom this keeps out is seen at the next input.
func (l *leftover) keptNodesMayBeLandedOn() {
	for _, a := range l.dump.Applications {
		for _, k := range a.Asks {
			if why := l.barred(a.ID); k.Kept != "" && why != "" {
				l.fault(k.Kept + " is kept for " + k.ID + ", whose application may not have it: " + why)
			}
		}
	}
}

// barred says what keeps an application from being allocated to; empty: nothing does.
func (l *leftover) barred(app string) string {
	e, _ := l.ExplainApp(app)
	for _, why := range e.Reasons {
		if why == core.WaitMaxApps || why == core.WaitStateFilter {
			return string(why)
		}
	}
	return ""
}
