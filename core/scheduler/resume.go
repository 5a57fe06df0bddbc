package scheduler

import "slices"

// resumePoint is where the next Cycle begins: at the first partition, unless the last Cycle left a search unfinished and there was no
// input since.
type resumePoint struct {
	at       *partition // partition whose search can be resumed, or nil
	failures uint64     // failures of policies when the first cycle of this search began
	ran      bool       // the state was loaded from a snapshot taken after its cycle, and there was no input since: the next Cycle is already done
}

// reset makes the next Cycle start over.
func (r *resumePoint) reset() {
	if r.at != nil {
		r.at.search.Abandon()
	}
	*r = resumePoint{}
}

// resume makes the next Cycle resume the search of a partition, if possible.
func (r *resumePoint) resume(p *partition, failures uint64) {
	if p.search.Resumable() {
		*r = resumePoint{at: p, failures: failures}
	}
}

// skip reports whether this Cycle had run before the snapshot was taken. It does so once.
func (r *resumePoint) skip() bool {
	ran := r.ran
	r.ran = false
	return ran
}

// take returns the index of the partition in which this Cycle begins, and the failures of policies when the search began.
func (r *resumePoint) take(partitions []*partition, failures uint64) (first int, from uint64) {
	if r.at != nil && r.at.search.Resumable() {
		first, failures = slices.Index(partitions, r.at), r.failures
	}
	*r = resumePoint{}
	return first, failures
}
