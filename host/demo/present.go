package demo

import (
	"io"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// underWay is the cluster at a time of its first day: the nodes, the configuration, and what would be waiting or running if the day had
// begun at midnight. What would be running ends when it would end then.
func underWay(now time.Duration) []journal.Entry {
	list := dated(now.Truncate(day))
	until := slices.IndexFunc(list, func(e journal.Entry) bool { return e.Input.At > now })
	if until >= 0 {
		list = list[:until]
	}
	s := scheduler.New(core.Options{})
	entries := slices.Clone(list)
	_, _ = journal.Replay(s, (*played)(&entries), journal.Options{HasUntil: true, Until: now, Grace: Grace, HasGrace: true}) // of entries that are no text: never fails
	state := s.Read(core.OfApplications)
	byID := asks(list)
	var first, running, waiting []journal.Entry
	apps := map[string]journal.Entry{}
	for _, e := range list {
		switch e.Input.Type() {
		case core.AppAdd:
			apps[e.Input.ID()] = e
		case core.AskAdd:
		default:
			first = append(first, e)
		}
	}
	for i := range state.Applications {
		a := &state.Applications[i]
		if over(a.State) || len(a.Asks) == 0 {
			continue
		}
		first = append(first, apps[a.ID])
		for k := range a.Asks {
			ask := &a.Asks[k]
			e := byID[ask.ID]
			if ask.Node == "" {
				waiting = append(waiting, e)
				continue
			}
			e.Run = max(0, instant.Add(ask.Allocated, e.Run)-now)
			running = append(running, e)
		}
	}
	gangs, others := apart(running)
	return slices.Concat(at(now, first, gangs), at(instant.Add(now, 1), others, waiting))
}

// apart separates the members of gangs. They run first, since the nodes that they need would be full of others.
func apart(running []journal.Entry) (gangs, others []journal.Entry) {
	for _, e := range running {
		if e.Input.Ask().Gang != nil {
			gangs = append(gangs, e)
		} else {
			others = append(others, e)
		}
	}
	return gangs, others
}

// at lists entries, all at one time.
func at(when time.Duration, lists ...[]journal.Entry) []journal.Entry {
	all := slices.Concat(lists...)
	for i := range all {
		all[i].Input.At = when
	}
	return all
}

// over reports whether an application in a state has ended.
func over(state string) bool {
	switch state {
	case core.StateCompleted, core.StateFailed, core.StateRejected, core.StateExpired:
		return true
	}
	return false
}

// played is a journal.Source of entries.
type played []journal.Entry

// Next implements journal.Source.
func (p *played) Next() (*journal.Entry, error) {
	if len(*p) == 0 {
		return nil, io.EOF
	}
	e := &(*p)[0]
	*p = (*p)[1:]
	return e, nil
}

// recall returns entries by which a player knows when that ends which runs already. None of it is handed in again. Victims that were told
// to leave do so now.
func (c *cluster) recall(state *core.Dump, now time.Duration) (list []journal.Entry) {
	today := now.Truncate(day)
	byID := asks(append(dated(today-day), dated(today)...))
	c.known = now
	for i := range state.Applications {
		a := &state.Applications[i]
		if over(a.State) {
			continue
		}
		c.apps[a.ID] = true
		for k := range a.Asks {
			ask := &a.Asks[k]
			e, found := byID[ask.ID]
			switch {
			case ask.Leaves:
				e = journal.Entry{Count: 1, HasRun: true, Input: core.Input{At: now, Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: ask.ID, App: a.ID}}}}
			case !found || !e.HasRun:
				continue
			case ask.Node == "":
				e.Input.At = now
			default:
				e.Input = core.Input{At: ask.Allocated, Event: &core.RestoreAllocation{AddAsk: *e.Input.Ask()}}
			}
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b journal.Entry) int { return int(a.Input.At - b.Input.At) })
	return list
}
