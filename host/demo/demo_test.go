package demo

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

// live is a demonstration that runs.
type live struct {
	*server.Server
	end func()
}

// midnight is that of the day on which the demonstrations of the tests begin.
const midnight = 20_000 * day

// start runs a demonstration on a disk, at a time of the day where the disk is empty.
func start(t *testing.T, disk store.Disk, from time.Duration, speed float64) *live {
	t.Helper()
	return startAfter(t, disk, from, speed, func(*server.Server) {})
}

// startAfter does something to the server before the demonstration goes on.
func startAfter(t *testing.T, disk store.Disk, from time.Duration, speed float64, before func(*server.Server)) *live {
	t.Helper()
	record, found, err := store.Open(disk, store.Options{SegmentSize: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	end := time.Duration(record.End().At)
	if end == 0 {
		end = midnight + from
	}
	clock := NewClock(end, speed)
	s, err := server.New(server.Options{Store: record, Found: found, Clock: clock, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(s, clock)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- s.Run(ctx) }()
	before(s)
	go func() { ended <- d.Serve() }()
	l := &live{Server: s}
	l.end = func() {
		cancel()
		if err := errors.Join(d.Stop(), <-ended, <-ended, record.Close()); err != nil {
			t.Error(err)
		}
		l.end = func() {}
	}
	t.Cleanup(func() { l.end() })
	return l
}

// decision is what the tests read of a decision.
type decision struct {
	Seq                   uint64
	At                    time.Time
	Type                  core.DecisionType
	ID, App, Node, To, By string
	Reason, Message       core.Reason
	GangEnded             bool `json:"gang_ended"`
}

// until reads decisions from a seq on, until one is as wanted.
func (l *live) until(t *testing.T, from uint64, wanted func(*decision) bool) uint64 {
	t.Helper()
	list, err := l.Decisions(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = list.Close() }()
	late := time.After(5 * time.Minute)
	for {
		next, err := list.Next()
		if err == io.EOF {
			select {
			case <-list.More():
			case <-late:
				t.Fatal("what was waited for did not come")
			}
			continue
		}
		var d decision
		if err == nil {
			err = json.Unmarshal(next.Line, &d)
		}
		if err != nil {
			t.Fatal(err)
		}
		if wanted(&d) {
			return d.Seq + 1
		}
	}
}

func (l *live) state() (d core.Dump) {
	l.View().Read(func(s *scheduler.Scheduler) { d = s.Dump() })
	return d
}

func TestTheClusterIsInUseAtOnce(t *testing.T) {
	began := time.Now()
	l := start(t, store.NewMemory(), begins, 60)
	allocated := 0
	next := l.until(t, 1, func(d *decision) bool {
		if d.Type == core.AskRejected || d.Type == core.AppRejected || d.Type == core.NodeRejected || d.Type == core.Ignored {
			t.Errorf("refused: %+v", d)
		}
		if d.Type == core.Allocation {
			allocated++
		}
		return allocated == 500
	})
	if took := time.Since(began); took > 10*time.Second { // a quarter of a second, where nothing else runs
		t.Errorf("it took %s", took)
	}
	l.until(t, next, func(d *decision) bool { return d.Type == core.Release && d.Reason == core.ReasonFinished })
	state := l.state()
	used := 0
	for _, q := range state.Queues {
		if q.Leaf && q.Allocations > 0 {
			used++
		}
	}
	if root := state.Queues[0]; used < 6 || root.PendingAsks < 10 {
		t.Errorf("%d leaves are in use, %d asks wait", used, root.PendingAsks)
	}
	for _, n := range state.Nodes {
		if n.Attributes[mark] == "" {
			t.Errorf("node %s is not marked", n.ID)
		}
	}
}

func TestADayFollowsTheOther(t *testing.T) {
	l := start(t, store.NewMemory(), 23*time.Hour+55*time.Minute, 1000)
	tomorrow := suffix(midnight + day)
	seen, left, back := map[string]bool{}, map[string]bool{}, 0
	l.until(t, 1, func(d *decision) bool {
		switch {
		case d.Type == core.AppAccepted && seen[d.ID], d.Type == core.NodeAccepted && d.ID != "gpu-07" && seen[d.ID]:
			t.Errorf("%s came twice", d.ID)
		case d.Type == core.AppRejected, d.Type == core.NodeRejected, d.Type == core.Ignored:
			t.Errorf("refused: %+v", d)
		case d.Type == core.NodeAccepted && d.ID == "gpu-07":
			back++
		case d.Type == core.AppState && d.To == core.StateCompleted && d.Reason == "app-removed":
			left[d.ID] = true
		}
		if d.Type == core.AppAccepted || d.Type == core.NodeAccepted {
			seen[d.ID] = true
		}
		return seen["web-01"+tomorrow] && seen["internal-24"+tomorrow]
	})
	for _, web := range []string{"web-01", "internal-24"} {
		if !seen[web+suffix(midnight)] || !seen[web+tomorrow] || !left[web+suffix(midnight)] {
			t.Errorf("%s: the old one came: %v, the new one came: %v, the old one went: %v", web, seen[web+suffix(midnight)], seen[web+tomorrow], left[web+suffix(midnight)])
		}
	}
	for _, n := range l.state().Nodes {
		if n.ID == "gpu-17" {
			t.Error("the node that took the place of one that failed is still there")
		}
	}
	if back == 0 {
		t.Error("the node that failed did not come back")
	}
}

func TestState_ContinuesAfterARestart(t *testing.T) {
	disk := store.NewMemory()
	l := start(t, disk, begins+5*time.Minute, 1000)
	apps := map[string]bool{}
	note := func(d *decision) {
		if d.Type == core.AppAccepted {
			if apps[d.ID] {
				t.Errorf("%s came twice", d.ID)
			}
			apps[d.ID] = true
		}
		if d.Type == core.Ignored {
			t.Errorf("refused: %+v", d)
		}
	}
	next := l.until(t, 1, func(d *decision) bool {
		note(d)
		return d.Type == core.ConfigAccepted && len(apps) > 0
	})
	l.until(t, next, func(d *decision) bool { return d.Type == core.Release })
	l.end()
	l = start(t, disk, 0, 1000)
	running := map[string]bool{}
	byID := asks(dated(midnight))
	state := l.state()
	for _, a := range state.Applications {
		for _, k := range a.Asks {
			if e := byID[k.ID]; k.Node != "" && e.HasRun && k.Allocated+e.Run < state.Now+30*time.Minute {
				running[k.ID] = true
			}
		}
	}
	if len(running) == 0 {
		t.Fatal("nothing runs that ends")
	}
	l.until(t, next, func(d *decision) bool {
		note(d)
		if d.Type == core.Release {
			delete(running, d.ID)
		}
		return len(running) == 0
	})
}

// What was decided before the simulated nodes know what runs on them is not about something unknown: nothing is released twice.
func TestWhatLeftBeforeTheNodesKnewOfItDoesNotEndAgain(t *testing.T) {
	disk := store.NewMemory()
	l := start(t, disk, begins, 600)
	next := l.until(t, 1, func(d *decision) bool { return d.Type == core.Release })
	l.end()
	byID := asks(dated(midnight))
	var last time.Duration
	l = startAfter(t, disk, 0, 400, func(s *server.Server) {
		var inputs []core.Input
		s.View().Read(func(present *scheduler.Scheduler) {
			for _, a := range present.Dump().Applications {
				for _, k := range a.Asks {
					if e := byID[k.ID]; k.Node != "" && e.HasRun && !k.Leaves && k.Allocated+e.Run < present.Now()+30*time.Minute {
						inputs = append(inputs, core.Input{Event: &core.ReleaseAllocation{ID: k.ID}})
						last = max(last, k.Allocated+e.Run)
					}
				}
			}
		})
		if _, err := s.Source().Submit(t.Context(), &server.Request{Inputs: inputs}); err != nil || len(inputs) == 0 {
			t.Errorf("%d inputs, %v", len(inputs), err)
		}
	})
	l.until(t, next, func(d *decision) bool {
		if d.Type == core.Ignored {
			t.Errorf("released twice: %s", d.ID)
		}
		return d.Type == core.Release && time.Duration(d.At.UnixNano()) > last+time.Minute
	})
}

func TestVictimsLeave(t *testing.T) {
	l := start(t, store.NewMemory(), begins+8*time.Minute, 600)
	victims := 0
	open := map[string]time.Time{}
	l.until(t, 1, func(d *decision) bool {
		switch d.Type {
		case core.Preemption:
			open[d.ID] = d.At
			victims++
		case core.Release:
			if told, ok := open[d.ID]; ok && d.At.Sub(told) < Grace && d.Reason == core.ReasonPreempted {
				t.Errorf("%s left after %s", d.ID, d.At.Sub(told))
			}
			delete(open, d.ID)
		}
		return victims > 0 && len(open) == 0
	})
}

func TestAnotherClustersRecordIsRefused(t *testing.T) {
	record, found, err := store.Open(store.NewMemory(), store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Store: record, Found: found, Clock: server.NewSystemClock(0), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	given, err := s.Source().Submit(ctx, &server.Request{Inputs: []core.Input{{Event: &core.AddNode{ID: "n1"}}}})
	if err == nil {
		err = s.View().Await(ctx, given.Batch)
	}
	cancel()
	if err := errors.Join(err, <-ended); err != nil {
		t.Fatal(err)
	}
	if _, err := New(s, NewClock(midnight, 1)); !errors.Is(err, ErrForeign) {
		t.Errorf("found %v", err)
	}
}

func TestAClockInTimeLapseWakes(t *testing.T) {
	c := NewClock(midnight, 1000)
	wake, stop := c.Wake(midnight + 2*time.Second)
	defer stop()
	<-wake
	if now := c.Now(); now < midnight+2*time.Second {
		t.Errorf("found %s", now-midnight)
	}
	if now := NewClock(0, 1).Now(); now%day < begins || now%day > begins+time.Minute {
		t.Errorf("it begins at %s", now%day)
	}
}

func TestDemo_GangLeavesAsOneAndComesBack(t *testing.T) {
	l := start(t, store.NewMemory(), 12*time.Hour+19*time.Minute, 1000)
	left, back := map[string]bool{}, map[time.Time]int{}
	thesis := "thesis" + suffix(midnight)
	l.until(t, 1, func(d *decision) bool {
		switch {
		case d.Type == core.Preemption && d.GangEnded && strings.HasPrefix(d.ID, thesis+".worker"):
			left[d.ID] = true
		case d.Type == core.Allocation && strings.HasPrefix(d.ID, thesis+".again"):
			back[d.At]++
		}
		return back[d.At] == 4
	})
	if len(left) != 4 {
		t.Errorf("expected four workers to leave, found %v", left)
	}
}
