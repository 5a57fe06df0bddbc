package scheduler_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// twin answers at each point like the built-in that the other scheduler's configuration names.
type twin string

func (w twin) Eval(b *policy.Batch) error {
	for _, r := range b.Rows {
		for k := range b.Keys {
			b.Out[int(r)*b.Keys+k] = b.Cols[k][r]
		}
		switch w {
		case "twin-queues":
			b.Out[2*r+1] *= -1
		case "twin-nodes":
			var m policy.Mean
			for _, col := range b.Cols {
				if col[r] >= 0 {
					m.Count(int64(col[r]), 1000)
				}
			}
			b.Out[r] = -float64(m.Value())
		}
	}
	return nil
}

// announce announces the twins to a scheduler. Their answers depend on their rows only, but they may declare other dependences.
func announce(s *scheduler.Scheduler, depends, ofNodes policy.Dependence) {
	const top = "top_share:"
	points := map[string]string{
		"twin-queues": declared(policy.QueueOrder, 2, depends, "", "fair_share", "pending_share"),
		"twin-fair":   declared(policy.AppOrder, 8, depends, "", top+"1", top+"2", top+"3", top+"4", top+"5", top+"6", top+"7", top+"8"),
		"twin-fifo":   declared(policy.AppOrder, 1, depends, "", "submitted"),
		"twin-asks":   declared(policy.AskOrder, 1, depends, "", "submitted"),
		"twin-nodes":  declared(policy.NodeScore, 1, ofNodes, "", "share:vcore", "share:memory"),
		"twin-filter": declared(policy.NodeFilter, 1, policy.OnAsk, "", "used:none"),
	}
	for _, name := range slices.Sorted(maps.Keys(points)) {
		s.Apply(&core.Input{At: s.Now(), Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: name, SHA256: "1",
			Manifest: fmt.Sprintf(`{"name":%q,"points":{%s}}`, name, points[name])}}})
	}
}

// byTwins returns a configuration in which twins replace the built-ins.
func byTwins(config string) string {
	return strings.NewReplacer("type: fair}", "type: twin-nodes}", "application.sort.policy: fair", "application.sort.policy: twin-fair",
		"application.sort.policy: fifo", "application.sort.policy: twin-fifo", "properties: {reservation.delay",
		"properties: {queue.sort.policy: twin-queues, ask.sort.policy: twin-asks, reservation.delay").Replace(config)
}

func TestAModuleThatAnswersLikeTheBuiltInsDecidesAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		native, modular := beginning(), scheduler.New(core.Options{Evaluator: func(m core.Announcement) policy.Evaluator {
			if strings.HasPrefix(m.Name, "twin-") {
				return twin(m.Name)
			}
			return unsteady(m.Name)
		}})
		modular.Advance(0)
		announce(modular, rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings}).Draw(t, "depends"),
			rapid.SampledFrom([]policy.Dependence{policy.OnRow, policy.OnSiblings, policy.OnAsk}).Draw(t, "nodes depend"))
		for _, in := range opening() {
			modular.Apply(&in)
		}
		modular.Take()
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			in := l.input()
			for in.Type() == core.PolicySet || in.Type() == core.PolicyRemove {
				in = core.Input{Event: &core.Tick{}}
			}
			in.At = native.Now()
			native.Apply(&in)
			if set, ok := in.Event.(*core.SetConfig); ok {
				in.Event = &core.SetConfig{Config: byTwins(set.Config), Format: set.Format, File: set.File}
			}
			modular.Apply(&in)
			if rapid.Bool().Draw(t, "cycle") {
				native.Cycle(-1)
				modular.Cycle(-1)
			}
			if _, ok := native.Deadline(); ok && rapid.IntRange(0, 3).Draw(t, "advance") == 0 {
				for _, s := range []*scheduler.Scheduler{native, modular} {
					s.Cycle(-1)
					if at, ok := s.Deadline(); ok { // the deadline may be earlier after the cycle
						s.Advance(at)
					}
					s.Cycle(-1)
				}
			}
			expected, found := lines(t, withoutPlaces(native.Take())), lines(t, withoutPlaces(modular.Take()))
			if expected != found {
				t.Fatalf("after %+v expected\n%s\nby modules\n%s", in, expected, found)
			}
		}
	})
}

// withoutPlaces removes the positions of errors in configurations.
func withoutPlaces(decisions []core.Decision) []core.Decision {
	for i := range decisions {
		decisions[i].Errors = decisions[i].Errors[:min(1, len(decisions[i].Errors))]
		for j := range decisions[i].Errors {
			decisions[i].Errors[j] = "an error"
		}
	}
	return decisions
}
