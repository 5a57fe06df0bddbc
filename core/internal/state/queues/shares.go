package queues

import (
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// Shares returns the largest used share of a queue over all types, and the largest share of the cluster that is pending in it, in
// billionths. total is the capacity of the cluster.
func (v View) Shares(id ID, total resource.Vec) (inUse, pending int64) {
	hot, at := v.o.hot.Peek(), int(id)*v.o.width
	var used, waiting uint64
	for t, whole := range total {
		of := &hot[at+t]
		by := of.measure
		if by == resource.Unlimited {
			by = whole
		}
		used = max(used, shareOf(of.used, by))
		waiting = max(waiting, shareOf(of.waiting, whole))
	}
	if v.o.carried {
		waiting = v.carriedShare(id, total)
	}
	return int64(min(used, resource.ShareCap)), int64(min(waiting, resource.ShareCap))
}

// IsBelowGuaranteed reports whether a queue has guarantees, and uses less than all of them. A guarantee of 0 does not count.
func (v View) IsBelowGuaranteed(id ID) bool { return v.IsBelowGuaranteedWith(id, nil) }

// IsBelowGuaranteedWith is IsBelowGuaranteed as if more were used.
func (v View) IsBelowGuaranteedWith(id ID, more resource.Vec) bool {
	below := false
	for t := range v.o.width {
		switch g := v.Guaranteed(id, t); {
		case g == NotGuaranteed || g == 0:
		case t < len(more) && resource.Add(v.Used(id, t), more[t]) >= g, v.Used(id, t) >= g:
			return false
		default:
			below = true
		}
	}
	return below
}

// carriedShare returns the largest pending share if pending asks may add up to more than the largest amount.
func (v View) carriedShare(id ID, total resource.Vec) (pending uint64) {
	for t, whole := range total {
		pending = max(pending, shareOf(v.Waiting(id, t), whole))
	}
	return pending
}

// shareOf is resource.Share, for amounts of at least 0 and without its cap. It is small enough to be inlined.
func shareOf(amount, by int64) uint64 {
	if by <= 0 { // any amount is the whole
		amount, by = min(amount, 1), 1
	}
	high, low := bits.Mul64(uint64(amount), resource.ShareUnit)
	if high >= uint64(by) {
		return resource.ShareCap
	}
	share, _ := bits.Div64(high, low, uint64(by))
	return share
}

// Denominator returns the amount by which usage of a type is divided: the guarantee, or else the nearest max, or else the total.
func (v View) Denominator(id ID, t int, total resource.Vec) int64 {
	if m := v.hot(id, t).measure; m != resource.Unlimited {
		return m
	}
	return total[t]
}

// SharesWith is Shares if more were used. It may be shorter than total, or nil.
func (v View) SharesWith(id ID, total, more resource.Vec) (inUse, pending int64) {
	_, pending = v.Shares(id, total)
	var used uint64
	for t, whole := range total {
		of := v.hot(id, t)
		by, amount := of.measure, of.used
		if by == resource.Unlimited {
			by = whole
		}
		if t < len(more) {
			amount = resource.Add(amount, more[t])
		}
		used = max(used, shareOf(amount, by))
	}
	return int64(min(used, resource.ShareCap)), pending
}
