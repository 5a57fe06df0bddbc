package ledger

import (
	"sort"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// leastBuffer is how many entries are gathered before they are counted in; beyond, as many as there are counts, so that
// counting in costs the same for each value however many there are.
const leastBuffer = 64

// Waits is a multiset of durations with exact percentiles. It keeps how often each value came: waits repeat a great deal, so
// that is far less than one number an ask. The zero value is empty.
type Waits struct {
	counts []Count // by value, each once
	buffer []Count // in the order in which they came; neighbours differ
	total  int
}

// Count is a value, and how often it came.
type Count struct {
	Value time.Duration
	Times int
}

// Add puts a value in.
func (w *Waits) Add(d time.Duration) { w.add(Count{d, 1}) }

func (w *Waits) add(c Count) {
	w.total += c.Times
	if last := len(w.buffer) - 1; last >= 0 && w.buffer[last].Value == c.Value {
		w.buffer[last].Times += c.Times
		return
	}
	if len(w.buffer) >= max(leastBuffer, len(w.counts)) {
		w.settle()
	}
	w.buffer = append(w.buffer, c)
}

// merge adds all of another multiset.
func (w *Waits) merge(other *Waits) {
	for _, c := range other.Counts() {
		w.add(c)
	}
}

// Total is how many values were put in.
func (w *Waits) Total() int { return w.total }

// Counts lists the values in ascending order.
func (w *Waits) Counts() []Count {
	w.settle()
	return w.counts
}

// Percentile returns the value of the nearest rank: the smallest one that at least p percent of all do not exceed.
// Of an empty multiset it is 0.
func (w *Waits) Percentile(p int) time.Duration {
	rank := (w.total*p + 99) / 100
	for _, c := range w.Counts() {
		if rank -= c.Times; rank <= 0 {
			return c.Value
		}
	}
	return 0
}

// Mean is the mean, rounded down to a nanosecond; of an empty multiset 0.
func (w *Waits) Mean() time.Duration {
	if w.total == 0 {
		return 0
	}
	total := time.Duration(w.total)
	var whole, rest time.Duration // values are divided before they are summed, so that the sum cannot outgrow 64 bits
	for _, c := range w.Counts() {
		whole = instant.Add(whole, c.Value/total*time.Duration(c.Times))
		rest = instant.Add(rest, c.Value%total*time.Duration(c.Times))
	}
	return instant.Add(whole, rest/total)
}

// Max is the largest value; of an empty multiset 0.
func (w *Waits) Max() time.Duration { return w.Percentile(100) }

// settle counts the buffer in.
func (w *Waits) settle() {
	if len(w.buffer) == 0 {
		return
	}
	all := append(w.counts, w.buffer...)
	sort.Slice(all, func(i, j int) bool { return all[i].Value < all[j].Value })
	kept := all[:1]
	for _, c := range all[1:] {
		if last := &kept[len(kept)-1]; last.Value == c.Value {
			last.Times += c.Times
		} else {
			kept = append(kept, c)
		}
	}
	w.counts, w.buffer = kept, w.buffer[:0]
}
