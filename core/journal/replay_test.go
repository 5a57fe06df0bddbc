package journal

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

func replayLines(t *testing.T, f *fake, o Options, lines ...string) (Result, error) {
	t.Helper()
	return Replay(f, NewDecoder(strings.NewReader(strings.Join(lines, "\n")), "in", nil), o)
}

func TestInstant_TimersEndsInputsCycle(t *testing.T) {
	f := newFake()
	_, err := replayLines(t, f, Options{},
		`{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":2}}`,
		`{"at":"0s","type":"app.add","id":"x","queue":""}`,
		`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1},"run":"5m","count":2}`,
		`{"at":"5m","type":"ask.add","id":"b","app":"x","resources":{"vcore":1}}`,
		`{"at":"5m","type":"node.drain","id":"n"}`)
	if err != nil {
		t.Fatal(err)
	}
	expected := []string{"advance 0s", "node.add n", "app.add x", "ask.add a-1", "ask.add a-2", "cycle",
		"advance 5m0s", "allocation.release a-1", "allocation.release a-2", "ask.add b", "node.drain n", "cycle"}
	if !reflect.DeepEqual(f.calls, expected) {
		t.Errorf("expected %v\nfound    %v", expected, f.calls)
	}
}

func TestACountStandsForNumberedAsks(t *testing.T) {
	var ids []string
	_, err := replayLines(t, newFake(), Options{Inputs: func(e *Entry, _ core.Reason) { ids = append(ids, fmt.Sprint(e.Input.ID(), e.Count)) }},
		`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1}}`,
		`{"at":"0s","type":"ask.add","id":"b","app":"x","resources":{"vcore":1},"count":1}`,
		`{"at":"0s","type":"ask.add","id":"c","app":"x","resources":{"vcore":1},"count":2}`)
	if err != nil {
		t.Fatal(err)
	}
	if expected := []string{"a1", "b-11", "c-11", "c-21"}; !reflect.DeepEqual(ids, expected) {
		t.Errorf("expected %v, found %v", expected, ids)
	}
}

func TestStoppingEndsTheReplayWithWhatIsDone(t *testing.T) {
	applied := 0
	result, err := replayLines(t, newFake(), Options{Idle: true, Stop: func() bool { return applied == 2 }, Inputs: func(*Entry, core.Reason) { applied++ }},
		`{"at":"0s","type":"app.add","id":"x","queue":""}`,
		`{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1},"count":3}`,
		`{"at":"2s","type":"tick"}`)
	if err != nil || !result.Stopped || result.Inputs != 2 || result.End != time.Second {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestPlayer_OptionsConfigComesWithTheFirstInput(t *testing.T) {
	for _, lines := range []string{`{"at":"3s","type":"tick"}`, ""} {
		f := newFake()
		var made []core.Decision
		result, err := replayLines(t, f, Options{Config: &core.SetConfig{Config: "good"},
			Decisions: func(d []core.Decision) { made = append(made, d...) }}, lines)
		if err != nil || len(made) != 1 || made[0].Type != core.ConfigAccepted || made[0].At != result.Start {
			t.Errorf("%q: %v %+v", lines, err, made)
		}
	}
}

func TestNothingHappensWhenTheFirstInputIsAfterUntil(t *testing.T) {
	f := newFake()
	result, err := replayLines(t, f, Options{HasUntil: true, Until: time.Second}, `{"at":"3s","type":"tick"}`)
	if err != nil || result != (Result{Cut: true}) || len(f.calls) > 0 {
		t.Errorf("%+v %v %v", result, err, f.calls)
	}
}

func TestEnterAndLeaveSurroundTheMachine(t *testing.T) {
	inside, turns := false, 0
	_, err := replayLines(t, newFake(), Options{
		Enter: func() { inside = true; turns++ }, Leave: func() { inside = false },
		Inputs:    func(*Entry, core.Reason) { expectOutside(t, inside) },
		Decisions: func([]core.Decision) { expectOutside(t, inside) },
	}, `{"at":"0s","type":"ask.remove","id":"x"}`)
	if err != nil || turns != 3 || inside {
		t.Errorf("%d turns, %v", turns, err)
	}
}

func expectOutside(t *testing.T, inside bool) {
	t.Helper()
	if inside {
		t.Error("called inside of the machine's time")
	}
}

func TestMoreAllocationsThanAChunkAreMadeInOneInstant(t *testing.T) {
	lines := fmt.Sprintf(`{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":%d}}`+"\n"+
		`{"at":"0s","type":"ask.add","id":"a","app":"x","resources":{"vcore":1},"count":%[1]d,"run":"1s"}`, 2*cycleChunk)
	result, err := replayLines(t, newFake(), Options{Idle: true}, lines)
	if err != nil || result.Allocations != 2*cycleChunk || result.Ended != 2*cycleChunk {
		t.Errorf("%+v, %v", result, err)
	}
}

// randomJournal generates a journal for the fake, with reused IDs.
func randomJournal(t *rapid.T) []byte {
	var out bytes.Buffer
	e := NewEncoder(&out, Relative)
	at := time.Duration(0)
	one := set()
	for range rapid.IntRange(0, 60).Draw(t, "lines") {
		at += time.Duration(rapid.IntRange(0, 3).Draw(t, "wait")) * time.Second
		name := func(of string) string { return of + rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, of) }
		entry := Entry{Count: 1, Input: core.Input{At: at}}
		in, ask := &entry.Input, name("a")
		switch rapid.IntRange(0, 9).Draw(t, "type") {
		case 0:
			in.Event = &core.AddNode{ID: name("n"), Capacity: append(one, vcores(2))}
		case 1:
			in.Event = &core.RemoveNode{ID: name("n")}
		case 2:
			in.Event = &core.RemoveAsk{ID: ask}
		case 3:
			in.Event = &core.ReleaseAllocation{ID: ask}
		case 4:
			in.Event = &core.RemoveApp{ID: name("x")}
		default:
			in.Event = &core.AddAsk{ID: ask, App: name("x"), Resources: append(one, vcores(1)),
				Ask: core.Ask{Priority: int32(rapid.IntRange(0, 1).Draw(t, "priority"))}}
			entry.HasRun, entry.Run = true, time.Duration(rapid.IntRange(0, 9).Draw(t, "run"))*time.Second
		}
		if err := e.Entry(&entry); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEveryRunEndsOnTimeAndNothingStaysBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := randomJournal(t)
		grace := time.Duration(rapid.IntRange(0, 3).Draw(t, "grace")) * time.Second
		runs, ending := map[string]time.Duration{}, map[string]time.Duration{}
		var o Options
		o.Idle, o.Grace = true, grace
		f := newFake()
		o.Inputs = func(e *Entry, refused core.Reason) {
			if e.Input.Type() == core.AskAdd && refused == core.Accepted {
				runs[e.Input.ID()] = e.Run
			}
		}
		o.Decisions = func(decisions []core.Decision) {
			for _, d := range decisions {
				switch d.Type {
				case core.Allocation:
					ending[d.ID] = d.At + runs[d.ID]
				case core.Preemption:
					ending[d.ID] = min(ending[d.ID], d.At+grace)
				case core.Release:
					if end := ending[d.ID]; d.At > end {
						t.Fatalf("%s ended at %v, not at %v, in\n%s", d.ID, d.At, end, text)
					}
					delete(ending, d.ID)
				}
			}
		}
		r := NewPlayer(f, &ahead{src: NewDecoder(bytes.NewReader(text), "in", nil)}, o)
		if err := r.replay(); err != nil {
			t.Fatal(err)
		}
		if len(ending) > 0 || len(f.running) > 0 {
			t.Fatalf("%v never ended in\n%s", ending, text)
		}
		if len(r.ends.due) > 0 || len(r.ends.byID) != len(f.pending) {
			t.Fatalf("ends stay behind: %+v, pending %v", r.ends, f.pending)
		}
	})
}

func vcores(n int64) resource.Quantity {
	return resource.Quantity{Type: resource.VCore, Value: n * 1000}
}
