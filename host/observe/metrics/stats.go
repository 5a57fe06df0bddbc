package metrics

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/server"
)

// Stats is how a host does, at a glance. What is counted begins with the process.
type Stats struct {
	At      time.Time `json:"at"`
	Started time.Time `json:"started"`
	Uptime  float64   `json:"uptime_seconds"`
	Seq     uint64    `json:"seq"`   // of the last durable decision
	Batch   uint64    `json:"batch"` // the last durable one

	Totals  Counts  `json:"totals"`
	Seconds Rates   `json:"last_seconds"` // ten
	Minute  Rates   `json:"last_minute"`
	Latency Latency `json:"latency_seconds"` // of the last minute

	Waiting struct {
		Requests int `json:"requests"`
		Inputs   int `json:"inputs"`
		Bytes    int `json:"bytes"`
	} `json:"intake"`
	Cluster struct {
		Nodes        int                 `json:"nodes"`
		Drained      int                 `json:"drained"`
		Applications int                 `json:"applications"`
		Running      int                 `json:"running"`
		Allocations  int                 `json:"allocations"`
		Asks         int                 `json:"asks_waiting"`
		Reasons      map[core.Reason]int `json:"reasons"`
		Quarantined  []string            `json:"policies_quarantined"`
		Most         MostPreempted       `json:"most_preempted"`
	} `json:"cluster"`
	Store struct {
		Failed    string  `json:"failed,omitempty"` // why it cannot write
		Bytes     int64   `json:"bytes"`
		Segments  int     `json:"segments"`
		Snapshots int     `json:"snapshots"`
		Age       float64 `json:"snapshot_age_seconds,omitempty"`
	} `json:"store"`
	View struct {
		Seq     uint64  `json:"seq"` // of the last decision that readers see
		Batches uint64  `json:"lag_batches"`
		Seconds float64 `json:"lag_seconds"`
		Readers int     `json:"readers"`
	} `json:"view"`
	Memory struct {
		Heap       uint64 `json:"heap_bytes"`
		System     uint64 `json:"system_bytes"`
		Goroutines int    `json:"goroutines"`
	} `json:"memory"`
	Settings *Settings    `json:"settings,omitempty"`
	Config   ConfigStats  `json:"configuration"`
	Queues   []QueueStats `json:"queues"` // those nearest to root
}

// MostPreempted is what was preempted most often, of asks and applications that exist. Empty names: nothing was.
type MostPreempted struct {
	Ask   string `json:"ask,omitempty"`
	Times int64  `json:"times"` // also before the ask was asked for again under its ID
	App   string `json:"app,omitempty"`
	OfApp int64  `json:"of_app"` // number of its allocations that were preempted
}

// ConfigStats is the health of the queue configuration.
type ConfigStats struct {
	Number  uint64          `json:"number"`           // of the one in force, in the history; 0: the default is
	Source  string          `json:"source,omitempty"` // of the one in force: file, configmap or api
	File    string          `json:"file,omitempty"`
	Since   *time.Time      `json:"since,omitempty"` // when it was put in force
	Refused []ConfigRefusal `json:"refused"`         // by source; empty: nothing is wrong
}

// ConfigRefusal is a configuration that is not in force.
type ConfigRefusal struct {
	Source string    `json:"source"`
	File   string    `json:"file,omitempty"`
	Since  time.Time `json:"since"`  // when the first one of this source was refused
	Error  string    `json:"error"`  // the first
	Errors int       `json:"errors"` // how many there are
}

// Counts are how many there have been.
type Counts struct {
	Rounds      uint64 `json:"rounds"`
	Requests    uint64 `json:"requests"`
	Inputs      uint64 `json:"inputs"`
	Decisions   uint64 `json:"decisions"`
	Allocations uint64 `json:"allocations"`
	Releases    uint64 `json:"releases"`
	Preemptions uint64 `json:"preemptions"`
	Cycles      int    `json:"preemption_cycles"` // preemptions by which a displaced application displaced in return within an hour
	Rejections  uint64 `json:"rejections"`
	Faults      uint64 `json:"policy_faults"`
}

// Rates are how many there have been a second.
type Rates struct {
	Rounds      float64 `json:"rounds"`
	Requests    float64 `json:"requests"`
	Inputs      float64 `json:"inputs"`
	Decisions   float64 `json:"decisions"`
	Allocations float64 `json:"allocations"`
	Releases    float64 `json:"releases"`
	Preemptions float64 `json:"preemptions"`
	Rejections  float64 `json:"rejections"`
}

// Latency is the time from a request to the answer with its decisions: what so many of a hundred requests did not exceed. Zero: there
// were no requests.
type Latency struct {
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
}

// QueueStats are the sums of one queue.
type QueueStats struct {
	Queue       string        `json:"queue"`
	Leaf        bool          `json:"leaf"`
	Used        format.Set    `json:"used"`
	Guaranteed  format.Set    `json:"guaranteed"`
	Max         format.Limits `json:"max"`
	Pending     format.Set    `json:"pending"`
	Asks        int           `json:"asks_waiting"`
	Allocations int           `json:"allocations"`
	Running     int           `json:"running"`
}

// The spans that rates are told of.
const (
	shortSpan = 10 * time.Second
	longSpan  = time.Minute
)

// Stats reads how the host does.
func (m *Metrics) Stats(now time.Time) Stats {
	latest := m.moment(now)
	s := Stats{At: now.UTC(), Started: m.started.UTC(), Uptime: now.Sub(m.started).Seconds(), Totals: latest.Counts, Settings: m.settings.Load()}
	if from, ok := m.history.since(now, shortSpan); ok {
		s.Seconds = ratesOf(&from, &latest)
	}
	if from, ok := m.history.since(now, longSpan); ok {
		s.Minute = ratesOf(&from, &latest)
		s.Latency = Latency{quantile(&from, &latest, .5), quantile(&from, &latest, .9), quantile(&from, &latest, .99)}
	}
	m.conditionStats(&s, now)
	s.Config = configStats(m.live.ConfigHealth())
	m.clusterStats(&s, now)
	s.Totals.Cycles = m.cycles.counted(m.live.View())
	memory := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"}}
	metrics.Read(memory) // unlike runtime.ReadMemStats it stops nothing
	s.Memory.Heap, s.Memory.System, s.Memory.Goroutines = memory[0].Value.Uint64(), memory[1].Value.Uint64(), runtime.NumGoroutine()
	return s
}

func ratesOf(from, to *moment) Rates {
	seconds := to.at.Sub(from.at).Seconds()
	if seconds <= 0 {
		return Rates{}
	}
	rate := func(a, b uint64) float64 { return float64(b-a) / seconds }
	return Rates{rate(from.Rounds, to.Rounds), rate(from.Requests, to.Requests), rate(from.Inputs, to.Inputs), rate(from.Decisions, to.Decisions),
		rate(from.Allocations, to.Allocations), rate(from.Releases, to.Releases), rate(from.Preemptions, to.Preemptions), rate(from.Rejections, to.Rejections)}
}

func configStats(h server.ConfigHealth) ConfigStats {
	s := ConfigStats{Number: h.Number, Source: h.Source, File: h.File, Refused: []ConfigRefusal{}}
	if h.Number > 0 {
		since := instant(h.Since)
		s.Since = &since
	}
	for _, r := range h.Refused {
		s.Refused = append(s.Refused, ConfigRefusal{r.Source, r.File, instant(r.Since), r.Errors[0], len(r.Errors)})
	}
	return s
}

// instant is a time since the Unix epoch.
func instant(d time.Duration) time.Time { return time.Unix(0, int64(d)).UTC() }

func (m *Metrics) conditionStats(s *Stats, now time.Time) {
	stands := m.live.Condition()
	s.Seq, s.Batch = stands.End.Decision, stands.End.Batch
	s.Waiting.Requests, s.Waiting.Inputs, s.Waiting.Bytes = stands.Requests, stands.Inputs, stands.Bytes
	s.View.Seq, s.View.Readers = stands.Followed.Decision, stands.Readers
	s.View.Batches = stands.End.Batch - min(stands.Followed.Batch, stands.End.Batch)
	s.View.Seconds = m.history.lag(now, stands.Followed.Batch).Seconds()
	if stands.Failure != nil {
		s.Store.Failed = stands.Failure.Error()
	}
	usage, err := m.usage()
	if err != nil {
		s.Store.Failed = err.Error()
	}
	s.Store.Bytes, s.Store.Segments, s.Store.Snapshots = usage.Bytes, usage.Segments, usage.Snapshots
	if usage.Snapshot.Batch > 0 {
		s.Store.Age = age(stands.End, usage.Snapshot)
	}
}

func (m *Metrics) clusterStats(s *Stats, now time.Time) {
	totals, policies, reasons := m.present(now)
	c := &s.Cluster
	c.Nodes, c.Drained, c.Reasons, c.Quarantined = totals.Nodes, totals.Drained, reasons, []string{}
	c.Most = MostPreempted{totals.Most.Ask, totals.Most.Times, totals.Most.App, totals.Most.AppTimes}
	for i := range totals.Queues {
		if q := &totals.Queues[i]; q.Depth == 0 {
			c.Applications, c.Running = c.Applications+q.Applications, c.Running+q.Running
			c.Allocations, c.Asks = c.Allocations+q.Allocations, c.Asks+q.PendingAsks
		}
	}
	for _, p := range policies {
		if p.Quarantined {
			c.Quarantined = append(c.Quarantined, p.Name)
		}
	}
	own, _ := divide(totals.Queues, int(m.ownQueues.Load()))
	s.Queues = []QueueStats{}
	for i := range own {
		q := &own[i]
		s.Queues = append(s.Queues, QueueStats{q.Queue, q.Leaf, format.Set(q.Used), format.Set(q.Guaranteed), format.Limits(q.Max), format.Set(q.Pending),
			q.PendingAsks, q.Allocations, q.Running})
	}
}
