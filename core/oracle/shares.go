package oracle

import (
	"math/big"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// fairShare is the largest share of what the queue uses: of its guaranteed where it sets one, else of its fair max.
func (p *partition) fairShare(q *queue) int64 {
	var largest int64
	for _, share := range p.shares(q, p.used(q)) {
		largest = max(largest, share)
	}
	return largest
}

// shares gives, for each type used, its share as the queue's fairness counts it.
func (p *partition) shares(q *queue, used amounts) []int64 {
	var shares []int64
	for typ, value := range used {
		if value <= 0 {
			continue
		}
		denominator, guaranteed := q.settings.Guaranteed.Value(typ)
		if !guaranteed {
			denominator = p.fairMax(q, typ)
		}
		shares = append(shares, resource.Share(value, denominator))
	}
	return shares
}

// fairMax is the nearest max for the type on the queue or an ancestor; root's, which ends the search, is the total.
func (p *partition) fairMax(q *queue, typ string) int64 {
	for _, at := range q.chain() {
		if limit, set := p.maxOf(at, typ); set {
			return limit
		}
	}
	return 0
}

// pendingShare is the largest share of the cluster that the queue's pending asks want.
func (p *partition) pendingShare(q *queue) int64 {
	var largest int64
	total := p.total()
	for typ, value := range p.pending(q) {
		largest = max(largest, resource.Share(value, total[typ]))
	}
	return largest
}

// sharesCompared is how many shares of an application the fair order looks at.
const sharesCompared = 8

// appShares lists the application's shares from the largest on, as the fair order compares them.
func (p *partition) appShares(a *app) [sharesCompared]int64 {
	used := amounts{}
	for _, k := range a.allocated() {
		used.add(k.resources)
	}
	shares := p.shares(a.queue, used)
	slices.Sort(shares)
	slices.Reverse(shares)
	var listed [sharesCompared]int64
	copy(listed[:], shares)
	return listed
}

// utilisation is the weighted mean of the node's shares, over the types that have a weight and some capacity.
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
