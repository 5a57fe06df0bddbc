// Package metrics tells how a live scheduler does: to Prometheus, and as one object of rates and counts.
//
// Metrics is the observer of a server: what the loop, the view and requests tell it goes into counters and histograms without
// labels to look up. The present state is read on request, at most once a second; the view is held for a moment.
package metrics

import (
	"context"
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

// Options of metrics.
type Options struct {
	Version string
	// Queues is how many queues have series of their own, those nearest to root first.
	Queues int
	// Trace returns the trace that a context belongs to, for exemplars; empty: it is not recorded. It may be nil.
	Trace func(context.Context) string
}

// Metrics is what is known of a live scheduler. Attach it before the first request is made.
type Metrics struct {
	o         Options
	registry  *prometheus.Registry
	started   time.Time
	ownQueues atomic.Int64 // that have series of their own
	settings  atomic.Pointer[Settings]
	live      *server.Server
	usage     func() (store.Usage, error)

	totals   totals
	rounds   roundMetrics
	requests requestMetrics
	outcomes *prometheus.CounterVec // of decisions, by type
	types    map[core.DecisionType]prometheus.Counter
	rights   *prometheus.CounterVec
	slips    *prometheus.CounterVec
	overruns *prometheus.CounterVec
	faults   *prometheus.CounterVec
	calls    *prometheus.HistogramVec // of policies
	policies names
	web      webMetrics
	rpc      rpcMetrics

	state   state
	cycles  cycles
	history history
}

// totals are sums since the start, which rates are made of.
type totals struct {
	rounds, requests, inputs, decisions, allocations, releases, preemptions, rejections, faults atomic.Uint64
}

// New makes metrics that know nothing yet.
func New(o Options) *Metrics {
	m := &Metrics{o: o, registry: prometheus.NewRegistry(), started: time.Now()}
	m.SetQueues(o.Queues)
	m.rounds = newRoundMetrics(m.registry)
	m.requests = newRequestMetrics(m.registry)
	m.web = newWebMetrics(m.registry)
	m.rpc = newRPCMetrics(m.registry)
	m.outcomes = counter(m.registry, "quern_decisions_total", "Decisions that readers have seen, by type.", "type")
	m.types = map[core.DecisionType]prometheus.Counter{}
	for _, t := range decisionTypes {
		m.types[t] = m.outcomes.WithLabelValues(string(t))
	}
	m.rights = counter(m.registry, "quern_preemptions_total", "Preempted allocations, by the right of preemption.", "right")
	for _, right := range rights {
		m.rights.WithLabelValues(string(right))
	}
	m.slips = counter(m.registry, "quern_planned_start_slips_total", "Decisions that made a planned start later, by reason.", "reason")
	for _, reason := range slips {
		m.slips.WithLabelValues(string(reason))
	}
	m.overruns = counter(m.registry, "quern_walltimes_exceeded_total", "Allocations that were asked to leave at their promised ends, by reason: their walltime or a window.", "reason")
	for _, reason := range []core.Reason{core.ReasonWalltime, core.ReasonWindow} {
		m.overruns.WithLabelValues(string(reason))
	}
	m.faults = counter(m.registry, "quern_policy_faults_total", "Faults of policies, after each of which the fallback is used for a time.", "policy", "reason")
	m.calls = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "quern_policy_call_seconds", Help: "Time of one call of a policy, which covers many items.",
		Buckets: []float64{.00001, .00003, .0001, .0003, .001, .003, .01, .03, .1, .3, 1}}, []string{"policy"})
	m.registry.MustRegister(m.calls, collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.GoRuntimeMetricsRule{Matcher: liveHeap})),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// SetQueues has so many queues have series of their own from now on.
func (m *Metrics) SetQueues(most int) { m.ownQueues.Store(int64(most)) }

// Settings says how the settings of a host stand.
type Settings struct {
	File    string    `json:"file"`             // that they are read from, where there is one
	Read    time.Time `json:"read"`             // when that was last done
	Failed  string    `json:"failed,omitempty"` // why what was read then cannot be used, a line an error: the settings of before hold
	Waiting []string  `json:"waiting"`          // names of those that have changed and wait for a restart
}

// SetSettings has metrics tell how the settings stand from now on.
func (m *Metrics) SetSettings(s Settings) { m.settings.Store(&s) }

// liveHeap is what is alive in the heap: unlike what lies in it, it does not depend on when garbage was collected.
var liveHeap = regexp.MustCompile("^/gc/heap/live:bytes$")

// Attach has metrics tell of a server and the store that it writes to.
func (m *Metrics) Attach(live *server.Server, usage func() (store.Usage, error)) {
	m.live, m.usage = live, usage
	m.registry.MustRegister(&collector{m})
}

// Run keeps what rates are made of, until stop is closed.
func (m *Metrics) Run(stop <-chan struct{}) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		m.keep(time.Now())
		if m.live != nil {
			m.cycles.counted(m.live.View())
		}
		select {
		case <-tick.C:
		case <-stop:
			return
		}
	}
}

// decisionTypes are the types that are counted from zero on.
var decisionTypes = []core.DecisionType{
	core.AppAccepted, core.AppRejected, core.AppState, core.AppMoved, core.NodeAccepted, core.NodeRejected, core.AskRejected, core.Allocation,
	core.Release, core.Preemption, core.Observed, core.Lapsed, core.Replaced, core.TimedOut, core.Exceeded, core.GangFallback, core.GangBroken, core.GangRepaired, core.GangEnded,
	core.Reservation, core.Unreservation, core.Plan, core.WindowAccepted, core.WindowRejected, core.WindowOpened, core.WindowClosed, core.ConfigAccepted, core.ConfigRejected, core.PolicyFault, core.QueueState, core.Ignored,
}

var rights = []core.Right{core.RightGuarantee, core.RightQueue, core.RightRequiredNode, core.RightQuota, core.RightSurplus}

// slips are the reasons for which planned starts become later.
var slips = []core.Reason{core.ReasonOutranked, core.ReasonOverrun, core.ReasonCapacity, core.ReasonChanged, core.ReasonWindow}

// Published implements server.Observer.
func (m *Metrics) Published(list []core.Decision) {
	m.totals.decisions.Add(uint64(len(list)))
	for i := range list {
		d := &list[i]
		c := m.types[d.Type]
		if c == nil {
			c = m.outcomes.WithLabelValues(string(d.Type))
		}
		c.Inc()
		m.cycles.published(d)
		switch d.Type {
		case core.Allocation:
			m.totals.allocations.Add(1)
		case core.Release:
			m.totals.releases.Add(1)
		case core.Preemption:
			m.totals.preemptions.Add(1)
			m.rights.WithLabelValues(string(d.Right)).Inc()
		case core.Plan:
			if slices.Contains(slips, d.Reason) {
				m.slips.WithLabelValues(string(d.Reason)).Inc()
			}
		case core.Exceeded:
			m.overruns.WithLabelValues(string(d.Reason)).Inc()
		case core.AppRejected, core.AskRejected, core.NodeRejected:
			m.totals.rejections.Add(1)
		case core.PolicyFault:
			m.totals.faults.Add(1)
			m.faults.WithLabelValues(m.policyLabel(d.Policy), string(d.Reason)).Inc()
		}
	}
}

var _ server.Observer = (*Metrics)(nil)
