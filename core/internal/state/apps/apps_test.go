package apps

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
	_ "github.com/quern-project/quern/internal/seeded"

	"pgregory.net/rapid"
)

func TestRow_HoldsNoPointers(t *testing.T) {
	if err := table.Flat[App](); err != nil {
		t.Error(err)
	}
}

func TestRow_FitsTwoCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(App{}); size > 128 {
		t.Errorf("a row has %d bytes, expected at most 128", size)
	}
}

// model is the expected state of an application. Sums are exact.
type model struct {
	App
	id            string
	details       Details
	used, waiting map[int]float64
}

// trial compares the owner with plain maps.
type trial struct {
	*rapid.T
	o       *Apps
	live    map[ID]*model
	removed map[ID]*model
	types   int
	seq     uint64
}

func newTrial(t *rapid.T) *trial {
	types := rapid.IntRange(1, 6).Draw(t, "types")
	return &trial{T: t, o: New(types), live: map[ID]*model{}, removed: map[ID]*model{}, types: types}
}

func (tr *trial) roll(what string, n int) int { return rapid.IntRange(0, n-1).Draw(tr.T, what) }

// demand draws amounts, some of which are so large that few of them exceed the largest int64 together.
func (tr *trial) demand() resource.Vec {
	v := make(resource.Vec, tr.types)
	for t := range v {
		v[t] = []int64{0, 1, 5, math.MaxInt64/2 + 1}[tr.roll("amount", 4)]
	}
	return v
}

func (tr *trial) add() {
	tr.seq++
	m := &model{App: App{Seq: tr.seq, Submitted: time.Duration(tr.seq), Queue: 3}, id: fmt.Sprint("app-", tr.roll("id", 9)), used: map[int]float64{}, waiting: map[int]float64{}}
	if tr.o.View().Find(m.id) != None {
		return
	}
	m.details = Details{User: fmt.Sprint("user", tr.seq), Groups: []string{"g"}, Tags: map[string]string{"t": fmt.Sprint(tr.seq)}}
	number := tr.o.Add(m.id, m.App, &m.details)
	if tr.live[number] != nil || tr.removed[number] != nil {
		tr.Fatalf("number %d is in use", number)
	}
	tr.live[number] = m
}

// count adds multiples of a demand to the expected sums.
func (m *model) count(demand resource.Vec, used, waiting float64) {
	for t, amount := range demand {
		m.used[t] += used * float64(amount)
		m.waiting[t] += waiting * float64(amount)
	}
}

func (tr *trial) change(number ID, m *model) {
	demand := tr.demand()
	switch tr.roll("change", 9) {
	case 0, 1:
		m.Pending++
		m.count(demand, 0, 1)
		tr.o.Enqueue(number, demand.Amounts())
	case 2: // an ask that comes and goes
		tr.o.Enqueue(number, demand.Amounts())
		tr.o.Dequeue(number, demand.Amounts())
	case 3:
		small := make(resource.Vec, tr.types)
		small.Fill(2)
		m.Allocations, m.Made = m.Allocations+1, m.Made+1
		m.count(small, 1, 0)
		tr.o.Enqueue(number, small.Amounts())
		tr.o.Allocate(number, small.Amounts(), true)
	case 4:
		small := make(resource.Vec, tr.types)
		small.Fill(1)
		m.Allocations++
		m.count(small, 1, 0)
		tr.o.AddAllocation(number, small.Amounts())
	case 5:
		m.State, m.Since = State(tr.roll("state", int(states))), time.Duration(tr.seq)
		tr.o.SetState(number, m.State, m.Since)
	case 6:
		m.Claims++
		m.Queue = queues.ID(tr.seq)
		tr.o.AddClaim(number, true)
		tr.o.Move(number, m.Queue)
	case 7:
		m.Since, m.Submitted, m.Made = 1, 2, 3
		tr.o.Restore(number, 1, 2, 3)
	default:
		delete(tr.live, number)
		m.removed = true
		tr.removed[number] = m
		tr.o.Remove(number)
	}
}

func (tr *trial) step() {
	numbers := slices.Sorted(maps.Keys(tr.live))
	switch what := tr.roll("step", 10); {
	case what < 2 || len(numbers) == 0:
		tr.add()
	case what == 2 && tr.types < 9:
		tr.types++
		tr.o.Widen(tr.types)
	default:
		number := numbers[tr.roll("app", len(numbers))]
		tr.change(number, tr.live[number])
	}
}

func (tr *trial) check() {
	v := tr.o.View()
	if got, want := slices.Sorted(v.All), slices.Sorted(maps.Keys(tr.live)); !slices.Equal(got, want) || v.Len() != len(want) {
		tr.Fatalf("applications %v, expected %v", got, want)
	}
	for number, m := range tr.live {
		if found := v.Find(m.id); found != number {
			tr.Fatalf("%s has the number %d, expected %d", m.id, found, number)
		}
		tr.checkRow(number, m)
	}
	for number, m := range tr.removed {
		if v.Find(m.id) == number {
			tr.Fatalf("%s has ended, and is found", m.id)
		}
		tr.checkRow(number, m)
	}
}

// checkRow also holds for removed applications, which followers of the log read.
func (tr *trial) checkRow(number ID, m *model) {
	v := tr.o.View()
	r := v.At(number)
	r.sums = m.sums
	if state, claims := v.Status(number); r != m.App || state != m.State || claims != (m.Claims > 0) {
		tr.Fatalf("number %d has %+v, expected %+v", number, r, m.App)
	}
	if v.ID(number) != m.id || v.User(number) != m.details.User || v.Tag(number, "t") != m.details.Tags["t"] || !slices.Equal(v.Groups(number), m.details.Groups) {
		tr.Fatalf("number %d is %s of %s, expected %s of %s", number, v.ID(number), v.User(number), m.id, m.details.User)
	}
	used, waiting := v.Used(number), v.Waiting(number)
	for t := range tr.types {
		if want := int64(m.used[t]); used[t] != want {
			tr.Fatalf("number %d uses %d of type %d, expected %d", number, used[t], t, want)
		}
		if most := m.waiting[t] >= math.MaxInt64; most != (waiting[t] == resource.Most) || !most && waiting[t] != int64(m.waiting[t]) && m.waiting[t] < 1<<53 {
			tr.Fatalf("number %d waits for %d of type %d, expected %g", number, waiting[t], t, m.waiting[t])
		}
	}
}

func TestApps_EqualPlainMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := newTrial(t)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			tr.step()
			tr.check()
		}
	})
}

// fork continues a trial in a fork of its owner.
func (tr *trial) fork() *trial {
	next := &trial{T: tr.T, o: tr.o.Freeze().Fork(), live: map[ID]*model{}, removed: map[ID]*model{}, types: tr.types, seq: tr.seq}
	for number, m := range tr.live {
		next.live[number] = m.clone()
	}
	for number, m := range tr.removed {
		next.removed[number] = m.clone()
	}
	return next
}

func (m *model) clone() *model {
	own := *m
	own.used, own.waiting = maps.Clone(m.used), maps.Clone(m.waiting)
	return &own
}

func TestFork_AppsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []*trial{newTrial(t)}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			tr := all[rapid.IntRange(0, len(all)-1).Draw(t, "fork")]
			if len(all) < 5 && tr.roll("forks", 10) == 0 {
				all = append(all, tr.fork())
			}
			tr.step()
			for _, other := range all {
				other.check()
			}
		}
	})
}

func TestView_GivesNoAliases(t *testing.T) {
	o := New(1)
	number := o.Add("a", App{}, &Details{Groups: []string{"g"}, Tags: map[string]string{"t": "v"}})
	v := o.View()
	v.Groups(number)[0] = "other"
	v.Tags(number)["t"] = "other"
	v.Used(number)[0] = 5
	if v.Groups(number)[0] != "g" || v.Tag(number, "t") != "v" || v.UsedOf(number, 0) != 0 {
		t.Error("a reader changed an application")
	}
}
