package oracle

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Maximum lengths in bytes: of a name, and of all other texts of an input together, each counted with one byte more.
const (
	longestName  = 1024
	longestTexts = 65536
)

// refusesTexts refuses an event with a text that is too long. This is checked before anything else.
func (o *Oracle) refusesTexts(e core.Event) bool {
	t := textsOf(e)
	if !slices.ContainsFunc(t.names, func(name string) bool { return len(name) > longestName }) && t.together() <= longestTexts {
		return false
	}
	d := core.Decision{Type: core.Ignored, ID: truncated(core.Input{Event: e}.ID()), Reason: core.ReasonNameTooLong}
	switch e := e.(type) {
	case *core.AddNode:
		d.Type, d.Partition = core.NodeRejected, o.shownName(e.Partition)
	case *core.AddApp:
		d.Type, d.Partition = core.AppRejected, o.shownName(e.Partition)
	case *core.AddWindow:
		d.Type, d.Partition = core.WindowRejected, o.shownName(e.Partition)
	case *core.AddAsk, *core.RestoreAllocation:
		d.Type, d.App = core.AskRejected, truncated(core.Input{Event: e}.Ask().App)
	default:
		d.Input = e.Type()
	}
	o.refuse(d)
	return true
}

// shownName returns the name of a partition as decisions show it: "" for the first partition, or if there is no such partition.
func (o *Oracle) shownName(name string) (shown string) {
	for _, p := range o.partitions {
		if p.name() == strings.ToLower(name) {
			shown = p.shownName()
		}
	}
	return shown
}

// truncated returns the start of a name that is too long.
func truncated(name string) string {
	if len(name) <= longestName {
		return name
	}
	return strings.ToValidUTF8(name[:64], "") + "…"
}

// texts are those of an event.
type texts struct {
	names  []string // each bounded by itself
	queue  string
	shared []string // bounded together with the queue, each counted with one byte more
}

func (t *texts) together() int { return len(t.queue) + len(strings.Join(t.shared, "")) + len(t.shared) }

func textsOf(e core.Event) *texts {
	t := &texts{names: []string{core.Input{Event: e}.ID()}}
	switch e := e.(type) {
	case *core.AddNode:
		t.names = append(t.names, e.Partition)
		t.pairs(e.Attributes)
		t.amounts(e.Capacity, e.Occupied)
	case *core.UpdateNode:
		t.pairs(e.Attributes)
		t.amounts(e.Capacity, e.Occupied)
	case *core.AddApp:
		t.names, t.shared, t.queue = append(append(t.names, e.Partition, e.User), e.Groups...), append(t.shared, e.Groups...), e.Queue
		t.pairs(e.Tags)
		if e.Placeholders != nil {
			t.amounts(e.Placeholders.Ask)
		}
	case *core.MoveApp:
		t.queue = e.Queue
	case *core.AddWindow:
		t.names = append(append(append(append(t.names, e.Partition), e.Nodes...), e.Users...), e.Groups...)
		t.shared = append(append(append(append(t.shared, e.Nodes...), e.Queues...), e.Users...), e.Groups...)
		t.lists(e.Constraints)
	case *core.AddAsk:
		t.ask(e)
	case *core.RestoreAllocation:
		t.names = append(t.names, e.PlacedOn)
		t.ask(&e.AddAsk)
	case *core.UpdateAsk:
		t.names = append(t.names, e.Predicate)
		t.amounts(e.Resources)
	default:
	}
	return t
}

func (t *texts) pairs(pairs map[string]string) {
	for name, value := range pairs {
		t.shared = append(t.shared, name, value)
	}
}

func (t *texts) amounts(sets ...resource.Set) {
	for _, q := range slices.Concat(sets...) {
		t.names, t.shared = append(t.names, q.Type), append(t.shared, q.Type)
	}
}

func (t *texts) ask(e *core.AddAsk) {
	t.names = append(t.names, e.App, e.Ask.Node, e.Ask.Predicate, e.Ask.TaskGroup, e.Ask.Topology.Required, e.Ask.Topology.Preferred)
	if e.Ask.Gang != nil {
		t.names = append(t.names, e.Ask.Gang.ID)
	}
	t.lists(e.Ask.Constraints)
	t.amounts(e.Resources)
}

func (t *texts) lists(lists map[string][]string) {
	for name, values := range lists {
		t.shared = append(append(t.shared, name), values...)
	}
}
