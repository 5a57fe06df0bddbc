package drive_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
)

// machine records its calls. It makes one allocation per input, and its searches may take several cycles.
type machine struct {
	calls    []string
	now      time.Duration
	asks     int             // number of asks to allocate
	searches int             // number of cycles until the search ends
	timers   []time.Duration // future deadlines
}

func (m *machine) Now() time.Duration { return m.now }

func (m *machine) Deadline() (time.Duration, bool) {
	switch {
	case m.searches > 0:
		return m.now, true
	case len(m.timers) > 0:
		return m.timers[0], true
	}
	return 0, false
}

func (m *machine) Advance(to time.Duration) {
	m.calls = append(m.calls, fmt.Sprintf("advance %v", to))
	m.now = to
	for len(m.timers) > 0 && m.timers[0] <= to {
		m.timers = m.timers[1:]
	}
}

func (m *machine) Apply(in *core.Input) core.Reason {
	m.calls = append(m.calls, "apply "+in.ID())
	m.asks++
	return core.Accepted
}

func (m *machine) Cycle(limit int) int {
	m.calls = append(m.calls, "cycle")
	made := m.asks
	if limit >= 0 {
		made = min(made, limit)
	}
	m.asks -= made
	if m.asks == 0 && m.searches > 0 {
		m.searches--
	}
	return made
}

func (m *machine) Take() []core.Decision { return nil }

// Answered returns one answer per call so far.
func (m *machine) Answered() []core.Answers { return make([]core.Answers, len(m.calls)) }

func (m *machine) expect(t *testing.T, calls ...string) {
	t.Helper()
	if !slices.Equal(m.calls, calls) {
		t.Errorf("expected the calls %v, found %v", calls, m.calls)
	}
}

func TestInstant_CyclesUntilDecided(t *testing.T) {
	m := &machine{searches: 2}
	x := drive.At(m, time.Second)
	x.Apply(&core.Input{Event: &core.RemoveAsk{ID: "a"}})
	x.Apply(&core.Input{Event: &core.RemoveAsk{ID: "b"}})
	if made := x.Decide(); made != 2 {
		t.Errorf("expected 2 allocations, found %d", made)
	}
	x.Close()
	m.expect(t, "advance 1s", "apply a", "apply b", "cycle", "cycle")
	if x.Phase() != drive.Between {
		t.Error("expected the instant to have ended")
	}
}

func TestInstant_LimitLeavesMoreToDecide(t *testing.T) {
	m := &machine{asks: 5}
	x := drive.Now(m)
	for _, want := range []int{2, 2, 1} {
		if x.Decided() {
			t.Fatal("expected more to be decided")
		}
		if made := x.Cycle(2); made != want {
			t.Errorf("expected %d allocations, found %d", want, made)
		}
	}
	if !x.Decided() {
		t.Error("expected a cycle below its limit to be the last")
	}
}

func TestInstant_InputAfterTheCyclesReopensIt(t *testing.T) {
	m := &machine{}
	x := drive.At(m, 0)
	x.Close()
	x.Cycle(drive.NoLimit)
	x.Apply(&core.Input{Event: &core.RemoveAsk{ID: "late"}})
	if x.Decided() {
		t.Error("expected a late input to need another cycle")
	}
	x.Close()
	x.Cycle(drive.NoLimit)
	x.Close()
	m.expect(t, "advance 0s", "cycle", "apply late", "cycle")
	if x.Phase() != drive.Between {
		t.Error("expected the instant to have ended")
	}
}

func TestInstant_ResumesAtItsPlace(t *testing.T) {
	m := &machine{asks: 3}
	x := drive.Now(m)
	x.Cycle(1)
	next := drive.Resume(m, x.Progress)
	next.Cycle(1)
	if x.Phase() != drive.Cycling || next.Phase() != drive.Cycling {
		t.Errorf("expected both between two cycles, found %v and %v", x.Phase(), next.Phase())
	}
	if made := next.Decide(); made != 1 {
		t.Errorf("expected the last allocation, found %d", made)
	}
}

func TestInstant_ReopensBeforeTheNextCycle(t *testing.T) {
	m := &machine{asks: 1, searches: 1}
	x := drive.At(m, 0)
	x.Close()
	x.Cycle(1)
	x.Reopen()
	x.Apply(&core.Input{Event: &core.RemoveAsk{ID: "late"}})
	x.Close()
	x.Cycle(drive.NoLimit)
	x.Close()
	m.expect(t, "advance 0s", "cycle", "apply late", "cycle")
}

func TestInstant_PanicsInAnotherOrder(t *testing.T) {
	for name, misuse := range map[string]func(x *drive.Instant){
		"Begin in an instant":        func(x *drive.Instant) { x.Begin(0) },
		"Apply between two cycles":   func(x *drive.Instant) { x.Close(); x.Apply(&core.Input{Event: &core.Tick{}}) },
		"Close between two cycles":   func(x *drive.Instant) { x.Close(); x.Close() },
		"Cycle after the last":       func(x *drive.Instant) { x.Decide(); x.Cycle(1) },
		"Reopen after the last":      func(x *drive.Instant) { x.Decide(); x.Reopen() },
		"Apply between two instants": func(x *drive.Instant) { x.Decide(); x.Close(); x.Apply(&core.Input{Event: &core.Tick{}}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("expected a panic")
				}
			}()
			x := drive.Now(&machine{})
			misuse(&x)
		})
	}
}

func TestDeadlines_StopBeforeTheTime(t *testing.T) {
	m := &machine{timers: []time.Duration{1, 3, 5, 7}}
	for at := range drive.Deadlines(m, 7) {
		x := drive.At(m, at)
		x.Decide()
	}
	m.expect(t, "advance 1ns", "cycle", "advance 3ns", "cycle", "advance 5ns", "cycle")
	for range drive.Deadlines(m, 100) {
		break // which does not consume the deadline
	}
	if at, ok := m.Deadline(); !ok || at != 7 {
		t.Errorf("expected the deadline at 7ns, found %v", at)
	}
}

func TestAnswered_OfMachinesThatAsk(t *testing.T) {
	m := &machine{}
	m.Cycle(1)
	if n := len(drive.Answered(m)); n != 1 {
		t.Errorf("expected one answer, found %d", n)
	}
	if list := drive.Answered(struct{ core.Machine }{m}); list != nil {
		t.Errorf("expected a machine without policies to have no answers, found %v", list)
	}
}
