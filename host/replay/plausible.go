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

// PlausibilityCheck is a source that looks for names and amounts in the entries that it passes on that are valid, but probably mistakes.
// Names of resource types can be judged only at the end, when all nodes are known.
type PlausibilityCheck struct {
	source  journal.Source
	configs []*core.SetConfig
	replace bool
	nodes   map[string]bool   // the resource types of nodes
	asked   map[string]string // where each resource type was asked for first
	amounts config.Grouping
}

// NewPlausibilityCheck wraps the source of a run. Given is the configuration that the run begins with, or nil; with replace it stands in for
// those of the source.
func NewPlausibilityCheck(source journal.Source, given *core.SetConfig, replace bool) *PlausibilityCheck {
	p := &PlausibilityCheck{source: source, replace: replace, nodes: map[string]bool{}, asked: map[string]string{}}
	if given != nil {
		p.configs = append(p.configs, given)
	}
	return p
}

// Next returns the next entry of the source.
func (p *PlausibilityCheck) Next() (*journal.Entry, error) {
	e, err := p.source.Next()
	if err == nil {
		p.look(e)
	}
	return e, err
}

func (p *PlausibilityCheck) look(e *journal.Entry) {
	switch event := e.Input.Event.(type) {
	case *core.SetConfig:
		if !p.replace {
			p.config(event)
		}
	case *core.AddNode:
		p.capacity(e, event.Capacity)
	case *core.UpdateNode:
		p.capacity(e, event.Capacity)
	case *core.AddAsk:
		p.resources(e, event.Resources)
	case *core.UpdateAsk:
		p.resources(e, event.Resources)
	case *core.RestoreAllocation:
		p.resources(e, event.Resources)
	default:
	}
}

func (p *PlausibilityCheck) capacity(e *journal.Entry, set resource.Set) {
	for _, q := range set {
		p.nodes[q.Type] = true
	}
	p.amountsOf(e, "capacity", set)
}

func (p *PlausibilityCheck) resources(e *journal.Entry, set resource.Set) {
	for _, q := range set {
		if _, ok := p.asked[q.Type]; !ok {
			p.asked[q.Type] = place(e, "resources."+q.Type)
		}
	}
	p.amountsOf(e, "resources", set)
}

// config keeps a configuration for the end, each text once.
func (p *PlausibilityCheck) config(in *core.SetConfig) {
	if !slices.ContainsFunc(p.configs, func(c *core.SetConfig) bool { return c.Config == in.Config }) {
		p.configs = append(p.configs, in)
	}
}

// amountsOf looks at the amounts of one entry.
func (p *PlausibilityCheck) amountsOf(e *journal.Entry, key string, set resource.Set) {
	for _, q := range set {
		if text := config.ImplausibleAmount(q, mostCores); text != "" {
			p.amounts.Add(place(e, key+"."+q.Type) + ": " + text)
		}
	}
}

// place is where an entry stands and what it is about.
func place(e *journal.Entry, key string) string {
	return fmt.Sprintf("%s:%d: %s %s: %s", e.File, e.Line, e.Input.Type(), e.Input.ID(), key)
}

// Warnings are those about implausible names and amounts of a run that has ended, and those about its configurations, refused ones included: of each
// kind the first, and a count.
func (p *PlausibilityCheck) Warnings() []string {
	types := slices.Sorted(maps.Keys(p.nodes))
	var found config.Grouping
	for _, in := range p.configs {
		_, warnings, _ := config.Check([]byte(in.Config), config.Options{ // the run tells the errors
			File: cmp.Or(in.File, "config"), Format: config.Format(cmp.Or(in.Format, string(config.YAML))),
			Policies: func(string, string) bool { return true }, Implausible: true, Types: types,
		})
		for _, w := range warnings {
			found.Add(w.String())
		}
	}
	if p.replace {
		return found.Lines()
	}
	for _, name := range slices.Sorted(maps.Keys(p.asked)) {
		if text := config.ImplausibleType(name, types); text != "" && len(types) > 0 {
			found.Add(p.asked[name] + ": " + text)
		}
	}
	return append(found.Lines(), p.amounts.Lines()...)
}
