package oracle

import (
	"math/big"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// fairShare returns the queue's largest used share: of its guarantee or, without one, of its fair max.
func (p *partition) fairShare(q *queue) int64 {
	var largest int64
	for _, share := range p.shares(q, p.usedOrPlanned(q)) {
		largest = max(largest, share)
	}
	return largest
}

// shares returns the share of each used type, relative to the queue's guarantee or fair max.
func (p *partition) shares(q *queue, used amounts) []int64 {
	var shares []int64
	for typ, value := range used {
		if value <= 0 {
			continue
		}
		shares = append(shares, resource.Share(value, p.denominatorOf(q, typ)))
	}
	return shares
}

// denominatorOf returns the queue's guarantee of a type or, without one, its fair max.
func (p *partition) denominatorOf(q *queue, typ string) int64 {
	if guaranteed, is := q.settings.Guaranteed.Value(typ); is {
		return guaranteed
	}
	return p.fairMax(q, typ)
}

// fairMax returns the nearest max of a type of the queue or an ancestor. Root's max is the cluster's total.
func (p *partition) fairMax(q *queue, typ string) int64 {
	for _, at := range q.chain() {
		if limit, set := p.maxOf(at, typ); set {
			return limit
		}
	}
	return 0
}

// pendingShare returns the largest share of the cluster that is pending in the queue.
func (p *partition) pendingShare(q *queue) int64 {
	var largest int64
	total := p.total()
	for typ, value := range p.pending(q) {
		largest = max(largest, resource.Share(value, total[typ]))
	}
	return largest
}

// usedOrPlanned is used with the asks that a sweep has planned.
func (p *partition) usedOrPlanned(q *queue) amounts {
	planned := p.plannedAsks()
	return p.sum(q, func(k *ask) bool { return k.node != nil || slices.Contains(planned, k) })
}

// sharesCompared is the number of shares of an application that the fair order compares.
const sharesCompared = 8

// appShares returns the application's largest shares, largest first.
func (p *partition) appShares(a *app) [sharesCompared]int64 {
	used := amounts{}
	for _, k := range a.allocated() {
		used.add(k.resources)
	}
	for _, k := range p.plannedAsks() {
		if k.app == a {
			used.add(k.resources)
		}
	}
	shares := p.shares(a.queue, used)
	slices.Sort(shares)
	slices.Reverse(shares)
	var listed [sharesCompared]int64
	copy(listed[:], shares)
	return listed
}

// utilisation returns the weighted mean of the node's used shares, over the types with a weight and capacity.
func (p *partition) utilisation(n *node) int64 {
	used := p.usedOn(n)
	sum, weights := new(big.Int), new(big.Int)
	for _, w := range p.settings.NodeSort.Weights {
		capacity := valueOf(n.capacity, w.Type)
		if w.Thousandths <= 0 || capacity <= 0 {
			continue
		}
		share := resource.Share(resource.Add(used[w.Type], valueOf(n.occupied, w.Type)), capacity)
		sum.Add(sum, new(big.Int).Mul(big.NewInt(w.Thousandths), big.NewInt(share)))
		weights.Add(weights, big.NewInt(w.Thousandths))
	}
	if weights.Sign() == 0 {
		return 0
	}
	return sum.Quo(sum, weights).Int64()
}
