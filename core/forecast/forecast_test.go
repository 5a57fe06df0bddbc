package forecast_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
)

// world is a scheduler that plays a journal, with the run times of what has ended.
type world struct {
	*scheduler.Scheduler
	runs   *ledger.RunTimes
	starts map[string]time.Duration
	player *journal.Player
}

// play plays lines up to a time.
func play(t testing.TB, until time.Duration, lines string) world {
	t.Helper()
	w := begin(lines)
	w.to(until)
	return w
}

// begin makes a world that has played nothing yet.
func begin(lines string) world {
	w := world{Scheduler: scheduler.New(core.Options{}), runs: ledger.NewRunTimes(), starts: map[string]time.Duration{}}
	w.player = journal.NewPlayer(w.Scheduler, &source{d: journal.NewDecoder(strings.NewReader(lines), "test.journal", nil)}, journal.Options{
		Grace: time.Hour, HasGrace: true, // victims are leaving for long
		Inputs:    func(e *journal.Entry, refused core.Reason) { w.runs.Step(&e.Input, refused, nil) },
		Decisions: w.decided,
	})
	return w
}

// to plays the world up to a time, inclusive.
func (w *world) to(until time.Duration) {
	for {
		if at, more, err := w.player.Next(); err != nil || w.player.Over() && (!more || at > until) {
			return
		}
		_ = w.player.Step(-1)
	}
}

// source is a journal whose next entry can be seen.
type source struct {
	d    *journal.Decoder
	next *journal.Entry
	err  error
}

func (s *source) Peek() (*journal.Entry, error) {
	if s.next == nil && s.err == nil {
		s.next, s.err = s.d.Next()
	}
	return s.next, s.err
}

func (s *source) Skip() { s.next = nil }

func (w *world) decided(list []core.Decision) {
	w.runs.Step(nil, core.Accepted, list)
	for i := range list {
		if d := &list[i]; d.Type == core.Allocation {
			w.starts[d.ID] = d.At
		}
	}
}

// forecast plays all plays.
func (w *world) forecast(t testing.TB, ask string) forecast.Result {
	t.Helper()
	f, ok := forecast.New(w.Scheduler, w.runs, forecast.Options{Ask: ask, Seed: 1})
	if !ok {
		t.Fatalf("%s is not pending", ask)
	}
	frozen, err := w.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	return f.Run(func() (core.Machine, func()) { return frozen.Fork(core.Options{}), func() {} }, func() bool { return false })
}

const oneNode = `{"at":"0s","type":"config.set","config":"partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: a\n"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":10}}
`

func TestForecast_IsThePromiseWhereNothingHasEnded(t *testing.T) {
	w := play(t, time.Minute, oneNode+`{"at":"0s","type":"app.add","id":"a-1","queue":"root.a","user":"ann"}
{"at":"0s","type":"ask.add","id":"x","app":"a-1","resources":{"vcore":10},"walltime":"1h"}
{"at":"1m","type":"ask.add","id":"y","app":"a-1","resources":{"vcore":10},"walltime":"1h"}
`)
	r := w.forecast(t, "y")
	if r.Started != forecast.Plays || *r.P5 != time.Hour || *r.P50 != time.Hour || *r.P95 != time.Hour {
		t.Errorf("y starts at %v, %v, %v in %d plays, want 1h in all", r.P5, r.P50, r.P95, r.Started)
	}
	if r.Basis.Walltimes != 2 || len(r.Basis.Groups) != 0 {
		t.Errorf("it rests on %+v, want 2 walltimes", r.Basis)
	}
}

func TestForecast_HasNoStartBehindWhatNeverEnds(t *testing.T) {
	w := play(t, time.Minute, oneNode+`{"at":"0s","type":"app.add","id":"a-1","queue":"root.a","user":"ann"}
{"at":"0s","type":"ask.add","id":"x","app":"a-1","resources":{"vcore":10}}
{"at":"1m","type":"ask.add","id":"y","app":"a-1","resources":{"vcore":10}}
`)
	if r := w.forecast(t, "y"); r.Started != 0 || r.P50 != nil || r.Basis.Unbounded != 2 {
		t.Errorf("y starts in %d plays, resting on %+v; want none, and 2 without an end", r.Started, r.Basis)
	}
}

func TestForecast_DrawsFromRunsThatLastedLonger(t *testing.T) {
	var lines strings.Builder
	lines.WriteString(oneNode)
	for i := range 10 { // ran for 1 to 10 minutes
		at := time.Duration(i) * time.Hour
		fmt.Fprintf(&lines, `{"at":"%s","type":"app.add","id":"train-%d","queue":"root.a","user":"ann"}
{"at":"%s","type":"ask.add","id":"r%d","app":"train-%d","resources":{"vcore":10},"run":"%dm"}
`, at, i, at, i, i, i+1)
	}
	lines.WriteString(`{"at":"20h","type":"app.add","id":"train-10","queue":"root.a","user":"ann"}
{"at":"20h","type":"ask.add","id":"x","app":"train-10","resources":{"vcore":10},"run":"1h"}
{"at":"20h5m","type":"ask.add","id":"y","app":"train-10","resources":{"vcore":10}}
`)
	w := play(t, 20*time.Hour+5*time.Minute, lines.String())
	r := w.forecast(t, "y") // x has run for 5m: 6m to 10m are left
	if r.Started != forecast.Plays || *r.P5 != 20*time.Hour+6*time.Minute || *r.P95 != 20*time.Hour+10*time.Minute {
		t.Errorf("y starts from %v to %v in %d plays, want 20h6m to 20h10m", *r.P5, *r.P95, r.Started)
	}
	if len(r.Basis.Groups) != 1 || r.Basis.Groups[0] != (forecast.Group{Of: "ann/train", Ended: 10, Asks: 2}) {
		t.Errorf("it rests on %+v, want 10 ended runs of ann/train for 2 asks", r.Basis)
	}
	if again := w.forecast(t, "y"); *again.P50 != *r.P50 {
		t.Errorf("the same forecast says %v, then %v", *r.P50, *again.P50)
	}
}

func TestForecast_SeesAsFarAsThePartitionPlans(t *testing.T) {
	lines := strings.Replace(oneNode, `- name: default\n`, `- name: default\n  backfill: {horizon: 30m}\n`, 1) +
		`{"at":"0s","type":"app.add","id":"a-1","queue":"root.a","user":"ann"}
{"at":"0s","type":"ask.add","id":"x","app":"a-1","resources":{"vcore":10},"walltime":"1h"}
{"at":"0s","type":"ask.add","id":"y","app":"a-1","resources":{"vcore":10},"walltime":"1h"}
{"at":"29m","type":"tick"}
{"at":"31m","type":"tick"}
`
	for until, started := range map[time.Duration]int{29 * time.Minute: 0, 31 * time.Minute: forecast.Plays} {
		w := play(t, until, lines)
		if r := w.forecast(t, "y"); r.Started != started || r.Horizon != 30*time.Minute {
			t.Errorf("after %s, y starts within %s in %d plays, want 30m0s and %d", until, r.Horizon, r.Started, started)
		}
	}
}

func TestForecast_WaitsForVictimsThatAreLeaving(t *testing.T) {
	w := play(t, time.Minute, `{"at":"0s","type":"config.set","config":"partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: a\n      resources: {guaranteed: {vcore: 10}}\n      properties: {preemption.delay: 1s}\n    - name: b\n"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":10}}
{"at":"0s","type":"app.add","id":"b-1","queue":"root.b","user":"bob"}
{"at":"0s","type":"ask.add","id":"x","app":"b-1","resources":{"vcore":10},"walltime":"5h"}
{"at":"1s","type":"app.add","id":"a-1","queue":"root.a","user":"ann"}
{"at":"1s","type":"ask.add","id":"y","app":"a-1","resources":{"vcore":10}}
{"at":"10s","type":"tick"}
`)
	if x, _ := w.Ask("x"); !x.Leaves {
		t.Fatal("x is no leaving victim")
	}
	f, ok := forecast.New(w.Scheduler, w.runs, forecast.Options{Ask: "y", Grace: 30 * time.Second})
	if !ok {
		t.Fatal("y is not pending")
	}
	frozen, err := w.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	r := f.Run(func() (core.Machine, func()) { return frozen.Fork(core.Options{}), func() {} }, func() bool { return false })
	if want := w.Now() + 30*time.Second; r.P50 == nil || *r.P50 != want {
		t.Errorf("y starts at %v, want %s: once the grace of x is over", r.P50, want)
	}
}
