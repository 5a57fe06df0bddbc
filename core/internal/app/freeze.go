package app

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/resource"
)

// Frozen is an immutable version of the applications of a partition and of their gangs, without what follows from the rows of their asks.
// Any goroutine may fork it.
type Frozen struct {
	list  []frozenApp // by number
	apps  index.Slots[App]
	gangs index.Slots[AtomicGang]
}

// frozenApp holds the facts of an application that do not follow from rows.
type frozenApp struct {
	id, state, user  string
	number           int32
	leaf, made       int
	seq              uint64
	since, submitted time.Duration
	started, paused  bool
	groups           []string
	tags             map[string]string
	placement        *placement.Outcome
	succeeded        []SucceededGang
	gang             *frozenGang // nil if it has no placeholders
	atomic           []AtomicGang
}

type frozenGang struct {
	gang   Gang
	groups []string // names by number - 1
	free   []int
}

// Freeze returns an immutable version, in time proportional to the number of applications.
func (s *Asks) Freeze() *Frozen {
	f := &Frozen{apps: s.apps.Vacant(), gangs: s.gangs.Vacant(), list: make([]frozenApp, 0, len(s.apps.Items))}
	for _, a := range s.apps.Items {
		if a != nil {
			f.list = append(f.list, a.freeze())
		}
	}
	return f
}

func (a *App) freeze() frozenApp {
	f := frozenApp{
		id: a.ID, state: a.State, user: a.User, number: a.number, leaf: a.Leaf.ID, made: a.AllocationsMade, seq: a.Seq, since: a.Since,
		submitted: a.Submitted, started: a.Started, paused: a.paused, groups: a.Groups, tags: a.Tags, placement: a.Placement,
		succeeded: slices.Clone(a.Succeeded),
	}
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

// Fork returns a reader of the asks in a fork of their owner, and makes the applications of the version, by number. Each is to be admitted
// to the leaf with the ID, and its asks are to be added.
func (f *Frozen) Fork(rows asks.View, classes *class.Registry, types *resource.Types, made func(a *App, leaf int)) *Asks {
	s := &Asks{rows: rows, classes: classes, apps: f.apps.Vacant(), gangs: f.gangs.Vacant()}
	for i := range f.list {
		made(f.list[i].fork(s, types.Width()), f.list[i].leaf)
	}
	return s
}

func (f *frozenApp) fork(in *Asks, width int) *App {
	sums := make(resource.Vec, 2*width) // as in NewApp
	a := &App{
		asks: in, ID: f.id, State: f.state, User: f.user, number: f.number, AllocationsMade: f.made, Seq: f.seq, Since: f.since,
		Submitted: f.submitted, Started: f.started, paused: f.paused, Groups: f.groups, Tags: f.tags, Placement: f.placement,
		Succeeded: slices.Clone(f.succeeded), Used: sums[:width:width],
	}
	a.Waiting.MoveTo(sums[width:])
	in.apps.Items[a.number] = a
	if f.gang != nil {
		a.Gang = f.gang.fork(width)
	}
	for i := range f.atomic {
		g := f.atomic[i]
		g.Members, g.Pending, g.Resting, g.Claims = 0, 0, 0, 0
		in.gangs.Items[g.number] = &g
		a.AtomicGangs = append(a.AtomicGangs, &g)
	}
	return a
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

// Apps calls yield with every application, in an order without meaning.
func (s *Asks) Apps(yield func(*App) bool) {
	for _, a := range s.apps.Items {
		if a != nil && !yield(a) {
			return
		}
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
