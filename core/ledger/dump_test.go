package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

const tree = `partitions:
- name: default
  preemption: {enabled: true}
  queues:
  - name: root
    queues:
    - {name: a, resources: {guaranteed: {vcore: 6}}, properties: {preemption.delay: 1s}}
    - name: p
      queues:
      - {name: b, resources: {max: {vcore: 9}}}
      - {name: c}
- name: GPU
  preemption: {enabled: true}
  queues:
  - {name: a, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 1s}}
  - {name: p, queues: [{name: b}]}
`

// draw generates an input. Many of them are refused.
func draw(t *rapid.T) core.Input {
	id := func(kind string, n int) string { return fmt.Sprint(kind, rapid.IntRange(1, n).Draw(t, kind)) }
	set := func(most int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: "gpu", Value: rapid.Int64Range(0, 1).Draw(t, "gpu")},
			resource.Quantity{Type: resource.VCore, Value: 1000 * rapid.Int64Range(0, most).Draw(t, "vcore")})
	}
	kind := rapid.SampledFrom([]core.InputType{
		core.NodeAdd, core.NodeAdd, core.NodeUpdate, core.NodeDrain, core.NodeResume, core.NodeRemove, core.AppAdd, core.AppAdd, core.AppRemove,
		core.AskAdd, core.AskAdd, core.AskAdd, core.AskAdd, core.AskUpdate, core.AskRemove, core.AllocationRelease, core.AllocationRestore, core.TickInput,
	}).Draw(t, "type")
	partition := func() string { return rapid.SampledFrom([]string{"", "default", "gpu"}).Draw(t, "partition") }
	ask := func() core.AddAsk {
		ask := core.AddAsk{ID: id("x", 20), App: id("app", 5), Resources: set(4), Ask: core.Ask{Priority: rapid.Int32Range(0, 3).Draw(t, "priority"),
			Placeholder: rapid.IntRange(0, 3).Draw(t, "placeholder") == 0, TaskGroup: "g"}}
		if rapid.IntRange(0, 3).Draw(t, "together") == 0 {
			ask.Gang = &core.Gang{ID: "g", Min: rapid.IntRange(1, 3).Draw(t, "min"), Timeout: 4 * time.Second}
		}
		if rapid.IntRange(0, 5).Draw(t, "bound") == 0 {
			ask.Constraints = map[string][]string{"zone": {id("z", 2)}}
		}
		return ask
	}
	switch kind {
	case core.NodeAdd:
		return core.Input{Event: &core.AddNode{ID: id("n", 4), Capacity: set(8), Attributes: map[string]string{"zone": id("z", 2)}, Partition: partition()}}
	case core.NodeUpdate:
		return core.Input{Event: &core.UpdateNode{ID: id("n", 4), Capacity: set(8), Attributes: map[string]string{"zone": id("z", 2)}}}
	case core.NodeDrain:
		return core.Input{Event: &core.DrainNode{ID: id("n", 4)}}
	case core.NodeResume:
		return core.Input{Event: &core.ResumeNode{ID: id("n", 4)}}
	case core.NodeRemove:
		return core.Input{Event: &core.RemoveNode{ID: id("n", 4)}}
	case core.AppAdd:
		app := &core.AddApp{ID: id("app", 5), Queue: rapid.SampledFrom([]string{"root.a", "root.p.b", "root.p.c", "root.p", "root.none"}).Draw(t, "queue"), Partition: partition()}
		if rapid.Bool().Draw(t, "gang") {
			app.Placeholders = &core.Placeholders{Ask: set(2), Hard: rapid.Bool().Draw(t, "hard"), Timeout: 3 * time.Second}
		}
		return core.Input{Event: app}
	case core.AppRemove:
		return core.Input{Event: &core.RemoveApp{ID: id("app", 5)}}
	case core.AskAdd:
		return core.Input{Event: new(ask())}
	case core.AskUpdate:
		return core.Input{Event: &core.UpdateAsk{ID: id("x", 20), Resources: set(4), Priority: new(rapid.Int32Range(0, 3).Draw(t, "priority"))}}
	case core.AskRemove:
		return core.Input{Event: &core.RemoveAsk{ID: id("x", 20)}}
	case core.AllocationRelease:
		return core.Input{Event: &core.ReleaseAllocation{ID: id("x", 20)}}
	case core.AllocationRestore:
		return core.Input{Event: &core.RestoreAllocation{AddAsk: ask(), PlacedOn: id("n", 4)}}
	}
	return core.Input{Event: &core.Tick{}}
}

// amountsOf returns the amounts of a set, in the order of the ledger's types.
func amountsOf(books *ledger.Ledger, s resource.Set) string {
	v := make([]int64, len(books.Types))
	for i, name := range books.Types {
		v[i], _ = s.Value(name)
	}
	return fmt.Sprint(v)
}

func padded(books *ledger.Ledger, a ledger.Amounts) string {
	v := make([]int64, len(books.Types))
	for i := range v {
		v[i] = a.At(i)
	}
	return fmt.Sprint(v)
}

func TestTheBooksOfARandomRunAreThoseOfTheScheduler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, books := scheduler.New(core.Options{}), ledger.New()
		now := time.Duration(0)
		apply := func(in core.Input) {
			in.At = now
			refused := s.Apply(&in)
			books.Applied(&in, refused, s.Take())
		}
		s.Advance(0)
		books.Advance(0)
		apply(core.Input{Event: &core.SetConfig{Config: tree}})
		for range rapid.IntRange(1, 80).Draw(t, "inputs") {
			apply(draw(t))
			if rapid.Bool().Draw(t, "more at once") {
				continue
			}
			s.Cycle(-1)
			books.Decided(s.Take())
			check(t, books, s.Dump())
			now += rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, time.Minute}).Draw(t, "wait")
			for at, ok := s.Deadline(); ok && at < now; at, ok = s.Deadline() {
				s.Advance(at)
				books.Advance(at)
				s.Cycle(-1)
				books.Decided(s.Take())
			}
			s.Advance(now)
			books.Advance(now)
			books.Decided(s.Take())
			check(t, books, s.Dump())
		}
	})
}

// check compares the ledger with sums over the state.
func check(t *rapid.T, books *ledger.Ledger, d core.Dump) {
	pending, allocations := 0, 0
	used, capacity := make([]int64, len(books.Types)), make([]int64, len(books.Types))
	add := func(sums []int64, s resource.Set) {
		for i, name := range books.Types {
			v, _ := s.Value(name)
			sums[i] += v
		}
	}
	queues := map[string]core.QueueDump{}
	for _, q := range d.Queues {
		if queues[core.ShownPath(q.Partition, q.Path)] = q; q.Path == "root" {
			pending, allocations = pending+q.PendingAsks, allocations+q.Allocations
			add(used, q.Used)
			add(capacity, q.Max)
		}
	}
	if books.Pending != pending || books.Allocations() != allocations {
		t.Fatalf("expected %d pending and %d allocations, found %d and %d", pending, allocations, books.Pending, books.Allocations())
	}
	if want, found := fmt.Sprint(capacity), padded(books, books.Capacity); want != found {
		t.Fatalf("expected a capacity of %s, found %s", want, found)
	}
	if want, found := fmt.Sprint(used), padded(books, books.Used); want != found {
		t.Fatalf("expected %s used, found %s", want, found)
	}
	summary := books.Summary(&d)
	for _, c := range summary.Cluster {
		i := slices.Index(books.Types, c.Name)
		if i < 0 || c.Used != used[i] || c.Capacity != capacity[i] {
			t.Fatalf("expected %v of %v used, found %+v", used, capacity, c)
		}
	}
	if all := books.Waits(); summary.Waits().Total() != all.Total() {
		t.Fatalf("expected %d waits, found %d", all.Total(), summary.Waits().Total())
	}
	for _, q := range books.Queues {
		is := queues[q.Path]
		if q.Pending != is.PendingAsks || q.Running != is.Allocations || padded(books, q.Used) != amountsOf(books, is.Used) {
			t.Fatalf("%s: expected %+v, found %+v", q.Path, is, q)
		}
	}
	waiting := map[string]time.Duration{}
	for _, a := range d.Applications {
		for _, ask := range a.Asks {
			if ask.Node == "" {
				waiting[ask.ID] = ask.Submitted
			}
		}
	}
	for a := books.Oldest(); a != nil; a = a.Next() {
		if since, ok := waiting[a.ID]; !ok || since != a.Submitted {
			t.Fatalf("%s waits since %v in the books; since %v, %v", a.ID, a.Submitted, since, ok)
		}
		delete(waiting, a.ID)
	}
	if len(waiting) > 0 {
		t.Fatalf("the books miss %v", waiting)
	}
}
