package scheduler_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"pgregory.net/rapid"
)

// parts returns a snapshot in n parts, as inputs.
func parts(s *scheduler.Scheduler, n int) (list []core.Input) {
	text := string(s.Snapshot())
	for i := range n {
		from, to := len(text)*i/n, len(text)*(i+1)/n
		list = append(list, core.Input{At: s.Now(), Event: &core.SetState{StatePart: core.StatePart{Part: i + 1, Parts: n, Snapshot: text[from:to]}}})
	}
	return list
}

// toldOf makes a scheduler from the present state of another: inputs, and a snapshot in n parts. It returns the reason if one of these
// was refused.
func toldOf(s *scheduler.Scheduler, n int) (told *scheduler.Scheduler, refused core.Reason) {
	told = scheduler.New(unsteadyOptions())
	told.Advance(s.Now())
	list := append(s.Present(), parts(s, n)...)
	for i := range list {
		refused = told.Apply(&list[i])
	}
	told.Take()
	return told, refused
}

// numbered returns a snapshot without the sequence numbers of decisions, which depend on where a scheduler began.
func numbered(snapshot []byte) []byte {
	_, rest, _ := bytes.Cut(content(snapshot), []byte(`"Counters"`))
	return rest
}

func TestStateAsInputs_SchedulerContinues(t *testing.T) {
	differs, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		first := beginning()
		for range rapid.IntRange(0, 40).Draw(t, "before") {
			l.step(first)
		}
		first.Cycle(-1)
		first.Take()
		second, refused := toldOf(first, rapid.IntRange(1, 3).Draw(t, "parts"))
		if refused == core.ReasonStateDiffers { // an application is in a queue that the configuration no longer has
			differs++
			return
		}
		taken++
		if refused != core.Accepted {
			t.Fatalf("the state is refused: %s", refused)
		}
		if expected, found := numbered(first.Snapshot()), numbered(second.Snapshot()); !bytes.Equal(expected, found) {
			t.Fatalf("expected\n%s\nfound\n%s", expected, found)
		}
		if n := second.Cycle(-1); n != 0 || len(second.Take()) > 0 {
			t.Fatal("the cycle that the state ends with is repeated")
		}
	})
	t.Logf("taken over: %d, refused since queues drain: %d", taken, differs)
	if differs > taken {
		t.Error("expected most states to be taken over")
	}
}

// waited returns a cluster in which an ask has waited so long that it has reserved a node.
func waited(t *testing.T) *scheduler.Scheduler {
	t.Helper()
	c := newCluster(t, unsteadyOptions(), `, queues: [{name: a}]`)
	c.node("n", 4)
	c.node("other", 2)
	c.app("one", "root.a")
	c.askWith("small", "one", 1, core.Ask{Node: "n"})
	c.cycle()
	c.ask("wide", "one", 4)
	c.wait(10 * time.Second)
	return c.Scheduler
}

func TestStateAsInputs_Reservations(t *testing.T) {
	s := waited(t)
	told := scheduler.New(unsteadyOptions())
	told.Advance(s.Now())
	list := append(s.Present(), parts(s, 1)...)
	for i := range list {
		told.Take()
		if reason := told.Apply(&list[i]); reason != core.Accepted {
			t.Fatalf("%+v is refused: %s", list[i], reason)
		}
	}
	var found []string
	for _, d := range told.Take() {
		found = append(found, fmt.Sprint(d.Type, " ", d.ID, " ", d.Node, d.From, d.To, d.Reason))
	}
	if text := strings.Join(found, "\n"); !strings.Contains(text, "reservation wide n") {
		t.Errorf("expected the reservation of wide, found %s", text)
	}
}

func TestAStateThatDoesNotFitIsRefused(t *testing.T) {
	s := waited(t)
	whole := parts(s, 2)
	for name, c := range map[string]struct {
		edit   func(list []core.Input) []core.Input
		reason core.Reason
		text   string
	}{
		"damaged":       {func(l []core.Input) []core.Input { l[len(l)-1].Event.(*core.SetState).Snapshot += " "; return l }, core.ReasonBadState, "checksum"},
		"a part twice":  {func(l []core.Input) []core.Input { return append(l[:len(l)-1], l[len(l)-1], l[len(l)-1]) }, core.ReasonBadState, "expected part 1, found 2 of 2"},
		"a part late":   {func(l []core.Input) []core.Input { return append(l[:len(l)-2], l[len(l)-1]) }, core.ReasonBadState, "expected part 1, found 2 of 2"},
		"no asks":       {func(l []core.Input) []core.Input { return dropped(l, core.AskAdd) }, core.ReasonStateDiffers, ""},
		"no nodes":      {func(l []core.Input) []core.Input { return dropped(l, core.NodeAdd) }, core.ReasonStateDiffers, ""},
		"configuration": {func(l []core.Input) []core.Input { return dropped(l, core.ConfigSet) }, core.ReasonStateDiffers, ""},
	} {
		t.Run(name, func(t *testing.T) {
			told := scheduler.New(unsteadyOptions())
			told.Advance(s.Now())
			list := s.Present()
			for _, p := range whole {
				own := *p.Event.(*core.SetState)
				p.Event = &own
				list = append(list, p)
			}
			list = c.edit(list)
			var refused core.Reason
			var message string
			for i := range list {
				told.Take()
				if refused = told.Apply(&list[i]); refused != core.Accepted && list[i].Type() == core.StateSet {
					d := told.Take()
					message = d[len(d)-1].Message
					if d[len(d)-1].Input != core.StateSet {
						t.Errorf("expected a decision about the state, found %+v", d)
					}
					break
				}
			}
			if refused != c.reason || c.reason == core.ReasonBadState && !strings.Contains(message, c.text) {
				t.Errorf("expected %s with %q, found %s: %s", c.reason, c.text, refused, message)
			}
			told.Cycle(-1)
		})
	}
}

// dropped returns inputs without those of a type.
func dropped(list []core.Input, t core.InputType) (rest []core.Input) {
	for _, in := range list {
		if in.Type() != t {
			rest = append(rest, in)
		}
	}
	return rest
}

// A snapshot or a version made between two parts includes the first part.
func TestFrozen_IncludesThePartsOfAState(t *testing.T) {
	s := waited(t)
	told := scheduler.New(unsteadyOptions())
	told.Advance(s.Now())
	list := append(s.Present(), parts(s, 2)...)
	for i := range list[:len(list)-1] {
		told.Apply(&list[i])
	}
	restored, err := scheduler.Restore(told.Snapshot(), unsteadyOptions())
	if err != nil {
		t.Fatal(err)
	}
	told.Take()
	frozen, err := told.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range []*scheduler.Scheduler{frozen.Fork(unsteadyOptions()), restored} {
		if reason := told.Apply(&list[len(list)-1]); reason != core.Accepted {
			t.Errorf("the last part is refused: %s", reason)
		}
		if expected, found := numbered(s.Snapshot()), numbered(told.Snapshot()); !bytes.Equal(expected, found) {
			t.Errorf("expected\n%s\nfound\n%s", expected, found)
		}
	}
}

// In a replay with another configuration, a scheduler continues from the state under the other configuration.
func TestStateAsInputs_UnderAnotherConfiguration(t *testing.T) {
	s := waited(t)
	told := scheduler.New(unsteadyOptions())
	told.Advance(s.Now())
	other := partition(", queues: [{name: a, resources: {max: {vcore: 3}}}]", "")
	list := append(s.Present(), parts(s, 1)...)
	list[0].Event.(*core.SetConfig).Config = other
	for i := range list {
		if reason := told.Apply(&list[i]); reason != core.Accepted {
			t.Fatalf("%+v is refused: %s", list[i], reason)
		}
	}
	if reason := s.Apply(&core.Input{At: s.Now(), Event: &core.SetConfig{Config: other}}); reason != core.Accepted {
		t.Fatal(reason)
	}
	s.Cycle(-1)
	told.Cycle(-1)
	if expected, found := numbered(s.Snapshot()), numbered(told.Snapshot()); !bytes.Equal(expected, found) {
		t.Errorf("expected\n%s\nfound\n%s", expected, found)
	}
}
