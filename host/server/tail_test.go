package server_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// A reader that rests while more is decided than is kept in memory goes on from the record, and gets back to what is in memory, without a gap.
func TestReadersGetEveryDecisionInMemoryOrNot(t *testing.T) {
	live := livetest.Start(t)
	begins := follower(t, live, 1)
	allocate(t, live, 0)
	lines := took(t, begins)
	halfway := follower(t, live, uint64(len(lines)/2+1))
	for n := range 25 { // more than 4 MiB
		allocate(t, live, n+1)
	}
	rested := append(slices.Clone(lines), took(t, begins)...)
	whole := took(t, follower(t, live, 1))
	if len(strings.Join(whole, "")) <= 4<<20 {
		t.Fatalf("%d decisions are too few to be forgotten", len(whole))
	}
	for i, line := range whole {
		if server.SeqOf([]byte(line)) != uint64(i+1) {
			t.Fatalf("expected decision %d, found %s", i+1, line)
		}
	}
	if !slices.Equal(rested, whole) || !slices.Equal(took(t, halfway), whole[len(lines)/2:]) {
		t.Error("readers get different decisions")
	}
	if last := took(t, follower(t, live, uint64(len(whole)-10))); !slices.Equal(last, whole[len(whole)-11:]) {
		t.Errorf("found %d decisions from the 11th last on", len(last))
	}
	if none := took(t, follower(t, live, uint64(len(whole)+1))); len(none) > 0 {
		t.Errorf("found %s, which is old", none[0])
	}
}

func TestAFilterWantsTheSameInMemoryAndInTheRecord(t *testing.T) {
	live := livetest.Start(t)
	for n := range 25 {
		allocate(t, live, n)
	}
	whole := took(t, follower(t, live, 1))
	for text, f := range map[string]server.Filter{
		`"id":"k3-5",`:                {ID: "k3-5"},
		`"id":"k24-5",`:               {ID: "k24-5"},
		`"node":"n7"`:                 {Node: "n7"},
		`"type":"app.`:                {App: "a", Node: ""},
		`"type":"allocation","id":"k`: {Type: "allocation", App: "a", Queue: "root.default"},
		"nowhere":                     {Queue: "root.nowhere"},
	} {
		d := follower(t, live, 1)
		d.Only(f)
		want := slices.DeleteFunc(slices.Clone(whole), func(line string) bool {
			return !strings.Contains(line, text) && (f.App == "" || f.Type != "" || !strings.Contains(line, `"app":"a"`))
		})
		if found := took(t, d); !slices.Equal(found, want) {
			t.Errorf("%+v: expected %d decisions, found %d", f, len(want), len(found))
		}
		if d.Seq() != uint64(len(whole)+1) {
			t.Errorf("%+v: it is at decision %d", f, d.Seq())
		}
	}
}

// A reader who has just been given decisions is told of the next ones a little later, and one who waits at once.
func TestDecisionsGatherForABusyReader(t *testing.T) {
	live := livetest.Start(t)
	d := follower(t, live, 1)
	d.Gather()
	idle := d.More()
	allocate(t, live, 0)
	<-idle
	began := time.Now()
	if len(took(t, d)) == 0 {
		t.Error("found nothing")
	}
	<-d.More() // although nothing comes
	if waited := time.Since(began); waited < 20*time.Millisecond {
		t.Errorf("decisions have gathered for %s", waited)
	}
	if list := took(t, d); len(list) > 0 {
		t.Errorf("found %s", list)
	}
	idle = d.More()
	allocate(t, live, 1)
	<-idle
	if len(took(t, d)) == 0 {
		t.Error("found nothing")
	}
}

// allocate has a thousand asks allocated, on nodes that come with the first ones.
func allocate(t *testing.T, live *livetest.Live, n int) {
	t.Helper()
	vcore := func(milli int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: "vcore", Value: milli})
	}
	var inputs []core.Input
	if n == 0 {
		for i := range 10 {
			inputs = append(inputs, core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: vcore(1 << 40)}})
		}
		inputs = append(inputs, core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default", User: "ann"}})
	}
	for i := range 1000 {
		inputs = append(inputs, core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%d-%d", n, i), App: "a", Resources: vcore(100)}})
	}
	given, err := live.Source().Submit(t.Context(), &server.Request{Inputs: inputs})
	if err == nil {
		err = live.View().Await(t.Context(), given.Batch)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func follower(t *testing.T, live *livetest.Live, from uint64) *server.Decisions {
	t.Helper()
	d, err := live.Decisions(from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// took is what a reader gets until the end of what there is.
func took(t *testing.T, d *server.Decisions) (lines []string) {
	t.Helper()
	for {
		next, err := d.Next()
		switch {
		case errors.Is(err, io.EOF):
			return lines
		case err != nil:
			t.Fatal(err)
		case next != nil:
			lines = append(lines, next.String())
		}
	}
}
