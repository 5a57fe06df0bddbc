package demo

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/workload"
)

const day = 24 * time.Hour

// mark is the attribute by which every node of a demonstration is known.
const mark = "demo"

// calendar is the source of a demonstration: one day after the other. It implements journal.Lookahead.
type calendar struct {
	entries []journal.Entry // the first comes next
	today   time.Duration   // its midnight
}

// newCalendar begins with entries of its own, and then goes on with what comes after a time.
func newCalendar(first []journal.Entry, after time.Duration) *calendar {
	c := &calendar{entries: first, today: after.Truncate(day)}
	for _, e := range turned(c.today) {
		if e.Input.At > after {
			c.entries = append(c.entries, e)
		}
	}
	return c
}

// Peek implements journal.Lookahead.
func (c *calendar) Peek() (*journal.Entry, error) {
	for len(c.entries) == 0 {
		c.today = instant.Add(c.today, day)
		c.entries = turned(c.today)
	}
	return &c.entries[0], nil
}

// Skip implements journal.Lookahead.
func (c *calendar) Skip() { c.entries = c.entries[1:] }

// dated is the day of the workload at a date: its times, and the IDs of its applications and asks.
func dated(midnight time.Duration) []journal.Entry {
	list := workload.DemoEntries(uint64(midnight / day))
	date := suffix(midnight)
	for i := range list {
		in := &list[i].Input
		in.At = instant.Add(in.At, midnight)
		switch e := in.Event.(type) {
		case *core.AddNode:
			e.Attributes = maps.Clone(e.Attributes)
			e.Attributes[mark] = "true"
		case *core.AddApp:
			e.ID += date
		case *core.AddAsk:
			e.ID = e.App + date + strings.TrimPrefix(e.ID, e.App)
			e.App += date
		default:
		}
	}
	return list
}

// suffix is what the IDs of a day end in.
func suffix(midnight time.Duration) string {
	return time.Unix(0, int64(midnight)).UTC().Format("-060102")
}

// turned is a day that follows another one. The nodes are there, except those that failed in the day before; these come back, and those
// that took their place go. An application of the day before that has not ended makes room for its successor.
func turned(midnight time.Duration) []journal.Entry {
	all := dated(midnight)
	failed := map[string]bool{}
	for i := range all {
		if in := &all[i].Input; in.Type() == core.NodeRemove {
			failed[in.ID()] = true
		}
	}
	var list []journal.Entry
	add := func(at time.Duration, e core.Event) {
		list = append(list, journal.Entry{Count: 1, Input: core.Input{At: at, Event: e}})
	}
	for i := range all {
		if in := &all[i].Input; in.Type() == core.NodeAdd && in.At > midnight {
			add(midnight, &core.RemoveNode{ID: in.ID()})
		}
	}
	yesterday := suffix(midnight - day)
	for i := range all {
		switch in := &all[i].Input; {
		case in.Type() == core.NodeAdd && in.At == midnight && !failed[in.ID()]:
			continue
		case in.Type() == core.AppAdd:
			add(in.At, &core.RemoveApp{ID: strings.TrimSuffix(in.ID(), suffix(midnight)) + yesterday})
		}
		list = append(list, all[i])
	}
	return list
}

// asks are all asks of entries by ID, one by one.
func asks(list []journal.Entry) map[string]journal.Entry {
	all := map[string]journal.Entry{}
	for _, e := range list {
		ask, ok := e.Input.Event.(*core.AddAsk)
		if !ok {
			continue
		}
		count, numbered := e.Count, e.Numbered
		e.Count, e.Numbered = 1, false
		for i := range count {
			one := *ask
			if numbered {
				one.ID += "-" + strconv.Itoa(i+1)
			}
			e.Input.Event = &one
			all[one.ID] = e
		}
	}
	return all
}
