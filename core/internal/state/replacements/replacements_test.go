package replacements

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	_ "github.com/quern-project/quern/internal/seeded"

	"pgregory.net/rapid"
)

func TestRows_HoldNoPointers(t *testing.T) {
	for _, err := range []error{table.Flat[Replacement](), table.Flat[Notice]()} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestCause_HasItsReason(t *testing.T) {
	for _, reason := range []core.Reason{core.ReasonReplaced, core.ReasonTimeout, core.ReasonFinished} {
		if c, known := CauseOf(reason); !known || c.Reason() != reason {
			t.Errorf("%s: the cause is %d, whose reason is %s", reason, c, c.Reason())
		}
	}
	for _, reason := range []core.Reason{core.ReasonPreempted, ""} {
		if c, known := CauseOf(reason); known {
			t.Errorf("%q has the cause %d", reason, c)
		}
	}
}

func TestReplacements_OneNoticeAnAllocation(t *testing.T) {
	o := New()
	o.Announce(1, Finished, "")
	defer func() {
		if recover() == nil {
			t.Error("a second notice is taken")
		}
	}()
	o.Announce(1, TimedOut, "")
}

// told is the model of a leaving allocation, and wait the model of a waiting task.
type told struct {
	cause Cause
	id    string
	task  app.Slot
}

type wait struct {
	placeholder app.Slot
	node        int32
}

// trial compares the owner with plain maps. Slots below 100 are allocations, others tasks of two applications.
type trial struct {
	*rapid.T
	o     *Replacements
	told  map[app.Slot]told
	wait  map[app.Slot]wait
	tasks map[app.Slot]app.Ask
}

func (tr *trial) roll(what string, n int) int { return rapid.IntRange(0, n-1).Draw(tr.T, what) }

func (tr *trial) step() {
	allocation, task := app.Slot(1+tr.roll("allocation", 8)), app.Slot(100+tr.roll("task", 8))
	_, leaves := tr.told[allocation]
	_, waits := tr.wait[task]
	switch tr.roll("what", 4) {
	case 0:
		if leaves {
			tr.left(allocation)
		} else {
			n := told{cause: Cause(1 + tr.roll("cause", 3)), id: []string{"", "t1", "a task with a name longer than a chunk"}[tr.roll("id", 3)]}
			tr.o.Announce(allocation, n.cause, n.id)
			tr.told[allocation] = n
		}
	case 1:
		node := int32(tr.roll("node", 3))
		tr.o.RemoveNode(node)
		for slot, w := range tr.wait {
			if w.node == node {
				tr.wait[slot] = wait{w.placeholder, app.NoNode}
			}
		}
	default:
		if waits {
			tr.end(task)
		} else {
			tr.await(task, allocation)
		}
	}
}

func (tr *trial) left(allocation app.Slot) {
	tr.o.Left(allocation)
	if task := tr.told[allocation].task; task != app.NoSlot {
		tr.wait[task] = wait{app.NoSlot, tr.wait[task].node}
	}
	delete(tr.told, allocation)
}

func (tr *trial) end(task app.Slot) {
	tr.o.End(task)
	if on := tr.wait[task].placeholder; on != app.NoSlot {
		n := tr.told[on]
		n.task = app.NoSlot
		tr.told[on] = n
	}
	delete(tr.wait, task)
}

func (tr *trial) await(task, placeholder app.Slot) {
	n, leaves := tr.told[placeholder]
	if leaves && n.task != app.NoSlot {
		return // another task waits for it
	}
	if leaves {
		n.task = task
		tr.told[placeholder] = n
	} else {
		placeholder = app.NoSlot
	}
	w := wait{placeholder, int32(tr.roll("node", 3))}
	tr.o.Await(tr.tasks[task], w.placeholder, w.node)
	tr.wait[task] = w
}

func (tr *trial) check() {
	v := tr.o.View()
	for slot := app.Slot(1); slot < 9; slot++ {
		want, leaves := tr.told[slot]
		if n, in := v.Notice(slot); in != leaves || n.Cause != want.cause || n.Task != want.task || in && v.For(n) != want.id {
			tr.Fatalf("allocation %d has the notice %v for %q, expected %v", slot, n, v.For(n), want)
		}
	}
	var ready []app.Slot
	for slot := app.Slot(100); slot < 108; slot++ {
		want, waits := tr.wait[slot]
		if r, in := v.Of(slot); in != waits || in && (r.Placeholder != want.placeholder || r.Node != want.node || r.Task != slot) {
			tr.Fatalf("task %d waits for %v, expected %v", slot, r, want)
		}
		if waits && want.placeholder == app.NoSlot {
			ready = append(ready, slot)
		}
	}
	if v.Ready() != len(ready) || len(ready) > 0 && v.FirstReady() != ready[0] || v.Notices() != len(tr.told) {
		tr.Fatalf("%d are ready and %d leave, expected %v and %v", v.Ready(), v.Notices(), ready, tr.told)
	}
	if got := slices.Sorted(v.Leaving); !slices.Equal(got, slices.Sorted(maps.Keys(tr.told))) {
		tr.Fatalf("%v leave, expected %v", got, tr.told)
	}
	if got := slices.Sorted(v.Waiting); !slices.Equal(got, slices.Sorted(maps.Keys(tr.wait))) {
		tr.Fatalf("%v wait, expected %v", got, tr.wait)
	}
}

// newTrial makes a trial with eight tasks. Their order is by application, and then by submission.
func newTrial(t *rapid.T) *trial {
	tr := &trial{T: t, o: New(), told: map[app.Slot]told{}, wait: map[app.Slot]wait{}, tasks: map[app.Slot]app.Ask{}}
	owner := asks.New()
	values := apps.New(1)
	all := app.NewOwner(owner.View(), values.View(), gangs.View{}, class.View{})
	both := []*app.Record{all.NewApp(values.Add("a", apps.App{Seq: 1}, &apps.Details{})), all.NewApp(values.Add("b", apps.App{Seq: 2}, &apps.Details{}))}
	for i := range 99 {
		owner.Add(fmt.Sprint(i), asks.Ask{})
	}
	for slot := app.Slot(100); slot < 108; slot++ {
		tr.tasks[slot] = all.Begin(owner.Add(fmt.Sprint(slot), asks.Ask{App: int32(both[(slot-100)/4].Number()), Seq: uint64(200 - 50*((slot-100)/4) + slot)}))
	}
	return tr
}

func TestReplacements_EqualPlainMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := newTrial(t)
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			tr.step()
			tr.check()
		}
	})
}
