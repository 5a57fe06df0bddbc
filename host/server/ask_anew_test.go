package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store/simdisk"
)

// barred are predicates that let no ask go anywhere, and count how often each was asked.
type barred struct {
	noPolicies

	mu    sync.Mutex
	asked map[string]int
}

func (b *barred) Options() core.Options {
	return core.Options{Evaluator: func(a core.Announcement) policy.Evaluator { return &barredOne{b, a.Name} }}
}

type barredOne struct {
	*barred
	name string
}

func (b *barredOne) Eval(batch *policy.Batch) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked[b.name]++
	for _, row := range batch.Rows {
		batch.Out[int(row)*batch.Keys] = 7
	}
	return nil
}

// times lists how often predicates were asked: how many of them each number of times.
func (b *barred) times(prefix string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	times := map[int]int{}
	for name, n := range b.asked {
		if strings.HasPrefix(name, prefix) {
			times[n]++
		}
	}
	return fmt.Sprint(times)
}

// counts is how often each was asked.
func (b *barred) counts() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.asked)
}

// predicated is a server with asks of two owners, each with a predicate of its own, and what it submitted.
func predicated(t *testing.T, n int, audit func(*Request, error)) (*Server, *barred, *atomic.Bool) {
	t.Helper()
	b, failing, disk := &barred{asked: map[string]int{}}, &atomic.Bool{}, simdisk.New(1)
	disk.Fault = func(operation, _ string) error {
		if failing.Load() && operation != "read" && operation != "open" && operation != "list" {
			return errors.New("no space is left")
		}
		return nil
	}
	s, _ := opened(t, disk, 16<<20, func(o *Options) {
		o.Policies = func(decides bool) Policies {
			if decides {
				return b
			}
			return noPolicies{}
		}
		o.Names.Predicates = 2*n + 10
		o.Audit = func(r *Request, _ *Answer, err error) { audit(r, err) }
	})
	source, end := running(t, s)
	t.Cleanup(end)
	one := resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})
	submit(t, source, core.Input{Event: &core.AddNode{ID: "n", Capacity: one}}, core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default"}})
	for _, owner := range []string{"mine", "other"} {
		var list []core.Input
		for i := range n {
			list = append(list, core.Input{Event: &core.AddAsk{ID: fmt.Sprint(owner, i), App: "a", Resources: one, Ask: core.Ask{Predicate: fmt.Sprint(owner, "/", i)}}})
		}
		submit(t, source, list...)
		n = min(n, 3) // of the other one, a few are enough
	}
	return s, b, failing
}

func mine(predicate string) bool { return strings.HasPrefix(predicate, "mine/") }

// Each predicate that is wanted is asked again, in requests of the one who says so; also one that the view has not heard of yet.
func TestPredicatesThatAreWantedAreAskedAnew(t *testing.T) {
	var sizes []int
	again := map[string]int{}
	s, b, _ := predicated(t, 50, func(r *Request, err error) {
		if err == nil && r.By.User == "ann" {
			sizes = append(sizes, len(r.Inputs))
			for i := range r.Inputs {
				again[r.Inputs[i].Event.(*core.RemovePolicy).Name]++
			}
		}
	})
	before := b.counts()
	if err := s.AskAnew(t.Context(), mine, Actor{User: "ann"}); err != nil {
		t.Fatal(err)
	}
	submit(t, s.Source(), core.Input{Event: &core.Tick{}}) // all is decided by then
	if !slices.Equal(sizes, []int{50}) || len(again) != 50 {
		t.Errorf("requests of %v inputs name %d predicates", sizes, len(again))
	}
	after := b.counts()
	for i := range 50 {
		if name := fmt.Sprint("mine/", i); again[name] != 1 || after[name] <= before[name] {
			t.Errorf("%s was to be asked again %d times, and was asked %d times, before %d", name, again[name], after[name], before[name])
		}
	}
	if again["other/0"] != 0 {
		t.Error("those of another owner are asked, too")
	}
}

// A request holds so many inputs. What is more comes in others, in the same order, until one is refused.
func TestMorePredicatesThanARequestHoldsAreAskedAnew(t *testing.T) {
	var told []string
	s, _, failing := predicated(t, 5, func(r *Request, err error) {
		if r.By.User == "ann" {
			names := ""
			for i := range r.Inputs {
				names += r.Inputs[i].Event.(*core.RemovePolicy).Name + " "
			}
			told = append(told, fmt.Sprint(names, err == nil))
		}
	})
	if err := s.View().Await(t.Context(), s.o.Store.End().Batch); err != nil {
		t.Fatal(err)
	}
	var list []core.Input
	s.View().Read(func(present *scheduler.Scheduler) { list = anew(present) })
	list = slices.DeleteFunc(list, func(in core.Input) bool { return !mine(in.Event.(*core.RemovePolicy).Name) })
	if err := s.announceParts(t.Context(), list, 2, Actor{User: "ann"}); err != nil {
		t.Fatal(err)
	}
	failing.Store(true)
	if err := s.announceParts(t.Context(), list, 2, Actor{User: "ann"}); !errors.Is(err, ErrStoreFailed) {
		t.Errorf("found %v", err)
	}
	want := []string{"mine/0 mine/1 true", "mine/2 mine/3 true", "mine/4 true", "mine/0 mine/1 false"}
	if !slices.Equal(told, want) {
		t.Errorf("expected %q, found %q", want, told)
	}
	failing.Store(false)
}

// Where nothing is wanted, nothing is written. A host that cannot write says so, and keeps nothing of what it was told.
func TestPredicatesAreAskedAnewOnlyWhereTheHostWrites(t *testing.T) {
	told := &atomic.Int64{}
	s, b, failing := predicated(t, 5, func(*Request, error) { told.Add(1) })
	before := told.Load()
	if err := s.AskAnew(t.Context(), func(string) bool { return false }, Actor{}); err != nil || told.Load() != before {
		t.Errorf("nothing was wanted: %v, %d requests", err, told.Load()-before)
	}
	failing.Store(true)
	if err := s.AskAnew(t.Context(), mine, Actor{}); !errors.Is(err, ErrStoreFailed) {
		t.Errorf("found %v", err)
	}
	if found := b.times("mine/"); found != "map[1:5]" {
		t.Errorf("predicates were asked %s", found)
	}
	failing.Store(false)
	for s.AskAnew(t.Context(), mine, Actor{}) != nil { // until it writes again
		continue
	}
	submit(t, s.Source(), core.Input{Event: &core.Tick{}})
	if found := b.times("mine/"); found != "map[2:5]" {
		t.Errorf("predicates were asked %s", found)
	}
}
