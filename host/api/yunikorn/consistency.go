package yunikorn

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// consistency notes what contradicts itself. Each object is held against its own parts at one moment.
type consistency struct {
	api *API

	negative, beyond, nodeSums, appSums, queueSums, reservations []string
}

// amounts looks for negative ones.
func (c *consistency) amounts(what string, sets ...resource.Set) {
	for _, set := range sets {
		for _, q := range set {
			if q.Value < 0 {
				c.negative = append(c.negative, fmt.Sprintf("%s: %s %d", what, q.Type, q.Value))
			}
		}
	}
}

// nodes checks the nodes of a partition, a few at a time: each with all its allocations.
func (c *consistency) nodes(p *partition) {
	page := core.Page{Limit: 16, Work: partWork, Where: core.Where{Partition: p.shown}}
	for more := true; more; {
		c.api.view.Read(func(s *scheduler.Scheduler) {
			list := s.Nodes(&page)
			for i := range list.Items {
				if n := &list.Items[i]; n.Partition == p.shown {
					c.node(s, n)
				}
			}
			page.After, more = list.Next, list.More
		})
	}
}

func (c *consistency) node(s *scheduler.Scheduler, n *core.NodeDump) {
	what := fmt.Sprintf("node %q", n.ID)
	c.amounts(what, n.Capacity, n.Used, n.Occupied)
	sum := amounts{}
	for _, id := range n.Allocations {
		if k, ok := s.Ask(id); ok && k.Node == n.ID {
			sum.add(k.Resources)
		} else {
			c.nodeSums = append(c.nodeSums, fmt.Sprintf("%s: the allocation %q is not known", what, id))
		}
	}
	c.nodeSums = append(c.nodeSums, differences(what, amountsOf(n.Used), sum)...)
	for typ, left := range amountsOf(n.Used).minus(amountsOf(n.Capacity).minus(amountsOf(n.Occupied))) {
		if left > 0 {
			c.beyond = append(c.beyond, fmt.Sprintf("%s: %s is %d over its capacity", what, typ, left))
		}
	}
	for _, id := range []string{n.Reserved, n.ClaimedBy} {
		if k, ok := s.Ask(id); id != "" && (!ok || k.Node != "") {
			c.reservations = append(c.reservations, fmt.Sprintf("%s: it is reserved for %q, which is not pending", what, id))
		}
	}
}

// applications checks the applications of a partition, each with all its asks, unless these are too many to be read at once.
func (c *consistency) applications(p *partition) {
	var ids []string
	c.api.parts(core.Where{}, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		list := s.Apps(page)
		for i := range list.Items {
			if item := &list.Items[i]; item.Partition == p.shown && !isTerminal(item.State) {
				ids = append(ids, item.ID)
			}
		}
		return list.Next, list.More
	}, func() bool {
		for _, id := range ids {
			c.api.view.Read(func(s *scheduler.Scheduler) { c.application(s, id) })
		}
		ids = ids[:0]
		return true
	})
}

func (c *consistency) application(s *scheduler.Scheduler, id string) {
	item, ok := s.App(id)
	if !ok || isTerminal(item.State) {
		return // it is over by now
	}
	what := fmt.Sprintf("application %q", id)
	c.amounts(what, item.Used, item.Waiting)
	asks := s.Asks(&core.Page{Limit: partWork, Work: partWork, Where: core.Where{App: id}})
	if asks.More {
		return
	}
	sum := amounts{}
	for i := range asks.Items {
		if k := &asks.Items[i]; k.Node != "" {
			sum.add(k.Resources)
		}
	}
	c.appSums = append(c.appSums, differences(what, amountsOf(item.Used), sum)...)
}

// mostChildren is how many queues are read at once.
const mostChildren = 200

// queues holds the queues of a partition against those below them.
func (c *consistency) queues(p *partition) {
	_, byPath := c.api.tree(p)
	for _, path := range sortedKeys(byPath) {
		c.api.view.Read(func(s *scheduler.Scheduler) { c.queue(s, p, byPath[path]) })
	}
}

func (c *consistency) queue(s *scheduler.Scheduler, p *partition, q *partitionQueue) {
	d, ok := s.Queue(core.ShownPath(p.shown, q.QueueName))
	if !ok {
		return // it is gone by now
	}
	what := fmt.Sprintf("queue %q", core.ShownPath(p.shown, q.QueueName))
	c.amounts(what, d.Used, d.Pending, d.Leaving)
	if d.Leaf || len(q.ChildNames) > mostChildren {
		return
	}
	sum := amounts{}
	for _, name := range q.ChildNames {
		below, ok := s.Queue(core.ShownPath(p.shown, name))
		if !ok {
			return
		}
		sum.add(below.Used)
	}
	c.queueSums = append(c.queueSums, differences(what, amountsOf(d.Used), sum)...)
}

// differences says where a sum is another one.
func differences(what string, said, sum amounts) []string {
	var found []string
	for typ, left := range said.minus(sum) {
		if left != 0 {
			found = append(found, fmt.Sprintf("%s: the total is %d of %s, the sum of its parts %d", what, said[typ], typ, sum[typ]))
		}
	}
	for typ, amount := range sum {
		if _, named := said[typ]; !named && amount != 0 {
			found = append(found, fmt.Sprintf("%s: the total has no %s, the sum of its parts is %d", what, typ, amount))
		}
	}
	return found
}
