package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/policy"
)

// OnPlacements reports whether what is allocated on one node may let a class onto another, or keep it off.
func OnPlacements(c *class.Class) bool {
	return c.Predicate != "" && policy.PredicateDependence(c.Predicate) == policy.OnPlacements
}

// Foresees reports whether the predicate of a class can answer as if some allocations had gone.
func Foresees(c *class.Class) bool { return policy.Foresees(c.Predicate) }

// fleetingFilter asks a predicate whose answers fall with every change of any node. So it asks late: about the nodes that a search would
// return, one by one, and after aFew of them about all that are left. Until it is asked about, a node passes.
type fleetingFilter struct {
	table    *policy.Table
	verdicts []verdict // by slot
	known    []int32   // slots with a verdict
	asked    int       // calls since the answers last fell
	unfilled uint64    // of the pool when they did
	emptied  uint64    // of the pool then
}

// verdict is what a predicate has answered about a node.
type verdict struct {
	known bool
	code  float64
}

// aFew is how many nodes a search asks about one by one. A search that needs more probably fails, and needs all. A call for one node costs a
// small part of one for all, even with some hundred nodes.
const aFew = 32

func newFleetingFilter(a *policy.Acting) *fleetingFilter {
	return &fleetingFilter{table: policy.NewTable(a)}
}

// stands reports whether an answer holds after allocations, and also after some have ended where that is so: a refusal by a negative code that is no
// whole number holds whatever comes and goes.
func (v verdict) stands(ended bool) bool {
	return v.code < 0 && (!ended || v.code != math.Trunc(v.code))
}

func (f *fleetingFilter) knows(slot int32) bool {
	return int(slot) < len(f.verdicts) && f.verdicts[slot].known
}

// verdictOf is the code for a node, 0 where it is not known.
func (f *fleetingFilter) verdictOf(slot int32) float64 {
	if !f.knows(slot) {
		return 0
	}
	return f.verdicts[slot].code
}

// forgetVerdicts lets the answers of the fleeting filter fall that do not stand. The nodes that it kept out take part in searches again.
func (v *classOrder) forgetVerdicts(all bool) {
	f := v.fleeting
	all = all || f.table.Stale() || f.unfilled != v.pool.unfilled
	if f.table.Stale() { // another module answers; a table of before would ask it about all nodes at once
		f.table = policy.NewTable(f.table.Acting())
	}
	known, ended := f.known, f.emptied != v.pool.emptied
	f.known, f.asked, f.unfilled, f.emptied = f.known[:0], 0, v.pool.unfilled, v.pool.emptied
	for _, slot := range known {
		if !all && f.verdicts[slot].stands(ended) {
			f.known = append(f.known, slot)
			continue
		}
		refused := f.verdicts[slot].code != 0
		f.verdicts[slot] = verdict{}
		if refused && v.filed[slot] != 0 {
			v.file(slot)
		}
	}
}

// judge asks the fleeting filter about a node that meets the constraints, unless its answer stands.
func (v *classOrder) judge(slot int32) {
	f := v.fleeting
	if f == nil || f.knows(slot) {
		return
	}
	if f.asked++; f.asked <= aFew {
		f.table.Touch(slot)
	} else {
		v.touchUnknown()
	}
	f.table.Flush(v, func(slot int32, answers []float64) {
		f.verdicts = extend(f.verdicts, slot, verdict{})
		if !f.verdicts[slot].known {
			f.known = append(f.known, slot)
		}
		f.verdicts[slot] = verdict{true, answers[0]}
		f.table.Drop(slot) // it is asked about afresh next time
		v.file(slot)
	})
}

// MayAdmit reports whether a schedulable node passes everything of a class but what its predicate holds against allocations that may go. The
// predicate is one that foresees.
func (p *Pool) MayAdmit(c *class.Class, n *Node) bool {
	if c.Node != "" && c.Node != n.ID || !class.Allows(c.Constraints, n.Attributes) {
		return false
	}
	v := p.orderOf(c)
	if !v.passesFilters(n.Slot) {
		return false
	}
	v.judge(n.Slot)
	code := v.fleeting.verdictOf(n.Slot)
	return code == math.Trunc(code)
}

// AdmitsWithout reports whether a node that MayAdmit let through admits a class as soon as some allocations have gone.
func (p *Pool) AdmitsWithout(c *class.Class, n *Node, gone []string) (admits bool) {
	v := p.orderOf(c)
	t := v.fleeting.table
	t.Touch(n.Slot)
	t.FlushWithout(gone, v, func(_ int32, answers []float64) { admits = answers[0] == 0 })
	t.Drop(n.Slot)
	return admits
}

// touchUnknown has all nodes asked about that have no verdict.
func (v *classOrder) touchUnknown() {
	for slot, membership := range v.filed {
		if membership != 0 && !v.fleeting.knows(int32(slot)) {
			v.fleeting.table.Touch(int32(slot))
		}
	}
}
