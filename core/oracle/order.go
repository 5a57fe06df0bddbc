package oracle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// childrenInOrder lists the children with pending asks, in scheduling order.
func (p *partition) childrenInOrder(q *queue) []*queue {
	var children []*queue
	for _, child := range q.children {
		if _, pending := p.queuePriority(child); pending {
			children = append(children, child)
		}
	}
	slices.SortFunc(children, func(a, b *queue) int {
		if q.settings.PrioritySort {
			priorityA, _ := p.queuePriority(a)
			priorityB, _ := p.queuePriority(b)
			if c := cmp.Compare(priorityB, priorityA); c != 0 {
				return c
			}
		}
		if q.settings.HalfLife > 0 {
			if c := p.compareAged(q, a, b); c != 0 {
				return c
			}
		} else if c := cmp.Compare(p.fairShare(a), p.fairShare(b)); c != 0 {
			return c
		}
		if c := cmp.Compare(p.pendingShare(b), p.pendingShare(a)); c != 0 {
			return c
		}
		return strings.Compare(a.path(), b.path())
	})
	return children
}

// compareApps orders the applications for the filter of stateaware.
func (p *partition) compareApps(leaf *queue, a, b *app) int {
	return cmp.Or(comparePrioritiesIn(leaf, a, b), p.compareEquals(leaf, a, b))
}

func comparePrioritiesIn(leaf *queue, a, b *app) int {
	if !leaf.settings.PrioritySort {
		return 0
	}
	return compareAppPriorities(a, b)
}

// compareEquals orders applications of equal priority.
func (p *partition) compareEquals(leaf *queue, a, b *app) int {
	if leaf.settings.AppSort == config.Fair {
		sharesA, sharesB := p.appShares(a), p.appShares(b)
		if c := slices.Compare(sharesA[:], sharesB[:]); c != 0 {
			return c
		}
	}
	if leaf.settings.AppSort == config.FairUsers {
		sharesA, sharesB := p.userShares(a), p.userShares(b)
		if c := slices.Compare(sharesA[:], sharesB[:]); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.submission, b.submission)
}

// compareAppPriorities puts higher priorities first, and applications without pending asks last.
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

// eligible reports whether the application may get allocations now.
func (p *partition) eligible(a *app) bool {
	switch a.state {
	case core.StateAccepted:
		if !p.mayStart(a) {
			return false
		}
	case core.StateResuming, core.StateCompleting:
		return false
	}
	return p.passesFilter(a)
}

// passesFilter reports whether the filter of the leaf's order permits allocations to the application now.
func (p *partition) passesFilter(a *app) bool {
	return a.queue.settings.AppSort != config.StateAware || p.passesStates(a)
}

// passesStates is the filter of stateaware: running applications pass, and one application that is Starting or Accepted.
func (p *partition) passesStates(a *app) bool {
	if a.state == core.StateRunning {
		return true
	}
	first := p.firstIn(a.queue, p.countsAsStarting)
	if first == nil {
		first = p.firstIn(a.queue, func(a *app) bool { return a.state == core.StateAccepted })
	}
	return first == a
}

// countsAsStarting reports whether the application counts as Starting: it is Starting, or Accepted with a claim or an allocated placeholder.
func (p *partition) countsAsStarting(a *app) bool {
	return a.state == core.StateStarting || a.state == core.StateAccepted && (p.hasClaim(a) || a.holdsPlaceholder())
}

// firstIn returns the first of the leaf's applications that count, in the order of stateaware, or nil.
func (p *partition) firstIn(leaf *queue, counts func(a *app) bool) *app {
	var first *app
	for _, a := range p.liveApps(leaf) {
		if counts(a) && (first == nil || p.compareApps(leaf, a, first) < 0) {
			first = a
		}
	}
	return first
}

// nodesInOrder lists the nodes in the order in which they are tried for the ask.
func (p *partition) nodesInOrder(k *ask) []*node {
	nodes := p.searchedNodes()
	utilisation := map[*node]int64{}
	for _, n := range nodes {
		utilisation[n] = p.utilisation(n)
	}
	slices.SortFunc(nodes, func(a, b *node) int {
		leastFirst := cmp.Compare(utilisation[a], utilisation[b])
		if p.settings.NodeSort.Policy == config.BinPacking {
			leastFirst = -leastFirst
		}
		return cmp.Or(leastFirst, strings.Compare(a.id, b.id))
	})
	return p.byPreference(nodes, k)
}
