package rpc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/wasm/browser/journalgen"
)

type object map[string]any

// number is a field that is a number, 0 where it is left out.
func (o object) number(key string) int64 {
	if o[key] == nil {
		return 0
	}
	n, err := o[key].(json.Number).Int64()
	if err != nil {
		panic(err)
	}
	return n
}

// try serves a request and returns what came of it.
func try(t rapid.TB, server *Server, head object, body string) (object, string) {
	t.Helper()
	request, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	line, rest, _ := bytes.Cut(server.Call(append(append(request, '\n'), body...)), []byte("\n"))
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	answer := object{}
	if err := d.Decode(&answer); err != nil {
		t.Fatalf("%s: %v in %.300q", request, err, line)
	}
	return answer, string(rest)
}

// call serves a request that must not be refused.
func call(t rapid.TB, server *Server, head object, body string) (object, string) {
	t.Helper()
	answer, rest := try(t, server, head, body)
	if answer["error"] != nil {
		t.Fatalf("%v: %v", head, answer)
	}
	return answer, rest
}

// replayed is what journal.Replay makes of a journal, up to a time or, without one, until it is idle.
func replayed(t rapid.TB, text string, grace, until time.Duration) string {
	t.Helper()
	d := journal.NewDecoder(bytes.NewReader([]byte(text)), "", nil)
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	_, err := journal.Replay(scheduler.New(core.Options{}), d, journal.Options{Idle: until == 0, Until: until, HasUntil: until != 0, Grace: grace, Decisions: func(list []core.Decision) {
		for i := range list {
			if err := e.Decision(&list[i]); err != nil {
				t.Fatal(err)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// toTheEnd runs a session to a goal.
func toTheEnd(t rapid.TB, server *Server, id int, goal object) {
	t.Helper()
	for range 100_000 {
		if a, _ := call(t, server, object{"op": "session.run", "id": id, "to": goal}, ""); a["done"] == true {
			return
		}
	}
	t.Fatal("the session never comes to its end")
}

// whole reads all pieces of a journal or of the decisions.
func whole(t rapid.TB, server *Server, id int, what string) string {
	t.Helper()
	var out string
	for offset := int64(0); ; {
		a, text := call(t, server, object{"op": "session.journal", "id": id, "what": what, "offset": offset, "most": 700}, "")
		out += text
		if a["done"] == true {
			return out
		}
		offset = a.number("next")
	}
}

func TestASessionDoesWhatReplayDoes(t *testing.T) {
	for seed := range uint64(20) {
		text := string(journalgen.Journal(seed, 600))
		b := New(nil)
		call(t, b, object{"op": "session.new", "grace": int64(2 * time.Second), "checkpointEvery": 50}, "")
		call(t, b, object{"op": "session.feed", "id": 1}, text)
		toTheEnd(t, b, 1, object{"idle": true})
		want, found := replayed(t, text, 2*time.Second, 0), whole(t, b, 1, "decisions")
		if want != found {
			t.Fatalf("seed %d: %s", seed, difference(want, found))
		}
		sum := sha256.Sum256([]byte(want))
		if a, _ := call(t, b, object{"op": "session.status", "id": 1}, ""); a["hash"] != hex.EncodeToString(sum[:]) {
			t.Errorf("seed %d: the hash is %v", seed, a["hash"])
		}
		if seed == 0 && len(want) < 50_000 {
			t.Errorf("the journal decides little: %d bytes", len(want))
		}
	}
}

// difference names the first line in which two texts differ.
func difference(want, found string) string {
	a, b := bytes.Split([]byte(want), []byte("\n")), bytes.Split([]byte(found), []byte("\n"))
	for i := range a {
		if i >= len(b) || !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d: expected %s, found %s", i+1, a[i], b[min(i, len(b)-1)])
		}
	}
	return fmt.Sprintf("%d more lines: %s", len(b)-len(a), b[len(a)-1])
}

// traveller does with a session whatever can be done with it.
type traveller struct {
	server *Server
	grace  time.Duration
	seeds  uint64
	stops  map[int64]bool // seqs at which the session stood since its journal was last changed
}

func (w *traveller) status(t rapid.TB) object {
	a, _ := call(t, w.server, object{"op": "session.status", "id": 1}, "")
	return a
}

func (w *traveller) run(t *rapid.T) {
	to := object{}
	switch rapid.IntRange(0, 3).Draw(t, "goal") {
	case 0:
		to["time"] = w.status(t).number("now") + int64(rapid.IntRange(0, 20_000).Draw(t, "ms"))*int64(time.Millisecond)
	case 1:
		to["idle"] = true
	default:
		to["unit"] = rapid.SampledFrom([]string{"decision", "instant", "input"}).Draw(t, "unit")
		to["steps"] = rapid.IntRange(1, 30).Draw(t, "steps")
	}
	before := w.status(t).number("seq")
	a, heard := call(t, w.server, object{"op": "session.run", "id": 1, "to": to, "most": rapid.IntRange(1, 200).Draw(t, "most")}, "")
	if told := int64(bytes.Count([]byte(heard), []byte(`{"seq":`))); a.number("seq") != before+told {
		t.Fatalf("%d decisions were told, from %d to %d", told, before, a.number("seq"))
	}
	w.stops[a.number("seq")] = true
}

func (w *traveller) seek(t *rapid.T) {
	at := w.status(t)
	if rapid.Bool().Draw(t, "by time") {
		to := int64(rapid.IntRange(0, int(at.number("now")/1e6)+2000).Draw(t, "ms")) * 1e6
		for {
			a, _ := call(t, w.server, object{"op": "session.seek", "id": 1, "time": to, "most": rapid.IntRange(1, 300).Draw(t, "most")}, "")
			if a["done"] == true {
				if a.number("now") != to {
					t.Fatalf("sought %d, landed at %v", to, a)
				}
				return
			}
		}
	}
	to := int64(rapid.IntRange(0, int(at.number("seq"))+50).Draw(t, "seq"))
	for {
		a, _ := call(t, w.server, object{"op": "session.seek", "id": 1, "seq": to}, "")
		if a["done"] != true {
			continue
		}
		if found := a.number("seq"); w.stops[to] && found != to || found < to && a["next"] != nil {
			t.Fatalf("sought %d, which was a stop: %v, landed at %v", to, w.stops[to], a)
		}
		return
	}
}

// edit feeds lines that come at some time from the earliest on.
func (w *traveller) edit(t *rapid.T) {
	earliest := w.status(t).number("earliest")
	w.seeds++
	lines, err := decoded(journalgen.Journal(w.seeds+1000, rapid.IntRange(1, 40).Draw(t, "lines")))
	if err != nil {
		t.Fatal(err)
	}
	from := earliest + int64(rapid.IntRange(0, 3000).Draw(t, "in"))*int64(time.Millisecond)
	if rapid.Bool().Draw(t, "at once") {
		from = earliest
	}
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	for i := range lines.entries {
		lines.entries[i].Input.At += time.Duration(from)
		if lines.entries[i].Input.ID() != "" && rapid.Bool().Draw(t, "own") {
			id := reflect.ValueOf(lines.entries[i].Input.Event).Elem().FieldByName("ID")
			id.SetString(fmt.Sprint("e", w.seeds, id))
		}
		if err := e.Entry(&lines.entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	call(t, w.server, object{"op": "session.feed", "id": 1}, out.String())
	w.stops = map[int64]bool{}
}

func (w *traveller) truncate(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "really") == 0 {
		call(t, w.server, object{"op": "session.truncate", "id": 1}, "")
		w.stops = map[int64]bool{}
	}
}

func (w *traveller) look(t *rapid.T) {
	call(t, w.server, object{"op": "state", "id": 1}, "")
	call(t, w.server, object{"op": "explain", "id": 1, "kind": "queue", "name": "root.prod.web"}, "")
}

func TestHoweverASessionIsTravelledItDoesWhatReplayDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &traveller{server: New(nil), stops: map[int64]bool{}, seeds: rapid.Uint64Range(0, math.MaxUint32).Draw(t, "seed")}
		w.grace = time.Duration(rapid.IntRange(0, 3).Draw(t, "grace")) * time.Second
		call(t, w.server, object{"op": "session.new", "grace": int64(w.grace), "checkpointEvery": rapid.IntRange(1, 100).Draw(t, "every")}, "")
		lines := rapid.IntRange(1, 250).Draw(t, "lines")
		text := string(journalgen.Journal(w.seeds, lines))
		if rapid.IntRange(0, 3).Draw(t, "from a state") == 0 {
			text = fromState(t, w.seeds, lines, lines/2)
		}
		call(t, w.server, object{"op": "session.feed", "id": 1}, text)
		t.Repeat(map[string]func(*rapid.T){"run": w.run, "seek": w.seek, "edit": w.edit, "truncate": w.truncate, "look": w.look, "export": w.export})
		end := w.status(t).number("now") + int64(80*time.Hour)
		toTheEnd(t, w.server, 1, object{"time": end})
		text = whole(t, w.server, 1, "journal")
		if want, found := replayed(t, text, w.grace, time.Duration(end)), whole(t, w.server, 1, "decisions"); want != found {
			t.Fatalf("%s\nin\n%s", difference(want, found), text)
		}
	})
}
