package forecast

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
)

// Plays is the number of plays of a full forecast. Of 39 starts in order, the 2nd, 20th and 38th estimate the 5th, 50th and 95th percentile
// without interpolation.
const Plays = 39

// Enough is the number of plays below which a forecast has no 5th and 95th percentile.
const Enough = 20

// UsualTime is how long the present is played forward unless somebody asks for more or less.
const UsualTime = 2 * time.Second

// Options say how a forecast is made.
type Options struct {
	Ask     string
	Horizon time.Duration // after the present; a start after it does not count. 0: as far as the partition plans starts
	Grace   time.Duration // how long a victim takes to leave
	Seed    uint64
}

// Forecast is made of plays. Make one with New.
type Forecast struct {
	o      Options
	now    time.Duration
	lives  []life
	basis  Basis
	groups map[string]int // of the basis, by name: their places until they are sorted
}

// outcome is what one play said.
type outcome struct {
	start   time.Duration
	started bool // within the horizon
}

// New prepares a forecast from a scheduler, which it only reads, and the run times of what has ended. ok is false if the ask is not pending.
func New(s *scheduler.Scheduler, runs *ledger.RunTimes, o Options) (f *Forecast, ok bool) {
	ask, found := s.Ask(o.Ask)
	if !found || ask.State() != core.AskPendingState {
		return nil, false
	}
	if o.Horizon == 0 {
		o.Horizon = horizonOf(s, ask.Partition)
	}
	f = &Forecast{o: o, now: s.Now(), groups: map[string]int{}}
	for _, a := range all(s) {
		f.lives = append(f.lives, f.lifeOf(&a, runs))
	}
	f.basis.sort()
	return f, true
}

// horizonOf returns how far ahead a partition plans starts, or would if it did.
func horizonOf(s *scheduler.Scheduler, partition string) time.Duration {
	for i, p := range s.Configuration().Partitions {
		if (p.Name == partition || partition == "" && i == 0) && p.Backfill.Horizon > 0 {
			return time.Duration(p.Backfill.Horizon)
		}
	}
	return time.Duration(config.DefaultHorizon)
}

// asksAtOnce is how many asks are read at a time.
const asksAtOnce = 1000

// all returns all asks and allocations, the allocations in the order in which they were made.
func all(s *scheduler.Scheduler) (asks []core.AskItem) {
	page := core.Page{Limit: asksAtOnce, Work: 100 * asksAtOnce}
	for {
		part := s.Asks(&page)
		asks = append(asks, part.Items...)
		if !part.More {
			break
		}
		page.After = part.Next
	}
	slices.SortStableFunc(asks, func(a, b core.AskItem) int { return cmp.Compare(a.Allocated, b.Allocated) })
	return asks
}

// Result is what a number of plays tell. The instants are those of the scheduler's clock.
type Result struct {
	Ask     string
	Now     time.Duration
	Horizon time.Duration
	Played  int
	Started int // plays in which the ask started within the horizon

	P5, P50, P95 *time.Duration // nil: later than the horizon, or too few plays
	Basis        Basis
}

// result puts together the outcomes of the first plays.
func (f *Forecast) result(outcomes []outcome) Result {
	r := Result{Ask: f.o.Ask, Now: f.now, Horizon: f.o.Horizon, Played: len(outcomes), Basis: f.basis}
	var starts []time.Duration
	for _, o := range outcomes {
		if o.started {
			starts = append(starts, o.start)
		}
	}
	r.Started = len(starts)
	slices.Sort(starts)
	nth := func(n int) *time.Duration {
		if n < 1 || n > len(starts) {
			return nil
		}
		return &starts[n-1]
	}
	if r.P50 = nth((r.Played + 1) / 2); r.Played >= Enough {
		tail := max(1, (r.Played+1)/20)
		r.P5, r.P95 = nth(tail), nth(r.Played+1-tail)
	}
	return r
}

// end returns the horizon as an instant.
func (f *Forecast) end() time.Duration { return instant.Add(f.now, f.o.Horizon) }
