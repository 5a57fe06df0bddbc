package app

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/resource"
)

// Frozen is an immutable version of the gangs of a partition, without what follows from the rows of applications and asks. Any goroutine
// may fork it.
type Frozen struct {
	list  map[apps.ID]frozenApp
	gangs index.Slots[AtomicGang]
}

// frozenApp holds the facts of an application that are in no row.
type frozenApp struct {
	succeeded []SucceededGang
	gang      *frozenGang // nil if it has no placeholders
	atomic    []AtomicGang
}

type frozenGang struct {
	gang   Gang
	groups []string // names by number - 1
	free   []int
}

// Freeze returns an immutable version, in time proportional to the number of applications with gangs, plus a step for each other one.
func (s *Asks) Freeze() *Frozen {
	f := &Frozen{gangs: s.gangs.Vacant(), list: map[apps.ID]frozenApp{}}
	for a := range s.Apps {
		if a.Gang != nil || len(a.AtomicGangs)+len(a.Succeeded) > 0 {
			f.list[a.number] = a.freeze()
		}
	}
	return f
}

func (a *App) freeze() frozenApp {
	f := frozenApp{succeeded: slices.Clone(a.Succeeded)}
	for _, g := range a.AtomicGangs {
		f.atomic = append(f.atomic, *g)
	}
	if g := a.Gang; g != nil {
		f.gang = &frozenGang{free: slices.Clone(g.free), gang: Gang{
			Ask: g.Ask, Hard: g.Hard, Timeout: g.Timeout, Formed: g.Formed, Failed: g.Failed, Timed: g.Timed, Since: g.Since,
			Expired: g.Expired, Ended: g.Ended, Replaced: g.Replaced,
		}}
		f.gang.groups = make([]string, len(g.groups))
		for i, t := range g.groups {
			if t != nil {
				f.gang.groups[i] = t.Name
			}
		}
	}
	return f
}

// Fork returns a reader of the applications and asks in a fork of their owners, and makes the orders of the applications. Each is to be
// admitted to its leaf, and its asks are to be added.
func (f *Frozen) Fork(rows asks.View, values apps.View, classes class.View, types *resource.Types, made func(*App)) *Asks {
	s := NewAsks(rows, values, classes)
	s.gangs = f.gangs.Vacant()
	values.All(func(number apps.ID) bool {
		a := NewApp(s, number)
		if had, has := f.list[number]; has {
			had.fork(a, types.Width())
		}
		made(a)
		return true
	})
	return s
}

// fork adds the gangs to the application of a fork.
func (f *frozenApp) fork(a *App, width int) {
	a.Succeeded = slices.Clone(f.succeeded)
	if f.gang != nil {
		a.Gang = f.gang.fork(width)
	}
	for i := range f.atomic {
		g := f.atomic[i]
		g.Members, g.Pending, g.Resting, g.Claims = 0, 0, 0, 0
		a.asks.gangs.Items[g.number] = &g
		a.AtomicGangs = append(a.AtomicGangs, &g)
	}
}

func (f *frozenGang) fork(width int) *Gang {
	g := f.gang
	g.Staying, g.byName, g.free = make(resource.Vec, width), map[string]*TaskGroup{}, slices.Clone(f.free)
	g.groups = make([]*TaskGroup, len(f.groups))
	for i, name := range f.groups {
		if !slices.Contains(f.free, i) {
			g.groups[i] = &TaskGroup{Name: name, number: uint64(i + 1)}
			g.byName[name] = g.groups[i]
		}
	}
	return &g
}

// BeginAll prepares the slots of all asks up to one.
func (s *Asks) BeginAll(last Slot) {
	pages := make([][ordersInPage]order, int(last)/ordersInPage+1)
	s.orders = make([]*[ordersInPage]order, len(pages))
	for i := range pages {
		s.orders[i] = &pages[i]
	}
}

// Rejoin counts an ask whose row names its task group.
func (g *Gang) Rejoin(ask Ask) { ask.TaskGroup().asks++ }

// Groups calls yield with the task groups of the gang.
func (g *Gang) Groups(yield func(*TaskGroup) bool) {
	for _, t := range g.groups {
		if t != nil && !yield(t) {
			return
		}
	}
}
