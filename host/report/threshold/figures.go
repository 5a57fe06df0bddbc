package threshold

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/report/summary"
)

// scope is what a figure is of.
type scope int

const (
	ofRun scope = iota
	ofQueue
	ofPriority
	ofUser
)

// kind is the unit of a figure.
type kind int

const (
	aCount  kind = iota // thousandths of a number
	aSpan               // nanoseconds
	aShare              // in the units of resource.Share
	aAmount             // stored units of a resource type
)

// subject is what a figure is taken from.
type subject struct {
	summary *summary.Summary
	queue   *ledger.QueueSummary // of a queue
	times   *ledger.QueueFigures // of a queue
	waits   *ledger.Waits
	jobs    *ledger.JobFigures
	typ     string
}

// figure is something that can be compared. Of the functions, those are there that the scopes need.
type figure struct {
	name     string
	kind     kind
	typed    bool // a resource type stands in brackets behind its first name
	run      func(s *subject) int64
	queue    func(s *subject) int64
	priority func(s *subject) int64
	user     func(s *subject) int64
}

// of reports whether the figure exists in a scope.
func (f *figure) of(s scope) bool { return f.in(s) != nil }

func (f *figure) in(s scope) func(*subject) int64 {
	switch s {
	case ofQueue:
		return f.queue
	case ofPriority:
		return f.priority
	case ofUser:
		return f.user
	}
	return f.run
}

func number(of func(s *subject) int) func(*subject) int64 {
	return func(s *subject) int64 { return int64(of(s)) * 1000 }
}

func wait(name string, of func(w *ledger.Waits) time.Duration) figure {
	all := func(s *subject) int64 { return int64(of(s.waits)) }
	return figure{name: "wait." + name, kind: aSpan, run: all, queue: all, priority: all}
}

// spans are the figures of how long gangs or applications waited, or served.
func spans(name string, of func(s *summary.Summary) *ledger.Waits) (all []figure) {
	for _, v := range []struct {
		name string
		of   func(*ledger.Waits) time.Duration
	}{{"mean", (*ledger.Waits).Mean}, {"p50", percentile(50)}, {"p90", percentile(90)}, {"p99", percentile(99)}, {"max", (*ledger.Waits).Max}} {
		all = append(all, figure{name: name + "." + v.name, kind: aSpan, run: func(s *subject) int64 { return int64(v.of(of(s.summary))) }})
	}
	return all
}

func percentile(p int) func(*ledger.Waits) time.Duration {
	return func(w *ledger.Waits) time.Duration { return w.Percentile(p) }
}

func byKind(k explain.PreemptionKind) func(*subject) int64 {
	return number(func(s *subject) int { return s.summary.Kinds[k] })
}

// allocations counts those that were made, in every scope.
func allocations() figure {
	made := number(func(s *subject) int { return s.waits.Total() })
	return figure{name: "allocated", run: number(func(s *subject) int { return s.summary.Allocated }), queue: made, priority: made}
}

// figures are all there are, in the order of the documents.
var figures = slices.Concat(single, jobFigures(), gangFigures())

func gangFigures() []figure {
	return slices.Concat(
		spans("gangs.wait", func(s *summary.Summary) *ledger.Waits { w, _ := s.OfGangs(); return w }),
		spans("gangs.service", func(s *summary.Summary) *ledger.Waits { _, w := s.OfGangs(); return w }),
		ends("gangs", func(s *summary.Summary) *ledger.JobEnds { return s.EndsOfGangs() }),
		spans("applications.wait", func(s *summary.Summary) *ledger.Waits { return &s.Applications.Waits }),
		spans("applications.service", func(s *summary.Summary) *ledger.Waits { return &s.Applications.Services }),
		ends("applications", func(s *summary.Summary) *ledger.JobEnds { return &s.Applications.JobEnds }),
	)
}

// single are the figures that have a name of their own.
var single = []figure{
	{name: "nodes", run: number(func(s *subject) int { return s.summary.Nodes })},
	{name: "apps", run: number(func(s *subject) int { return s.summary.Apps })},
	{name: "asks", run: number(func(s *subject) int { return s.summary.Asks })},
	allocations(),
	{name: "rejected", run: number(func(s *subject) int { return s.summary.Rejected })},
	{name: "pending", run: number(func(s *subject) int { return s.summary.Pending }), queue: number(func(s *subject) int { return s.times.Pending.Now })},
	{name: "pending.mean", run: func(s *subject) int64 { return s.summary.Usage.Pending.MeanMilli }, queue: func(s *subject) int64 { return s.times.Pending.MeanMilli }},
	{name: "pending.peak", run: number(func(s *subject) int { return s.summary.Usage.Pending.Peak }), queue: number(func(s *subject) int { return s.times.Pending.Peak })},
	{name: "pending.oldest", kind: aSpan, run: func(s *subject) int64 { return int64(s.summary.Usage.Oldest) }, queue: func(s *subject) int64 { return int64(s.times.Oldest) }},
	wait("mean", (*ledger.Waits).Mean), wait("p50", percentile(50)), wait("p90", percentile(90)), wait("p99", percentile(99)), wait("max", (*ledger.Waits).Max),
	{name: "makespan", kind: aSpan, run: func(s *subject) int64 { return int64(s.summary.Usage.Makespan) }},
	{name: "used", kind: aAmount, typed: true, run: usedAtEnd, queue: func(s *subject) int64 { v, _ := s.queue.Used.Value(s.typ); return v }},
	{name: "used.mean", kind: aAmount, typed: true, run: func(s *subject) int64 { return s.cluster().Mean }, queue: func(s *subject) int64 { return s.times.Type(s.typ).Mean }},
	{name: "used.peak", kind: aAmount, typed: true, run: func(s *subject) int64 { return s.cluster().Peak }, queue: func(s *subject) int64 { return s.times.Type(s.typ).Peak }},
	{name: "utilization.mean", kind: aShare, typed: true, run: func(s *subject) int64 { return s.cluster().Share }},
	{name: "utilization.peak", kind: aShare, typed: true, run: func(s *subject) int64 { return s.cluster().PeakShare }},
	{name: "preempted", run: number(func(s *subject) int { return s.summary.Preempted }), queue: number(func(s *subject) int { return s.queue.Preempted })},
	{name: "preempted.guarantee", run: byKind(explain.ByGuarantee)},
	{name: "preempted.queue", run: byKind(explain.ByIntraQueue)},
	{name: "preempted.required-node", run: byKind(explain.ByNode)},
	{name: "preempted.surplus", run: byKind(explain.BySurplus)},
	{name: "preempted.quota", run: byKind(explain.ByQuota), queue: number(func(s *subject) int { return s.queue.ByQuota })},
	{name: "gangs.timed_out", run: number(func(s *subject) (n int) {
		for i := range s.summary.Gangs {
			n += s.summary.Gangs[i].TimedOut
		}
		return n
	})},
	{name: "preemption_cycles", run: number(func(s *subject) int { return s.summary.Cycles })},
	{name: "walltime.exceeded", run: number(func(s *subject) int { return s.summary.Exceeded })},
	{name: "policy_faults", run: number(func(s *subject) (n int) {
		for _, faults := range s.summary.Faults {
			n += faults
		}
		return n
	})},
}

func (s *subject) cluster() ledger.TypeFigures { return s.summary.Usage.Type(s.typ) }

func usedAtEnd(s *subject) int64 {
	for _, t := range s.summary.Cluster {
		if t.Name == s.typ {
			return t.Used
		}
	}
	return 0
}
