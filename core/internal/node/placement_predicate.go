package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/policy"
)

// OnPlacements reports whether the predicate of a class depends on the allocations of all nodes.
func OnPlacements(c class.Class) bool {
	return c.Predicate() != "" && policy.PredicateDependence(c.Predicate()) == policy.OnPlacements
}

// SupportsDepartures reports whether the predicate of a class can answer as if some allocations had gone.
func SupportsDepartures(c class.Class) bool { return policy.SupportsDepartures(c.Predicate()) }

// placementPredicate caches the answers of a predicate that depends on placements. Most answers become invalid with every change of
// any node, so the predicate is asked late: about each node that a search would return, and after maxSingleAsks of them about all
// remaining nodes at once. A node passes until the predicate has been asked about it.
type placementPredicate struct {
	table        *policy.Table
	answers      []answer // by slot
	known        []int32  // slots with an answer
	asked        int      // calls since answers were last forgotten
	otherChanges uint64   // finder.otherChanges at that time
	releases     uint64   // finder.releases at that time
}

// answer is a predicate's answer about a node: code 0 admits the class.
type answer struct {
	known bool
	code  float64
}

// maxSingleAsks is the number of nodes that are asked about one by one. A search that needs more will probably fail, and then needs
// the answers for all nodes. Even with only a few hundred nodes, a call for one node costs a small part of a call for all.
const maxSingleAsks = 32

func newPlacementPredicate(a *policy.Acting) *placementPredicate {
	return &placementPredicate{table: policy.NewTable(a)}
}

// holds reports whether an answer stays valid after new allocations and, if ended, after allocations have ended too. A refusal with
// a negative code stays valid after new allocations; if the code is not an integer, it stays valid after releases as well.
func (v answer) holds(ended bool) bool {
	return v.code < 0 && (!ended || v.code != math.Trunc(v.code))
}

func (f *placementPredicate) knows(slot int32) bool {
	return int(slot) < len(f.answers) && f.answers[slot].known
}

// codeOf returns the predicate's code for a node, or 0 if it has not been asked.
func (f *placementPredicate) codeOf(slot int32) float64 {
	if !f.knows(slot) {
		return 0
	}
	return f.answers[slot].code
}

// forgetAnswers drops the answers that are no longer valid. Nodes that they refused take part in searches again.
func (v *classOrder) forgetAnswers(all bool) {
	f := v.placement
	all = all || f.table.Stale() || f.otherChanges != v.finder.otherChanges
	if f.table.Stale() { // another module answers; the old table would ask it about all nodes at once
		f.table = policy.NewTable(f.table.Acting())
	}
	known, ended := f.known, f.releases != v.finder.releases
	f.known, f.asked, f.otherChanges, f.releases = f.known[:0], 0, v.finder.otherChanges, v.finder.releases
	for _, slot := range known {
		if !all && f.answers[slot].holds(ended) {
			f.known = append(f.known, slot)
			continue
		}
		refused := f.answers[slot].code != 0
		f.answers[slot] = answer{}
		if refused && v.membership[slot] != 0 {
			v.file(slot)
		}
	}
}

// askPredicate asks the predicate about a node that meets the constraints, unless a valid answer is known.
func (v *classOrder) askPredicate(slot int32) {
	f := v.placement
	if f == nil || f.knows(slot) {
		return
	}
	if f.asked++; f.asked <= maxSingleAsks {
		f.table.Touch(slot)
	} else {
		v.touchUnknown()
	}
	f.table.Flush(v, func(slot int32, answers []float64) {
		f.answers = extend(f.answers, slot, answer{})
		if !f.answers[slot].known {
			f.known = append(f.known, slot)
		}
		f.answers[slot] = answer{true, answers[0]}
		f.table.Drop(slot) // so that the next call sends the whole row
		v.file(slot)
	})
}

// MayAdmit reports whether a schedulable node meets all requirements of a class, or would if some of the node's allocations were
// gone. The predicate of the class must be one that SupportsDepartures.
func (p *finder) MayAdmit(c class.Class, slot int32) bool {
	if c.Node() != "" && c.Node() != p.ID(slot) || !p.Allows(slot, c.Constraints()) {
		return false
	}
	v := p.orderOf(c)
	if !v.passesFilters(slot) {
		return false
	}
	v.askPredicate(slot)
	code := v.placement.codeOf(slot)
	return code == math.Trunc(code)
}

// AdmitsWithout reports whether a node that passed MayAdmit admits a class once the given allocations have gone.
func (p *finder) AdmitsWithout(c class.Class, slot int32, gone []string) (admits bool) {
	v := p.orderOf(c)
	t := v.placement.table
	t.Touch(slot)
	t.FlushWithout(gone, v, func(_ int32, answers []float64) { admits = answers[0] == 0 })
	t.Drop(slot)
	return admits
}

// touchUnknown makes the next call ask about all nodes without an answer.
func (v *classOrder) touchUnknown() {
	for slot, membership := range v.membership {
		if membership != 0 && !v.placement.knows(int32(slot)) {
			v.placement.table.Touch(int32(slot))
		}
	}
}
