package app

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
)

// Frozen is an immutable version of the task groups and atomic gangs of a partition, without what follows from the rows of applications and asks. Any goroutine
// may fork it.
type Frozen struct {
	list  map[apps.ID]frozenApp
	gangs index.Slots[atomicGang]
}

// frozenApp holds the facts of an application that are in no row.
type frozenApp struct {
	gang   *frozenGroups // nil if it has no placeholders
	atomic []atomicGang
}

type frozenGroups struct {
	names []string // by number - 1
	free  []int
}

// Freeze returns an immutable version, in time proportional to the number of applications with gangs, plus a step for each other one.
func (s *Owner) Freeze() *Frozen {
	f := &Frozen{gangs: s.gangs.Vacant(), list: map[apps.ID]frozenApp{}}
	for a := range s.Apps {
		if a.gang != nil || len(a.atomicGangs) > 0 {
			f.list[a.number] = a.freeze()
		}
	}
	return f
}

func (a *application) freeze() (f frozenApp) {
	for _, g := range a.atomicGangs {
		f.atomic = append(f.atomic, *g)
	}
	if g := a.gang; g != nil {
		f.gang = &frozenGroups{names: make([]string, len(g.list)), free: slices.Clone(g.free)}
		for i, t := range g.list {
			if t != nil {
				f.gang.names[i] = t.name
			}
		}
	}
	return f
}

// Fork returns a reader of the applications and asks in a fork of their owners, and makes the orders of the applications. Each is to be
// admitted to its leaf, and its asks are to be added.
func (f *Frozen) Fork(rows asks.View, values apps.View, ofGangs gangs.View, classes class.View, made func(*Record)) *Owner {
	s := NewOwner(rows, values, ofGangs, classes)
	s.gangs = f.gangs.Vacant()
	values.All(func(number apps.ID) bool {
		a := s.NewApp(number)
		if had, has := f.list[number]; has {
			had.fork(&a.application)
		}
		made(a)
		return true
	})
	return s
}

// fork adds the gangs to the application of a fork.
func (f *frozenApp) fork(a *application) {
	if f.gang != nil {
		a.gang = f.gang.fork()
	}
	for i := range f.atomic {
		g := f.atomic[i]
		g.row.Members, g.row.Staying, g.row.Pending, g.row.Resting, g.row.Claims = 0, 0, 0, 0, 0
		a.asks.gangs.Items[g.number] = &g
		a.listGang(&g)
	}
}

func (f *frozenGroups) fork() *taskGroups {
	g := &taskGroups{byName: map[string]*taskGroup{}, free: slices.Clone(f.free), list: make([]*taskGroup, len(f.names))}
	for i, name := range f.names {
		if !slices.Contains(f.free, i) {
			g.list[i] = &taskGroup{name: name, number: uint64(i + 1)}
			g.byName[name] = g.list[i]
		}
	}
	return g
}

// BeginAll prepares the slots of all asks up to one.
func (s *Owner) BeginAll(last Slot) {
	pages := make([][ordersInPage]order, int(last)/ordersInPage+1)
	s.orders = make([]*[ordersInPage]order, len(pages))
	for i := range pages {
		s.orders[i] = &pages[i]
	}
}

// Rejoin counts an ask whose row names its task group.
func (a *Record) Rejoin(ask Ask) { ask.TaskGroup().asks++ }

// TaskGroups calls yield with the task groups of an application with placeholders.
func (a *application) TaskGroups(yield func(TaskGroup) bool) {
	for _, t := range a.gang.list {
		if t != nil && !yield(TaskGroup{t}) {
			return
		}
	}
}
