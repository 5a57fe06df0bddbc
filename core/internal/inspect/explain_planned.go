package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/plans"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// explainPlanned fills in the planned start of a pending ask, or why it has none, and with which walltime it would start now.
func (s *View) explainPlanned(ask app.Ask, e *explain.AskExplanation) {
	if !s.Conf().Backfill.Plans() && !s.HasWindows() || e.Claimed || ask.IsReplacing() {
		return
	}
	e.Shorter = s.shorter(ask, e)
	if !s.Conf().Backfill.Plans() {
		return
	}
	if slices.Contains(e.Reasons, explain.WaitPlanned) {
		until, q := s.walk.SharedUntil(ask)
		e.PlannedRoom = &explain.PlannedRoom{From: until, When: s.moment(until)}
		if q != queues.None {
			e.PlannedRoom.Queue = s.Queues().Shown(q)
		}
	}
	if p, has := s.Plans().Of(ask.Slot()); has {
		e.Planned = s.plannedStart(ask, p)
		return
	}
	e.Unplanned = s.unplanned(ask, e)
}

// plannedStart explains a planned start.
func (s *View) plannedStart(ask app.Ask, p plans.Plan) *explain.PlanExplanation {
	head := s.AskAt(p.Head)
	d := s.PlannedStart(ask)
	x := &explain.PlanExplanation{Start: d.Start, Node: d.Node, Reason: d.Reason, When: s.moment(p.Start)}
	rows := s.PlansWith(p)
	if p.Gang != 0 {
		x.Gang, x.Reason = ask.Atomic().Row().ID, s.PlannedStart(head).Reason
		for _, m := range rows {
			x.Nodes = append(x.Nodes, s.Nodes().ID(m.Node))
		}
	}
	if p.IsTold() {
		x.Told = fmt.Sprint(int64(p.ToldAt), " ", p.ToldNode)
	}
	s.departures(p.Start, rows, x)
	for i := range s.Windows().On(p.Node).All {
		if _, until := s.Windows().At(int(i)).Occurrence(instant.Sub(p.Start, 1)); until == p.Start {
			x.Window = s.Windows().At(int(i)).ID()
			break
		}
	}
	return x
}

// departures lists what leaves before asks start: on each of their nodes, and in each of their queues.
func (s *View) departures(start time.Duration, rows []plans.Plan, x *explain.PlanExplanation) {
	all := map[app.Slot]departure{}
	tree, widest := s.Queues(), s.QueueOf(s.AskAt(rows[0].Ask))
	for i, p := range rows {
		if slices.ContainsFunc(rows[:i], func(q plans.Plan) bool { return q.Node == p.Node }) {
			continue
		}
		d := s.newDepartures(start, rows)
		for _, q := range rows {
			if q.Node == p.Node {
				d.need(s.AskAt(q.Ask), func(t int) int64 { return s.Nodes().Free(p.Node, t) })
			}
		}
		for ask := s.Asks().FirstOn(p.Node); !ask.IsNone(); ask = ask.NextOnNode() {
			d.allocated(ask)
		}
		d.planned(func(q plans.Plan) bool { return q.Node == p.Node })
		d.addTo(all)
	}
	for q := widest; q != queues.None; q = tree.Parent(q) {
		d := s.newDepartures(start, rows)
		for _, p := range rows {
			d.need(s.AskAt(p.Ask), func(t int) int64 { return tree.RoomWithout(q, t, 0) })
		}
		within := func(a app.App) bool { return tree.Within(queues.ID(a.Leaf().ID()), q) }
		d.planned(func(p plans.Plan) bool { return within(s.AskAt(p.Ask).App()) })
		if d.lacks() {
			for a := range s.Asks().Apps {
				for ask := a.FirstPlaced(); within(a) && !ask.IsNone(); ask = ask.NextOfApp() {
					d.allocated(ask)
				}
			}
		}
		d.addTo(all)
	}
	x.After, x.More = listedDepartures(all)
}

// listedDepartures sorts departures by their ends, and leaves out the first if they are too many.
func listedDepartures(all map[app.Slot]departure) (list []explain.Departure, more int) {
	var sorted []departure
	for _, d := range all {
		sorted = append(sorted, d)
	}
	slices.SortFunc(sorted, func(a, b departure) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.ask.Seq(), b.ask.Seq()))
	})
	more = max(0, len(sorted)-explain.MostDepartures)
	for _, d := range sorted[more:] {
		list = append(list, explain.Departure{Ask: d.ask.ID(), App: d.ask.App().ID(), Ends: d.end, Planned: d.ask.Pending()})
	}
	return list, more
}

// departure is an allocation, or a planned ask, with its end.
type departure struct {
	ask app.Ask
	end time.Duration
}

// departures are those from a node or a queue that make room for planned asks.
type departures struct {
	s     *View
	start time.Duration // of the planned asks
	own   []plans.Plan
	short resource.Vec // what the planned asks need beyond the room that is there when they start if no allocation leaves
	needs resource.Vec
	begun bool
	ends  []departure // of allocations
	plans []departure
}

func (s *View) newDepartures(start time.Duration, own []plans.Plan) *departures {
	width := s.Types().Len()
	return &departures{s: s, start: start, own: own, short: make(resource.Vec, width), needs: make(resource.Vec, width)}
}

// need counts what a planned ask needs, of room that is free now.
func (d *departures) need(ask app.Ask, free func(t int) int64) {
	if !d.begun {
		for t := range d.short {
			d.short[t] = resource.Sub(0, free(t))
		}
		d.begun = true
	}
	for n := range ask.Class().Needs().All {
		d.short[n.Lane] = resource.Add(d.short[n.Lane], n.Min)
		d.needs[n.Lane] = resource.Add(d.needs[n.Lane], n.Min)
	}
}

// allocated counts an allocation that leaves before the start.
func (d *departures) allocated(ask app.Ask) {
	if end := d.s.walk.ExpectedEnd(ask); end <= d.start && d.uses(ask) {
		d.ends = append(d.ends, departure{ask, end})
	}
}

// planned counts planned asks that have the room before the start, or then.
func (d *departures) planned(here func(plans.Plan) bool) {
	for p := range d.s.Plans().All {
		if p.Lost || !here(p) || slices.ContainsFunc(d.own, func(own plans.Plan) bool { return own.Ask == p.Ask }) {
			continue
		}
		ask := d.s.AskAt(p.Ask)
		switch end := d.s.walk.PlannedEnd(ask, p.Start); {
		case p.Start > d.start:
		case end <= d.start && d.uses(ask):
			d.plans = append(d.plans, departure{ask, end})
		case end > d.start:
			for n := range ask.Class().Needs().All {
				d.short[n.Lane] = resource.Add(d.short[n.Lane], n.Min)
			}
		}
	}
}

// uses reports whether an ask uses a type that the planned asks need.
func (d *departures) uses(ask app.Ask) bool {
	for n := range ask.Class().Needs().All {
		if d.needs[n.Lane] > 0 {
			return true
		}
	}
	return false
}

// lacks reports whether allocations have to leave.
func (d *departures) lacks() bool {
	for t, amount := range d.short {
		if amount > 0 && d.needs[t] > 0 {
			return true
		}
	}
	return false
}

// addTo adds the last allocations whose ends make enough room, and the planned asks that have it after these ends.
func (d *departures) addTo(all map[app.Slot]departure) {
	slices.SortFunc(d.ends, func(a, b departure) int {
		return cmp.Or(cmp.Compare(b.end, a.end), cmp.Compare(b.ask.Seq(), a.ask.Seq()))
	})
	room := d.s.Now()
	for _, x := range d.ends {
		if !d.lacks() {
			break
		}
		helps := false
		for n := range x.ask.Class().Needs().All {
			helps = helps || d.short[n.Lane] > 0 && d.needs[n.Lane] > 0
			d.short[n.Lane] = resource.Sub(d.short[n.Lane], n.Min)
		}
		if helps {
			all[x.ask.Slot()] = x
			room = max(room, x.end)
		}
	}
	for _, x := range d.plans {
		if x.end > room {
			all[x.ask.Slot()] = x
		}
	}
}
