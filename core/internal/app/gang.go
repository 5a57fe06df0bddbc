package app

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Gang is the gang of an application with placeholders. Placeholders hold room until there is enough for all tasks, which are the
// other asks of the application. Then tasks replace them. An ask counts while it is pending or allocated: each Enqueue is undone by
// Dequeue, and each Place by Free.
type Gang struct {
	Ask     resource.Set // the declared sum of the placeholders
	Hard    bool         // the application fails if the gang does not form in time
	Timeout time.Duration

	Formed bool
	Failed bool // it did not form in time

	Timed   bool          // the timeout runs: a placeholder was allocated, and there have been placeholders since
	Since   time.Duration // start of the timeout
	Expired bool          // the timeout has expired, and the placeholders are leaving
	Ended   bool          // the application is Completing, and the placeholders are leaving

	Pending   int          // number of pending placeholders
	Allocated int          // number of allocated placeholders, including leaving ones
	Tasks     int          // number of tasks, pending and allocated
	Staying   resource.Vec // sum of the allocated placeholders that are not leaving

	Replaced int // number of placeholders that were replaced by tasks

	tasksWait bool         // whether tasks wait for the gang to form, as of the last UpdateTasks
	groups    []*TaskGroup // by number - 1; nil if the number is free
	byName    map[string]*TaskGroup
	free      []int // free indices of groups
}

// TaskGroup is a named group of asks of a gang. Tasks without a group are in the group with an empty name.
type TaskGroup struct {
	Name      string
	number    uint64 // from 1; unique among the current groups of the gang
	asks      int    // number of asks in the group
	tasksWait bool   // whether tasks wait for its placeholders, as of the last UpdateTasks

	placeholders memberList // allocated and not leaving, oldest first
	tasks        memberList // pending
}

// NewGang makes a gang without asks.
func NewGang(ask resource.Set, hard bool, timeout time.Duration, width int) *Gang {
	return &Gang{Ask: ask, Hard: hard, Timeout: timeout, Staying: make(resource.Vec, width), byName: map[string]*TaskGroup{}}
}

// Join counts a new ask in a task group, and returns the number of the group.
func (g *Gang) Join(group string) int32 {
	t := g.byName[group]
	if t == nil {
		t = g.newGroup(group)
	}
	t.asks++
	return int32(t.number)
}

func (g *Gang) newGroup(name string) *TaskGroup {
	t := &TaskGroup{Name: name}
	if n := len(g.free); n > 0 {
		t.number = uint64(g.free[n-1] + 1)
		g.free = g.free[:n-1]
		g.groups[t.number-1] = t
	} else {
		g.groups = append(g.groups, t)
		t.number = uint64(len(g.groups))
	}
	g.byName[name] = t
	return t
}

// RemoveMember removes an ask that has ended from its group.
func (g *Gang) RemoveMember(ask Ask) {
	t := ask.TaskGroup()
	if t.asks--; t.asks > 0 {
		return
	}
	delete(g.byName, t.Name)
	g.groups[t.number-1] = nil
	g.free = append(g.free, int(t.number-1))
}

// Enqueue counts an ask that becomes pending.
func (g *Gang) Enqueue(ask Ask) {
	if ask.IsPlaceholder() {
		g.Pending++
		return
	}
	g.Tasks++
	ask.TaskGroup().tasks.append(ask.in, ask.slot)
	ask.order().standing = ask.App().standingOf(ask)
}

// Dequeue undoes Enqueue.
func (g *Gang) Dequeue(ask Ask) {
	if ask.IsPlaceholder() {
		g.Pending--
		return
	}
	g.Tasks--
	ask.TaskGroup().tasks.remove(ask.in, ask.slot)
}

// Place counts an allocation.
func (g *Gang) Place(ask Ask) {
	if !ask.IsPlaceholder() {
		g.Tasks++
		return
	}
	g.Allocated++
	g.Staying.Add(ask.Class().Demand)
	ask.TaskGroup().placeholders.append(ask.in, ask.slot)
}

// MarkLeaving records that an allocated placeholder is leaving.
func (g *Gang) MarkLeaving(ask Ask) {
	g.Staying.Sub(ask.Class().Demand)
	ask.TaskGroup().placeholders.remove(ask.in, ask.slot)
}

// Free undoes Place.
func (g *Gang) Free(ask Ask) {
	if !ask.IsPlaceholder() {
		g.Tasks--
		return
	}
	if !ask.Leaving() {
		g.MarkLeaving(ask)
	}
	g.Allocated--
}

// Placeholders returns the number of placeholders, pending and allocated.
func (g *Gang) Placeholders() int { return g.Pending + g.Allocated }

// Waits reports whether tasks have to wait until the gang is formed.
func (g *Gang) Waits() bool { return !g.Formed && !g.Failed && g.Placeholders() > 0 }

// HasRoom reports whether the allocated placeholders add up to the declared sum, so that the gang is formed.
func (g *Gang) HasRoom(types *resource.Types) bool {
	for _, q := range g.Ask {
		if q.Value <= 0 {
			continue
		}
		if t, known := types.Find(q.Type); !known || g.Staying[t] < q.Value {
			return false
		}
	}
	return true
}

// EndsAt returns when the timeout of the placeholders expires. ok is false if no timeout runs.
func (g *Gang) EndsAt() (at time.Duration, ok bool) {
	if !g.Timed || g.Expired {
		return 0, false
	}
	return instant.Add(g.Since, g.Timeout), true
}

// Oldest returns the placeholder of a group that was allocated first and is not leaving, or none.
func (a *App) Oldest(t *TaskGroup) Ask { return a.asks.At(t.placeholders.first) }

// TasksWait reports whether tasks are not allocated: the gang is not formed yet, or placeholders of a failed gang are still leaving.
func (a *App) TasksWait() bool { return a.Gang.tasksWait }

// NextPlaceholder returns the next allocated placeholder of the group that is not leaving, or nil.
func (a Ask) NextPlaceholder() Ask { return a.in.At(a.in.inGroup(a.slot).next) }

// StayingPlaceholders lists the allocated placeholders that are not leaving, oldest first.
func (a *App) StayingPlaceholders() []Ask {
	list := make([]Ask, 0, a.Gang.Allocated)
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
		if ask.IsPlaceholder() && !ask.Leaving() {
			list = append(list, ask)
		}
	}
	return list
}

// MayReplace reports whether some pending task may replace a placeholder of its group.
func (a *App) MayReplace() bool {
	return !a.Gang.tasksWait && slices.ContainsFunc(a.Gang.groups, func(t *TaskGroup) bool { return t != nil && t.tasksWait && t.tasks.first != NoSlot })
}

// standingOf returns the standing of a pending task, which says what it waits for.
func (a *App) standingOf(task Ask) standing {
	switch m := task.Member(); {
	case m.Placeholder:
		return ordinary
	case m.Replacing:
		return replacing
	case a.Gang.tasksWait || !m.NoPlaceholderFits && a.Gang.groups[m.Group-1].tasksWait:
		return waitsForGang
	}
	return ordinary
}

// UpdateTask sorts a pending task in again if its hold has changed.
func (a *App) UpdateTask(ask Ask) {
	o := ask.order()
	if h := a.standingOf(ask); h != o.standing {
		if g := ask.Atomic(); g != nil && (h == ordinary || o.standing == ordinary) {
			g.addResting(h != ordinary)
		}
		o.standing = h
		a.UpdateAsk(ask)
	}
}

// UpdateTasks sorts pending tasks in again if what they wait for has changed: the gang, which they wait for until it is formed and
// while the application is Resuming, or the placeholders of the changed group, which may be nil.
func (a *App) UpdateTasks(changed *TaskGroup, resuming bool) {
	g := a.Gang
	if changed != nil {
		held := changed.placeholders.first != NoSlot
		if changed.tasksWait != held {
			changed.tasksWait = held
			a.updateGroup(changed)
		}
	}
	if waiting := resuming || g.Waits(); g.tasksWait != waiting {
		g.tasksWait = waiting
		for _, t := range g.groups {
			if t != nil {
				a.updateGroup(t)
			}
		}
	}
}

func (a *App) updateGroup(t *TaskGroup) {
	for slot := t.tasks.first; slot != NoSlot; slot = a.asks.inGroup(slot).next {
		a.UpdateTask(Ask{a.asks, slot})
	}
}

// WaitingTasks calls yield, in order, with the first task of each class and task group that waits to replace a placeholder. The leaf
// must be in sync.
func (a *App) WaitingTasks(yield func(Ask) bool) {
	a.Heads(func(ask Ask) bool { return ask.order().standing != waitsForGang || yield(ask) })
}
