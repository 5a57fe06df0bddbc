package quota

import (
	"slices"
	"sort"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// round is one search for the allocations that a queue releases. Lists of amounts are by index in types.
type round struct {
	tree    queues.View
	types   []int   // types of which the queue uses more than its max
	excess  []int64 // usage beyond the max
	taken   []int64 // sum of the victims so far
	leaves  heap[*leaf]
	victims []candidate

	spare map[app.Unit][]app.Spare // what units can spare in addition to the victims, of those that were looked at

	// Of gangs that leave as a whole.
	gangs  []*gang
	chosen map[app.Ask]bool // victims that were chosen one by one; nil until all such candidates are
	ended  map[app.Unit]bool

	spared func(app.Ask) bool // nil if no allocation is
}

// Choose returns the allocations that a queue releases to end an excess, in order of allocation. The excess, by type, does not include
// leaving allocations. leafOf returns the applications of a leaf queue. spared reports which allocations have not run long enough; it is nil if none are spared.
func Choose(tree queues.View, q queues.ID, excess resource.Vec, leafOf func(queues.ID) app.Leaf, spared func(app.Ask) bool) []app.Ask {
	r := &round{tree: tree, spared: spared, spare: map[app.Unit][]app.Spare{}, ended: map[app.Unit]bool{}}
	for t, amount := range excess {
		if amount > 0 {
			r.types, r.excess = append(r.types, t), append(r.excess, amount)
		}
	}
	r.taken = make([]int64, len(r.types))
	r.addLeaves(q, leafOf)
	leaves := slices.Clone(r.leaves)
	r.gatherCandidates()
	for r.anyExcess() {
		l := r.nextLeaf()
		if l == nil {
			break
		}
		r.addVictim(l)
	}
	r.chooseGangs(leaves)
	r.dropNeedless()
	r.dropNeedlessGangs()
	sort.Slice(r.victims, func(i, j int) bool { return r.victims[i].placed < r.victims[j].placed })
	victims := make([]app.Ask, len(r.victims))
	for i := range victims {
		victims[i] = r.victims[i].ask
	}
	return victims
}

// inExcess reports whether a type is still in excess without the victims so far.
func (r *round) inExcess(i int) bool { return r.taken[i] < r.excess[i] }

func (r *round) anyExcess() bool {
	for i := range r.types {
		if r.inExcess(i) {
			return true
		}
	}
	return false
}

// nextLeaf returns the leaf that is furthest behind its target among those with a candidate, or nil if none has one. The value of a
// leaf only falls, so the one in the heap is an upper bound, and is computed again when the leaf comes first.
func (r *round) nextLeaf() *leaf {
	for len(r.leaves) > 0 {
		l := r.leaves[0]
		if behind := r.behind(l); behind < l.behind {
			l.behind = behind
			r.leaves.down(0)
			continue
		}
		if r.hasCandidate(l) {
			return l
		}
		r.leaves.removeFirst()
	}
	return nil
}

// behind returns how far a leaf is behind its target: the largest remaining share of the excess, in billionths, over the types that are
// still in excess.
func (r *round) behind(l *leaf) int64 {
	first, most := true, int64(0)
	for i := range r.types {
		if !r.inExcess(i) {
			continue
		}
		if share := billionths(l.remaining[i], r.excess[i]); first || share > most {
			first, most = false, share
		}
	}
	return most
}

// hasCandidate drops allocations that are no longer candidates from the top of a leaf's heap, and reports whether one is left. When no leaf
// has one, it does the same with gangs.
func (r *round) hasCandidate(l *leaf) bool {
	if r.chosen != nil {
		return r.hasGang(l)
	}
	for len(l.candidates) > 0 {
		if v := l.candidates[0].ask; r.frees(v.Class().Demand()) && l.mayRelease(v.Class().Demand()) && r.mayTake(l, v) {
			return true
		}
		l.candidates.removeFirst()
	}
	return false
}

// cursor iterates over the allocations of an application.
type cursor struct {
	leaf *leaf
	next app.Ask
}

// gatherCandidates lists the candidates of all leaves, before any is chosen. It iterates over all applications in parallel. If it read
// one after the other, each allocation would have to arrive from memory before the next is known, which takes several times as long.
func (r *round) gatherCandidates() {
	var abreast []cursor
	for _, l := range r.leaves {
		l.apps.Apps(func(a app.App) bool {
			if !a.FirstPlaced().IsNone() {
				abreast = append(abreast, cursor{l, a.FirstPlaced()})
			}
			return true
		})
	}
	for len(abreast) > 0 {
		left := abreast[:0]
		for _, c := range abreast {
			v := c.next
			if !v.Leaving() && v.Class().Node() == "" && r.frees(v.Class().Demand()) && !r.isSpared(v) {
				c.leaf.candidates = append(c.leaf.candidates, candidateOf(v))
			}
			if c.next = v.NextOfApp(); !c.next.IsNone() {
				left = append(left, c)
			}
		}
		abreast = left
	}
	for _, l := range r.leaves {
		l.candidates.order()
	}
}

// isSpared reports whether an allocation has not run long enough to be a victim.
func (r *round) isSpared(v app.Ask) bool { return r.spared != nil && r.spared(v) }

// frees reports whether amounts include a type that is still in excess.
func (r *round) frees(demand resource.Amounts) bool {
	for i, t := range r.types {
		if demand.At(t) > 0 && r.inExcess(i) {
			return true
		}
	}
	return false
}

// addVictim makes the first candidate of a leaf a victim.
func (r *round) addVictim(l *leaf) {
	v := l.candidates[0]
	l.candidates.removeFirst()
	r.victims = append(r.victims, v)
	r.countInUnits(l, v.ask)
	r.count(l, v.ask.Class().Demand())
}

// count counts what victims of a leaf use.
func (r *round) count(l *leaf, demand resource.Amounts) {
	l.release(demand)
	for i, t := range r.types {
		r.taken[i] += demand.At(t)
		l.remaining[i] -= demand.At(t)
	}
}

// dropNeedless drops victims without which no more of any type is in excess, the last chosen first. Each dropped one leaves less room to
// drop others, so only victims that could be dropped alone are sorted. Gangs that leave as a whole follow.
func (r *round) dropNeedless() {
	var spare []candidate
	for _, v := range r.victims {
		if !r.ends(v.ask) && !r.isNeeded(v.ask.Class().Demand()) {
			spare = append(spare, v)
		}
	}
	if len(spare) == 0 {
		return
	}
	sort.Slice(spare, func(i, j int) bool { return compare(spare[j], spare[i]) < 0 })
	stay := map[app.Ask]bool{}
	for _, v := range spare {
		if demand := v.ask.Class().Demand(); !r.isNeeded(demand) {
			stay[v.ask] = true
			r.uncount(demand)
		}
	}
	r.victims = slices.DeleteFunc(r.victims, func(v candidate) bool { return stay[v.ask] })
}

func (r *round) uncount(demand resource.Amounts) {
	for i, t := range r.types {
		r.taken[i] -= demand.At(t)
	}
}

// isNeeded reports whether more would be in excess without victims that use some amounts.
func (r *round) isNeeded(demand resource.Amounts) bool {
	for i, t := range r.types {
		if d := demand.At(t); d > 0 && r.taken[i]-d < r.excess[i] {
			return true
		}
	}
	return false
}
