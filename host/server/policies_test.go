package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// fickle answers for a policy whose answers depend on how often it was asked, so that whoever asks it a second time decides otherwise.
type fickle struct {
	*testing.T
	calls  *atomic.Int64
	serves *atomic.Bool // it may be asked by the loop alone, and only once that has recovered
}

func (f fickle) Options() core.Options {
	return core.Options{Evaluator: func(core.Announcement) policy.Evaluator { return f }}
}
func (f fickle) Serve()              { f.serves.Store(true) }
func (fickle) SetTime(time.Duration) {}
func (fickle) Missing() error        { return nil }
func (fickle) Close()                {}

func (f fickle) Eval(b *policy.Batch) error {
	if !f.serves.Load() {
		f.Error("somebody asks the policy again")
		return errors.New("not now")
	}
	n := f.calls.Add(1)
	for i, row := range b.Rows {
		b.Out[int(row)*b.Keys] = float64((n*7 + int64(i)*3) % 5)
	}
	return nil
}

const fickleManifest = `{"name":"fickle","impure":true,"points":{"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}`

// hostOf is a server on a disk, whose loop asks the fickle policy.
func hostOf(t *testing.T, disk *simdisk.Disk, calls *atomic.Int64) *Server {
	t.Helper()
	s, _ := opened(t, disk, 1<<20, func(o *Options) { o.Policies = func(bool) Policies { return fickle{t, calls, &atomic.Bool{}} } })
	return s
}

// drive runs a server while do is called.
func driven(t *testing.T, s *Server, do func(source *Source)) {
	t.Helper()
	source, end := running(t, s)
	do(source)
	end()
}

func submit(t *testing.T, source *Source, inputs ...core.Input) {
	t.Helper()
	given, err := source.Submit(t.Context(), &Request{Inputs: inputs, announces: true})
	if err != nil || given.Refused {
		t.Fatal(given, err)
	}
}

// asks sends asks, of which each makes the fickle policy answer anew, or the predicate of a name.
func asks(t *testing.T, source *Source, predicate, name string, n int) {
	for i := range n {
		submit(t, source, core.Input{Event: &core.AddAsk{ID: fmt.Sprint(name, i), App: "a", Ask: core.Ask{Predicate: predicate},
			Resources: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1})}})
	}
}

// predicates are what the tests ask: the module, and a predicate without any module.
var predicates = map[string]string{"a module": "", "a predicate": "rm/fits"}

func fickleCluster(predicate string) (list []core.Input) {
	first := core.Input{Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: "fickle", SHA256: "00", Manifest: fickleManifest}}}
	if predicate != "" {
		first = core.Input{Event: &core.Tick{}}
	}
	list = append(list, first, core.Input{Event: &core.SetConfig{Config: strings.Replace(leaf("q"), "default,", "default,"+map[bool]string{true: " nodesortpolicy: {type: fickle},"}[predicate == ""], 1)}})
	for i := range 4 {
		list = append(list, core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 10_000})}})
	}
	return append(list, core.Input{Event: &core.AddApp{ID: "a", Queue: "root.q"}})
}

// Recovery begins where a server ended in good order, and goes on as the loop would have: the view, which never asks, decides the same.
func TestServer_ResumesWithAnImpurePolicy(t *testing.T) {
	for name, predicate := range predicates {
		t.Run(name, func(t *testing.T) { endsAndGoesOn(t, predicate) })
	}
}

func endsAndGoesOn(t *testing.T, predicate string) {
	disk, calls := simdisk.New(1), &atomic.Int64{}
	s := hostOf(t, disk, calls)
	driven(t, s, func(source *Source) {
		submit(t, source, fickleCluster(predicate)...)
		asks(t, source, predicate, "first", 10)
	})
	if s.view.kept.Batch == 0 {
		t.Fatal("no snapshot was kept at the end")
	}
	for round := range 3 {
		s = hostOf(t, disk, calls)
		if s.view.memory.at != s.view.kept {
			t.Errorf("recovery did not begin with the snapshot: it is at %v, the snapshot at %v", s.view.memory.at, s.view.kept)
		}
		driven(t, s, func(source *Source) { asks(t, source, predicate, fmt.Sprint("round", round, "-"), 10) })
	}
}

// A snapshot that is due while the server runs is one that recovery can begin with, whatever comes after it.
func TestSnapshot_WithAnImpurePolicy(t *testing.T) {
	for name, predicate := range predicates {
		t.Run(name, func(t *testing.T) { keepsOneToBeginWith(t, predicate) })
	}
}

func keepsOneToBeginWith(t *testing.T, predicate string) {
	disk, calls := simdisk.New(1), &atomic.Int64{}
	var crashed atomic.Bool
	disk.Fault = func(string, string) error {
		if crashed.Load() {
			return errors.New("the machine is off")
		}
		return nil
	}
	s := hostOf(t, disk, calls)
	s.view.keptAt = time.Time{} // the next snapshot is due
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	source := s.Source()
	submit(t, source, fickleCluster(predicate)...)
	list := func() []uint64 {
		stat, err := s.o.Store.(*store.Log).Stat()
		if err != nil {
			t.Fatal(err)
		}
		return stat.Snapshots
	}
	n := 0
	for ; len(list()) == 0 && n < 10_000; n++ {
		asks(t, source, predicate, fmt.Sprint("before", n, "-"), 1)
	}
	asks(t, source, predicate, "after", 20)
	snapshots := list()
	if len(snapshots) == 0 {
		t.Fatal("no snapshot was kept")
	}
	last := s.o.Store.End().Batch
	crashed.Store(true)
	end()
	if err := <-ended; err == nil {
		t.Error("it ended in good order, although it could not write")
	}
	crashed.Store(false)
	disk.Crash()
	again := hostOf(t, disk, calls)
	if kept := again.view.kept.Batch; kept != snapshots[len(snapshots)-1] || again.view.memory.at.Batch < last {
		t.Errorf("recovered from batch %d to %d, kept were %v, and the end was %d", kept, again.view.memory.at.Batch, snapshots, last)
	}
	driven(t, again, func(source *Source) { asks(t, source, predicate, "again", 20) })
}

func TestInputsThatAnnouncePoliciesAreTheHostsOwn(t *testing.T) {
	s := hostOf(t, simdisk.New(1), &atomic.Int64{})
	driven(t, s, func(source *Source) {
		for _, in := range fickleCluster("")[:1] {
			if _, err := source.Submit(t.Context(), &Request{Inputs: []core.Input{in}}); !errors.Is(err, ErrAnnounced) {
				t.Errorf("found %v", err)
			}
		}
	})
}

func TestModules_RemovedWithTheirLastBatch(t *testing.T) {
	var m modules
	set := func(name, hash string, batch uint64) {
		m.take(&core.SetPolicy{PolicyModule: core.PolicyModule{Name: name, SHA256: hash}}, batch)
	}
	set("a", "01", 1)
	set("a", "01", 3) // announced again
	set("a", "02", 5)
	set("b", "03", 6)
	m.take(&core.RemovePolicy{Name: "b"}, 8)
	m.fault(&core.Decision{Policy: "a", Reason: "failed", Message: "it trapped"})
	for first, want := range map[uint64]string{1: "[01@1-5 02@5-0 03@6-8]", 6: "[01@1-5 02@5-0 03@6-8]", 7: "[02@5-0 03@6-8]", 9: "[02@5-0 03@6-8]", 10: "[02@5-0]"} {
		kept := append(modules(nil), m...)
		kept.forget(first)
		var found []string
		for _, x := range kept {
			found = append(found, fmt.Sprintf("%s@%d-%d", x.SHA256, x.Set, x.Retired))
		}
		if fmt.Sprint(found) != want {
			t.Errorf("from batch %d on: found %v, expected %s", first, found, want)
		}
	}
	if now := m.current("a"); now.Faults != 1 || now.Last.Message != "it trapped" || m.current("b") != nil {
		t.Errorf("found %+v", m)
	}
}

// A what-if asks no policy whose answers are recorded. Its answer says so, and the policy goes on being asked by the loop.
func TestWhatIf_NamesPoliciesItDoesNotAsk(t *testing.T) {
	calls := &atomic.Int64{}
	s, _ := opened(t, simdisk.New(1), 1<<20, func(o *Options) {
		o.Policies = func(decides bool) Policies {
			if decides {
				return fickle{t, calls, &atomic.Bool{}}
			}
			return unasked{}
		}
	})
	driven(t, s, func(source *Source) {
		submit(t, source, fickleCluster("")...)
		asks(t, source, "", "before", 3)
		awaitEnd(t, s)
		before := calls.Load()
		ask := core.Input{Event: &core.AddAsk{ID: "tried", App: "a", Resources: vcores(1)}}
		list, err := s.WhatIf(t.Context(), []core.Input{ask})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, d := range list {
			found = append(found, string(d.Line))
		}
		said := strings.Join(found, "\n")
		if !strings.Contains(said, `"policy":"fickle"`) || !strings.Contains(said, unasked{}.Error()) || !strings.Contains(said, `"id":"tried"`) {
			t.Errorf("the what-if says:\n%s", said)
		}
		if calls.Load() != before {
			t.Error("a what-if asked the policy")
		}
		asks(t, source, "", "after", 1)
		if calls.Load() == before {
			t.Error("after a what-if, the loop does not ask the policy")
		}
	})
}

// unasked answers for schedulers that do not decide.
type unasked struct{ noPolicies }

func (unasked) Error() string { return "only the scheduler that decides asks it" }

func (u unasked) Options() core.Options {
	return core.Options{Evaluator: func(core.Announcement) policy.Evaluator { return u }}
}

func (u unasked) Eval(*policy.Batch) error { return u }
