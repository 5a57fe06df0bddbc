package scheduler_test

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

func TestExplainAsk_PlannedStartsKeepItFromANode(t *testing.T) {
	s := scheduler.New(core.Options{})
	_, err := journal.Replay(s, journal.NewDecoder(strings.NewReader(`{"at":"0s","type":"config.set","config":"partitions:\n- name: default\n  backfill: {depth: 1}\n  queues:\n  - name: root\n    queues:\n    - name: a\n"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":4}}
{"at":"0s","type":"app.add","id":"a","queue":"root.a"}
{"at":"0s","type":"ask.add","id":"run","app":"a","resources":{"vcore":3},"walltime":"1h"}
{"at":"0s","type":"ask.add","id":"full","app":"a","resources":{"vcore":4},"walltime":"1h"}
{"at":"1s","type":"ask.add","id":"small","app":"a","resources":{"vcore":1},"walltime":"2h"}
`), "plans.journal", nil), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := s.ExplainAsk("small"); !ok || !e.Pending || len(e.Holders) != 0 || len(e.Nodes) != 1 {
		t.Errorf("found %+v", e)
	}
}
