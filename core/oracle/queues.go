package oracle

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// queue is a queue that exists. Its settings are those last configured: a draining queue keeps what it had.
type queue struct {
	settings    *config.Queue
	parent      *queue // nil: root
	children    []*queue
	dynamic     *dynamic // nil: configured
	draining    bool
	over        *overQuota    // nil: no excess that preemption by quota would end
	bannedUntil time.Duration // leaf: makes no reservation before
	expired     int           // leaf: event of its last expiry of a reservation; 0: none ever
}

func newTree(settings *config.Queue, parent *queue) *queue {
	q := &queue{settings: settings, parent: parent}
	for _, child := range settings.Children {
		q.children = append(q.children, newTree(child, q))
	}
	return q
}

func (q *queue) path() string { return q.settings.Path }
func (q *queue) isLeaf() bool { return q.settings.Leaf }

// chain lists the queue and its ancestors, root last.
func (q *queue) chain() []*queue {
	if q == nil {
		return nil
	}
	return append([]*queue{q}, q.parent.chain()...)
}

// holds reports whether the other queue is the queue or one below it.
func (q *queue) holds(other *queue) bool {
	for other != nil && other != q {
		other = other.parent
	}
	return other == q
}

// subtree lists the queue and all below it, parents first.
func (q *queue) subtree() []*queue {
	all := []*queue{q}
	for _, child := range q.children {
		all = append(all, child.subtree()...)
	}
	return all
}

func (q *queue) child(name string) *queue {
	for _, child := range q.children {
		if child.settings.Name == name {
			return child
		}
	}
	return nil
}

func (p *partition) findQueue(path string) *queue {
	for _, q := range p.root.subtree() {
		if q.path() == path {
			return q
		}
	}
	return nil
}

// liveApps lists the applications in the queue's subtree that are not terminal, in order of submission.
func (p *partition) liveApps(q *queue) []*app {
	var live []*app
	for _, a := range p.apps {
		if !a.isTerminal() && q.holds(a.queue) {
			live = append(live, a)
		}
	}
	return live
}

func (p *partition) isUsed(q *queue) bool { return len(p.liveApps(q)) > 0 }

// sum adds up those asks and allocations in the queue's subtree that are counted.
func (p *partition) sum(q *queue, counts func(k *ask) bool) amounts {
	sum := amounts{}
	for _, a := range p.liveApps(q) {
		for _, k := range a.asks {
			if counts(k) {
				sum.add(k.resources)
			}
		}
	}
	return sum
}

// used sums the allocations in the queue's subtree.
func (p *partition) used(q *queue) amounts {
	return p.sum(q, func(k *ask) bool { return k.node != nil })
}

// pending sums the asks that wait in the queue's subtree.
func (p *partition) pending(q *queue) amounts {
	return p.sum(q, func(k *ask) bool { return k.node == nil })
}

// total sums the capacities of all nodes, draining ones included.
func (p *partition) total() amounts {
	total := amounts{}
	for _, n := range p.nodes {
		total.add(n.capacity)
	}
	return total
}

// maxOf is the queue's own max of a type; set is false where it is unlimited. Root's is the cluster's total.
func (p *partition) maxOf(q *queue, typ string) (limit int64, set bool) {
	if q.parent == nil {
		return p.total()[typ], true
	}
	return q.settings.Max.Value(typ)
}

// fitsHeadroomBelowRoot is fitsHeadroom with the cluster's total left out.
func (p *partition) fitsHeadroomBelowRoot(k *ask) bool {
	return p.withinMaxOf(belowRoot(k.app.queue.chain()), k, p.usedOrKept) && p.withinLimits(k, p.claims)
}

// belowRoot is the chain without root.
func belowRoot(chain []*queue) []*queue { return chain[:len(chain)-1] }

// fitsHeadroom reports whether the ask's leaf and all queues above have room below their max for it, beside what is
// kept for claims, and its limits hold.
func (p *partition) fitsHeadroom(k *ask) bool {
	return p.withinMax(k, p.usedOrKept) && p.withinLimits(k, p.claims)
}

// running counts the applications that maxapplications bounds in the queue's subtree: those that hold a place.
func (p *partition) running(q *queue) uint64 {
	return p.placesOf(q, func(*app) bool { return true })
}

// holdsPlace reports whether the application counts for maxapplications: it runs, a node is kept for it, or a
// placeholder has room for it.
func (p *partition) holdsPlace(a *app) bool {
	return a.state == core.StateStarting || a.state == core.StateRunning || a.state == core.StateResuming ||
		p.hasKeptNode(a) || a.state == core.StateAccepted && a.holdsPlaceholder()
}

// mayStart reports whether the application holds a place, or no queue on its way to the root, and none of its limits, is at its
// maxapplications.
func (p *partition) mayStart(a *app) bool {
	if p.holdsPlace(a) {
		return true
	}
	for _, q := range a.queue.chain() {
		if bound := q.settings.MaxApplications; bound > 0 && p.running(q) >= bound {
			return false
		}
	}
	for _, b := range p.boundsOf(a) {
		if most := b.limit.MaxApplications; most > 0 && p.placesOf(b.queue, b.counts) >= most {
			return false
		}
	}
	return true
}

// enter puts an application into a queue.
func (p *partition) enter(a *app, q *queue) {
	a.queue = q
	if q.dynamic != nil {
		q.dynamic.isEmpty = false
	}
}

// leaveQueue is called when an application became terminal, or left: a draining queue without any goes, and so does each
// draining parent that this leaves without children.
func (p *partition) leaveQueue(q *queue) {
	p.appLeft(q)
	for q.draining && len(q.children) == 0 && !p.isUsed(q) {
		q = p.endQueue(q)
	}
}
