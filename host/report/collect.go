package report

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
)

// How many points the charts have at most: of the cluster, and of each queue.
const (
	clusterPoints = 360
	queuePoints   = 160
)

// Collector gathers what a page shows while a run goes on.
type Collector struct {
	ledger.NopWatcher
	books     *ledger.Ledger
	scheduler Scheduler
	started   bool
	sampled   time.Duration // when samples were last taken

	cluster *grid
	queues  *grid

	used     []*gauge // by type
	capacity []*gauge
	stranded []*samples
	pending  *gauge
	waited   *samples           // seconds, of those placed in a bucket
	placed   map[int32]*counter // by priority
	others   *counter           // further priorities; nil: none
	ended    map[core.Reason]*counter

	byQueue [][]*gauge // by index of queue, then type
	dirty   map[*ledger.Queue]bool
	limits  limits
	longest longest

	preempted preemptions

	approximate bool // some sample of stranded room did not look at every shape
}

// Collect makes a collector that watches the books of a scheduler.
func Collect(books *ledger.Ledger, s Scheduler) *Collector {
	c := &Collector{
		books: books, scheduler: s,
		placed: map[int32]*counter{}, ended: map[core.Reason]*counter{}, dirty: map[*ledger.Queue]bool{},
		limits:  limits{known: map[string][]limit{}},
		longest: longest{reasons: map[reasonKey]reason{}},

		preempted: preemptions{kinds: map[core.PreemptionKind]*counter{}},
	}
	books.Watch(c)
	return c
}

func (c *Collector) start(at time.Duration) {
	c.started = true
	c.sampled = at
	c.cluster, c.queues = newGrid(at, clusterPoints), newGrid(at, queuePoints)
	c.pending = newGauge(c.cluster, at)
	c.waited = newSamples(c.cluster)
	c.preempted.observed = newCounter(c.cluster)
}

// Until enters the state of the books as what holds from now to the next time.
func (c *Collector) Until(next time.Duration) {
	if !c.started {
		c.start(next)
		return
	}
	now := c.books.Now
	c.levels(now)
	c.cluster.reach(next)
	c.queues.reach(next)
	if c.limits.stale {
		c.limits.note(now, c.scheduler.Read(core.OfQueues))
	}
	if next > now && c.cluster.bucket(next) != c.cluster.bucket(c.sampled) {
		c.sampled = next
		c.sample(now)
	}
}

// levels sets the gauges.
func (c *Collector) levels(now time.Duration) {
	c.pending.set(now, float64(c.books.Pending))
	for i := range c.books.Types {
		if i == len(c.used) {
			c.used = append(c.used, newGauge(c.cluster, now))
			c.capacity = append(c.capacity, newGauge(c.cluster, now))
			c.stranded = append(c.stranded, newSamples(c.cluster))
		}
		c.used[i].set(now, float64(c.books.Used.At(i)))
		c.capacity[i].set(now, float64(c.books.Capacity.At(i)))
	}
	for q := range c.dirty {
		c.queueLevels(q, now)
	}
	clear(c.dirty)
}

func (c *Collector) queueLevels(q *ledger.Queue, now time.Duration) {
	c.byQueue = grown(c.byQueue, q.Index)
	for i := range q.Used {
		if i == len(c.byQueue[q.Index]) {
			c.byQueue[q.Index] = append(c.byQueue[q.Index], newGauge(c.queues, now))
		}
		c.byQueue[q.Index][i].set(now, float64(q.Used[i]))
	}
}

// sample looks at what costs too much to look at all the time.
func (c *Collector) sample(now time.Duration) {
	stranded, approximate := c.books.Stranded()
	c.approximate = c.approximate || approximate
	for i, room := range stranded[:len(c.stranded)] { // of types that levels has met
		c.stranded[i].add(now, float64(room))
	}
	c.longest.ask(c.books, c.scheduler)
}

// Placed enters a wait and its priority.
func (c *Collector) Placed(a *ledger.Ask) {
	c.touch(a)
	if a.Restored {
		return
	}
	now := c.books.Now
	c.waited.add(now, (now - a.Submitted).Seconds())
	c.atPriority(a.Priority).add(now, 1)
	c.longest.offer(c.books, a, allocated)
}

// Released enters the end of an allocation.
func (c *Collector) Released(a *ledger.Ask, why core.Reason) {
	c.touch(a)
	counterOf(c.ended, c.cluster, why).add(c.books.Now, 1)
}

// Withdrawn enters a wait that came to nothing.
func (c *Collector) Withdrawn(a *ledger.Ask) { c.longest.offer(c.books, a, withdrawn) }

// Decided notes that limits may have changed.
func (c *Collector) Decided(d *core.Decision) {
	if d.Type == core.ConfigAccepted {
		c.limits.stale = true
	}
}

func (c *Collector) touch(a *ledger.Ask) {
	for q := a.Queue; q != nil; q = q.Parent {
		c.dirty[q] = true
	}
}

// mostPriorities bounds how many priorities are told apart; those met later count together.
const mostPriorities = 64

func (c *Collector) atPriority(p int32) *counter {
	if c.placed[p] != nil || len(c.placed) < mostPriorities {
		return counterOf(c.placed, c.cluster, p)
	}
	if c.others == nil {
		c.others = newCounter(c.cluster)
	}
	return c.others
}

func counterOf[K comparable](counters map[K]*counter, g *grid, key K) *counter {
	s := counters[key]
	if s == nil {
		s = newCounter(g)
		counters[key] = s
	}
	return s
}
