package server

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/store"
)

// runJobs has jobs of ann end, and returns how many run times are known then.
func runJobs(t *testing.T, s *Server, source *Source, from, to int) uint64 {
	t.Helper()
	submit := func(list ...core.Event) {
		r := &Request{Durable: true}
		for _, e := range list {
			r.Inputs = append(r.Inputs, core.Input{Event: e})
		}
		answer, err := source.Submit(t.Context(), r)
		if err == nil {
			err = s.View().Await(t.Context(), answer.Batch)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	core1 := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})
	if from == 0 {
		submit(&core.SetConfig{Config: "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"}, &core.AddNode{ID: "n", Capacity: core1})
	}
	for i := from; i < to; i++ {
		app := fmt.Sprint("train-", i)
		submit(&core.AddApp{ID: app, Queue: "root.a", User: "ann"}, &core.AddAsk{ID: app, App: app, Resources: core1})
		submit(&core.ReleaseAllocation{ID: app})
	}
	submit(&core.AddNode{ID: fmt.Sprint("end", to)}) // the decisions of the last release come with its batch
	return s.view.runTimes.list.Memory().Ended
}

func TestRunTimes_SurviveRestarts(t *testing.T) {
	disk := store.NewMemory()
	s, _ := opened(t, disk, 1<<20)
	source, end := running(t, s)
	if n := runJobs(t, s, source, 0, 6); n != 6 {
		t.Fatalf("expected 6 run times, found %d", n)
	}
	end()
	known := s.view.runTimes.memory()
	s, record := opened(t, disk, 1<<20)
	if found := s.view.runTimes.memory(); !reflect.DeepEqual(found, known) {
		t.Fatalf("after a restart expected %+v, found %+v", known, found)
	}
	source, end = running(t, s)
	if n := runJobs(t, s, source, 6, 9); n != 9 {
		t.Fatalf("expected 9 run times, found %d", n)
	}
	end()
	known = s.view.runTimes.memory()
	if err := record.Close(); err != nil {
		t.Fatal(err)
	}
	compacted, found, err := store.Open(disk, store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compact(compacted, &found, noPolicies{}); err != nil {
		t.Fatal(err)
	}
	if err := compacted.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = opened(t, disk, 1<<20)
	if found := s.view.runTimes.memory(); !reflect.DeepEqual(found, known) {
		t.Fatalf("after compaction and another restart expected %+v, found %+v", known, found)
	}
	forecastsFromThem(t, s)
}

// forecastsFromThem checks that a forecast rests on the run times from before the restart.
func forecastsFromThem(t *testing.T, s *Server) {
	t.Helper()
	source, end := running(t, s)
	defer end()
	one := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})
	var list []core.Input
	for _, app := range []string{"train-10", "train-11"} {
		list = append(list, core.Input{Event: &core.AddApp{ID: app, Queue: "root.a", User: "ann"}}, core.Input{Event: &core.AddAsk{ID: app, App: app, Resources: one}})
	}
	answer, err := source.Submit(t.Context(), &Request{Inputs: list, Durable: true})
	if err == nil {
		err = s.View().Await(t.Context(), answer.Batch)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Forecast(t.Context(), "train-11", 4*time.Second)
	if err != nil || len(r.Basis.Groups) == 0 || r.Basis.Groups[0].Ended != 9 {
		t.Fatalf("expected it to rest on 9 ended runs of ann/train, found %+v, %v", r.Basis, err)
	}
}
