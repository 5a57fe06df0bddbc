package journal

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"pgregory.net/rapid"
)

// kept is a source that knows how far it was read, as the owner of a player must.
type kept struct {
	entries []Entry
	next    int
}

// Peek implements Lookahead.
func (k *kept) Peek() (*Entry, error) {
	if k.next == len(k.entries) {
		return nil, io.EOF
	}
	return &k.entries[k.next], nil
}

// Skip implements Lookahead.
func (k *kept) Skip() { k.next++ }

// busyJournal generates a journal in which allocations end, victims leave, and inputs come in late.
func busyJournal(t *rapid.T) string {
	var out strings.Builder
	out.WriteString(`{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: root, queues: [{name: low}, {name: high, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 1s}}]}]}]"}
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":6}}
{"at":"0s","type":"app.add","id":"low","queue":"root.low"}
{"at":"0s","type":"app.add","id":"high","queue":"root.high"}
`)
	at := 0
	for i := range rapid.IntRange(1, 25).Draw(t, "lines") {
		at += rapid.SampledFrom([]int{0, 0, 1, 5, 40}).Draw(t, "wait")
		if rapid.IntRange(0, 5).Draw(t, "release") == 0 {
			fmt.Fprintf(&out, `{"at":"%ds","type":"allocation.release","id":"ask%d"}`+"\n", at, rapid.IntRange(0, i).Draw(t, "which"))
			continue
		}
		fmt.Fprintf(&out, `{"at":"%ds","type":"ask.add","id":"ask%d","app":"%s","resources":{"vcore":1},"run":"%ds","count":%d}`+"\n", at, i,
			rapid.SampledFrom([]string{"low", "high"}).Draw(t, "app"), rapid.IntRange(0, 50).Draw(t, "run"), rapid.IntRange(1, 4).Draw(t, "count"))
	}
	return out.String()
}

// TestPlayer_ResumedEqualsReplay saves a player at any step, and resumes it with a machine restored from a snapshot.
func TestPlayer_ResumedEqualsReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := busyJournal(t)
		var want, found bytes.Buffer
		o := Options{Idle: true, Grace: time.Duration(rapid.IntRange(0, 2).Draw(t, "grace")) * time.Second}
		o.Decisions = written(t, &want)
		if _, err := Replay(scheduler.New(core.Options{}), NewDecoder(strings.NewReader(text), "", nil), o); err != nil {
			t.Fatal(err)
		}
		source := &kept{}
		d := NewDecoder(strings.NewReader(text), "", nil)
		for e, err := d.Next(); err == nil; e, err = d.Next() {
			source.entries = append(source.entries, *e)
		}
		o.Decisions = written(t, &found)
		m := scheduler.New(core.Options{})
		p := NewPlayer(m, source, o)
		for !p.Idle() {
			if err := p.Step(rapid.IntRange(1, 3).Draw(t, "limit")); err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 3).Draw(t, "keep") > 0 {
				continue
			}
			saved := p.Save()
			next, err := scheduler.Restore(m.Snapshot(), core.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m, p = next, Resume(next, source, o, saved)
		}
		if want.String() != found.String() {
			t.Fatalf("expected\n%sfound\n%sin\n%s", &want, &found, text)
		}
	})
}

// written returns a function that writes decisions as lines.
func written(t *rapid.T, out *bytes.Buffer) func([]core.Decision) {
	e := NewEncoder(out, Relative)
	return func(list []core.Decision) {
		for i := range list {
			if err := e.Decision(&list[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Flush(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTimeInWhichNothingHappensChangesNothing(t *testing.T) {
	source := &kept{entries: []Entry{
		{Count: 1, Input: core.Input{At: time.Second, Event: &core.AddNode{ID: "n", Capacity: set(vcores(1))}}},
		{Count: 1, Input: core.Input{At: time.Minute, Event: &core.Tick{}}},
	}}
	f := newFake()
	p := NewPlayer(f, source, Options{})
	p.Wait(time.Millisecond) // before the first instant, there is no clock
	for at, ok, err := p.Next(); ok; at, ok, err = p.Next() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Over() && p.Started() {
			p.Wait(at - time.Second)
		}
		if err := p.Step(1); err != nil {
			t.Fatal(err)
		}
		if open := p.Open(); open && at != p.Last() {
			t.Errorf("inputs of %v may come in the instant of %v", at, p.Last())
		}
	}
	expected := "[advance 1s node.add n cycle advance 59s advance 1m0s tick  cycle]"
	if found := fmt.Sprint(f.calls); found != expected {
		t.Errorf("expected %s, found %s", expected, found)
	}
}
