package ledger

import "github.com/quern-project/quern/core/explain"

// Totals are the counts of a run.
type Totals struct {
	Nodes     int // accepted
	Apps      int // accepted
	Asks      int // all inputs
	Allocated int
	Rejected  int // asks
	Preempted int
	Replaced  int                            // placeholders that left for tasks
	TimedOut  int                            // placeholders that ended for another reason, including pending ones
	Exceeded  int                            // allocations that were asked to leave after their promised end
	Kinds     map[explain.PreemptionKind]int // victims by right
	Observed  int                            // allocations that would have been preempted in partitions that only observe
	Cycles    int                            // preemptions by which a displaced application displaced in return, see Cycles
	Faults    map[string]int                 // of policies, by name
}

// count counts a victim.
func (t *Totals) count(kind explain.PreemptionKind) {
	t.Preempted++
	if t.Kinds == nil {
		t.Kinds = map[explain.PreemptionKind]int{}
	}
	t.Kinds[kind]++
}

// PolicyFaults returns the number of faults of all policies.
func (t *Totals) PolicyFaults() int {
	all := 0
	for _, n := range t.Faults {
		all += n
	}
	return all
}
