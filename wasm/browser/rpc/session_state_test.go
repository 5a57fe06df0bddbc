package rpc

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/wasm/browser/journalgen"
)

// fromState is a journal that begins with the state to which the first lines of another lead, and goes on with the others.
func fromState(t rapid.TB, seed uint64, lines, first int) string {
	t.Helper()
	all, err := decoded(journalgen.Journal(seed, lines))
	if err != nil {
		t.Fatal(err)
	}
	first = min(first, len(all.entries)-1)
	from := all.entries[first].Input.At
	var before, after bytes.Buffer
	beginning, rest := journal.NewEncoder(&before, journal.Relative), journal.NewEncoder(&after, journal.Relative)
	for i := range all.entries {
		e := rest
		if all.entries[i].Input.At <= from {
			e = beginning
		}
		if err := e.Entry(&all.entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := beginning.Flush(); err != nil {
		t.Fatal(err)
	}
	s := scheduler.New(core.Options{})
	if _, err := journal.Replay(s, journal.NewDecoder(&before, "", nil), journal.Options{Until: from, HasUntil: true}); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	e := journal.NewEncoder(&text, journal.Relative)
	list := s.Present()
	snapshot := string(s.Snapshot())
	for i, part := range []string{snapshot[:len(snapshot)/2], snapshot[len(snapshot)/2:]} {
		list = append(list, core.Input{At: s.Now(), Event: &core.SetState{StatePart: core.StatePart{Part: i + 1, Parts: 2, Snapshot: part}}})
	}
	for i := range list {
		if err := e.Entry(&journal.Entry{Input: list[i], Count: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := rest.Flush(); err != nil {
		t.Fatal(err)
	}
	return text.String() + after.String()
}

func TestSession_StartsFromAState(t *testing.T) {
	for seed := range uint64(10) {
		text := fromState(t, seed, 400, 250)
		b := New(nil)
		call(t, b, object{"op": "session.new", "grace": int64(2 * time.Second), "checkpointEvery": 20, "figures": true}, "")
		call(t, b, object{"op": "session.feed", "id": 1}, text)
		toTheEnd(t, b, 1, object{"idle": true})
		want, found := replayed(t, text, 2*time.Second, 0), whole(t, b, 1, "decisions")
		if want != found {
			t.Fatalf("seed %d: %s", seed, difference(want, found))
		}
		if bytes.Contains([]byte(found), []byte(`"input":"state.set"`)) {
			t.Fatalf("seed %d: the state is refused", seed)
		}
		call(t, b, object{"op": "session.figures", "id": 1}, "")
	}
}
