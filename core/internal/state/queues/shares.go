package queues

import (
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// plainBits is the number of bits of amounts whose share needs no more than a product and a division of 64 bits.
const plainBits = 33

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
		if (of.used|of.waiting)>>plainBits != 0 || by <= 0 || whole <= 0 || v.o.carried {
			return v.largeShares(id, total, t, int64(min(used, resource.ShareCap)), int64(min(waiting, resource.ShareCap)))
		}
		used = max(used, uint64(of.used)*resource.ShareUnit/uint64(by))
		waiting = max(waiting, uint64(of.waiting)*resource.ShareUnit/uint64(whole))
	}
	return int64(min(used, resource.ShareCap)), int64(min(waiting, resource.ShareCap))
}

// largeShares continues Shares at a type, for amounts of any size.
func (v View) largeShares(id ID, total resource.Vec, from int, used, waiting int64) (inUse, pending int64) {
	inUse, pending = used, waiting
	hot, at := v.o.hot.Peek(), int(id)*v.o.width
	for t := from; t < len(total); t++ {
		of, whole := &hot[at+t], total[t]
		if amount := of.used; amount > 0 {
			by := of.measure
			if by == resource.Unlimited {
				by = whole
			}
			if inUse == 0 || exceeds(amount, by, inUse) {
				inUse = resource.Share(amount, by)
			}
		}
		amount := of.waiting
		if v.o.carried {
			amount = v.Waiting(id, t)
		}
		if amount > 0 && (pending == 0 || exceeds(amount, whole, pending)) {
			pending = resource.Share(amount, whole)
		}
	}
	return inUse, pending
}

// Denominator returns the amount by which usage of a type is divided: the guarantee, or else the nearest max, or else the total.
func (v View) Denominator(id ID, t int, total resource.Vec) int64 {
	if m := v.hot(id, t).measure; m != resource.Unlimited {
		return m
	}
	return total[t]
}

// exceeds reports whether the share of an amount, rounded down, is larger than another share. It only multiplies, so that largeShares
// divides only for a new maximum.
func exceeds(amount, denominator, share int64) bool {
	if denominator <= 0 {
		return share < resource.ShareUnit
	}
	high, low := bits.Mul64(uint64(amount), resource.ShareUnit)
	limitHigh, limitLow := bits.Mul64(uint64(share)+1, uint64(denominator))
	return high > limitHigh || high == limitHigh && low >= limitLow
}
