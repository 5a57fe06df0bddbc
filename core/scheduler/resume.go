package scheduler

import "slices"

// resumePoint is where the next Cycle begins: at the first partition, unless the last one left a search unfinished and
// nothing has come since.
type resumePoint struct {
	at       *partition // whose search can be resumed; nil: none
	failures uint64     // of policies, when the first of the cycles began that this search takes
	ran      bool       // a state was taken over after its cycle, and nothing has come since: the next Cycle is that one
}

// reset has the next Cycle start over.
func (r *resumePoint) reset() {
	if r.at != nil {
		r.at.search.Abandon()
	}
	*r = resumePoint{}
}

// resume has the next Cycle resume the search of a partition, if that is possible.
func (r *resumePoint) resume(p *partition, failures uint64) {
	if p.search.Resumable() {
		*r = resumePoint{at: p, failures: failures}
	}
}

// skip reports whether the Cycle that is called ran before the state was taken over.
func (r *resumePoint) skip() bool {
	ran := r.ran
	r.ran = false
	return ran
}

// take returns the index of the partition with which this Cycle begins, and the failures of policies from which it counts.
func (r *resumePoint) take(partitions []*partition, failures uint64) (first int, from uint64) {
	if r.at != nil && r.at.search.Resumable() {
		first, failures = slices.Index(partitions, r.at), r.failures
	}
	*r = resumePoint{}
	return first, failures
}
