package scheduler_test

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// bench computes the laws of preemption the slow way, to compare dry runs with them.
type bench struct {
	census
	s       *scheduler.Scheduler
	enabled bool
	tasks   map[string]*stake
}

// stake is an ask or an allocation, with its application and queue.
type stake struct {
	core.AskDump
	said       core.Ask
	app, queue string
}

func newBench(s *scheduler.Scheduler, said map[string]core.Ask, enabled bool) *bench {
	c := &bench{census: newCensus(s.Dump()), s: s, enabled: enabled, tasks: map[string]*stake{}}
	for _, a := range c.Applications {
		for _, k := range a.Asks {
			c.tasks[k.ID] = &stake{k, said[k.ID], a.ID, a.Queue}
		}
	}
	return c
}

func valueOf(set resource.Set, typ string) int64 {
	v, _ := set.Value(typ)
	return v
}

func under(path, top string) bool { return path == top || strings.HasPrefix(path, top+".") }

// chain lists the queues from a leaf up to top, without top.
func (c *bench) chain(leaf, top string) []core.QueueDump {
	var list []core.QueueDump
	for _, q := range c.upwards(leaf) {
		if q.Path == top {
			break
		}
		list = append(list, q)
	}
	return list
}

func (c *bench) meet(a, b string) string {
	for _, q := range c.upwards(a) {
		if under(b, q.Path) {
			return q.Path
		}
	}
	return ""
}

func (c *bench) node(id string) core.NodeDump {
	return c.Nodes[slices.IndexFunc(c.Nodes, func(n core.NodeDump) bool { return n.ID == id })]
}

// on lists the allocations of a node, in order of allocation.
func (c *bench) on(n core.NodeDump) (list []*stake) {
	for _, id := range n.Allocations {
		list = append(list, c.tasks[id])
	}
	return list
}

func (c *bench) disabled(leaf string) bool {
	return slices.ContainsFunc(c.chain(leaf, "root"), func(q core.QueueDump) bool { return q.Properties["preemption.policy"] == "disabled" })
}

func (c *bench) intra(leaf string) bool {
	return c.queues[leaf].Properties["preemption.intra-queue"] == "enabled"
}

func (c *bench) stays(q core.QueueDump, typ string) int64 {
	return valueOf(q.Used, typ) - valueOf(q.Leaving, typ)
}

func (c *bench) will(q core.QueueDump, typ string) int64 {
	return c.stays(q, typ) + c.awaited(q.Path, typ)
}

func (c *bench) claimed(q core.QueueDump, typ string) int64 {
	return valueOf(q.Used, typ) + c.awaited(q.Path, typ)
}

func (c *bench) seen(priority int32, leaf, top string) int32 {
	for _, q := range c.chain(leaf, top) {
		offset := int32(0)
		switch q.Properties["priority.offset"] {
		case "1":
			offset = 1
		case "-1":
			offset = -1
		}
		if q.Properties["priority.policy"] == "fence" {
			priority = 0
		}
		priority += offset
	}
	return priority
}

// entitled reports whether law 4 permits victims whose common queue with the ask is top.
func (c *bench) entitled(k *stake, top string) bool {
	for _, need := range k.Resources {
		guaranteed, within := false, true
		for _, q := range c.chain(k.queue, top) {
			if g := valueOf(q.Guaranteed, need.Type); g > 0 {
				guaranteed, within = true, within && c.claimed(q, need.Type) < g
			}
		}
		if guaranteed && within {
			return true
		}
	}
	return false
}

// fence returns the highest queue in which an ask may search victims.
func (c *bench) fence(leaf string) string {
	for _, q := range c.chain(leaf, "root") {
		if q.Properties["preemption.policy"] == "fence" {
			return q.Path
		}
	}
	return "root"
}

// laws lists the findings about the ask's own queues that a dry run must report.
func (c *bench) laws(k *stake) (list []explain.Finding) {
	for _, q := range c.chain(k.queue, "root") {
		for _, need := range k.Resources {
			if g := valueOf(q.Guaranteed, need.Type); g > 0 {
				used := c.claimed(q, need.Type)
				list = append(list, explain.Finding{Law: explain.Law4, Queue: q.Path, Type: need.Type, Used: used, Guaranteed: g, Holds: used < g})
			}
		}
	}
	for _, l := range c.beyond(k) {
		if l.Queue != "root" {
			list = append(list, explain.Finding{Law: explain.LawMax, Queue: l.Queue, Type: l.Type, Used: c.will(c.queues[l.Queue], l.Type), Guaranteed: valueOf(c.queues[l.Queue].Max, l.Type)})
		}
	}
	return list
}

// beyond lists the amounts by which an ask would exceed the maxima of its queues after all pending departures and allocations.
func (c *bench) beyond(k *stake) (list []explain.Shortfall) {
	for _, q := range c.upwards(k.queue) {
		for _, need := range k.Resources {
			limit, bounded := q.Max.Value(need.Type)
			if over := c.will(q, need.Type) + need.Value - limit; (bounded || q.Path == "root") && over > 0 {
				list = append(list, explain.Shortfall{Queue: q.Path, Type: need.Type, Missing: over})
			}
		}
	}
	return list
}
