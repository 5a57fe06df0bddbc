package scheduler_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// plannedCluster has two nodes with allocations, and asks with planned starts.
const plannedCluster = `{"at":"0s","type":"config.set","config":"partitions:\n- name: default\n  backfill: {depth: 2}\n  queues:\n  - name: root\n    queues:\n    - name: a\n"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"ask.add","id":"run","app":"a","resources":{"vcore":2},"walltime":"1h"}
{"at":"0s","type":"ask.add","id":"short","app":"a","resources":{"vcore":1},"walltime":"20m"}
{"at":"0s","type":"ask.add","id":"full","app":"a","resources":{"vcore":4},"walltime":"1h"}
{"at":"0s","type":"ask.add","id":"next","app":"a","resources":{"vcore":4},"walltime":"1h"}
{"at":"1s","type":"ask.add","id":"small","app":"a","resources":{"vcore":1},"walltime":"2h"}
`

func TestExplainAsk_PlannedStarts(t *testing.T) {
	s := scheduler.New(core.Options{Moment: func(at time.Duration) string { return at.String() }})
	if _, err := journal.Replay(s, journal.NewDecoder(strings.NewReader(plannedCluster), "plans.journal", nil), journal.Options{}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"full":  "It starts at 1h0m0s on n1, when short and run have left at the latest. It may start sooner if they leave sooner.",
		"next":  "It starts at 2h0m0s on n1, when short, run and full (planned before it) have left at the latest.",
		"small": "1 node with room that is planned for other asks. Room on node n1 is planned for ask full of application a in root.a, which starts at 1h0m0s at the latest. It has no planned start: other blocked asks come before it, and no more of them get one (backfill.depth). With a walltime of 59m59s or less, it would start now on n1.",
	} {
		if e, _ := s.ExplainAsk(id); !strings.Contains(e.Text, want) {
			t.Errorf("%s: found %s", id, e.Text)
		}
	}
	if e, _ := s.ExplainAsk("next"); !strings.HasPrefix(e.Brief(s.Now()), "It starts at 2h0m0s on n1") {
		t.Errorf("in brief: %s", e.Brief(s.Now()))
	}
}

// TestExplainAsk_TakesNoSteps has explanations between cycles that are cut by steps. Decisions must be those without the explanations.
func TestExplainAsk_TakesNoSteps(t *testing.T) {
	decide := func(explain bool) (all []core.Decision) {
		s := scheduler.New(core.Options{SearchSteps: 3})
		d := journal.NewDecoder(strings.NewReader(plannedCluster), "plans.journal", nil)
		for {
			in, err := d.Next()
			if errors.Is(err, io.EOF) {
				return all
			}
			if err != nil {
				t.Fatal(err)
			}
			s.Advance(in.Input.At)
			s.Apply(&in.Input)
			for range 4 {
				if explain {
					for _, id := range []string{"full", "next", "small"} {
						s.ExplainAsk(id)
					}
				}
				s.Cycle(-1)
				all = append(all, s.Take()...)
				all = append(all, core.Decision{}) // the end of a cycle
			}
		}
	}
	if with, without := decide(true), decide(false); !reflect.DeepEqual(with, without) {
		t.Errorf("with explanations:\n%v\nwithout:\n%v", with, without)
	}
}
