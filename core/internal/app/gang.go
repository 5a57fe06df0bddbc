package app

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Gang is what an application with placeholders has. Placeholders hold room until there is enough of it for all tasks, the
// other asks of the application; then tasks take their places. An ask is counted while it is pending or allocated: Pend and
// Unpend, Place and Free come in pairs.
type Gang struct {
	Ask     resource.Set // the declared sum of the placeholders
	Hard    bool         // if it is not formed in time, the application fails
	Timeout time.Duration

	Formed bool
	Failed bool // it was not formed in time

	Timed   bool          // a placeholder was allocated, and one is allocated or pending since
	Since   time.Duration // of Timed
	Expired bool          // of Timed: the placeholders were told to leave
	Ended   bool          // of the present state, Completing: the placeholders were told to leave

	Pending   int          // placeholders
	Allocated int          // placeholders, those told to leave included
	Tasks     int          // pending and allocated
	Staying   resource.Vec // by allocated placeholders that were not told to leave

	Replaced int // placeholders in whose place a task was allocated, so far

	waiting bool         // tasks were last said to wait for the gang
	groups  []*TaskGroup // by number - 1; nil where the number is free
	byName  map[string]*TaskGroup
	free    []int // places in groups
}

// TaskGroup is the asks of a gang that name it; tasks without a group have the one without a name.
type TaskGroup struct {
	Name   string
	number uint64 // from 1, among the live ones of the gang
	asks   int    // that have it
	held   bool   // tasks were last said to wait for its placeholders

	placeholders memberList // allocated and not told to leave, oldest first
	tasks        memberList // pending
}

// NewGang makes a gang without asks for vectors of a width.
func NewGang(ask resource.Set, hard bool, timeout time.Duration, width int) *Gang {
	return &Gang{Ask: ask, Hard: hard, Timeout: timeout, Staying: make(resource.Vec, width), byName: map[string]*TaskGroup{}}
}

// Join gives a new ask its membership.
func (g *Gang) Join(ask *Ask, group string, placeholder bool) {
	t := g.byName[group]
	if t == nil {
		t = g.newGroup(group)
	}
	t.asks++
	ask.Member = &Membership{Group: t, Placeholder: placeholder}
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

// Part forgets the membership of an ask that is gone.
func (g *Gang) Part(ask *Ask) {
	t := ask.Member.Group
	if t.asks--; t.asks > 0 {
		return
	}
	delete(g.byName, t.Name)
	g.groups[t.number-1] = nil
	g.free = append(g.free, int(t.number-1))
}

// Pend counts an ask that is pending from now on.
func (g *Gang) Pend(ask *Ask) {
	if ask.Member.Placeholder {
		g.Pending++
		return
	}
	g.Tasks++
	ask.Member.Group.tasks.append(ask)
	ask.Member.standing = ask.App.standingOf(ask.Member)
}

// Unpend takes back what Pend counted.
func (g *Gang) Unpend(ask *Ask) {
	if ask.Member.Placeholder {
		g.Pending--
		return
	}
	g.Tasks--
	ask.Member.Group.tasks.remove(ask)
}

// Place counts an allocation.
func (g *Gang) Place(ask *Ask) {
	if !ask.Member.Placeholder {
		g.Tasks++
		return
	}
	g.Allocated++
	g.Staying.Add(ask.Class.Demand)
	ask.Member.Group.placeholders.append(ask)
}

// Leave notes that an allocated placeholder was told to leave.
func (g *Gang) Leave(ask *Ask) {
	g.Staying.Sub(ask.Class.Demand)
	ask.Member.Group.placeholders.remove(ask)
}

// Free takes back what Place counted.
func (g *Gang) Free(ask *Ask) {
	if !ask.Member.Placeholder {
		g.Tasks--
		return
	}
	if !ask.Leaving {
		g.Leave(ask)
	}
	g.Allocated--
}

// Placeholders is how many there are, pending and allocated.
func (g *Gang) Placeholders() int { return g.Pending + g.Allocated }

// Waits reports whether tasks wait until the placeholders have their room.
func (g *Gang) Waits() bool { return !g.Formed && !g.Failed && g.Placeholders() > 0 }

// HasRoom reports whether the placeholders allocated add up to what was declared in every type.
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

// EndsAt is when the time of the placeholders is over; ok is false where none is measured.
func (g *Gang) EndsAt() (at time.Duration, ok bool) {
	if !g.Timed || g.Expired {
		return 0, false
	}
	return instant.Add(g.Since, g.Timeout), true
}

// Oldest is the placeholder of the group that was allocated first and was not told to leave; nil: there is none.
func (t *TaskGroup) Oldest() *Ask { return t.placeholders.first }

// TasksWait reports whether no task is placed: the gang is to be formed, or the placeholders of one that failed have yet to leave.
func (a *App) TasksWait() bool { return a.Gang.waiting }

// NextPlaceholder is the one allocated after this one that was not told to leave, or nil.
func (a *Ask) NextPlaceholder() *Ask { return a.Member.next }

// StayingPlaceholders lists the allocated ones that were not told to leave, oldest first.
func (a *App) StayingPlaceholders() []*Ask {
	list := make([]*Ask, 0, a.Gang.Allocated)
	for ask := a.Placed.First; ask != nil; ask = ask.Next(OfApp) {
		if ask.IsPlaceholder() && !ask.Leaving {
			list = append(list, ask)
		}
	}
	return list
}

// MayReplace reports whether there is a task, with a placeholder in its group, that may take its place.
func (a *App) MayReplace() bool {
	return !a.Gang.waiting && slices.ContainsFunc(a.Gang.groups, func(t *TaskGroup) bool { return t != nil && t.held && t.tasks.first != nil })
}

// holdOf is how a pending task waits.
func (a *App) standingOf(m *Membership) standing {
	switch {
	case m.Placeholder:
		return ordinary
	case m.Bound:
		return bound
	case a.Gang.waiting || !m.GaveUp && m.Group.held:
		return rests
	}
	return ordinary
}

// UpdateTask sorts a pending task in again if it waits for something else than before.
func (a *App) UpdateTask(ask *Ask) {
	if h := a.standingOf(ask.Member); h != ask.Member.standing {
		if ask.Atomic != nil && (h == ordinary || ask.Member.standing == ordinary) {
			ask.Atomic.rest(h != ordinary)
		}
		ask.Member.standing = h
		a.UpdateAsk(ask)
	}
}

// UpdateTasks sorts the pending tasks in again for which what they wait for has changed: the gang, if resuming says that the
// application waits for its placeholders to leave or if it is to be formed, and the placeholders of a group (nil: of none).
func (a *App) UpdateTasks(changed *TaskGroup, resuming bool) {
	g := a.Gang
	if changed != nil {
		held := changed.placeholders.first != nil
		if changed.held != held {
			changed.held = held
			a.updateGroup(changed)
		}
	}
	if waiting := resuming || g.Waits(); g.waiting != waiting {
		g.waiting = waiting
		for _, t := range g.groups {
			if t != nil {
				a.updateGroup(t)
			}
		}
	}
}

func (a *App) updateGroup(t *TaskGroup) {
	for ask := t.tasks.first; ask != nil; ask = ask.Member.next {
		a.UpdateTask(ask)
	}
}

// WaitingTasks calls yield with the first task of each class in each group that waits for the place of a placeholder, in order;
// the leaf is in sync.
func (a *App) WaitingTasks(yield func(*Ask) bool) {
	a.Heads(func(ask *Ask) bool { return ask.Member == nil || ask.Member.standing != rests || yield(ask) })
}
