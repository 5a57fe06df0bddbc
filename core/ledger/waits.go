package ledger

import (
	"sort"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// leastBuffer is the minimum number of buffered entries. The buffer grows with the number of counts, so that the cost of a value is
// about constant.
const leastBuffer = 64

// Waits is a multiset of durations with exact percentiles. It stores the frequency of each value, which takes far less memory than all
// values, since waits are repeated often. The zero value is empty.
type Waits struct {
	counts []Count // by value, without duplicates
	buffer []Count // in order of addition; neighbours differ
	total  int
}

// Count is a value and its frequency.
type Count struct {
	Value time.Duration
	Times int
}

// Add adds a value.
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

// merge adds all values of another multiset.
func (w *Waits) merge(other *Waits) {
	for _, c := range other.Counts() {
		w.add(c)
	}
}

// Total returns the number of values.
func (w *Waits) Total() int { return w.total }

// Counts returns the frequencies in ascending order of value.
func (w *Waits) Counts() []Count {
	w.settle()
	return w.counts
}

// Percentile returns the value of the nearest rank: the smallest value that at least p percent of all values do not exceed. It returns
// 0 for an empty multiset.
func (w *Waits) Percentile(p int) time.Duration {
	rank := (w.total*p + 99) / 100
	for _, c := range w.Counts() {
		if rank -= c.Times; rank <= 0 {
			return c.Value
		}
	}
	return 0
}

// Mean returns the mean, rounded down to a nanosecond, or 0 for an empty multiset.
func (w *Waits) Mean() time.Duration {
	if w.total == 0 {
		return 0
	}
	total := time.Duration(w.total)
	var whole, rest time.Duration // values are divided before they are added, so that the sum does not overflow 64 bits
	for _, c := range w.Counts() {
		whole = instant.Add(whole, c.Value/total*time.Duration(c.Times))
		rest = instant.Add(rest, c.Value%total*time.Duration(c.Times))
	}
	return instant.Add(whole, rest/total)
}

// Max returns the largest value, or 0 for an empty multiset.
func (w *Waits) Max() time.Duration { return w.Percentile(100) }

// settle moves the buffer into counts.
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
