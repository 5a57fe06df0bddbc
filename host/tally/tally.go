// Package tally counts durations and answers exact percentiles of them.
//
// A Tally keeps how often each value came. Waits repeat a great deal, so that is far less than one number an ask.
package tally

import (
	"cmp"
	"slices"
	"time"
)

// leastBuffer is how many values are gathered before they are counted in; beyond, as many as there are counts, so
// that counting in costs the same for each value however many there are.
const leastBuffer = 512

// Tally is a multiset of durations. The zero value is empty.
type Tally struct {
	counts []Count // by value
	buffer []time.Duration
	total  int
}

// Count is a value, and how often it came.
type Count struct {
	Value time.Duration
	Times int
}

// Add puts a value in.
func (t *Tally) Add(d time.Duration) {
	t.total++
	if len(t.buffer) == cap(t.buffer) {
		t.settle()
		if room := max(leastBuffer, len(t.counts)); len(t.counts) > 0 && cap(t.buffer) < room {
			t.buffer = make([]time.Duration, 0, room)
		}
	}
	t.buffer = append(t.buffer, d)
}

// Total is how many values were put in.
func (t *Tally) Total() int { return t.total }

// Counts lists the values in ascending order.
func (t *Tally) Counts() []Count {
	t.settle()
	return t.counts
}

// Percentile returns the value of the nearest rank: the smallest one that at least p percent of all do not exceed.
// Of an empty tally it is 0.
func (t *Tally) Percentile(p int) time.Duration {
	t.settle()
	rank := (t.total*p + 99) / 100
	for _, c := range t.counts {
		if rank -= c.Times; rank <= 0 {
			return c.Value
		}
	}
	return 0
}

// Max is the largest value; of an empty tally 0.
func (t *Tally) Max() time.Duration { return t.Percentile(100) }

// settle counts the buffer in.
func (t *Tally) settle() {
	if len(t.buffer) == 0 {
		return
	}
	slices.Sort(t.buffer)
	merged := make([]Count, 0, len(t.counts)+8)
	add := func(c Count) {
		if n := len(merged); n > 0 && merged[n-1].Value == c.Value {
			merged[n-1].Times += c.Times
			return
		}
		merged = append(merged, c)
	}
	rest := t.counts
	for _, d := range t.buffer {
		for len(rest) > 0 && cmp.Compare(rest[0].Value, d) <= 0 {
			add(rest[0])
			rest = rest[1:]
		}
		add(Count{d, 1})
	}
	for _, c := range rest {
		add(c)
	}
	t.counts, t.buffer = merged, t.buffer[:0]
}
