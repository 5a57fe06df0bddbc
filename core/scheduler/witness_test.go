package scheduler_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// witness records the questions to a built-in, with additional columns behind those of the built-in.
type witness struct {
	policy.Evaluator
	own  int
	told *int
}

func (w witness) Eval(b *policy.Batch) error {
	*w.told += len(b.Rows)
	own := *b
	own.Columns, own.Cols = b.Columns[:w.own], b.Cols[:w.own]
	return w.Evaluator.Eval(&own)
}

// wider are additional columns that change at other times than those of the built-ins.
var wider = map[policy.Point][]policy.Column{
	policy.QueueOrder: {{Kind: policy.Allocations}, {Kind: policy.Property, Arg: "weight"}},
	policy.AppOrder:   {{Kind: policy.Allocations}, {Kind: policy.TagCode, Arg: "team"}},
	policy.AskOrder:   {{Kind: policy.AskPriority}, {Kind: policy.Asked, Arg: "*"}},
	policy.NodeScore:  {{Kind: policy.Free, Arg: "*"}, {Kind: policy.AttributeCode, Arg: "zone"}},
}

func witnessing(told *int) core.Options {
	o := unsteadyOptions()
	o.Witness = func(p policy.Point, m *policy.Module) *policy.Module {
		spec := *m.Points[p]
		own := len(spec.Columns)
		spec.Columns = append(slices.Clone(spec.Columns), wider[p]...)
		return &policy.Module{
			Manifest:  policy.Manifest{Name: m.Name, Points: map[policy.Point]*policy.PointSpec{p: &spec}},
			Evaluator: witness{m.Evaluator, own, told},
		}
	}
	return o
}

func TestWitnessesChangeNothing(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		alone := beginning()
		witnessed := beginningWith(witnessing(&seen))
		both := []*scheduler.Scheduler{alone, witnessed}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			in := l.input()
			in.At = alone.Now()
			for _, s := range both {
				s.Apply(&in)
			}
			if rapid.IntRange(0, 5).Draw(t, "somebody else comes") == 0 {
				witnessed.RefreshShadows()
			}
			_, later := alone.Deadline()
			if limit := rapid.IntRange(-1, 2).Draw(t, "limit"); later && limit < 0 {
				for _, s := range both {
					s.Cycle(-1)
					if at, ok := s.Deadline(); ok { // the deadline may be earlier after the cycle
						s.Advance(at)
					}
				}
			} else {
				for _, s := range both {
					s.Cycle(limit)
				}
			}
			if expected, found := lines(t, alone.Take()), lines(t, witnessed.Take()); expected != found {
				t.Fatalf("after %+v expected\n%s\nthe witnessed one decides\n%s", in, expected, found)
			}
		}
		if expected, found := alone.Dump(), witnessed.Dump(); !reflect.DeepEqual(expected, found) {
			t.Fatalf("expected\n%+v\nthe witnessed one is\n%+v", expected, found)
		}
	})
	if seen == 0 {
		t.Error("nobody was told anything")
	}
}
