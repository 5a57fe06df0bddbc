package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/scheduler"
)

// setup says who orders what. Empty: the scheduler's default.
type setup struct {
	nodes, queues, apps string
	weights             map[string]int // of the queues below root
	limits              map[string]int // vcores; the pods of each queue are those of a user of its name, in one queue, and limited to this
	even                bool           // priorities do not count
}

var leaves = []string{"be", "burstable", "guaranteed", "ls"}

// config spells the configuration, in YAML.
func (s setup) config() string {
	var b strings.Builder
	b.WriteString("partitions:\n- name: default\n")
	if s.nodes != "" {
		fmt.Fprintf(&b, "  nodesortpolicy: {type: %s}\n", s.nodes)
	}
	b.WriteString("  queues:\n  - name: root\n    properties:\n      reservation.delay: 0s\n")
	if s.queues != "" {
		fmt.Fprintf(&b, "      queue.sort.policy: %s\n", s.queues)
	}
	if s.even {
		b.WriteString("      application.sort.priority: disabled\n")
	}
	b.WriteString("    queues:\n")
	for _, name := range leaves {
		fmt.Fprintf(&b, "    - name: %s\n      properties:\n        trace: openb\n", name) // one at least, since an empty table is none
		if w := s.weights[name]; w != 0 {
			fmt.Fprintf(&b, "        weight: \"%d\"\n", w)
		}
		if s.apps != "" {
			fmt.Fprintf(&b, "        application.sort.policy: %s\n", s.apps)
		}
	}
	if s.limits != nil {
		b.WriteString("    limits:\n")
	}
	for _, user := range slices.Sorted(maps.Keys(s.limits)) {
		fmt.Fprintf(&b, "    - {users: [%s], maxresources: {vcore: %d}}\n", user, s.limits[user])
	}
	return b.String()
}

// cluster is a scheduler with the books that pictures need.
type cluster struct {
	*scheduler.Scheduler
	lists  *lists
	free   map[string]amounts // by node
	zone   map[string]string  // by node
	asks   map[string]*placing
	queues map[string]amounts // used, by name of the leaf or, where they share one queue, of the user
	used   amounts
	placed int
	spent  time.Duration // inside the scheduler
	told   func(ask, node string)
	shared bool // all pods go to one queue, as those of users
}

// placing is an ask that came, and where it runs.
type placing struct {
	wants amounts
	queue string
	node  string
}

// newCluster makes a cluster of the nodes of the lists.
func (g *gallery) newCluster(ctx context.Context, s setup, nodes []core.AddNode) (*cluster, error) {
	c := &cluster{
		Scheduler: g.modules.scheduler(ctx), lists: g.lists, free: map[string]amounts{}, zone: map[string]string{},
		asks: map[string]*placing{}, queues: map[string]amounts{}, shared: s.limits != nil,
	}
	c.Apply(&core.Input{Event: &core.SetConfig{Config: s.config()}})
	for _, d := range c.Take() {
		if d.Type == core.ConfigRejected {
			return nil, fmt.Errorf("configuration: %s", strings.Join(d.Errors, "; "))
		}
	}
	for i := range nodes {
		c.Apply(&core.Input{Event: &nodes[i]})
		c.free[nodes[i].ID], c.zone[nodes[i].ID] = amountsOf(nodes[i].Capacity), nodes[i].Attributes["zone"]
	}
	return c, c.decide()
}

// submit sends a pod in, now.
func (c *cluster) submit(p pod) {
	_, leaf, _ := strings.Cut(p.app.Queue, ".")
	c.asks[p.ask.ID] = &placing{wants: p.wants, queue: leaf}
	if c.shared {
		p.app.User, p.app.Queue = leaf, "root."+leaves[0]
	}
	began := time.Now()
	c.Apply(&core.Input{At: c.Now(), Event: &p.app})
	c.Apply(&core.Input{At: c.Now(), Event: &p.ask})
	c.spent += time.Since(began)
}

// decide decides all that came by now.
func (c *cluster) decide() error {
	began := time.Now()
	instant := drive.Now(c)
	instant.Decide()
	c.spent += time.Since(began)
	return c.enter(c.Take())
}

// cycle runs a cycle of limit allocations at most.
func (c *cluster) cycle(limit int) error {
	began := time.Now()
	c.Cycle(limit)
	c.spent += time.Since(began)
	return c.enter(c.Take())
}

// enter keeps the books.
func (c *cluster) enter(decisions []core.Decision) error {
	for i := range decisions {
		d := &decisions[i]
		switch d.Type {
		case core.Allocation:
			c.placed++
			c.asks[d.ID].node = d.Node
			c.book(c.asks[d.ID], 1)
			if c.told != nil {
				c.told(d.ID, d.Node)
			}
		case core.Release:
			c.book(c.asks[d.ID], -1)
		case core.PolicyFault:
			return fmt.Errorf("policy %s failed: %s", d.Policy, d.Message)
		}
	}
	return nil
}

func (c *cluster) book(p *placing, sign int64) {
	c.free[p.node] = c.free[p.node].plus(p.wants, -sign)
	c.queues[p.queue] = c.queues[p.queue].plus(p.wants, sign)
	c.used = c.used.plus(p.wants, sign)
}

// fragments is the fragment of all nodes, as a share of all GPUs.
func (c *cluster) fragments() float64 {
	var sum float64
	for _, n := range c.lists.nodes {
		if free, ok := c.free[n.ID]; ok && free.gpu > 0 {
			sum += fragment(free, c.lists.shapes)
		}
	}
	return sum / float64(c.lists.total.gpu)
}
