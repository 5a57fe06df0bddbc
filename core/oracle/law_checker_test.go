package oracle_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// lawChecker checks the preemptions of a cycle against the laws, from the state before the cycle and the decisions before each preemption.
// It does not depend on how the victims were chosen.
type lawChecker struct {
	said   map[string]core.Ask
	dump   core.Dump
	queues map[string]core.QueueDump
	nodes  map[string]*core.NodeDump
	tasks  map[string]*task
	faults []string
	judged int
}

// task is an ask or an allocation, with its application and queue.
type task struct {
	core.AskDump
	said       core.Ask
	app, queue string
}

func newCourt(before core.Dump, said map[string]core.Ask) *lawChecker {
	c := &lawChecker{
		said: said, dump: before, queues: map[string]core.QueueDump{}, nodes: map[string]*core.NodeDump{}, tasks: map[string]*task{},
	}
	for _, q := range before.Queues {
		c.queues[q.Path] = q
	}
	for i := range before.Nodes {
		c.nodes[before.Nodes[i].ID] = &before.Nodes[i]
	}
	for _, a := range before.Applications {
		for _, k := range a.Asks {
			if k.Leaves && k.Leaving == "" {
				k.Leaving = k.ID // it does not leave for an ask
			}
			c.tasks[k.ID] = &task{AskDump: k, said: said[k.ID], app: a.ID, queue: a.Queue}
		}
	}
	return c
}

// check follows the decisions of a cycle, and checks each preemption before it takes effect.
func (c *lawChecker) check(decisions []core.Decision) []string {
	for i := 0; i < len(decisions); i++ {
		d := decisions[i]
		switch d.Type {
		case core.Allocation:
			k := c.tasks[d.ID]
			c.expect(k.Claims == "" || k.Claims == d.Node || lostPatience(decisions[i+1:], d.ID), "%s goes to %s while %s is kept for it", d.ID, d.Node, k.Claims)
			if k.Claims != "" {
				c.nodes[k.Claims].ClaimedBy = ""
			}
			k.Node, k.Claims = d.Node, ""
		case core.Reservation:
			c.nodes[d.Node].Reserved = d.ID
		case core.Unreservation:
			c.nodes[d.Node].Reserved = ""
		case core.Preemption:
			p := &victimsCase{lawChecker: c, ask: c.tasks[d.For], node: c.nodes[d.Node]}
			for ; i < len(decisions) && decisions[i].Type == core.Preemption && decisions[i].For == d.For; i++ {
				p.victims = append(p.victims, c.tasks[decisions[i].ID])
			}
			i--
			p.judge()
			p.execute()
		}
	}
	return c.faults
}

// lostPatience reports whether an ask that has just been allocated gives up its claimed node.
func lostPatience(next []core.Decision, ask string) bool {
	return slices.ContainsFunc(next, func(d core.Decision) bool {
		return d.Type == core.Lapsed && d.For == ask && d.Reason == core.ReasonElsewhere
	})
}

func (c *lawChecker) expect(ok bool, format string, args ...any) {
	if !ok {
		c.faults = append(c.faults, fmt.Sprintf(format, args...))
	}
}

// usage sums the tasks in the queue that count.
func (c *lawChecker) usage(path, typ string, counts func(*task) bool) int64 {
	var total int64
	for _, k := range c.tasks {
		if (k.queue == path || strings.HasPrefix(k.queue, path+".")) && counts(k) {
			value, _ := k.Resources.Value(typ)
			total = resource.Add(total, value)
		}
	}
	return total
}

// stays reports whether the task counts towards future usage: it is not leaving, or has a claim.
func (k *task) stays() bool { return k.Claims != "" || k.Node != "" && k.Leaving == "" }

// chain lists the queues from the path upwards, below an ancestor or, if that is empty, including root.
func chain(path, below string) []string {
	var paths []string
	for path != below {
		paths = append(paths, path)
		dot := strings.LastIndex(path, ".")
		if dot < 0 {
			break
		}
		path = path[:dot]
	}
	return paths
}

// common returns the lowest queue that contains both.
func common(a, b string) string {
	for _, path := range chain(a, "") {
		if slices.Contains(chain(b, ""), path) {
			return path
		}
	}
	return ""
}

// unallocatedClaims lists asks that could be allocated on their claimed node but are not, after a complete cycle.
func unallocatedClaims(d core.Dump) (ids []string) {
	c := newCourt(d, nil)
	for _, a := range d.Applications {
		for _, k := range a.Asks {
			held := a.State == core.StateStarting && c.queues[a.Queue].AppSort == config.StateAware // by another that starts
			if k.Claims == "" || held {
				continue
			}
			n, fits := c.nodes[k.Claims], true
			for _, need := range withoutZeros(k.Resources) {
				free := valueIn(n.Capacity, need.Type) - valueIn(n.Occupied, need.Type) - valueIn(n.Used, need.Type)
				fits = fits && free >= need.Value
				for _, path := range chain(a.Queue, "") {
					limit, set := c.queues[path].Max.Value(need.Type)
					used, _ := c.queues[path].Used.Value(need.Type)
					fits = fits && (!set && path != "root" || used+need.Value <= limit)
				}
			}
			if fits {
				ids = append(ids, k.ID)
			}
		}
	}
	return ids
}
