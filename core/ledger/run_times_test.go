package ledger_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
)

// ran has an allocation of an application end after a time.
func ran(r *ledger.RunTimes, user, app string, run time.Duration, reason core.Reason) {
	r.Step(&core.Input{Event: &core.AddApp{ID: app, User: user}}, core.Accepted, []core.Decision{{Type: core.AppAccepted, ID: app, Queue: "root.a"}})
	r.Step(nil, core.Accepted, []core.Decision{
		{Type: core.Release, ID: "x", App: app, Queue: "root.a", Reason: reason, At: run + time.Hour, Began: time.Hour, Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 2000})},
		{Type: core.AppState, ID: app, To: core.StateCompleted},
	})
}

// alike is an allocation of two cores in root.a.
func alike(user, app string) *ledger.Alike {
	return &ledger.Alike{User: user, App: app, Queue: "root.a", Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 2000})}
}

func TestRunTimes_AskTheNarrowestGroupWithFive(t *testing.T) {
	r := ledger.NewRunTimes()
	for i := range 5 {
		ran(r, "ann", fmt.Sprint("train-", i), time.Duration(i+1)*time.Minute, core.ReasonFinished)
	}
	ran(r, "ann", "eval-1", 10*time.Minute, core.ReasonFinished)
	ran(r, "bob", "train-1", 20*time.Minute, core.ReasonFinished)
	for _, c := range []struct {
		user, app string
		age       time.Duration
		of        string
		ended     int
		shortest  time.Duration
		times     int
	}{
		{"ann", "train-9", 0, "ann/train", 5, time.Minute, 5},
		{"ann", "train-9", time.Minute, "ann", 6, 2 * time.Minute, 5},                     // of ann/train, four have run longer
		{"ann", "train-9", 3 * time.Minute, "ann/train", 5, 4 * time.Minute, 2},           // no group has five
		{"ann", "train-9", 5 * time.Minute, "ann", 6, 10 * time.Minute, 1},                // none of the series has run longer
		{"ann", "train-9", 10 * time.Minute, "2 vcore in root.a", 7, 20 * time.Minute, 1}, // nor of the user
		{"bob", "train-1", 0, "2 vcore in root.a", 7, time.Minute, 7},
		{"cal", "new", 0, "2 vcore in root.a", 7, time.Minute, 7},
	} {
		found, ok := r.Longer(alike(c.user, c.app), c.age)
		if !ok || found.Of != c.of || found.Ended != c.ended || len(found.Times) != c.times || found.Times[0] != c.shortest {
			t.Errorf("%s/%s older than %s: %+v, want %d times from %s on of the %d of %s", c.user, c.app, c.age, found, c.times, c.shortest, c.ended, c.of)
		}
	}
	if found, ok := r.Longer(alike("ann", "train-9"), 20*time.Minute); ok {
		t.Errorf("nothing has run longer than 20 minutes, found %+v", found)
	}
}

func TestRunTimes_LeaveOutWhatWasEndedEarly(t *testing.T) {
	r := ledger.NewRunTimes()
	ran(r, "ann", "train-1", time.Minute, core.ReasonPreempted)
	ran(r, "ann", "train-2", time.Hour, core.ReasonTimeout) // at its promised end
	if found, ok := r.Longer(alike("ann", "train-3"), 0); !ok || !slices.Equal(found.Times, []time.Duration{time.Hour}) {
		t.Errorf("found %+v, want one of an hour", found)
	}
}

func TestRunTimes_AreBounded(t *testing.T) {
	r := ledger.NewRunTimes()
	for i := range 300 {
		ran(r, "ann", "train", time.Duration(i), core.ReasonFinished)
	}
	if found, _ := r.Longer(alike("ann", "train"), 0); found.Ended != 300 || len(found.Times) != 100 || found.Times[0] != 200 {
		t.Errorf("found %d times from %d on of %d that ended, want 100 from 200 on of 300", len(found.Times), found.Times[0], found.Ended)
	}
	for i := range 5000 {
		ran(r, fmt.Sprint("user", i), "job", time.Minute, core.ReasonFinished)
	}
	if _, ok := r.Longer(&ledger.Alike{User: "ann", App: "train"}, 0); ok {
		t.Error("the runs of ann are kept after those of 5000 users")
	}
	if found, _ := r.Longer(alike("user4999", "job"), 0); found.Ended != 5300 { // the queue has ended something all the time
		t.Errorf("the latest user is asked about %+v, want the 5300 of the queue", found)
	}
}

func TestRunTimes_GoOnFromTheirMemory(t *testing.T) {
	first := ledger.NewRunTimes()
	end := func(r *ledger.RunTimes, i int) {
		ran(r, fmt.Sprint("user", i%7), fmt.Sprintf("job%d-%d", i%1501, i), time.Duration(i*i%997)*time.Second, core.ReasonFinished)
	}
	for i := range 5000 {
		end(first, i)
	}
	text, err := json.Marshal(first.Memory())
	if err != nil {
		t.Fatal(err)
	}
	var memory ledger.RunMemory
	second := ledger.NewRunTimes()
	if err := errors.Join(json.Unmarshal(text, &memory), second.Recall(&memory)); err != nil {
		t.Fatal(err)
	}
	for i := 5000; i < 9000; i++ {
		end(first, i)
		end(second, i)
		q := alike(fmt.Sprint("user", i%7), fmt.Sprintf("job%d-x", i*7%1501))
		expected, known := first.Longer(q, time.Duration(i%300)*time.Second)
		found, ok := second.Longer(q, time.Duration(i%300)*time.Second)
		if known != ok || expected.Of != found.Of || expected.Ended != found.Ended || !slices.Equal(expected.Times, found.Times) {
			t.Fatalf("after %d ends: expected %+v %v, found %+v %v", i, expected, known, found, ok)
		}
	}
	if a, b := first.Memory(), second.Memory(); !reflect.DeepEqual(a, b) {
		t.Error("the memories differ after equal ends")
	}
}

func TestRunTimes_RefuseAMemoryThatCannotBe(t *testing.T) {
	good := ledger.RunsOfOne{Kind: "user", Owner: "ann", Ended: 2, Latest: 2, Times: []time.Duration{1, 2}}
	for what, change := range map[string]func(g *ledger.RunsOfOne){
		"another kind":   func(g *ledger.RunsOfOne) { g.Kind = "group" },
		"nothing ended":  func(g *ledger.RunsOfOne) { g.Ended, g.Times = 0, nil },
		"too few times":  func(g *ledger.RunsOfOne) { g.Times = g.Times[:1] },
		"more than all":  func(g *ledger.RunsOfOne) { g.Latest = 3 },
		"a time below 0": func(g *ledger.RunsOfOne) { g.Times = []time.Duration{1, -1} },
	} {
		bad := good
		change(&bad)
		r := ledger.NewRunTimes()
		if err := r.Recall(&ledger.RunMemory{Ended: 2, Groups: []ledger.RunsOfOne{bad}}); err == nil {
			t.Errorf("%s: expected it to be refused", what)
		}
	}
	if err := ledger.NewRunTimes().Recall(&ledger.RunMemory{Ended: 2, Groups: []ledger.RunsOfOne{good, good}}); err == nil {
		t.Error("a group twice: expected it to be refused")
	}
	if err := ledger.NewRunTimes().Recall(&ledger.RunMemory{Ended: 2, Groups: []ledger.RunsOfOne{good}}); err != nil {
		t.Error(err)
	}
}
