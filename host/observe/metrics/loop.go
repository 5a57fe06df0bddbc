package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quern-project/quern/host/server"
)

// latencyBuckets are fine around the 20 ms within which a request should be answered.
var latencyBuckets = []float64{
	.0001, .00025, .0005, .001, .002, .003, .005, .0075, .01, .015, .02, .03, .05, .075, .1, .15, .25, .5, 1, 2.5, 5, 10,
}

// roundMetrics are what the loop tells.
type roundMetrics struct {
	rounds, inputs, bytes prometheus.Counter
	batch, sync, cycle    prometheus.Histogram
}

func newRoundMetrics(r prometheus.Registerer) roundMetrics {
	return roundMetrics{
		rounds: plain(r, "quern_rounds_total", "Rounds of the loop that wrote or decided something."),
		inputs: plain(r, "quern_inputs_total", "Inputs that were taken."),
		bytes:  plain(r, "quern_record_written_bytes_total", "Bytes of batches that were written to the record."),
		batch: histogram(r, "quern_round_inputs", "Inputs that one round took.",
			[]float64{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 20000}),
		sync:  histogram(r, "quern_record_sync_seconds", "Time to write a batch and make it durable.", latencyBuckets),
		cycle: histogram(r, "quern_round_cycle_seconds", "Time that the scheduler took to decide in a round.", latencyBuckets),
	}
}

// Round implements server.Observer.
func (m *Metrics) Round(r server.Round) {
	m.totals.rounds.Add(1)
	m.rounds.rounds.Inc()
	m.rounds.inputs.Add(float64(r.Inputs))
	m.totals.inputs.Add(uint64(r.Inputs))
	m.rounds.batch.Observe(float64(r.Inputs))
	m.rounds.cycle.Observe(r.Cycle.Seconds())
	if r.Bytes > 0 {
		m.rounds.bytes.Add(float64(r.Bytes))
		m.rounds.sync.Observe(r.Sync.Seconds())
	}
}

// requestMetrics are what each request tells.
type requestMetrics struct {
	outcomes                               *prometheus.CounterVec
	answered                               prometheus.Counter
	whole                                  prometheus.Histogram
	waiting, syncing, deciding, publishing prometheus.Observer
}

func newRequestMetrics(r prometheus.Registerer) requestMetrics {
	m := requestMetrics{
		outcomes: counter(r, "quern_requests_total", "Requests of inputs, by outcome.", "outcome"),
		whole:    histogram(r, "quern_decision_latency_seconds", "Time from the arrival of a request to the answer with its decisions, which are durable then.", latencyBuckets),
	}
	for _, o := range outcomes {
		m.outcomes.WithLabelValues(o.name)
	}
	m.answered = m.outcomes.WithLabelValues(outcomes[0].name)
	stages := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "quern_request_stage_seconds", Buckets: latencyBuckets,
		Help: "Time of a request in each stage: waiting for a round, writing its inputs, deciding, publishing its decisions."}, []string{"stage"})
	r.MustRegister(stages)
	m.waiting, m.syncing = stages.WithLabelValues("waiting"), stages.WithLabelValues("writing")
	m.deciding, m.publishing = stages.WithLabelValues("deciding"), stages.WithLabelValues("publishing")
	return m
}

// Answered implements server.Observer.
func (m *Metrics) Answered(ctx context.Context, p server.Passage, err error) {
	m.totals.requests.Add(1)
	if err != nil {
		m.requests.outcomes.WithLabelValues(outcomeOf(err)).Inc()
		return
	}
	m.requests.answered.Inc()
	if p.Published.IsZero() {
		return // it is a repeat, or has not waited for decisions
	}
	m.requests.waiting.Observe(p.Taken.Sub(p.Arrived).Seconds())
	m.requests.syncing.Observe(p.Durable.Sub(p.Taken).Seconds())
	m.requests.deciding.Observe(p.Decided.Sub(p.Durable).Seconds())
	m.requests.publishing.Observe(p.Published.Sub(p.Decided).Seconds())
	m.latency(ctx, p.Answered.Sub(p.Arrived))
}

// latency notes how long a request took, with its trace where there is one.
func (m *Metrics) latency(ctx context.Context, d time.Duration) {
	if m.o.Trace != nil {
		if id := m.o.Trace(ctx); id != "" {
			m.requests.whole.(prometheus.ExemplarObserver).ObserveWithExemplar(d.Seconds(), prometheus.Labels{"trace_id": id})
			return
		}
	}
	m.requests.whole.Observe(d.Seconds())
}

// outcomeOf names the result of a request.
func outcomeOf(err error) string {
	for _, o := range outcomes {
		if errors.Is(err, o.err) {
			return o.name
		}
	}
	return "failed"
}

// outcomes begin with that of success.
var outcomes = []struct {
	err  error
	name string
}{
	{nil, "answered"}, {server.ErrBusy, "busy"}, {server.ErrStoreFailed, "store_failed"}, {server.ErrUndecided, "undecided"}, {server.ErrStopping, "stopping"},
	{server.ErrKeyReused, "key_reused"}, {server.ErrTooLarge, "too_large"}, {server.ErrTooManyNames, "too_many_names"}, {context.Canceled, "abandoned"}, {context.DeadlineExceeded, "abandoned"},
}
