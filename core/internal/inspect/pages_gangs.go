package inspect

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/state"
)

// Gangs returns a page of the atomic gangs, by the ID of their application and then by the submission of their first member.
func (x *Index) Gangs(page *core.Page) core.GangList {
	p := pager[core.GangItem]{page: page}
	p.Next = page.After
	if only := page.Where.App; only > page.After.Name {
		p.Next = core.Key{Name: only}
	}
	begin := p.Next
	at := x.apps.find(func(e appEntry) bool { return e.id >= p.Next.Name })
	for ; ; at = x.apps.next(at) {
		e := x.apps.at(at)
		if e == nil || page.Where.App != "" && e.id != page.Where.App {
			p.More = false
			return p.Listed
		}
		// A terminal application may have the ID of the next one: both are passed at once. Each page has at least one more application or gang.
		if e.id != p.Next.Name && p.Next != begin && p.over() {
			return p.Listed
		}
		if e.live.IsNone() {
			p.Work++
			continue
		}
		if e.view.wantsGangsOf(e.live, &page.Where) && !e.view.listGangs(e.live, &p) {
			return p.Listed
		}
		p.pass(core.Key{Name: e.id, Seq: math.MaxUint64})
	}
}

// wantsGangsOf reports whether the filter may select gangs of an application.
func (s *View) wantsGangsOf(a app.App, w *core.Where) bool {
	return is(w.User, a.User()) && within(w.Queue, s.shownQueue(a)) && is(w.App, a.ID())
}

// listGangs lists the gangs of an application after the last key. It returns false if the page is full.
func (s *View) listGangs(a app.App, p *pager[core.GangItem]) bool {
	after := uint64(0)
	if p.Next.Name == a.ID() {
		after = p.Next.Seq
	}
	var list []app.AtomicGang
	for g := range a.AtomicGangs {
		if g.Row().Seq > after && is(p.page.Where.State, s.stateOfGang(g)) {
			list = append(list, g)
		}
		p.Work++
	}
	list = list[:min(len(list), p.page.Limit-len(p.Items)+1)] // one more is enough to know that there are more
	if len(list) == 0 {
		return true
	}
	members := s.gangMembers(a, list)
	p.Work += (a.PendingAsks() + a.Allocations()) / 16
	for _, g := range list {
		if len(p.Items) > 0 && p.over() {
			return false
		}
		p.pass(core.Key{Name: a.ID(), Seq: g.Row().Seq})
		p.add(s.gangItem(a, g, members[g]), workOfApp+len(members[g])/4)
	}
	return true
}

// FindGang returns the gang of an application with an ID.
func (s *View) FindGang(appID, id string) (d core.GangItem, ok bool) {
	a := s.Asks().AppWithID(appID)
	for g := range a.AtomicGangs {
		if g.Row().ID == id {
			return s.gangItem(a, g, s.gangMembers(a, []app.AtomicGang{g})[g]), true
		}
	}
	return d, false
}

// gangMembers returns the members of some gangs of an application, in order of submission.
func (s *View) gangMembers(a app.App, list []app.AtomicGang) map[app.AtomicGang][]app.Ask {
	members := make(map[app.AtomicGang][]app.Ask, len(list))
	for _, g := range list {
		members[g] = nil
	}
	add := func(ask app.Ask) bool {
		if known, wanted := members[ask.Atomic()]; wanted {
			members[ask.Atomic()] = append(known, ask)
		}
		return true
	}
	a.Pending(add)
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
		add(ask)
	}
	for _, of := range members {
		slices.SortFunc(of, func(x, y app.Ask) int { return cmp.Compare(x.Seq(), y.Seq()) })
	}
	return members
}

// stateOfGang returns the state of a gang, as Where selects it.
func (s *View) stateOfGang(g app.AtomicGang) string {
	switch row := g.Row(); {
	case row.Dissolved:
		return core.GangSingle
	case row.Broken:
		return core.GangIsBroken
	case row.Placed && row.Staying >= g.Need():
		return core.GangWhole
	case row.Placed || row.Pending == 0:
		return core.GangLeaving
	case s.accumulates(g):
		return core.GangAccumulating
	}
	return core.GangWaiting
}

func (s *View) accumulates(g app.AtomicGang) bool {
	return s.Accumulates() && s.Accumulation().Gang == g
}

func (s *View) gangItem(a app.App, g app.AtomicGang, members []app.Ask) core.GangItem {
	row := g.Row()
	d := core.GangItem{
		Partition: s.Shown(), App: a.ID(), Queue: s.Queues().Path(state.QueueOfApp(a)), User: a.User(), ID: row.ID, State: s.stateOfGang(g), Submitted: row.Since,
		Min: row.Min, Max: row.Max, Need: max(0, g.Need()), Disruption: row.Disrupt, Pending: row.Pending, Succeeded: row.Succeeded, Surplus: g.Surplus(),
		Level: cmp.Or(row.Topology.Required, row.Topology.Preferred), Required: row.Topology.Required != "", Slice: row.Topology.Slice,
		Set: row.Set, SetMin: row.SetMin, SetStarts: g.WaitsForSet(),
	}
	if row.Broken {
		d.BrokenSince, d.BrokenBy = row.BrokenSince, row.BrokenBy
		if at, bounded := g.RepairEnds(); bounded {
			d.RepairEnds = at
		}
	}
	if d.State == core.GangWaiting || d.State == core.GangAccumulating {
		d.Wait = s.waitOfGang(a, g)
		if at, timed := g.Ends(); timed {
			d.TimesOut = at
		}
	}
	for _, ask := range members {
		switch stateOfAsk(ask) {
		case core.AskAllocatedState:
			d.Allocated++
		case core.AskLeavingState:
			d.Leaving++
		}
	}
	d.Members, d.MoreMembers = s.membersShown(members)
	s.placeOfGang(members, &d)
	if s.accumulates(g) {
		d.Accumulation = s.accumulationShown()
	}
	return d
}

// waitOfGang returns why a gang waits, as far as no node has to be searched.
func (s *View) waitOfGang(a app.App, g app.AtomicGang) core.Reason {
	switch {
	case g.Row().Claims > 0:
		return explain.WaitVictims
	case g.Ready() < g.Need():
		return explain.WaitGangIncomplete
	case g.WaitsForSet() && len(s.WaitingSet(a, g.Row().Set)) < g.Row().SetMin:
		return explain.WaitSetIncomplete
	case g.WaitsForSet():
		return explain.WaitSetDoesNotFit
	}
	return explain.WaitGangDoesNotFit
}

func (s *View) membersShown(members []app.Ask) (list []core.GangMember, more int) {
	for _, ask := range members[:min(len(members), core.MostGangMembers)] {
		m := core.GangMember{ID: ask.ID(), State: stateOfAsk(ask), Slice: ask.Slice()}
		if !ask.Pending() {
			m.Node = s.Nodes().ID(ask.Node())
		}
		list = append(list, m)
	}
	return list, len(members) - len(list)
}

func (s *View) accumulationShown() *core.GangAccumulation {
	x := s.Accumulation()
	d := &core.GangAccumulation{Since: x.Since, Until: x.Until}
	for p := range x.Held().All {
		if len(d.Held) == core.MostGangMembers {
			d.MoreHeld++
			continue
		}
		d.Held = append(d.Held, core.GangMember{ID: p.Ask.ID(), State: stateOfAsk(p.Ask), Node: s.Nodes().ID(p.Node)})
	}
	return d
}

// placeOfGang describes the domains of the allocated members of a gang.
func (s *View) placeOfGang(members []app.Ask, d *core.GangItem) {
	whole := commonDomain{view: s, level: s.levelNamed(d.Level)}
	within := map[int]*commonDomain{}
	for _, ask := range members {
		if stateOfAsk(ask) != core.AskAllocatedState {
			continue
		}
		whole.add(ask.Node())
		if number := ask.Slice(); number > 0 {
			if within[number] == nil {
				within[number] = &commonDomain{view: s, level: s.levelNamed(d.Slice.Level)}
			}
			within[number].add(ask.Node())
		}
	}
	d.Domain = whole.path()
	for number := 1; len(within) > 0 && len(d.Slices) < core.MostGangSlices; number++ {
		if x := within[number]; x != nil {
			d.Slices = append(d.Slices, core.GangSlice{Number: number, Allocated: x.members, Domain: x.path()})
			delete(within, number)
		}
	}
}

// levelNamed returns the index of a level, or state.NoLevel.
func (s *View) levelNamed(level string) int {
	conf := s.Conf()
	if level == "" {
		return state.NoLevel
	}
	return conf.Level(level)
}

// commonDomain is the domain of a level that has all of some nodes.
type commonDomain struct {
	view    *View
	level   int
	members int
	node    int32 // the first
	split   bool  // some node is in another domain, or in none
}

func (c *commonDomain) add(n int32) {
	if c.members++; c.members == 1 {
		c.node = n
	}
	c.split = c.split || c.level == state.NoLevel || !c.view.InOneDomain(c.level, c.node, n)
}

// path returns the values of the domain, or nil if there is none.
func (c *commonDomain) path() []string {
	if c.members == 0 || c.split {
		return nil
	}
	v := c.view.Nodes().Domains()
	if c.level == v.Levels() {
		return []string{c.view.Nodes().ID(c.node)}
	}
	if of := v.Of(c.node, c.level); of != domain.None {
		return v.Path(of)
	}
	return nil
}
