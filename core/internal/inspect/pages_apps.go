package inspect

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
)

// after reports whether an entry comes after a key.
func (e *appEntry) after(k core.Key) bool {
	return cmp.Or(cmp.Compare(e.id, k.Name), cmp.Compare(e.seq, k.Seq)) > 0
}

// Apps returns a page of the applications, by ID and then in order of submission.
func (x *Index) Apps(views []*View, page *core.Page) core.Listed[core.AppItem] {
	if page.Where.Node != "" {
		return appsOnNode(views, page)
	}
	p := pager[core.AppItem]{page: page}
	p.Next = page.After
	w := &page.Where
	at := place{}
	if page.After != (core.Key{}) {
		at = x.apps.find(func(e appEntry) bool { return e.after(page.After) })
	}
	for ; ; at = x.apps.next(at) {
		e := x.apps.at(at)
		if e == nil {
			p.More = false
			return p.Listed
		}
		if p.over() {
			return p.Listed
		}
		p.pass(core.Key{Name: e.id, Seq: e.seq})
		if e.live.IsNone() {
			if d := x.readEnded(e); within(w.Queue, core.ShownPath(d.Partition, d.Queue)) && is(w.State, d.State) && w.User == "" {
				p.add(d, workOfApp)
			}
		} else if e.view.wantsApp(e.live, w) {
			p.add(e.view.appItem(e.live), workOfApp)
		}
	}
}

// appsOnNode returns a page of the applications that have an allocation on a node. Node IDs are unique among partitions.
func appsOnNode(views []*View, page *core.Page) core.Listed[core.AppItem] {
	p := pager[core.AppItem]{page: page}
	p.Next = page.After
	for _, s := range views {
		n := s.Nodes().Find(page.Where.Node)
		if n == app.NoNode {
			continue
		}
		found := map[app.App]bool{}
		var list []appEntry
		for ask := s.Asks().FirstOn(n); !ask.IsNone(); ask = ask.NextOnNode() {
			p.Work++
			a := ask.App()
			e := appEntry{id: a.ID(), seq: a.Seq(), live: a}
			if !found[a] && e.after(page.After) && s.wantsApp(a, &page.Where) {
				list = append(list, e)
			}
			found[a] = true
		}
		slices.SortFunc(list, compareApps)
		for _, e := range list {
			if len(p.Items) > 0 && p.over() {
				return p.Listed
			}
			p.pass(core.Key{Name: e.id, Seq: e.seq})
			p.add(s.appItem(e.live), workOfApp)
		}
	}
	p.More = false
	return p.Listed
}

// wantsApp reports whether the filter selects a live application.
func (s *View) wantsApp(a app.App, w *core.Where) bool {
	return is(w.State, a.State().String()) && is(w.User, a.User()) && within(w.Queue, s.shownQueue(a))
}

// FindEnded returns the last terminal application with an ID. It is for IDs that no live application has.
func (x *Index) FindEnded(id string) (d core.AppItem, ok bool) {
	var last *appEntry
	for at := x.apps.find(func(e appEntry) bool { return e.id >= id }); ; at = x.apps.next(at) {
		e := x.apps.at(at)
		if e == nil || e.id != id {
			break
		}
		last = e
	}
	if last == nil {
		return d, false
	}
	return x.readEnded(last), true
}

// FindApp returns the live application with an ID, which must exist.
func (s *View) FindApp(id string) core.AppItem { return s.appItem(s.Asks().AppWithID(id)) }

func (x *Index) readEnded(e *appEntry) core.AppItem {
	gone := x.endedApp(e)
	d := core.AppDump{Partition: gone.Partition, ID: gone.ID, Queue: gone.Queue, State: gone.State, Since: gone.Since, Submitted: gone.Submitted}
	if d.Partition == x.shared.Partition(0).Name() {
		d.Partition = ""
	}
	return core.AppItem{AppDump: d}
}

// shownQueue returns the path of an application's queue in the form of ShownPath.
func (s *View) shownQueue(a app.App) string { return s.Queues().Shown(state.QueueOfApp(a)) }

func (s *View) appItem(a app.App) core.AppItem {
	gangs := 0
	for range a.AtomicGangs {
		gangs++
	}
	return core.AppItem{
		AppDump: s.dumpAppAlone(a), User: a.User(), Groups: a.Groups(), Tags: a.Tags(),
		Waiting: s.Types().Set(a.Waiting(), 0), Pending: a.PendingAsks(), Allocations: a.Allocations(), Gang: a.HasGang(), AtomicGangs: gangs,
	}
}

// Asks returns a page of the asks, by application and then in order of submission. Applications that the filter excludes are skipped as
// a whole.
func (x *Index) Asks(views []*View, page *core.Page) core.Listed[core.AskItem] {
	if page.Where.Node != "" {
		return asksOnNode(views, page)
	}
	p := pager[core.AskItem]{page: page}
	p.Next = page.After
	if only := page.Where.App; only > page.After.Name {
		p.Next = core.Key{Name: only}
	}
	var known app.App // application of the previous ask
	var view *View
	for at := x.behind(p.Next); ; at = x.asks.next(at) {
		entry := x.asks.at(at)
		if entry == nil || page.Where.App != "" && (*entry).App().ID() != page.Where.App {
			p.More = false
			return p.Listed
		}
		if p.over() {
			return p.Listed
		}
		ask := *entry
		if ask.App() != known {
			known, view = ask.App(), x.viewOf(views, ask.App())
			if !view.wantsAsksOf(known, &page.Where) {
				p.pass(core.Key{Name: known.ID(), Seq: math.MaxUint64})
				at = x.before(x.behind(p.Next))
				continue
			}
		}
		p.pass(keyOf(ask))
		if is(page.Where.State, stateOfAsk(ask)) && isOfGang(page.Where.Gang, ask) {
			p.add(view.askItem(ask), workOfAsk)
		}
	}
}

// behind returns the position of the first ask after a key.
func (x *Index) behind(k core.Key) place {
	if k == (core.Key{}) {
		return place{}
	}
	return x.asks.find(func(ask app.Ask) bool {
		return cmp.Or(cmp.Compare(ask.App().ID(), k.Name), cmp.Compare(ask.Seq(), k.Seq)) > 0
	})
}

// before returns the position before p.
func (x *Index) before(p place) place {
	if p.entry == 0 {
		return place{p.block - 1, len(x.asks.blocks[p.block-1]) - 1}
	}
	return place{p.block, p.entry - 1}
}

func keyOf(ask app.Ask) core.Key { return core.Key{Name: ask.App().ID(), Seq: ask.Seq()} }

// viewOf returns the view of an application's partition.
func (x *Index) viewOf(views []*View, a app.App) *View {
	for _, s := range views {
		if s.Asks().AppWithID(a.ID()) == a {
			return s
		}
	}
	panic("inspect: an ask of no application is listed") // a bug
}

// wantsAsksOf reports whether the filter may select asks of an application.
func (s *View) wantsAsksOf(a app.App, w *core.Where) bool {
	switch w.State {
	case core.AskPendingState:
		if a.PendingAsks() == 0 {
			return false
		}
	case core.AskAllocatedState, core.AskLeavingState:
		if a.Allocations() == 0 {
			return false
		}
	}
	return is(w.User, a.User()) && within(w.Queue, s.shownQueue(a)) && is(w.App, a.ID())
}

func stateOfAsk(ask app.Ask) string {
	switch {
	case ask.Leaving():
		return core.AskLeavingState
	case !ask.Pending():
		return core.AskAllocatedState
	}
	return core.AskPendingState
}

// isOfGang reports whether an ask is a member of the wanted gang. An empty ID matches all asks.
func isOfGang(want string, ask app.Ask) bool {
	return want == "" || !ask.Atomic().IsNone() && ask.Atomic().Row().ID == want
}

// asksOnNode returns a page of the allocations on a node.
func asksOnNode(views []*View, page *core.Page) core.Listed[core.AskItem] {
	p := pager[core.AskItem]{page: page}
	p.Next = page.After
	for _, s := range views {
		n := s.Nodes().Find(page.Where.Node)
		if n == app.NoNode {
			continue
		}
		var list []app.Ask
		for ask := s.Asks().FirstOn(n); !ask.IsNone(); ask = ask.NextOnNode() {
			p.Work++
			k := keyOf(ask)
			if cmp.Or(cmp.Compare(k.Name, page.After.Name), cmp.Compare(k.Seq, page.After.Seq)) > 0 && s.wantsAsksOf(ask.App(), &page.Where) &&
				is(page.Where.State, stateOfAsk(ask)) && isOfGang(page.Where.Gang, ask) {
				list = append(list, ask)
			}
		}
		slices.SortFunc(list, compareAsks)
		for _, ask := range list {
			if len(p.Items) > 0 && p.over() {
				return p.Listed
			}
			p.pass(keyOf(ask))
			p.add(s.askItem(ask), workOfAsk)
		}
	}
	p.More = false
	return p.Listed
}

// FindAsk returns the ask or allocation with an ID.
func (s *View) FindAsk(id string) (d core.AskItem, ok bool) {
	if ask := s.Asks().Find(id); !ask.IsNone() {
		return s.askItem(ask), true
	}
	return d, false
}

func (s *View) askItem(ask app.Ask) core.AskItem {
	c := ask.Class()
	d := core.AskItem{
		AskDump: s.dumpAsk(ask), Partition: s.Shown(), App: ask.App().ID(), Queue: s.Queues().Path(s.QueueOf(ask)), User: ask.App().User(), Originator: ask.Originator(),
		Required: c.Node(), Predicate: c.Predicate(), Preempts: !ask.NoPreemptOthers(), Preemptable: !ask.NotPreemptable(),
	}
	for k := range c.Own().All {
		if d.Constraints == nil {
			d.Constraints = map[string][]string{}
		}
		d.Constraints[k.Attribute] = k.Values.Clone()
	}
	if d.Node != "" {
		d.Began = ask.Began()
	}
	if ask.Hold().IsReserved() {
		d.Reserved = s.Nodes().ID(ask.HoldOn())
	}
	if ask.Grouped() {
		d.TaskGroup = ask.TaskGroup().Name()
	}
	if g := ask.Atomic(); !g.IsNone() {
		d.AtomicGang, d.Slice = g.Row().ID, ask.Slice()
	}
	return d
}
