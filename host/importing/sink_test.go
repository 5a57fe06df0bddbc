package importing

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
)

// one is a set of one core.
var one = resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})

func ask(id, app string, run time.Duration) journal.Entry {
	return journal.Entry{Input: core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: one}}, Run: run, HasRun: run > 0}
}

func written(t *testing.T, s *Sink, l Layout) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Write(&out, l); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func give(t *testing.T, s *Sink, at time.Duration, app string, asks ...journal.Entry) {
	t.Helper()
	if err := s.Job(at, &core.AddApp{ID: app, Queue: "root.a"}, asks...); err != nil {
		t.Fatal(err)
	}
}

func TestSWF_SortsJobsInMemoryAndOnDisk(t *testing.T) {
	folder := t.TempDir()
	var texts []string
	for _, chunk := range []int{0, 1, 700, 5000} {
		s := NewSink(Options{TempFolder: folder, chunk: chunk})
		rng := rand.New(rand.NewPCG(7, 7))
		for i := range 300 {
			id := fmt.Sprintf("j%03d", i)
			give(t, s, time.Duration(rng.IntN(40)-20)*time.Second, id, ask(id, id, time.Minute))
		}
		texts = append(texts, written(t, s, Layout{Dates: true}))
		s.Close()
	}
	for _, text := range texts[1:] {
		if text != texts[0] {
			t.Fatal("a small chunk makes another journal")
		}
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	d := journal.NewDecoder(strings.NewReader(texts[0]), "j", nil)
	last, lastID := time.Duration(-1<<62), ""
	n := 0
	for e, err := d.Next(); err == nil; e, err = d.Next() {
		if e.Input.At < last || e.Input.At == last && e.Input.ID() < lastID {
			t.Fatalf("%v %s comes after %v %s", e.Input.At, e.Input.ID(), last, lastID)
		}
		last, lastID, n = e.Input.At, e.Input.ID(), n+1
	}
	if n != 600 {
		t.Errorf("%d inputs, want 600", n)
	}
}

func TestSWF_TimeBeginsWithTheFirstJob(t *testing.T) {
	s := NewSink(Options{})
	defer s.Close()
	give(t, s, time.Hour, "late", ask("l", "late", 0))
	if err := s.Node(&core.AddNode{ID: "n", Capacity: one}); err != nil {
		t.Fatal(err)
	}
	give(t, s, time.Minute, "early", ask("e", "early", 0))
	const want = `{"type":"journal","version":1,"until":"idle"}
{"at":"0s","type":"config.set","config":"x","format":"yaml"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":"1000m"}}
{"at":"0s","type":"app.add","id":"early","queue":"root.a"}
{"at":"0s","type":"ask.add","id":"e","app":"early","resources":{"vcore":"1000m"}}
{"at":"59m0s","type":"app.add","id":"late","queue":"root.a"}
{"at":"59m0s","type":"ask.add","id":"l","app":"late","resources":{"vcore":"1000m"}}
`
	if got := written(t, s, Layout{Config: "x", Idle: true}); got != want {
		t.Errorf("got\n%s", got)
	}
}

// Asks of an application that may be over by then need it anew; where it is there for certain, it is not added twice.
func TestAnApplicationIsAddedAgainOnlyWhereItMayBeOver(t *testing.T) {
	s := NewSink(Options{})
	defer s.Close()
	for _, at := range []time.Duration{0, 60 * time.Second, 89 * time.Second, 180 * time.Second} {
		give(t, s, at, "a", ask("x"+at.String(), "a", time.Minute))
	}
	text := written(t, s, Layout{})
	var added []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, "app.add") {
			added = append(added, strings.Split(line, `"`)[3])
		}
	}
	if want := []string{"0s", "3m0s"}; !slices.Equal(added, want) {
		t.Errorf("added at %v, want %v", added, want)
	}
	if s.Applications != 2 || s.Asks != 4 {
		t.Errorf("counted %d applications and %d asks", s.Applications, s.Asks)
	}
}

func TestOneOverIsForgottenSoThatMemoryIsBounded(t *testing.T) {
	w := &writer{sink: NewSink(Options{})}
	for i := range 3 * mostSwept {
		w.live(fmt.Sprint(i), time.Duration(i), time.Duration(i)+10)
	}
	if len(w.alive) > mostSwept+10 {
		t.Errorf("%d applications are remembered", len(w.alive))
	}
}

func TestTimesTooFarApartForDurationsAreAnError(t *testing.T) {
	s := NewSink(Options{})
	defer s.Close()
	give(t, s, -Farthest, "a", ask("x", "a", 0))
	give(t, s, Farthest, "b", ask("y", "b", 0))
	if err := s.Write(&bytes.Buffer{}, Layout{}); err == nil || !strings.Contains(err.Error(), "within 290 years of one another") {
		t.Errorf("found %v", err)
	}
	if text := written(t, s, Layout{Dates: true}); strings.Count(text, "ask.add") != 2 {
		t.Errorf("as dates:\n%s", text)
	}
}

func TestImport_ListsErrorsUpToABound(t *testing.T) {
	bad := func(line int) *Error {
		return &Error{File: "f", Line: line, Column: 3, Key: "k", Expected: "a", Found: "b"}
	}
	s := NewSink(Options{SkipBad: 1})
	if err := s.Bad(bad(1), bad(1)); err != nil || s.Err() != nil {
		t.Fatalf("one bad row is allowed: %v, %v", err, s.Err())
	}
	if n, errs := s.Allowed(); n != 1 || len(errs) != 2 || errs[0].Error() != "f:1:3: k: expected a, found b" {
		t.Errorf("%d, %v", n, errs)
	}
	given := 2
	for err := error(nil); err == nil; given++ {
		err = s.Bad(bad(given))
		if err != nil && !errors.Is(err, ErrGivenUp) {
			t.Fatal(err)
		}
	}
	lines := strings.Split(s.Err().Error(), "\n")
	if len(lines) != mostErrors+1 || !strings.Contains(lines[mostErrors], "the rest was not read") {
		t.Errorf("%d lines, of which the last is %s", len(lines), lines[len(lines)-1])
	}
}

func TestQueuesBecomeATreeThatTheConfigurationTakes(t *testing.T) {
	var q Queues
	for _, path := range []string{"root.b", "root.a.y", "ROOT.A.x", "root.a.y"} {
		if !q.Use(path) {
			t.Errorf("%s was refused", path)
		}
	}
	q.Amounts("root.b", QueueAmounts{Max: one, MaxApplications: 3})
	text, err := q.Config()
	const want = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: "a"
      queues:
      - name: "x"
      - name: "y"
    - name: "b"
      maxapplications: 3
      resources:
        max: {"vcore": "1000m"}
`
	if err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
	for _, path := range []string{"", "root", "a.b", "root.", "root..a", "root.ä", "root.a b", "root." + strings.Repeat("x", 65)} {
		if q.Use(path) {
			t.Errorf("%q was taken", path)
		}
	}
	q.Use("root.a")
	if _, err := q.Config(); err == nil || !strings.Contains(err.Error(), "found jobs here and the queue ROOT.A.x") {
		t.Errorf("jobs in a parent: %v", err)
	}
	for text, want := range map[string]string{"web.shop": "web_dot_shop", "ML Team": "ML_Team", "é": "__"} {
		if got := Label(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestTheTallyCountsByReason(t *testing.T) {
	tally := Tally{Nodes: 1, Applications: 1200, Asks: 2}
	tally.Changed(2, "row", "odd")
	tally.LeftOut(1, "row", "why")
	tally.LeftOut(1, "row", "why")
	tally.LeftOut(0, "row", "never")
	want := []string{"taken: 1 node, 1,200 applications, 2 asks", "left out: 2 rows: why", "note: 2 rows: odd"}
	if got := tally.Lines(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
