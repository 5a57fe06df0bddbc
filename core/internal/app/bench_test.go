package app_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// queueUnderLoad is a leaf queue whose asks are allocated in order, each followed by a new one.
type queueUnderLoad struct {
	leaf        *app.OwnedLeaf
	classes     class.Registry
	owner       *asks.Asks
	values      *apps.Apps
	asks        *app.Owner
	search      *demandrow.Search
	shrinkEpoch uint64
	seq         uint64
}

func newQueueUnderLoad(order *policy.Module, stateAware bool, askOrder *policy.Module) *queueUnderLoad {
	types := resource.NewTypes()
	types.Intern("vcore")
	types.Intern("memory")
	q := &queueUnderLoad{leaf: app.NewLeaf(types), classes: class.NewRegistry(types), owner: asks.New(), values: apps.New(types.Width()), shrinkEpoch: 1}
	q.asks = app.NewOwner(q.owner.View(), q.values.View(), gangs.View{}, q.classes.View())
	q.leaf.Measure(func(int) int64 { return 1 << 30 })
	q.leaf.SortByPriority(true)
	q.leaf.SetAskOrder(inForce(policy.AskOrder, askOrder))
	q.leaf.SetOrder(inForce(policy.AppOrder, order), stateAware, app.UserUsage{})
	room := make(resource.Vec, types.Width())
	room.Fill(resource.Most)
	all := demandrow.Bound{Bits: class.AllBits, Room: room}
	q.search = &demandrow.Search{ShrinkEpoch: 2, Open: true, Any: all, Grown: all, Headroom: room, Beyond: room}
	return q
}

func (q *queueUnderLoad) application(i int) app.App {
	a := q.asks.NewApp(q.values.Add(fmt.Sprint("app-", i), apps.App{Seq: uint64(i + 1), State: apps.StateRunning}, &apps.Details{})).App()
	q.leaf.Admit(a)
	return a
}

func (q *queueUnderLoad) ask(a app.App, shape, priority int) {
	size := resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(1 + shape)}, resource.Quantity{Type: "memory", Value: 10})
	ask := q.owner.Add(fmt.Sprint(q.owner.View().Len()), asks.Ask{App: int32(a.Number()), Priority: int32(priority), Class: q.classes.Of(&class.Shape{Resources: size}).Number()})
	q.submit(a, q.asks.Begin(ask))
}

func (q *queueUnderLoad) submit(a app.App, ask app.Ask) {
	q.seq++
	q.owner.Renumber(ask.Slot(), q.seq, 0)
	q.classes.Enqueue(ask.Class())
	r := ask.Row()
	q.values.Enqueue(a.Number(), ask.Class().Demand())
	q.asks.Edit(a).AddAsk(ask, &r, 1)
}

// allocate allocates the first pending ask, and submits it again after all others.
func (q *queueUnderLoad) allocate(b testing.TB) {
	q.leaf.Sync(q.shrinkEpoch)
	t := q.leaf.Next(q.search)
	ask, a := t.Next(q.search), t.App
	if ask.IsNone() {
		b.Fatal("nothing waits")
	}
	q.classes.Dequeue(ask.Class())
	r := ask.Row()
	q.values.Allocate(a.Number(), ask.Class().Demand(), true)
	q.asks.Edit(a).DropAsk(ask, &r)
	q.leaf.UsageChanged(a)
	q.submit(a, ask)
}

// orders are the measured orders of applications.
var orders = []struct {
	name       string
	module     func() *policy.Module
	stateAware bool
}{
	{"fifo", func() *policy.Module { return policy.FifoApps("fifo") }, false},
	{"fair", policy.FairApps, false},
	{"stateaware", func() *policy.Module { return policy.FifoApps("stateaware") }, true},
}

func BenchmarkAllocateInOneApplication(b *testing.B) {
	for _, size := range []struct{ asks, classes, priorities int }{{1_000, 1, 1}, {50_000, 1, 1}, {50_000, 1, 3}, {50_000, 1, 1_000}, {50_000, 16, 3}, {50_000, 40_000, 1}} {
		b.Run(fmt.Sprintf("asks=%d/classes=%d/priorities=%d", size.asks, size.classes, size.priorities), func(b *testing.B) {
			q := newQueueUnderLoad(policy.FifoApps("fifo"), false, policy.FifoAsks())
			a := q.application(0)
			for i := range size.asks {
				q.ask(a, i%size.classes, i%size.priorities)
			}
			q.leaf.Sync(q.shrinkEpoch)
			b.ReportAllocs()
			for b.Loop() {
				q.allocate(b)
			}
		})
	}
}

func BenchmarkAllocateByAModulesAskOrder(b *testing.B) {
	for _, asks := range []int{1_000, 50_000} {
		b.Run(fmt.Sprintf("asks=%d", asks), func(b *testing.B) {
			q := newQueueUnderLoad(policy.FifoApps("fifo"), false, largestFirst())
			a := q.application(0)
			for i := range asks {
				q.ask(a, 0, i%3)
			}
			q.leaf.Sync(q.shrinkEpoch)
			b.ReportAllocs()
			for b.Loop() {
				q.allocate(b)
			}
		})
	}
}

func BenchmarkAllocateInApplicationsOfOneAsk(b *testing.B) {
	for _, o := range orders {
		for _, apps := range []int{1, 1_000, 50_000} {
			b.Run(fmt.Sprintf("order=%s/applications=%d", o.name, apps), func(b *testing.B) {
				q := newQueueUnderLoad(o.module(), o.stateAware, policy.FifoAsks())
				for i := range apps {
					q.ask(q.application(i), 0, 0)
				}
				q.leaf.Sync(q.shrinkEpoch)
				b.ReportAllocs()
				for b.Loop() {
					q.allocate(b)
				}
			})
		}
	}
}

// BenchmarkTakeIn submits asks and sorts them in, in batches. An operation is one ask.
func BenchmarkTakeIn(b *testing.B) {
	for _, size := range []struct{ applications, classes int }{{1, 1}, {1, 16}, {1, 40_000}, {50_000, 1}} {
		b.Run(fmt.Sprintf("asks=50000/applications=%d/classes=%d", size.applications, size.classes), func(b *testing.B) {
			const asks = 50_000
			b.ReportAllocs()
			for i := 0; i < b.N; i += asks {
				q := newQueueUnderLoad(policy.FifoApps("fifo"), false, policy.FifoAsks())
				apps := make([]app.App, size.applications)
				for i := range apps {
					apps[i] = q.application(i)
				}
				for k := range asks {
					q.ask(apps[k%len(apps)], k%size.classes, 0)
				}
				q.leaf.Sync(q.shrinkEpoch)
			}
		})
	}
}
