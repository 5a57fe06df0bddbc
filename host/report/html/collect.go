package html

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
)

// clusterPoints is how many points the charts of the cluster have at most.
const clusterPoints = 360

// Collector gathers what a page shows while a run goes on.
type Collector struct {
	ledger.NopWatcher
	books     *ledger.Ledger
	scheduler Scheduler
	started   bool
	sampled   time.Duration // when samples were last taken

	cluster *ledger.Grid
	meter   *ledger.Meter // has the curves of the queues

	used     []*ledger.Gauge // by type
	capacity []*ledger.Gauge
	stranded []*ledger.Samples
	pending  *ledger.Gauge
	waited   *ledger.Samples // seconds, of those placed in a bucket
	placed   map[int32]*atPriority
	others   *atPriority // further priorities; nil: none
	ended    map[core.Reason]*ledger.Counter

	limits  limits
	longest longest

	preempted preemptions

	approximate bool // some sample of stranded room did not look at every shape
}

// Collect makes a collector that watches the books of a scheduler, beside a meter with curves that watches them too.
func Collect(books *ledger.Ledger, s Scheduler, meter *ledger.Meter) *Collector {
	c := &Collector{
		books: books, scheduler: s, meter: meter,
		placed: map[int32]*atPriority{}, ended: map[core.Reason]*ledger.Counter{},
		limits:  limits{known: map[string][]limit{}},
		longest: longest{groups: map[groupKey]*wait{}, reasons: map[reasonKey]reason{}},

		preempted: preemptions{kinds: map[explain.PreemptionKind]*ledger.Counter{}},
	}
	books.Watch(c)
	return c
}

func (c *Collector) start(at time.Duration) {
	c.started = true
	c.sampled = at
	c.cluster = ledger.NewGrid(at, clusterPoints)
	c.pending = ledger.NewGauge(c.cluster, at)
	c.waited = ledger.NewSamples(c.cluster)
	c.preempted.observed = ledger.NewCounter(c.cluster)
}

// Until enters the state of the books as what holds from now to the next time.
func (c *Collector) Until(next time.Duration) {
	if !c.started {
		c.start(next)
		return
	}
	now := c.books.Now
	c.levels(now)
	c.cluster.Reach(next)
	if c.limits.stale {
		c.limits.note(now, c.scheduler.Read(core.OfQueues))
	}
	if next > now && c.cluster.Bucket(next) != c.cluster.Bucket(c.sampled) {
		c.sampled = next
		c.sample(now)
	}
}

// levels sets the gauges.
func (c *Collector) levels(now time.Duration) {
	c.pending.Set(now, float64(c.books.Pending))
	for i := range c.books.Types {
		if i == len(c.used) {
			c.used = append(c.used, ledger.NewGauge(c.cluster, now))
			c.capacity = append(c.capacity, ledger.NewGauge(c.cluster, now))
			c.stranded = append(c.stranded, ledger.NewSamples(c.cluster))
		}
		c.used[i].Set(now, float64(c.books.Used.At(i)))
		c.capacity[i].Set(now, float64(c.books.Capacity.At(i)))
	}
}

// sample looks at what costs too much to look at all the time.
func (c *Collector) sample(now time.Duration) {
	stranded, approximate := c.books.Stranded()
	c.approximate = c.approximate || approximate
	for i, room := range stranded[:len(c.stranded)] { // of types that levels has met
		c.stranded[i].Add(now, float64(room))
	}
	c.longest.ask(c.books, c.scheduler)
}

// Placed enters a wait and its priority.
func (c *Collector) Placed(a *ledger.Ask) {
	if a.Restored {
		return
	}
	now := c.books.Now
	c.waited.Add(now, (now - a.Submitted).Seconds())
	c.atPriority(a.Priority).add(now, now-a.Submitted)
	c.longest.offer(c.books, a, allocated)
}

// Released enters the end of an allocation.
func (c *Collector) Released(a *ledger.Ask, why core.Reason) {
	counterOf(c.ended, c.cluster, why).Add(c.books.Now, 1)
}

// Withdrawn enters a wait that came to nothing.
func (c *Collector) Withdrawn(a *ledger.Ask) { c.longest.offer(c.books, a, withdrawn) }

// Decided notes that limits may have changed.
func (c *Collector) Decided(d *core.Decision) {
	if d.Type == core.ConfigAccepted {
		c.limits.stale = true
	}
}

func counterOf[K comparable](counters map[K]*ledger.Counter, g *ledger.Grid, key K) *ledger.Counter {
	s := counters[key]
	if s == nil {
		s = ledger.NewCounter(g)
		counters[key] = s
	}
	return s
}
