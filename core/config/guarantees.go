package config

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// checkGuaranteedSum compares the sum of the guarantees below a queue with its own guarantee and max. Then it adds to the parent's sum: the
// queue's own guarantee or, if it has none, the sum below it. So guarantees below a level without any count, too. Each queue is added
// once to its parent.
func (d *decoder) checkGuaranteedSum(s *scope, own written) {
	q := s.queue
	if len(s.guaranteedBelow) > 0 {
		d.holdPromises(s, "resources.guaranteed", q.Guaranteed, own.guaranteedAt)
		d.holdPromises(s, "resources.max", q.Max, own.maximum)
	}
	if s.above == nil || len(q.Guaranteed)+len(s.guaranteedBelow) == 0 {
		return
	}
	above := s.above
	if above.guaranteedBelow == nil {
		above.guaranteedBelow = make(map[string]total, len(q.Guaranteed)+len(s.guaranteedBelow))
	}
	for _, g := range q.Guaranteed {
		above.guaranteedBelow[g.Type] = above.guaranteedBelow[g.Type].plus(total{low: uint64(g.Value)})
	}
	for typ, sum := range s.guaranteedBelow {
		if _, own := amount(q.Guaranteed, typ); !own {
			above.guaranteedBelow[typ] = above.guaranteedBelow[typ].plus(sum)
		}
	}
}

func (d *decoder) holdPromises(s *scope, key string, set resource.Set, v *value) {
	for _, most := range set {
		if sum := s.guaranteedBelow[most.Type]; sum.exceeds(most.Value) {
			d.add(v.field(most.Type).value.at, s.queue.Path, key+"."+most.Type,
				"at least "+sum.readable(most)+", the sum of what is guaranteed below",
				most.Readable())
		}
	}
}

// total is an exact sum of amounts in 128 bits. A saturated sum could wrongly equal the largest guarantee.
type total struct{ high, low uint64 }

func (t total) plus(u total) total {
	low, carry := bits.Add64(t.low, u.low, 0)
	return total{t.high + u.high + carry, low}
}

// exceeds reports whether the sum is larger than an amount, which must not be negative.
func (t total) exceeds(amount int64) bool { return t.high > 0 || t.low > uint64(amount) }

// readable formats a sum like an amount of a type for people. A sum that is too large for an amount is a plain number.
func (t total) readable(of resource.Quantity) string {
	if t.high == 0 && t.low <= math.MaxInt64 {
		return resource.Quantity{Type: of.Type, Value: int64(t.low), Milli: of.Milli}.Readable()
	}
	const chunk = 10_000_000_000_000_000_000 // there are fewer amounts than that, so high is smaller
	text := fmt.Sprint(t.low)
	if t.high > 0 {
		upper, lower := bits.Div64(t.high, t.low, chunk)
		text = fmt.Sprintf("%d%019d", upper, lower)
	}
	if of.InThousandths() {
		text = text[:len(text)-3] + "." + text[len(text)-3:]
	}
	return text + " " + of.Type
}
