package oracle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// childrenInOrder lists the children with something pending, in the order in which the walk visits them.
func (o *Oracle) childrenInOrder(q *queue) []*queue {
	var children []*queue
	for _, child := range q.children {
		if _, pending := o.queuePriority(child); pending {
			children = append(children, child)
		}
	}
	slices.SortFunc(children, func(a, b *queue) int {
		if q.settings.PrioritySort {
			priorityA, _ := o.queuePriority(a)
			priorityB, _ := o.queuePriority(b)
			if c := cmp.Compare(priorityB, priorityA); c != 0 {
				return c
			}
		}
		if c := cmp.Compare(o.fairShare(a), o.fairShare(b)); c != 0 {
			return c
		}
		if c := cmp.Compare(o.pendingShare(b), o.pendingShare(a)); c != 0 {
			return c
		}
		return strings.Compare(a.path(), b.path())
	})
	return children
}

// appsInOrder lists the leaf's applications that the walk visits, in its order: those with asks pending that may have
// something allocated now.
func (o *Oracle) appsInOrder(leaf *queue) []*app {
	var apps []*app
	for _, a := range o.liveApps(leaf) {
		if len(a.pending()) > 0 && o.eligible(a) {
			apps = append(apps, a)
		}
	}
	slices.SortFunc(apps, func(a, b *app) int { return o.compareApps(leaf, a, b) })
	return apps
}

func (o *Oracle) compareApps(leaf *queue, a, b *app) int {
	if leaf.settings.PrioritySort {
		if c := compareAppPriorities(a, b); c != 0 {
			return c
		}
	}
	if leaf.settings.AppSort == config.Fair {
		sharesA, sharesB := o.appShares(a), o.appShares(b)
		if c := slices.Compare(sharesA[:], sharesB[:]); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.submission, b.submission)
}

// compareAppPriorities puts the higher priority first and applications without anything pending last.
func compareAppPriorities(a, b *app) int {
	priorityA, pendingA := appPriority(a)
	priorityB, pendingB := appPriority(b)
	if pendingA != pendingB {
		if pendingA {
			return -1
		}
		return 1
	}
	return cmp.Compare(priorityB, priorityA)
}

// eligible reports whether the application may have something allocated now.
func (o *Oracle) eligible(a *app) bool {
	if a.state == core.StateAccepted && !o.mayStart(a) {
		return false
	}
	return o.passesFilter(a)
}

// passesFilter reports whether the leaf's order lets the application have something allocated now.
func (o *Oracle) passesFilter(a *app) bool {
	return a.queue.settings.AppSort != config.StateAware || o.passesStates(a)
}

// passesStates is the filter of stateaware: everything that runs, and one application that starts or would start.
func (o *Oracle) passesStates(a *app) bool {
	if a.state == core.StateRunning {
		return true
	}
	first := o.firstIn(a.queue, o.countsAsStarting)
	if first == nil {
		first = o.firstIn(a.queue, func(a *app) bool { return a.state == core.StateAccepted })
	}
	return first == a
}

// countsAsStarting reports whether stateaware takes the application for one that is Starting: it is, or a node is kept
// for it.
func (o *Oracle) countsAsStarting(a *app) bool {
	return a.state == core.StateStarting || a.state == core.StateAccepted && o.hasKeptNode(a)
}

// firstIn gives the first in the order of stateaware of the leaf's applications that count; nil when none does.
func (o *Oracle) firstIn(leaf *queue, counts func(a *app) bool) *app {
	var first *app
	for _, a := range o.liveApps(leaf) {
		if counts(a) && (first == nil || o.compareApps(leaf, a, first) < 0) {
			first = a
		}
	}
	return first
}

// nodesInOrder lists all nodes in the order in which an ask tries them.
func (o *Oracle) nodesInOrder() []*node {
	utilisation := map[*node]int64{}
	for _, n := range o.nodes {
		utilisation[n] = o.utilisation(n)
	}
	nodes := slices.Clone(o.nodes)
	slices.SortFunc(nodes, func(a, b *node) int {
		leastFirst := cmp.Compare(utilisation[a], utilisation[b])
		if o.settings.NodeSort.Policy == config.BinPacking {
			leastFirst = -leastFirst
		}
		return cmp.Or(leastFirst, strings.Compare(a.id, b.id))
	})
	return nodes
}
