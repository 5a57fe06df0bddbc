package metrics

import (
	"sync"
	"time"

	dto "github.com/prometheus/client_model/go"
)

// moments is how many seconds the history has.
const moments = 600

// moment is what had been counted at a time.
type moment struct {
	at    time.Time
	batch uint64 // the last of the record
	Counts
	latency []uint64 // requests by bucket of latency, each with those below
}

// history is the last moments, one a second: rates and the lag of the view are made of them.
type history struct {
	mu   sync.Mutex
	list []moment
}

// keep notes what has been counted by now.
func (m *Metrics) keep(now time.Time) {
	next := m.moment(now)
	h := &m.history
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.list) == moments {
		copy(h.list, h.list[1:])
		h.list = h.list[:moments-1]
	}
	h.list = append(h.list, next)
}

// moment counts what has been by now.
func (m *Metrics) moment(now time.Time) moment {
	t := &m.totals
	at := moment{at: now, batch: m.live.Condition().End.Batch, Counts: Counts{Rounds: t.rounds.Load(), Requests: t.requests.Load(), Inputs: t.inputs.Load(),
		Decisions: t.decisions.Load(), Allocations: t.allocations.Load(), Releases: t.releases.Load(), Preemptions: t.preemptions.Load(),
		Rejections: t.rejections.Load(), Faults: t.faults.Load()}}
	var written dto.Metric
	if err := m.requests.whole.Write(&written); err != nil {
		return at // only of metrics that are made wrongly
	}
	for _, b := range written.GetHistogram().GetBucket() {
		at.latency = append(at.latency, b.GetCumulativeCount())
	}
	at.latency = append(at.latency, written.GetHistogram().GetSampleCount())
	return at
}

// since returns the last moment that is at least so long ago, or else the first there is; false: there is none.
func (h *history) since(now time.Time, d time.Duration) (moment, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(h.list) - 1; i >= 0; i-- {
		if i == 0 || now.Sub(h.list[i].at) >= d {
			return h.list[i], true
		}
	}
	return moment{}, false
}

// lag is for how long the view has not reached a batch that was in the record: whole seconds, at most as long as the history.
func (h *history) lag(now time.Time, followed uint64) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.list {
		if h.list[i].batch > followed {
			return now.Sub(h.list[i].at)
		}
	}
	return 0
}

// quantile is a quantile of the latencies between two moments, in seconds: the upper bound of its bucket. Without any it is 0.
func quantile(from, to *moment, q float64) float64 {
	count := func(i int) float64 {
		n := to.latency[i]
		if len(from.latency) > 0 {
			n -= from.latency[i]
		}
		return float64(n)
	}
	last := len(to.latency) - 1
	if last < 0 || count(last) == 0 {
		return 0
	}
	for i, bound := range latencyBuckets {
		if count(i) >= q*count(last) {
			return bound
		}
	}
	return latencyBuckets[len(latencyBuckets)-1]
}
