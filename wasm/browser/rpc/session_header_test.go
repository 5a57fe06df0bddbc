package rpc

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	_ "github.com/quern-project/quern/internal/seeded"
	"github.com/quern-project/quern/wasm/browser/journalgen"
)

// plain is what a replay makes of a journal by itself, as its first line says.
func plain(t rapid.TB, text string) string {
	t.Helper()
	d := journal.NewDecoder(strings.NewReader(text), "", nil)
	var out strings.Builder
	e := journal.NewEncoder(&out, journal.Relative)
	_, err := journal.Replay(scheduler.New(core.Options{}), d, journal.Options{Decisions: func(list []core.Decision) {
		e = journal.NewEncoder(&out, d.Form())
		for i := range list {
			if err := e.Decision(&list[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Flush(); err != nil {
			t.Fatal(err)
		}
	}})
	if err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return out.String()
}

// export holds what a session has decided against a replay of the journal that it writes. In the midst of an instant the
// replay goes on to the end of it.
func (w *traveller) export(t *rapid.T) {
	at := w.status(t)
	want, found := plain(t, whole(t, w.server, 1, "journal")), whole(t, w.server, 1, "decisions")
	midway := at["midway"] == true || at["next"] != nil && at.number("next") <= at.number("now")
	if want != found && !(midway && strings.HasPrefix(want, found)) {
		t.Fatalf("%s\nat %v in\n%s", difference(want, found), at, whole(t, w.server, 1, "journal"))
	}
}

func TestTheJournalOfASessionReplaysTheSameWithoutFlags(t *testing.T) {
	for _, dated := range []bool{false, true} {
		b := New(nil)
		lines := string(journalgen.Journal(3, 400))
		if dated {
			lines = dates(t, lines)
		}
		call(t, b, object{"op": "session.new", "grace": int64(5 * time.Second)}, "")
		call(t, b, object{"op": "session.feed", "id": 1}, lines)
		for _, to := range []object{{"steps": 150, "unit": "instant"}, {"idle": true}, {"steps": 1, "unit": "instant"}} {
			toTheEnd(t, b, 1, object(to))
			if want, found := plain(t, whole(t, b, 1, "journal")), whole(t, b, 1, "decisions"); want != found {
				t.Errorf("dated %v, to %v: %s", dated, to, difference(want, found))
			}
		}
		a, _ := call(t, b, object{"op": "session.status", "id": 1}, "")
		if first, _, _ := strings.Cut(whole(t, b, 1, "journal"), "\n"); a["header"] != first || !strings.Contains(first, `"grace":"5s","end":`) {
			t.Errorf("the status says the first line %v, the journal has %s", a["header"], first)
		}
	}
}

// dates writes the times of a journal as dates.
func dates(t *testing.T, lines string) string {
	t.Helper()
	all, err := decoded([]byte(lines))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	e := journal.NewEncoder(&out, journal.Absolute)
	for i := range all.entries {
		all.entries[i].Input.At += 1_772_000_000 * time.Second
		if err := e.Entry(&all.entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestASessionFollowsTheFirstLineOfItsJournal(t *testing.T) {
	const header, tick = `{"type":"journal","version":1,"grace":"7s","end":"9s"}`, `{"at":"1s","type":"tick"}`
	b := New(nil)
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.feed", "id": 1}, header)
	call(t, b, object{"op": "session.feed", "id": 1}, tick)
	a, _ := call(t, b, object{"op": "session.status", "id": 1}, "")
	if a.number("grace") != int64(7*time.Second) || a.number("ends") != int64(9*time.Second) {
		t.Errorf("expected 7s of grace and the end at 9s, found %v", a)
	}
	if refused, _ := try(t, b, object{"op": "session.feed", "id": 1}, `{"type":"journal","version":1,"grace":"8s"}`); refused["error"] == nil {
		t.Errorf("expected that another grace later is refused, found %v", refused)
	}
	call(t, b, object{"op": "session.new", "grace": 0}, "")
	call(t, b, object{"op": "session.feed", "id": 2}, header+"\n"+tick)
	if a, _ := call(t, b, object{"op": "session.status", "id": 2}, ""); a.number("grace") != 0 {
		t.Errorf("expected that the caller's grace of 0 stands, found %v", a)
	}
	call(t, b, object{"op": "session.new"}, "")
	call(t, b, object{"op": "session.feed", "id": 3}, `{"type":"journal","version":1,"until":"idle"}`+"\n"+tick)
	if a, _ := call(t, b, object{"op": "session.status", "id": 3}, ""); a["endsIdle"] != true || a["ends"] != nil {
		t.Errorf("expected the end where nothing is to come, found %v", a)
	}
	call(t, b, object{"op": "machine.new"}, "")
	call(t, b, object{"op": "machine.advance", "id": 4, "to": int64(time.Second)}, "")
	if refused, _ := try(t, b, object{"op": "machine.apply", "id": 4}, header+"\n"+tick); refused["error"] == nil {
		t.Errorf("expected that a machine refuses what it cannot follow, found %v", refused)
	}
}

func TestAReplayAtOnceFollowsTheFirstLine(t *testing.T) {
	const lines = `{"type":"journal","version":1,"grace":"1s","end":"9s"}` + "\n" + `{"at":"1s","type":"tick"}` + "\n" + `{"at":"5s","type":"tick"}`
	b := New(nil)
	for _, c := range []struct {
		head object
		end  time.Duration
	}{
		{object{}, 9 * time.Second},
		{object{"last": true}, 5 * time.Second},
		{object{"until": int64(2 * time.Second)}, 2 * time.Second},
		{object{"idle": true}, 5 * time.Second},
	} {
		c.head["op"] = "replay"
		if a, _ := call(t, b, c.head, lines); a.number("end") != int64(c.end) {
			t.Errorf("%v: expected the end at %v, found %v", c.head, c.end, a)
		}
	}
}
