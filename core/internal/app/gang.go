package app

import "slices"

// taskGroups are the groups of an application with placeholders.
type taskGroups struct {
	tasksWait bool         // whether tasks wait for the gang to form, as of the last UpdateTasks
	list      []*taskGroup // by number - 1; nil if the number is free
	byName    map[string]*taskGroup
	free      []int // free indices of list
}

// TaskGroup reads a named group of asks of a gang. Tasks without a group are in the group with an empty name. The zero value is no group.
type TaskGroup struct{ *taskGroup }

type taskGroup struct {
	name      string
	number    uint64 // from 1; unique among the current groups of the gang
	asks      int    // number of asks in the group
	tasksWait bool   // whether tasks wait for its placeholders, as of the last UpdateTasks

	placeholders memberList // allocated and not leaving, oldest first
	tasks        memberList // pending
}

// Name returns its name.
func (t *taskGroup) Name() string { return t.name }

// DeclareGang prepares the task groups of a new application with placeholders.
func (a *Record) DeclareGang() { a.gang = &taskGroups{byName: map[string]*taskGroup{}} }

// HasGang reports whether the application has placeholders, now or earlier.
func (a *application) HasGang() bool { return a.gang != nil }

// JoinGroup counts a new ask in a task group, and returns the number of the group.
func (a *Record) JoinGroup(name string) int32 {
	t := a.gang.byName[name]
	if t == nil {
		t = a.gang.add(name)
	}
	t.asks++
	return int32(t.number)
}

func (g *taskGroups) add(name string) *taskGroup {
	t := &taskGroup{name: name}
	if n := len(g.free); n > 0 {
		t.number = uint64(g.free[n-1] + 1)
		g.free = g.free[:n-1]
		g.list[t.number-1] = t
	} else {
		g.list = append(g.list, t)
		t.number = uint64(len(g.list))
	}
	g.byName[name] = t
	return t
}

// LeaveGroup removes an ask that has ended from its group.
func (a *Record) LeaveGroup(ask Ask) {
	t, g := ask.TaskGroup(), a.gang
	if t.asks--; t.asks > 0 {
		return
	}
	delete(g.byName, t.name)
	g.list[t.number-1] = nil
	g.free = append(g.free, int(t.number-1))
}

// ListTask lists a task that becomes pending in its group.
func (a *Record) ListTask(ask Ask) {
	ask.TaskGroup().tasks.append(ask.in, ask.slot)
	ask.order().standing = a.standingOf(ask)
}

// UnlistTask undoes ListTask.
func (a *Record) UnlistTask(ask Ask) { ask.TaskGroup().tasks.remove(ask.in, ask.slot) }

// ListPlaceholder lists an allocated placeholder in its group, after all others.
func (a *Record) ListPlaceholder(ask Ask) { ask.TaskGroup().placeholders.append(ask.in, ask.slot) }

// UnlistPlaceholder undoes ListPlaceholder for a placeholder that is leaving.
func (a *Record) UnlistPlaceholder(ask Ask) { ask.TaskGroup().placeholders.remove(ask.in, ask.slot) }

// Oldest returns the placeholder of a group that was allocated first and is not leaving, or none.
func (a *application) Oldest(t TaskGroup) Ask { return a.asks.At(t.placeholders.first) }

// TasksWait reports whether tasks are not allocated: the gang is not formed yet, or placeholders of a failed gang are still leaving.
func (a *application) TasksWait() bool { return a.gang.tasksWait }

// NextPlaceholder returns the next allocated placeholder of the group that is not leaving, or nil.
func (a Ask) NextPlaceholder() Ask { return a.in.At(a.in.inGroup(a.slot).next) }

// StayingPlaceholders lists the allocated placeholders that are not leaving, oldest first.
func (a *application) StayingPlaceholders() []Ask {
	list := make([]Ask, 0, a.asks.gangValues.Of(a.number).Allocated)
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
		if ask.IsPlaceholder() && !ask.Leaving() {
			list = append(list, ask)
		}
	}
	return list
}

// MayReplace reports whether some pending task may replace a placeholder of its group.
func (a *application) MayReplace() bool {
	return !a.gang.tasksWait && slices.ContainsFunc(a.gang.list, func(t *taskGroup) bool { return t != nil && t.tasksWait && t.tasks.first != NoSlot })
}

// standingOf returns the standing of a pending task, which says what it waits for.
func (a *application) standingOf(task Ask) standing {
	switch m := task.Member(); {
	case m.Placeholder:
		return ordinary
	case m.Replacing:
		return replacing
	case a.gang.tasksWait || !m.NoPlaceholderFits && a.gang.list[m.Group-1].tasksWait:
		return waitsForGang
	}
	return ordinary
}

// updateTask sorts a pending task in again if its hold has changed.
func (a *application) updateTask(ask Ask) {
	o := ask.order()
	if h := a.standingOf(ask); h != o.standing {
		if g := ask.atomic(); g != nil && (h == ordinary || o.standing == ordinary) {
			g.addResting(h != ordinary)
		}
		o.standing = h
		a.updateAsk(ask)
	}
}

// UpdateTasks sorts pending tasks in again if what they wait for has changed: the gang, which they wait for until it is formed and
// while the application is Resuming, or the placeholders of the changed group, which may be none.
func (a *Record) UpdateTasks(changed TaskGroup, resuming bool) {
	g := a.gang
	if changed.taskGroup != nil {
		held := changed.placeholders.first != NoSlot
		if changed.tasksWait != held {
			changed.tasksWait = held
			a.updateGroup(changed.taskGroup)
		}
	}
	if waiting := resuming || a.asks.gangValues.Of(a.number).Waits(); g.tasksWait != waiting {
		g.tasksWait = waiting
		for _, t := range g.list {
			if t != nil {
				a.updateGroup(t)
			}
		}
	}
}

func (a *application) updateGroup(t *taskGroup) {
	for slot := t.tasks.first; slot != NoSlot; slot = a.asks.inGroup(slot).next {
		a.updateTask(Ask{a.asks, slot})
	}
}

// WaitingTasks calls yield, in order, with the first task of each class and task group of the turn that waits to replace a placeholder. The
// leaf must be in sync.
func (t Turn) WaitingTasks(yield func(Ask) bool) {
	t.Heads(func(ask Ask) bool { return ask.order().standing != waitsForGang || yield(ask) })
}
