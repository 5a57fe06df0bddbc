package oracle

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// queue is an existing queue. A draining queue keeps the settings that were last configured.
type queue struct {
	settings    *config.Queue
	parent      *queue // nil for root
	children    []*queue
	dynamic     *dynamic // nil if it is configured
	draining    bool
	over        *overQuota      // nil if there is no excess for preemption by quota
	victims     []time.Duration // when those were chosen that still count in its budget
	bannedUntil time.Duration   // of a leaf: it makes no reservation before
	expired     int             // of a leaf: event number of the last expiry of a reservation; 0 if none
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

// holds reports whether the other queue is this queue or below it.
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

// sum adds up the asks and allocations in the queue's subtree that count.
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

// pending sums the pending asks in the queue's subtree.
func (p *partition) pending(q *queue) amounts {
	return p.sum(q, func(k *ask) bool { return k.node == nil })
}

// total sums the capacities of all nodes, including draining ones.
func (p *partition) total() amounts {
	total := amounts{}
	for _, n := range p.nodes {
		total.add(n.capacity)
	}
	return total
}

// maxOf returns the queue's own max of a type. set is false if there is none. Root's max is the cluster's total.
func (p *partition) maxOf(q *queue, typ string) (limit int64, set bool) {
	if q.parent == nil {
		return p.total()[typ], true
	}
	return q.settings.Max.Value(typ)
}

// fitsHeadroomBelowRoot is fitsHeadroom without the cluster's total.
func (p *partition) fitsHeadroomBelowRoot(k *ask) bool {
	return p.withinMaxOf(belowRoot(k.app.queue.chain()), k, p.usedOrClaimed) && p.withinLimits(k, p.claims)
}

// belowRoot returns the chain without root.
func belowRoot(chain []*queue) []*queue { return chain[:len(chain)-1] }

// fitsHeadroom reports whether the ask fits the max of its leaf and of all queues above, in addition to usage and claims, and whether its
// limits hold.
func (p *partition) fitsHeadroom(k *ask) bool {
	return p.withinMax(k, p.usedOrClaimed) && p.withinLimits(k, p.claims)
}

// running returns the number of applications in the queue's subtree that count under maxapplications.
func (p *partition) running(q *queue) uint64 {
	return p.placesOf(q, func(*app) bool { return true })
}

// holdsPlace reports whether the application counts under maxapplications: it runs, or has a claim or an allocated placeholder.
func (p *partition) holdsPlace(a *app) bool {
	return a.state == core.StateStarting || a.state == core.StateRunning || a.state == core.StateResuming ||
		p.hasClaim(a) || a.state == core.StateAccepted && a.holdsPlaceholder()
}

// mayStart reports whether the application holds a place, or whether neither a queue on its path nor one of its limits is at maxapplications.
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

// leaveQueue is called after an application has become terminal or has left. It removes a draining queue without applications, and draining
// parents that are left without children.
func (p *partition) leaveQueue(q *queue) {
	p.appLeft(q)
	for q.draining && len(q.children) == 0 && !p.isUsed(q) {
		q = p.endQueue(q)
	}
}
