package preempt

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/victim"
)

// elastic says whether asks may preempt by the right surplus.
type elastic struct {
	any  bool   // the partition has had a gang that gives a largest size: asks of every leaf wait for their delay
	asOf uint64 // the end of the log when has was last computed; 0: never
	has  bool   // the partition has elastic surplus
}

// elasticGangAdded has the asks of all leaves wait for their delay from the first elastic gang on. Without such gangs, only those of leaves
// that may preempt by a guarantee do.
func (s *Preemption) elasticGangAdded() {
	if !s.elastic.any {
		s.elastic.any = true
		s.relist()
	}
}

// hasSurplus reports whether the partition has elastic surplus.
func (s *Preemption) hasSurplus() bool {
	x := &s.elastic
	if !x.any {
		return false
	}
	if end := s.state.LogEnd(); x.asOf != end || end == 0 {
		x.asOf, x.has = end, s.state.HasElasticSurplus()
	}
	return x.has
}

// MayTakeSurplus reports whether an ask that may preempt has the right surplus, which is tried before any other.
func (s *Preemption) MayTakeSurplus(ask app.Ask) bool {
	return ask.Class().Node() == "" && s.hasSurplus()
}

// findVictims finds victims for an ask: elastic surplus if that alone is enough, and otherwise victims by its other rights.
func (s *Preemption) findVictims(ask app.Ask) (set *victim.Set, surplus bool, outcome victim.Outcome) {
	if s.MayTakeSurplus(ask) {
		if set, outcome = s.findPreferred(ask, true); outcome != victim.NoVictims {
			return set, true, outcome
		}
	}
	set, outcome = s.findPreferred(ask, false)
	return set, false, outcome
}
