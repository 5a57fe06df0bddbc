package workload

import (
	_ "embed" // the configurations
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
)

// DemoConfig is the configuration that the demonstration starts with.
//
//go:embed demo_morning.yaml
var DemoConfig string

// DemoConfigNoon is the configuration that it reloads at noon.
//
//go:embed demo_noon.yaml
var DemoConfigNoon string

// Demo writes the journal of a day of a shared cluster: teams with services, batch work, gangs and GPUs, a node that is drained
// for maintenance in the morning, a new configuration at noon that halves the quota of a namespace, a node that fails in the
// afternoon and one that takes its place. Times count from midnight.
func Demo(w io.Writer, seed uint64) error {
	e := journal.NewEncoder(w, journal.Relative)
	if err := e.Header(journal.Header{}); err != nil {
		return fmt.Errorf("writing the demonstration: %w", err)
	}
	for _, entry := range DemoEntries(seed) {
		if err := e.Entry(&entry); err != nil {
			return fmt.Errorf("writing the demonstration: %w", err)
		}
	}
	return e.Flush()
}

// DemoEntries returns the entries of the demonstration in order.
func DemoEntries(seed uint64) []journal.Entry {
	d := day{rng: random(seed, demoStream)}
	d.cluster()
	d.operations()
	d.services()
	d.data()
	d.research()
	d.simulations()
	d.thesis()
	d.partners()
	d.sandbox()
	slices.SortStableFunc(d.entries, func(a, b journal.Entry) int { return int(a.Input.At - b.Input.At) })
	return d.entries
}

// day collects entries in any order.
type day struct {
	rng     *rand.Rand
	entries []journal.Entry
}

// clock returns a time of the day.
func clock(hour, minute int) time.Duration {
	return instant.Add(time.Duration(hour)*time.Hour, time.Duration(minute)*time.Minute)
}

func (d *day) add(at time.Duration, in core.Input) {
	in.At = at
	d.entries = append(d.entries, journal.Entry{Input: in, Count: 1})
}

// within returns a time from zero up to a span, in whole seconds.
func (d *day) within(span time.Duration) time.Duration {
	return time.Duration(d.rng.Int64N(int64(span/time.Second))) * time.Second
}

// between returns a number from low to high.
func (d *day) between(low, high int) int { return low + d.rng.IntN(high-low+1) }

// lasting returns a run time around a mean, from a half to double, in whole seconds.
func (d *day) lasting(mean time.Duration) time.Duration {
	return instant.Add(mean/2, d.within(mean*3/2))
}

// often calls a function at random times of a span, as often as said.
func (d *day) often(from, to time.Duration, times int, arrive func(i int, at time.Duration)) {
	for i := range times {
		arrive(i, instant.Add(from, d.within(to-from)))
	}
}
