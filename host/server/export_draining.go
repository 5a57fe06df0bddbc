package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
)

// withDraining keeps draining queues in an export until its applications and asks have been added: the export begins with a configuration that names
// these queues, and ends with the one in force, with which they drain.
func withDraining(s *scheduler.Scheduler, list []core.Input) ([]core.Input, error) {
	var draining []core.QueueDump
	for _, q := range s.Read(core.OfQueues).Queues {
		if q.State == core.QueueDraining {
			draining = append(draining, q)
		}
	}
	at := slices.IndexFunc(list, func(in core.Input) bool { return in.Type() == core.ConfigSet })
	if len(draining) == 0 || at < 0 {
		return list, nil
	}
	inForce := list[at]
	set := inForce.Event.(*core.SetConfig)
	whole, err := config.Decode([]byte(set.Config), config.Options{Format: config.Format(set.Format), Policies: func(string, string) bool { return true }})
	if err != nil {
		return nil, fmt.Errorf("the configuration in force: %w", err)
	}
	for _, q := range draining { // parents before children
		addQueue(whole, q)
	}
	var told, removed []core.Input // policies that were removed are there until the configuration in force has named them
	for _, in := range list {
		switch in.Type() {
		case core.PolicyRemove:
			removed = append(removed, in)
		case core.ConfigSet:
			in.Event = &core.SetConfig{Config: string(whole.Print())}
			told = append(told, in)
		default:
			told = append(told, in)
		}
	}
	return append(append(told, inForce), removed...), nil
}

// addQueue adds a queue that a configuration does not name.
func addQueue(c *config.Config, add core.QueueDump) {
	i := slices.IndexFunc(c.Partitions, func(p *config.Partition) bool { return strings.EqualFold(p.Name, add.Partition) })
	above := c.Partitions[max(i, 0)].Root
	for {
		i := slices.IndexFunc(above.Children, func(q *config.Queue) bool { return strings.HasPrefix(add.Path, q.Path+".") })
		if i < 0 {
			break
		}
		above = above.Children[i]
	}
	name := strings.TrimPrefix(add.Path, above.Path+".")
	above.Children = append(above.Children, &config.Queue{Name: name, Path: add.Path, Leaf: add.Leaf})
}
