package config

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// checkPromises holds what is guaranteed below a queue against its own guaranteed and max, and then tells the queue
// above what this one counts for: its own guaranteed, or where it sets none the sum below it, so that a promise cannot
// hide behind a level that sets nothing. Each queue is added once to the one above it.
func (d *decoder) checkPromises(s *scope, own written) {
	q := s.queue
	if len(s.promised) > 0 {
		d.holdPromises(s, "resources.guaranteed", q.Guaranteed, own.guaranteedAt)
		d.holdPromises(s, "resources.max", q.Max, own.maximum)
	}
	if s.above == nil || len(q.Guaranteed)+len(s.promised) == 0 {
		return
	}
	above := s.above
	if above.promised == nil {
		above.promised = make(map[string]total, len(q.Guaranteed)+len(s.promised))
	}
	for _, g := range q.Guaranteed {
		above.promised[g.Type] = above.promised[g.Type].plus(total{low: uint64(g.Value)})
	}
	for typ, sum := range s.promised {
		if _, own := amount(q.Guaranteed, typ); !own {
			above.promised[typ] = above.promised[typ].plus(sum)
		}
	}
}

func (d *decoder) holdPromises(s *scope, key string, set resource.Set, v *value) {
	for _, most := range set {
		if sum := s.promised[most.Type]; sum.exceeds(most.Value) {
			d.add(v.field(most.Type).value.at, s.queue.Path, key+"."+most.Type,
				"at least "+sum.readable(most.Type)+", the sum of what is guaranteed below",
				most.Readable())
		}
	}
}

// total is an exact sum of amounts. It has 128 bits: a saturated sum would equal the largest guarantee and pass for it.
type total struct{ high, low uint64 }

func (t total) plus(u total) total {
	low, carry := bits.Add64(t.low, u.low, 0)
	return total{t.high + u.high + carry, low}
}

// exceeds compares with an amount, which is never negative.
func (t total) exceeds(amount int64) bool { return t.high > 0 || t.low > uint64(amount) }

// readable writes a sum as an amount is written for people; one that no amount reaches without units of bytes or commas.
func (t total) readable(typ string) string {
	if t.high == 0 && t.low <= math.MaxInt64 {
		return resource.Quantity{Type: typ, Value: int64(t.low)}.Readable()
	}
	const chunk = 10_000_000_000_000_000_000 // more amounts than that are not summed up, so high is below it
	text := fmt.Sprint(t.low)
	if t.high > 0 {
		upper, lower := bits.Div64(t.high, t.low, chunk)
		text = fmt.Sprintf("%d%019d", upper, lower)
	}
	if typ == resource.VCore {
		text = text[:len(text)-3] + "." + text[len(text)-3:]
	}
	return text + " " + typ
}
