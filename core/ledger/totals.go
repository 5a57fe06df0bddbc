package ledger

import "github.com/quern-project/quern/core/explain"

// Totals counts what a run came to.
type Totals struct {
	Nodes     int // accepted
	Apps      int // accepted
	Asks      int // all that came
	Allocated int
	Rejected  int // asks
	Preempted int
	Replaced  int                            // placeholders told to leave for tasks
	TimedOut  int                            // placeholders ended for another reason, pending ones too
	Kinds     map[explain.PreemptionKind]int // victims by the right by which they were taken
	Observed  int                            // would have been preempted where the partition only observes
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
