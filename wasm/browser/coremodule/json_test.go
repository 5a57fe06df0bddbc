package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/wasm/browser/journalgen"
	"github.com/quern-project/quern/wasm/browser/rpc"
)

// TestStateReadAsJSONIsTheStateItself holds what a driver reads as JSON against what the scheduler says.
func TestStateReadAsJSONIsTheStateItself(t *testing.T) {
	native := scheduler.New(core.Options{})
	source := journal.NewDecoder(bytes.NewReader(journalgen.Journal(9, 4000)), "", nil)
	o := journal.Options{Grace: time.Minute, HasUntil: true, Until: 30 * time.Minute}
	var ids []string
	o.Decisions = func(list []core.Decision) {
		for _, d := range list {
			if d.Type == core.Preemption {
				ids = append(ids, d.ID)
			}
		}
	}
	if _, err := journal.Replay(native, source, o); err != nil {
		t.Fatal(err)
	}
	b := rpc.New(nil)
	call := func(request []byte) ([]byte, error) { return b.Call(request), nil }
	made, _ := ask[struct{ ID int }](call, fields{"op": "machine.restore"}, native.Snapshot())
	r := &remote{remotes: &remotes{call: call}, id: made.ID}
	r.stand(ask[stand](call, fields{"op": "machine.take", "id": made.ID}, nil))
	deadline, waits := native.Deadline()
	if found, ok := r.Deadline(); r.Now() != native.Now() || found != deadline || ok != waits {
		t.Errorf("the clock: expected %v %v, found %v %v", native.Now(), deadline, r.Now(), found)
	}
	d := native.Dump()
	same(t, "the state", d, true, r.Dump(), true)
	for _, a := range d.Applications {
		explained, ok := native.ExplainApp(a.ID)
		found, there := r.ExplainApp(a.ID)
		same(t, a.ID, explained, ok, found, there)
		for _, k := range a.Asks {
			ids = append(ids, k.ID)
		}
	}
	victims := 0
	for _, id := range ids {
		explained, ok := native.ExplainAsk(id)
		found, there := r.ExplainAsk(id)
		same(t, id, explained, ok, found, there)
		if explained.Victim != nil {
			victims++
		}
		preempts, ok := native.ExplainPreemption(id)
		foundPreempts, there := r.ExplainPreemption(id)
		same(t, id, preempts, ok, foundPreempts, there)
	}
	for _, q := range d.Queues {
		explained, ok := native.ExplainQueue(q.Path)
		found, there := r.ExplainQueue(q.Path)
		same(t, q.Path, explained, ok, found, there)
	}
	if len(ids) < 100 || victims == 0 {
		t.Errorf("the journal leaves %d asks, %d of them victims", len(ids), victims)
	}
}

// same compares what is there: a list or a map that is empty is one that is nil.
func same[T any](t *testing.T, what string, want T, ok bool, found T, there bool) {
	t.Helper()
	if a, b := plain(t, want), plain(t, found); a != b || ok != there {
		t.Errorf("%s: expected %v\n%s\nfound %v\n%s", what, ok, a, there, b)
	}
}

func plain(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("[]", "null", "{}", "null").Replace(string(text))
}
