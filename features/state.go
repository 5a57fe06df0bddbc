package features

import (
	"fmt"
	"strings"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core"
)

// show holds a table against the state.
func (w *world) show(kind string, table *godog.Table) error {
	d := w.driver.Dump()
	switch kind {
	case "queues":
		return compare(table, queueColumns, d.Queues)
	case "nodes":
		return compare(table, nodeColumns, d.Nodes)
	case "applications":
		return compare(table, appColumns, d.Applications)
	default:
		return compare(table, askColumns, asksOf(d))
	}
}

// compare finds each row's item by the first column, which names it; of several the last one counts.
func compare[T any](table *godog.Table, columns []column[T], items []T) error {
	rows, err := itemsOf(table, names(columns[:1]), names(columns[1:])...)
	if err != nil {
		return err
	}
	key := columns[0]
	for _, r := range rows {
		item, ok := last(items, func(t T) bool { return key.found(t) == r[key.name] })
		if !ok {
			return fmt.Errorf("there is no %s %s", key.name, r[key.name])
		}
		wrong, err := differences(columns, r, item)
		if err != nil {
			return err
		}
		if len(wrong) > 0 {
			return fmt.Errorf("%s %s: %s", key.name, r[key.name], strings.Join(wrong, "; "))
		}
	}
	return nil
}

func last[T any](items []T, is func(T) bool) (found T, ok bool) {
	for i := len(items) - 1; i >= 0; i-- {
		if is(items[i]) {
			return items[i], true
		}
	}
	return found, false
}

func (w *world) findAsk(id string) (core.AskDump, bool) {
	return last(asksOf(w.driver.Dump()), func(a core.AskDump) bool { return a.ID == id })
}

// allocated wants each of the asks allocated, and on one node where it is named.
func (w *world) allocated(names, _, node string) error {
	for _, id := range namesOf(names) {
		ask, ok := w.findAsk(id)
		switch {
		case !ok:
			return fmt.Errorf("there is no ask %q", id)
		case ask.Node == "":
			return fmt.Errorf("ask %q waits", id)
		case node != "" && ask.Node != node:
			return fmt.Errorf("ask %q: expected node %s, found %s", id, node, ask.Node)
		}
	}
	return nil
}

func (w *world) wait(names string) error {
	for _, id := range namesOf(names) {
		ask, ok := w.findAsk(id)
		if !ok {
			return fmt.Errorf("there is no ask %q", id)
		}
		if ask.Node != "" {
			return fmt.Errorf("ask %q is allocated on %s", id, ask.Node)
		}
	}
	return nil
}

// gone wants something that was there gone; of what never was, a name is misspelled.
func (w *world) gone(kind, id string) error {
	if !w.met[thing{kind, id}] {
		return fmt.Errorf("there never was a %s %q", kind, id)
	}
	var there bool
	d := w.driver.Dump()
	switch kind {
	case "ask":
		_, there = w.findAsk(id)
	case "application":
		_, there = last(d.Applications, func(a core.AppDump) bool { return a.ID == id })
	case "node":
		_, there = last(d.Nodes, func(n core.NodeDump) bool { return n.ID == id })
	case "queue":
		_, there = last(d.Queues, func(q core.QueueDump) bool { return pathText(q.Partition, q.Path) == id })
	}
	if there {
		return fmt.Errorf("%s %q is still there", kind, id)
	}
	return nil
}

func (w *world) applicationIs(id, state string) error {
	a, ok := last(w.driver.Dump().Applications, func(a core.AppDump) bool { return a.ID == id })
	if !ok {
		return fmt.Errorf("there is no application %q", id)
	}
	if a.State != state {
		return fmt.Errorf("application %q: expected %s, found %s", id, state, a.State)
	}
	return nil
}
