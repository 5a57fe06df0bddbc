package features

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/quern-project/quern/core"
)

// What tables may say of queues, nodes, applications and asks.
var (
	queueColumns = []column[core.QueueDump]{
		{"queue", func(q core.QueueDump) string { return q.Path }, asIs},
		{"state", func(q core.QueueDump) string { return q.State }, asIs},
		{"leaf", func(q core.QueueDump) string { return yesNo(q.Leaf) }, asIs},
		{"used", func(q core.QueueDump) string { return amountText(q.Used) }, asAmounts},
		{"guaranteed", func(q core.QueueDump) string { return resourceText(q.Guaranteed) }, asResources},
		{"max", func(q core.QueueDump) string { return resourceText(q.Max) }, asResources},
		{"headroom", func(q core.QueueDump) string { return amountText(q.Headroom) }, asAmounts},
		{"pending", func(q core.QueueDump) string { return amountText(q.Pending) }, asAmounts},
		{"asks", func(q core.QueueDump) string { return strconv.Itoa(q.PendingAsks) }, asIs},
		{"allocations", func(q core.QueueDump) string { return strconv.Itoa(q.Allocations) }, asIs},
		{"priority", func(q core.QueueDump) string { return priorityText(q.HasPriority, q.Priority) }, asIs},
		{"applications", func(q core.QueueDump) string { return strconv.Itoa(q.Applications) }, asIs},
		{"running", func(q core.QueueDump) string { return strconv.Itoa(q.Running) }, asIs},
		{"maxapplications", func(q core.QueueDump) string { return strconv.FormatUint(q.MaxRunning, 10) }, asIs},
		{"fair share", func(q core.QueueDump) string { return shareText(q.FairShare) }, asShare},
		{"sort", func(q core.QueueDump) string { return q.AppSort }, asIs},
		{"properties", func(q core.QueueDump) string { return pairText(q.Properties) }, asPairs},
	}
	nodeColumns = []column[core.NodeDump]{
		{"node", func(n core.NodeDump) string { return n.ID }, asIs},
		{"capacity", func(n core.NodeDump) string { return amountText(n.Capacity) }, asAmounts},
		{"occupied", func(n core.NodeDump) string { return amountText(n.Occupied) }, asAmounts},
		{"used", func(n core.NodeDump) string { return amountText(n.Used) }, asAmounts},
		{"attributes", func(n core.NodeDump) string { return pairText(n.Attributes) }, asPairs},
		{"schedulable", func(n core.NodeDump) string { return yesNo(n.Schedulable) }, asIs},
		{"utilisation", func(n core.NodeDump) string { return shareText(n.Utilisation) }, asShare},
		{"reserved", func(n core.NodeDump) string { return n.Reserved }, asIs},
		{"allocations", func(n core.NodeDump) string { return strings.Join(n.Allocations, ", ") }, asIs},
	}
	appColumns = []column[core.AppDump]{
		{"application", func(a core.AppDump) string { return a.ID }, asIs},
		{"queue", func(a core.AppDump) string { return a.Queue }, asIs},
		{"state", func(a core.AppDump) string { return a.State }, asIs},
		{"submitted", func(a core.AppDump) string { return a.Submitted.String() }, asDuration},
		{"priority", func(a core.AppDump) string { return priorityText(a.HasPriority, a.Priority) }, asIs},
		{"used", func(a core.AppDump) string { return amountText(a.Used) }, asAmounts},
		{"asks", func(a core.AppDump) string { return strings.Join(askIDs(a), ", ") }, asIs},
	}
	askColumns = []column[core.AskDump]{
		{"ask", func(a core.AskDump) string { return a.ID }, asIs},
		{"priority", func(a core.AskDump) string { return strconv.Itoa(int(a.Priority)) }, asIs},
		{"resources", func(a core.AskDump) string { return amountText(a.Resources) }, asAmounts},
		{"node", func(a core.AskDump) string { return a.Node }, asIs},
		{"submitted", func(a core.AskDump) string { return a.Submitted.String() }, asDuration},
		{"allocated", func(a core.AskDump) string { return a.Allocated.String() }, asDuration},
	}
)

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// priorityText is empty where there is none, so that the word none matches.
func priorityText(has bool, priority int32) string {
	if !has {
		return ""
	}
	return strconv.Itoa(int(priority))
}

func askIDs(a core.AppDump) []string {
	var list []string
	for _, ask := range a.Asks {
		list = append(list, ask.ID)
	}
	return list
}

func asksOf(d core.Dump) []core.AskDump {
	var list []core.AskDump
	for _, a := range d.Applications {
		list = append(list, a.Asks...)
	}
	return list
}

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
	rows, err := itemsOf(table, names(columns)...)
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

func (w *world) gone(kind, id string) error {
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
		_, there = last(d.Queues, func(q core.QueueDump) bool { return q.Path == id })
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
