package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

func TestThePresentIsAJournalThatReplaysToIt(t *testing.T) {
	l := start(t)
	l.submit(`{"type":"config.set","config":"partitions: [{queues: [{name: root, queues: [{name: default}, {name: b}]}]}]"}`, node, app, ask, big)
	r := l.do("GET", "/v1/present", "")
	if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/jsonl" {
		t.Fatalf("found %+v", r)
	}
	for _, has := range []string{`"type":"journal"`, `"type":"config.set"`, `"type":"node.add","id":"n1"`, `"type":"app.add","id":"a1"`, `"type":"allocation.restore","id":"k1"`, `"placed_on":"n1"`, `"type":"ask.add","id":"k2"`} {
		if !strings.Contains(r.body, has) {
			t.Errorf("expected %s, found %s", has, r.body)
		}
	}
	again := scheduler.New(core.Options{})
	if _, err := journal.Replay(again, journal.NewDecoder(strings.NewReader(r.body), "present", nil), journal.Options{}); err != nil {
		t.Fatal(err)
	}
	d := again.Dump()
	if len(d.Nodes) != 1 || len(d.Nodes[0].Allocations) != 1 || d.Nodes[0].Allocations[0] != "k1" || len(d.Applications) != 1 || len(d.Applications[0].Asks) != 2 {
		t.Errorf("it replays to %+v", d)
	}
	if r := l.do("GET", "/v1/present?colour=red", ""); r.status != http.StatusBadRequest {
		t.Errorf("a parameter: %+v", r)
	}
}
