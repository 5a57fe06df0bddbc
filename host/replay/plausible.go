package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
)

const mostCores = 10_000 // of a node or an ask; more is implausible

// Doubts is a source that looks for names and amounts in the entries that it passes on which are legal, and probably slips.
// Names of resource types can be judged only at the end, when all nodes are known.
type Doubts struct {
	source  journal.Source
	configs []*core.SetConfig
	replace bool
	nodes   map[string]bool   // the resource types of nodes
	asked   map[string]string // where each resource type was asked for first
	amounts config.Grouping
}

// NewDoubts wraps the source of a run. Given is the configuration that the run begins with, or nil; with replace it stands in for
// those of the source.
func NewDoubts(source journal.Source, given *core.SetConfig, replace bool) *Doubts {
	d := &Doubts{source: source, replace: replace, nodes: map[string]bool{}, asked: map[string]string{}}
	if given != nil {
		d.configs = append(d.configs, given)
	}
	return d
}

// Next returns the next entry of the source.
func (d *Doubts) Next() (*journal.Entry, error) {
	e, err := d.source.Next()
	if err == nil {
		d.look(e)
	}
	return e, err
}

func (d *Doubts) look(e *journal.Entry) {
	switch event := e.Input.Event.(type) {
	case *core.SetConfig:
		if !d.replace {
			d.config(event)
		}
	case *core.AddNode:
		d.capacity(e, event.Capacity)
	case *core.UpdateNode:
		d.capacity(e, event.Capacity)
	case *core.AddAsk:
		d.resources(e, event.Resources)
	case *core.UpdateAsk:
		d.resources(e, event.Resources)
	case *core.RestoreAllocation:
		d.resources(e, event.Resources)
	default:
	}
}

func (d *Doubts) capacity(e *journal.Entry, set resource.Set) {
	for _, q := range set {
		d.nodes[q.Type] = true
	}
	d.amountsOf(e, "capacity", set)
}

func (d *Doubts) resources(e *journal.Entry, set resource.Set) {
	for _, q := range set {
		if _, ok := d.asked[q.Type]; !ok {
			d.asked[q.Type] = place(e, "resources."+q.Type)
		}
	}
	d.amountsOf(e, "resources", set)
}

// config keeps a configuration for the end, each text once.
func (d *Doubts) config(in *core.SetConfig) {
	if !slices.ContainsFunc(d.configs, func(c *core.SetConfig) bool { return c.Config == in.Config }) {
		d.configs = append(d.configs, in)
	}
}

// amountsOf looks at the amounts of one entry.
func (d *Doubts) amountsOf(e *journal.Entry, key string, set resource.Set) {
	for _, q := range set {
		if text := config.DoubtAmount(q, mostCores); text != "" {
			d.amounts.Add(place(e, key+"."+q.Type) + ": " + text)
		}
	}
}

// place is where an entry stands and what it is about.
func place(e *journal.Entry, key string) string {
	return fmt.Sprintf("%s:%d: %s %s: %s", e.File, e.Line, e.Input.Type(), e.Input.ID(), key)
}

// Warnings are the doubts about a run that has ended, and the warnings about its configurations, also those that were refused: of each
// kind the first, and a count.
func (d *Doubts) Warnings() []string {
	types := slices.Sorted(maps.Keys(d.nodes))
	var found config.Grouping
	for _, in := range d.configs {
		_, warnings, _ := config.Check([]byte(in.Config), config.Options{ // the run tells the errors
			File: cmp.Or(in.File, "config"), Format: config.Format(cmp.Or(in.Format, string(config.YAML))),
			Policies: func(string, string) bool { return true }, Doubts: true, Types: types,
		})
		for _, w := range warnings {
			found.Add(w.String())
		}
	}
	if d.replace {
		return found.Lines()
	}
	for _, name := range slices.Sorted(maps.Keys(d.asked)) {
		if text := config.DoubtType(name, types); text != "" && len(types) > 0 {
			found.Add(d.asked[name] + ": " + text)
		}
	}
	return append(found.Lines(), d.amounts.Lines()...)
}
