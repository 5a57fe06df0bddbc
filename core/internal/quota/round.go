package quota

import (
	"slices"
	"sort"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// round is the search for what one queue gives back. Its amounts lie by place in types.
type round struct {
	types   []int   // that the queue uses more of than its max
	excess  []int64 // by how much
	taken   []int64 // what the victims so far use in the queue
	leaves  heap[*leaf]
	victims []candidate
}

// Choose returns what a queue gives back to end an excess, by type, of what stays in it over its max, in order of allocation.
// What has been told to leave counts as gone. leafOf finds the applications of a leaf queue.
func Choose(q *queue.Queue, excess resource.Vec, leafOf func(*queue.Queue) *app.Leaf) []*app.Ask {
	r := &round{}
	for t, amount := range excess {
		if amount > 0 {
			r.types, r.excess = append(r.types, t), append(r.excess, amount)
		}
	}
	r.taken = make([]int64, len(r.types))
	r.addLeaves(q, leafOf)
	r.list()
	for r.inExcess() {
		l := r.nextLeaf()
		if l == nil {
			break
		}
		r.take(l)
	}
	r.dropNeedless()
	sort.Slice(r.victims, func(i, j int) bool { return r.victims[i].placed < r.victims[j].placed })
	victims := make([]*app.Ask, len(r.victims))
	for i := range victims {
		victims[i] = r.victims[i].ask
	}
	return victims
}

// missing reports whether the victims so far leave a type in excess.
func (r *round) missing(i int) bool { return r.taken[i] < r.excess[i] }

func (r *round) inExcess() bool {
	for i := range r.types {
		if r.missing(i) {
			return true
		}
	}
	return false
}

// nextLeaf is the leaf with a candidate that is furthest behind its target; nil: no leaf has one. How far a leaf is behind only
// falls, so what the heap has of it is an upper bound, and is worked out again when the leaf comes first.
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

// behind is the largest share of the excess, in billionths, that a leaf is still to give of a type that is in excess.
func (r *round) behind(l *leaf) int64 {
	first, most := true, int64(0)
	for i := range r.types {
		if !r.missing(i) {
			continue
		}
		if share := billionths(l.remaining[i], r.excess[i]); first || share > most {
			first, most = false, share
		}
	}
	return most
}

// hasCandidate brings the first candidate of a leaf to the top of its heap, and reports whether there is one.
func (r *round) hasCandidate(l *leaf) bool {
	for len(l.candidates) > 0 {
		if v := l.candidates[0].ask; r.helps(v) && l.mayGive(v.Class.Demand) {
			return true
		}
		l.candidates.removeFirst()
	}
	return false
}

// cursor goes through the allocations of an application.
type cursor struct {
	leaf *leaf
	next *app.Ask
}

// list gathers what the leaves may give, as far as that does not depend on who else goes. It goes through all applications
// abreast: one after the other, each allocation would have to be fetched before the next is known, which takes several times
// as long.
func (r *round) list() {
	var abreast []cursor
	for _, l := range r.leaves {
		l.apps.Apps(func(a *app.App) bool {
			if a.Placed.First != nil {
				abreast = append(abreast, cursor{l, a.Placed.First})
			}
			return true
		})
	}
	for len(abreast) > 0 {
		left := abreast[:0]
		for _, c := range abreast {
			v := c.next
			if !v.Leaving && v.Class.Node == "" && r.helps(v) {
				c.leaf.candidates = append(c.leaf.candidates, candidateOf(v))
			}
			if c.next = v.Next(app.OfApp); c.next != nil {
				left = append(left, c)
			}
		}
		abreast = left
	}
	for _, l := range r.leaves {
		l.candidates.order()
	}
}

// helps reports whether an allocation uses a type that is still in excess.
func (r *round) helps(v *app.Ask) bool {
	for i, t := range r.types {
		if v.Class.Demand[t] > 0 && r.missing(i) {
			return true
		}
	}
	return false
}

// take makes the first candidate of a leaf a victim.
func (r *round) take(l *leaf) {
	v := l.candidates[0]
	l.candidates.removeFirst()
	r.victims = append(r.victims, v)
	demand := v.ask.Class.Demand
	l.give(demand)
	for i, t := range r.types {
		r.taken[i] += demand[t]
		l.remaining[i] -= demand[t]
	}
}

// dropNeedless lets those victims stay, the last to be taken first, without which no more is in excess. Each that stays leaves less
// room for others to stay, so only those are sorted of which one alone might.
func (r *round) dropNeedless() {
	var spare []candidate
	for _, v := range r.victims {
		if !r.needs(v.ask) {
			spare = append(spare, v)
		}
	}
	if len(spare) == 0 {
		return
	}
	sort.Slice(spare, func(i, j int) bool { return compare(spare[j], spare[i]) < 0 })
	stay := map[*app.Ask]bool{}
	for _, v := range spare {
		if r.needs(v.ask) {
			continue
		}
		stay[v.ask] = true
		for i, t := range r.types {
			r.taken[i] -= v.ask.Class.Demand[t]
		}
	}
	r.victims = slices.DeleteFunc(r.victims, func(v candidate) bool { return stay[v.ask] })
}

// needs reports whether more would be in excess without a victim.
func (r *round) needs(v *app.Ask) bool {
	for i, t := range r.types {
		if d := v.Class.Demand[t]; d > 0 && r.taken[i]-d < r.excess[i] {
			return true
		}
	}
	return false
}
