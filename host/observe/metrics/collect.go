package metrics

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

// collector reads how things stand for each scrape.
type collector struct{ *Metrics }

// gauge describes a series of the collector.
func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	buildInfo = gauge("quern_build_info", "1, with the version of quern and of Go.", "version", "goversion")
	startTime = gauge("quern_start_time_seconds", "Time when the host started to serve, since the Unix epoch.")

	intakeRequests = gauge("quern_intake_requests", "Requests that wait for a round.")
	intakeInputs   = gauge("quern_intake_inputs", "Inputs that wait for a round.")
	intakeBytes    = gauge("quern_intake_bytes", "Bytes of inputs that wait for a round.")
	streamReaders  = gauge("quern_stream_readers", "Readers of decisions.")
	viewBatches    = gauge("quern_view_lag_batches", "Batches of the record that are not visible to readers yet.")
	viewVersions   = gauge("quern_view_versions_held", "States that readers and snapshots hold; each keeps the memory that has changed since.")
	viewKept       = gauge("quern_view_versions_bytes", "Upper bound of the memory that these states keep: their size, as if they shared none with the scheduler and each other.")
	viewGathered   = gauge("quern_view_gathered_bytes", "Batches in memory that the view has not received, at most 64 MiB; beyond that it reads the record.")
	viewHeld       = gauge("quern_view_version_held_seconds", "Time for which the oldest of these states has been held.")
	viewSeconds    = gauge("quern_view_lag_seconds", "Time for which readers have not seen a new batch of the record; less than a second is 0.")

	storeFailed    = gauge("quern_store_failed", "1 while the store cannot write and inputs are refused, otherwise 0.")
	storeBytes     = gauge("quern_store_bytes", "Bytes of the files of the record's segments.")
	storeSegments  = gauge("quern_store_segments", "Segments of the record.")
	storeSnapshots = gauge("quern_store_snapshots", "Snapshots that are kept.")
	storeUnsaved   = gauge("quern_store_batches_since_snapshot", "Batches that a recovery has to replay.")
	storeAge       = gauge("quern_store_snapshot_age_seconds", "Time that the record covers after the newest snapshot; absent without a snapshot.")
	recordBatches  = gauge("quern_record_last_batch", "Number of the last durable batch.")
	recordSeq      = gauge("quern_record_last_decision", "Number of the last durable decision.")

	nodeCount     = gauge("quern_nodes", "Nodes, by whether they take new allocations.", "state")
	allocations   = gauge("quern_allocations", "Allocations.")
	applications  = gauge("quern_applications", "Applications that have not ended, by state: running or not.", "state")
	asksWaiting   = gauge("quern_asks_waiting", "Pending asks, by the reason for which the first one of their queue waits.", "reason")
	mostPreempted = gauge("quern_most_preempted", "Largest number of preemptions of one ask, and of allocations of one application; only of those that exist.", "of")
	plannedStarts = gauge("quern_planned_starts", "Blocked asks and gangs with a planned start, by partition.", "partition")

	queueUsed       = gauge("quern_queue_used", "Resources that the allocations in a queue use, in cores, bytes or pieces.", "queue", "resource")
	queueGuaranteed = gauge("quern_queue_guaranteed", "Resources guaranteed to a queue.", "queue", "resource")
	queueMax        = gauge("quern_queue_max", "Resources that a queue may use at most; for root, the capacity of the cluster.", "queue", "resource")
	queuePending    = gauge("quern_queue_pending", "Resources that pending asks in a queue request.", "queue", "resource")
	queueAsks       = gauge("quern_queue_asks_waiting", "Pending asks in a queue.", "queue")
	queueAged       = gauge("quern_queue_aged_share", "Largest share of the usage by which a queue is ordered beside its siblings; absent unless its usage ages.", "queue")

	settingsFailed  = gauge("quern_settings_failed", "1 while the settings that were last read are invalid and the previous ones still apply, otherwise 0.")
	settingsRead    = gauge("quern_settings_read_time_seconds", "Time when the settings were last read, since the Unix epoch.")
	settingsWaiting = gauge("quern_settings_waiting", "Changed settings that take effect only after a restart.")

	configRefused = gauge("quern_config_refused", "1 while a queue configuration from a source (file, configmap, api) is refused and the previous one is in force, otherwise 0; for the API at most 15 minutes.", "source")
	configBad     = gauge("quern_config_refused_time_seconds", "Time since when queue configurations from a source are refused, since the Unix epoch; absent while none is.", "source")
	configSince   = gauge("quern_config_time_seconds", "Time when the queue configuration in force was applied, since the Unix epoch; absent before the first.", "source")

	preemptionCycles = prometheus.NewDesc("quern_preemption_cycles_total", "Preemptions by which a displaced application displaced in return within an hour; the laws of preemption rule them out.", nil, nil)

	policyCalls      = prometheus.NewDesc("quern_policy_calls_total", "Calls of a policy since it was announced.", []string{"policy"}, nil)
	policyQuarantine = gauge("quern_policy_quarantined", "1 while a policy is in quarantine after a fault, otherwise 0.", "policy")
)

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{buildInfo, startTime, intakeRequests, intakeInputs, intakeBytes, streamReaders, viewBatches, viewSeconds, viewGathered, viewVersions, viewKept, viewHeld,
		storeFailed, storeBytes, storeSegments, storeSnapshots, storeUnsaved, storeAge, recordBatches, recordSeq, nodeCount, allocations,
		applications, asksWaiting, mostPreempted, preemptionCycles, plannedStarts, queueUsed, queueGuaranteed, queueMax, queuePending, queueAsks, queueAged, settingsFailed, settingsRead, settingsWaiting,
		configRefused, configBad, configSince, policyCalls, policyQuarantine} {
		out <- d
	}
}

// series sends what a scrape finds.
type series chan<- prometheus.Metric

func (s series) gauge(d *prometheus.Desc, value float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	now, s := time.Now(), series(out)
	s.gauge(buildInfo, 1, c.o.Version, runtime.Version())
	s.gauge(startTime, seconds(c.started))
	if settings := c.settings.Load(); settings != nil {
		s.gauge(settingsFailed, one(settings.Failed != ""))
		s.gauge(settingsRead, seconds(settings.Read))
		s.gauge(settingsWaiting, float64(len(settings.Waiting)))
	}
	c.condition(now, s)
	s.configuration(c.live.ConfigHealth())
	totals, policies, reasons := c.present(now)
	s.gauge(nodeCount, float64(totals.Nodes-totals.Drained), "schedulable")
	s.gauge(nodeCount, float64(totals.Drained), "drained")
	for reason, n := range reasons {
		s.gauge(asksWaiting, float64(n), string(reason))
	}
	out <- prometheus.MustNewConstMetric(preemptionCycles, prometheus.CounterValue, float64(c.cycles.counted(c.live.View())))
	s.gauge(mostPreempted, float64(totals.Most.Times), "ask")
	s.gauge(mostPreempted, float64(totals.Most.AppTimes), "application")
	for _, p := range totals.Plans {
		s.gauge(plannedStarts, float64(p.Planned), p.Partition)
	}
	c.queues(totals.Queues, s)
	calls := map[string]uint64{}
	quarantined := map[string]float64{}
	for _, p := range policies {
		name := c.policies.label(p.Name)
		calls[name] += p.Calls
		quarantined[name] += one(p.Quarantined)
	}
	for name, n := range calls {
		out <- prometheus.MustNewConstMetric(policyCalls, prometheus.CounterValue, float64(n), name)
		s.gauge(policyQuarantine, min(quarantined[name], 1), name)
	}
}

// configuration sends the health of the queue configuration.
func (s series) configuration(h server.ConfigHealth) {
	refused := map[string]float64{server.FromFile: 0, server.FromConfigMap: 0, server.FromAPI: 0}
	for _, r := range h.Refused {
		refused[r.Source] = 1
		s.gauge(configBad, r.Since.Seconds(), r.Source)
	}
	for source, n := range refused {
		s.gauge(configRefused, n, source)
	}
	if h.Number > 0 {
		s.gauge(configSince, h.Since.Seconds(), h.Source)
	}
}

// condition tells how intake, view and store stand.
func (c *collector) condition(now time.Time, s series) {
	stands := c.live.Condition()
	s.gauge(intakeRequests, float64(stands.Requests))
	s.gauge(intakeInputs, float64(stands.Inputs))
	s.gauge(intakeBytes, float64(stands.Bytes))
	s.gauge(streamReaders, float64(stands.Readers))
	s.gauge(viewBatches, float64(stands.End.Batch-min(stands.Followed.Batch, stands.End.Batch)))
	s.gauge(viewSeconds, c.history.lag(now, stands.Followed.Batch).Seconds())
	s.gauge(viewVersions, float64(stands.Versions))
	s.gauge(viewGathered, float64(stands.GatheredBytes))
	s.gauge(viewKept, float64(stands.VersionBytes))
	s.gauge(viewHeld, stands.Oldest.Seconds())
	s.gauge(storeFailed, one(stands.Failure != nil))
	s.gauge(recordBatches, float64(stands.End.Batch))
	s.gauge(recordSeq, float64(stands.End.Decision))
	usage, err := c.usage()
	if err != nil {
		s <- prometheus.NewInvalidMetric(storeBytes, err)
		return
	}
	s.gauge(storeBytes, float64(usage.Bytes))
	s.gauge(storeSegments, float64(usage.Segments))
	s.gauge(storeSnapshots, float64(usage.Snapshots))
	s.gauge(storeUnsaved, float64(stands.End.Batch-min(usage.Snapshot.Batch, stands.End.Batch)))
	if usage.Snapshot.Batch > 0 {
		s.gauge(storeAge, age(stands.End, usage.Snapshot))
	}
}

// queues tells how queues stand: each of those that have series of their own, and the leaves among the others together.
func (c *collector) queues(list []core.QueueTotals, s series) {
	var roots core.QueueTotals
	for i := range list {
		if list[i].Depth == 0 {
			roots.Allocations += list[i].Allocations
			roots.Applications += list[i].Applications
			roots.Running += list[i].Running
		}
	}
	s.gauge(allocations, float64(roots.Allocations))
	s.gauge(applications, float64(roots.Running), "running")
	s.gauge(applications, float64(roots.Applications-roots.Running), "waiting")
	own, rest := divide(list, int(c.ownQueues.Load()))
	for _, q := range own {
		s.gauge(queueAsks, float64(q.PendingAsks), q.Queue)
		s.amounts(queueUsed, q.Queue, q.Used)
		s.amounts(queueGuaranteed, q.Queue, q.Guaranteed)
		s.amounts(queueMax, q.Queue, q.Max)
		s.amounts(queuePending, q.Queue, q.Pending)
		if q.Ages {
			s.gauge(queueAged, float64(q.AgedShare)/1e9, q.Queue)
		}
	}
	if rest != nil {
		s.gauge(queueAsks, float64(rest.PendingAsks), other)
		s.amounts(queueUsed, other, rest.Used)
		s.amounts(queuePending, other, rest.Pending)
	}
}

// age is the time of the record behind a snapshot, by the clock that inputs are stamped with.
func age(end, snapshot store.Position) float64 { return time.Duration(end.At - snapshot.At).Seconds() }

// seconds is a time since the Unix epoch.
func seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
