package journal

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// told returns a player after some decisions about the asks a and b of the application x, which both have a run time of an hour. a was
// allocated at 0s.
func told(decisions ...core.Decision) *Player {
	p := NewPlayer(newFake(), &ahead{src: NewDecoder(strings.NewReader(""), "in", nil)}, Options{Grace: 10 * time.Second})
	p.ends.expect("a", "x", time.Hour)
	p.ends.expect("b", "x", time.Hour)
	p.hand(append([]core.Decision{{Type: core.Allocation, ID: "a"}}, decisions...))
	return p
}

func TestPlaceholdersLeaveAfterTheGraceAsVictimsDo(t *testing.T) {
	for _, d := range []core.Decision{
		{Type: core.Replaced, ID: "a", For: "b", Node: "n"},
		{Type: core.TimedOut, ID: "a", App: "x", Node: "n", Reason: core.ReasonTimeout},
		{Type: core.Preemption, ID: "a", Quota: "root.q", Node: "n"},
	} {
		d.At = time.Minute
		if end, ok := told(d).ends.next(); !ok || end != 70*time.Second {
			t.Errorf("%s: it ends at %v, %v", d.Type, end, ok)
		}
	}
}

func TestPlayer_PlaceholdersLeaveInAllocationOrder(t *testing.T) {
	p := told(
		core.Decision{Type: core.Replaced, ID: "later", For: "b", Node: "n", Placement: 7},
		core.Decision{Type: core.TimedOut, ID: "sooner", App: "x", Node: "n", Reason: core.ReasonTimeout, Placement: 3},
	)
	for _, want := range []string{"sooner", "later"} {
		if id, _ := p.ends.pop(10 * time.Second); id != want {
			t.Errorf("expected %q to go, found %q", want, id)
		}
	}
}

func TestAskOfAnEndedGangLeavesNoEnd(t *testing.T) {
	for name, d := range map[string]core.Decision{
		"a pending placeholder":      {Type: core.TimedOut, ID: "b", App: "x", Reason: core.ReasonTimeout},
		"a member of an atomic gang": {Type: core.AskRejected, ID: "b", App: "x", Reason: core.ReasonGangTimeout},
		"a task of an application":   {Type: core.AppState, ID: "x", To: core.StateFailing},
	} {
		p := told(d)
		if p.ends.byID["b"] != nil || p.ends.byID["a"] == nil {
			t.Errorf("%s: b is %v, a is %v", name, p.ends.byID["b"], p.ends.byID["a"])
		}
	}
}

func TestARejectedDuplicateLeavesTheEndOfTheOther(t *testing.T) {
	p := told(core.Decision{Type: core.AskRejected, ID: "b", App: "x", Reason: core.ReasonDuplicate})
	if p.ends.byID["b"] == nil {
		t.Error("the end of b is forgotten")
	}
}
