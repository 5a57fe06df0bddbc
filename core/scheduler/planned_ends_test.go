package scheduler_test

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// TestPlans_PromiseOfAnotherCentury has an allocation stay so long after its promised end that no doubling of minutes within the clock reaches
// the present. It counts as never leaving.
func TestPlans_PromiseOfAnotherCentury(t *testing.T) {
	s := scheduler.New(core.Options{})
	made := map[string]time.Duration{}
	_, err := journal.Replay(s, journal.NewDecoder(strings.NewReader(`{"at":"0s","type":"config.set","config":"partitions:\n- name: default\n  backfill: {depth: 1}\n  queues:\n  - name: root\n    queues:\n    - name: a\n      properties: {walltime.overrun: allow}\n"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"allocation.restore","id":"old","app":"a","resources":{"vcore":1},"placed_on":"n1","walltime":"1s","since":"-2500000h"}
{"at":"1s","type":"ask.add","id":"full","app":"a","resources":{"vcore":4},"walltime":"1h"}
{"at":"100000h","type":"ask.add","id":"small","app":"a","resources":{"vcore":1},"walltime":"1h"}
`), "old.journal", nil), journal.Options{Decisions: func(list []core.Decision) {
		for _, d := range list {
			if d.Type == core.Allocation {
				made[d.ID] = d.At
			}
			if d.Type == core.Plan && d.Start != nil {
				t.Errorf("planned: %+v", d)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if at, ok := made["small"]; !ok || at != 100000*time.Hour {
		t.Errorf("small was placed at %s (%t)", at, ok)
	}
}
