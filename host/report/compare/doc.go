// Package compare runs a workload twice, unchanged and with one policy replaced, and says what
// would have changed: which decisions, how long asks waited, how much room was stranded, how evenly queues were served.
package compare

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/journal"
)

// Override puts a policy in the place of whatever a configuration names, at the points that it serves.
type Override struct {
	Name   string
	Points []string // of queue.order, app.order, ask.order and node.score; the others act without being named
}

// keys are the properties by which queues name their orders.
var keys = map[string]string{"queue.order": "queue.sort.policy", "app.order": "application.sort.policy", "ask.order": "ask.sort.policy"}

// Config returns a configuration with the policy in it. A configuration that cannot be read is returned unchanged: the
// scheduler refuses it, and says why.
func (o Override) Config(in *core.SetConfig) *core.SetConfig {
	c, err := config.Decode([]byte(in.Config), config.Options{Format: config.Format(in.Format), Policies: func(string, string) bool { return true }})
	if err != nil {
		return in
	}
	return o.put(in, c)
}

// Default is the configuration that stands where none was given, with the policy in it.
func (o Override) Default() *core.SetConfig {
	return o.put(&core.SetConfig{}, config.Default())
}

func (o Override) put(in *core.SetConfig, c *config.Config) *core.SetConfig {
	for _, p := range c.Partitions {
		if slices.Contains(o.Points, "node.score") {
			p.NodeSort.Policy = o.Name
		}
		for point, key := range keys {
			if slices.Contains(o.Points, point) {
				set(p.Root, key, o.Name, true)
			}
		}
	}
	return &core.SetConfig{Config: string(c.Print()), Format: string(config.YAML), File: in.File}
}

// set gives the root a property, and every queue below that has one of its own.
func set(q *config.Queue, key, value string, root bool) {
	if _, own := q.Properties[key]; own || root {
		properties := maps.Clone(q.Properties) // queues may share them
		if properties == nil {
			properties = map[string]string{}
		}
		properties[key] = value
		q.Properties = properties
	}
	for _, child := range q.Children {
		set(child, key, value, false)
	}
}

// Source is a workload whose configurations have the policy in them.
type Source struct {
	journal.Source
	Override Override
	entry    journal.Entry
}

// Next returns the next entry.
func (s *Source) Next() (*journal.Entry, error) {
	e, err := s.Source.Next()
	if err != nil {
		return nil, err
	}
	set, ok := e.Input.Event.(*core.SetConfig)
	if !ok {
		return e, nil
	}
	s.entry = *e
	s.entry.Input.Event = s.Override.Config(set)
	return &s.entry, nil
}

// Check refuses policies that nothing can be put in the place of.
func (o Override) Check() error {
	if len(o.Points) == 0 {
		return errors.New("the policy serves no point")
	}
	for _, p := range o.Points {
		if p != "node.score" && keys[p] == "" && p != "node.filter" && p != "victim.rank" {
			return fmt.Errorf("the point %s cannot be tried", p)
		}
	}
	return nil
}
