package oracle

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// overQuota is since when a queue uses more than its max while preemption by quota is on for it.
type overQuota struct {
	since time.Duration
	// tried is set after a round that could not end the excess: what was used then, and by which settings. No round is due until
	// that changes.
	tried quotaUse
}

// quotaUse is what a round depends on. The zero value is none.
type quotaUse struct {
	settings    *config.Queue
	allocations string // and where each is
}

// staying is what the queue uses, all that leaves gone.
func (p *partition) staying(q *queue) amounts {
	return p.sum(q, func(k *ask) bool { return k.node != nil && !k.isLeaving() })
}

// excess is by how much the queue passes its max, all that leaves gone; types that do not pass it are left out.
func (p *partition) excess(q *queue) amounts {
	excess, used := amounts{}, p.staying(q)
	for _, most := range q.settings.Max {
		if used[most.Type] > most.Value {
			excess[most.Type] = used[most.Type] - most.Value
		}
	}
	return excess
}

// noteQuotas looks which queues are over their max. What is true together from now on counts from now on.
func (p *partition) noteQuotas() {
	for _, q := range p.root.subtree() {
		on := p.settings.QuotaPreemption && q.settings.QuotaDelay > 0 && q.parent != nil && q.isManaged()
		switch {
		case !on || len(p.excess(q)) == 0:
			q.over = nil
		case q.over == nil:
			q.over = &overQuota{since: p.now}
		case q.over.tried != (quotaUse{}) && q.over.tried != p.usageOf(q):
			q.over = &overQuota{since: p.now}
		}
	}
}

// usageOf tells the allocations of a queue and its settings: it changes when usage or configuration in it does.
func (p *partition) usageOf(q *queue) quotaUse {
	use := quotaUse{settings: q.settings}
	for _, a := range p.liveApps(q) {
		for _, k := range a.allocated() {
			use.allocations += fmt.Sprintf(" %d in %s", k.allocation, a.queue.path())
		}
	}
	return use
}

// quotaTimes are when rounds are due.
func (p *partition) quotaTimes() []time.Duration {
	var all []time.Duration
	for _, q := range p.root.subtree() {
		if q.over != nil && q.over.tried == (quotaUse{}) {
			all = append(all, q.settings.QuotaDelay.After(q.over.since))
		}
	}
	return all
}

// quotaRounds makes the rounds that are due, the upper queues first.
func (p *partition) quotaRounds() {
	queues := p.root.subtree()
	slices.SortFunc(queues, func(a, b *queue) int {
		return cmp.Or(cmp.Compare(len(a.chain()), len(b.chain())), strings.Compare(a.path(), b.path()))
	})
	for _, q := range queues {
		p.noteQuotas()
		if q.over == nil || q.over.tried != (quotaUse{}) || p.now < q.settings.QuotaDelay.After(q.over.since) || p.isGivingAbove(q) {
			continue
		}
		r := p.newRound(q)
		r.choose()
		p.announceRound(r)
		if len(p.excess(q)) > 0 {
			q.over.tried = p.usageOf(q)
		}
	}
	p.noteQuotas()
}

// isGivingAbove reports whether the victims of a round of a queue above are still leaving.
func (p *partition) isGivingAbove(q *queue) bool {
	above := q.parent.chain()
	return slices.ContainsFunc(p.ownAsks(), func(k *ask) bool {
		return slices.ContainsFunc(above, func(upper *queue) bool { return k.quota == upper.path() })
	})
}

func (p *partition) announceRound(r *round) {
	for _, k := range inAllocationOrder(r.victims) {
		d := core.Decision{
			Type: core.Preemption, ID: k.id, Quota: r.queue.path(), Node: k.node.id, Queue: k.app.queue.path(), Right: core.RightQuota, Placement: k.placement,
		}
		if p.settings.PreemptionObserve {
			d.Type = core.Observed
		} else {
			k.leaves, k.quota = core.ReasonPreempted, r.queue.path()
		}
		p.decide(d)
	}
}

// round is the search for what a queue that is over its max gives back.
type round struct {
	*partition
	queue   *queue
	excess  amounts
	targets map[*queue]amounts // of the queue and those below: what each is to give
	victims []*ask
}

func (p *partition) newRound(q *queue) *round {
	r := &round{partition: p, queue: q, excess: p.excess(q), targets: map[*queue]amounts{}}
	r.share(q, r.excess)
	return r
}

// share divides the target of a queue among its children, by what each can release.
func (r *round) share(q *queue, target amounts) {
	r.targets[q] = target
	for _, child := range q.children {
		part := amounts{}
		for typ, value := range target {
			var sum int64
			for _, sibling := range q.children {
				sum = resource.Add(sum, r.releasable(sibling, typ))
			}
			if sum > 0 {
				part[typ] = mulDiv(value, r.releasable(child, typ), sum)
			}
		}
		r.share(child, part)
	}
}

// releasable is what the queue uses beyond its guaranteed, of a parent at most what its children can release.
func (r *round) releasable(q *queue, typ string) int64 {
	own := max(0, resource.Sub(r.staying(q)[typ], valueOf(q.settings.Guaranteed, typ)))
	if q.isLeaf() {
		return own
	}
	var below int64
	for _, child := range q.children {
		below = resource.Add(below, r.releasable(child, typ))
	}
	return min(own, below)
}

// mulDiv is floor(a * b / c), for c above 0.
func mulDiv(a, b, c int64) int64 {
	product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	return product.Div(product, big.NewInt(c)).Int64()
}

// choose takes victims from the leaf that is furthest behind its target, until no type is in excess or no leaf has a candidate.
// Then those that are needless stay, the last to be taken first.
func (r *round) choose() {
	for {
		leaf := r.nextLeaf()
		if leaf == nil {
			break
		}
		r.victims = append(r.victims, r.firstCandidate(leaf))
	}
	slices.SortFunc(r.victims, compareGiven)
	for i := len(r.victims) - 1; i >= 0; i-- {
		if rest := slices.Delete(slices.Clone(r.victims), i, i+1); r.missing(rest).equals(r.missing(r.victims)) {
			r.victims = rest
		}
	}
}

// nextLeaf is the leaf with a candidate that is furthest behind its target; nil when no leaf has one.
func (r *round) nextLeaf() *queue {
	var next *queue
	var most int64
	for _, q := range r.queue.subtree() {
		if !q.isLeaf() || r.firstCandidate(q) == nil {
			continue
		}
		behind := r.behind(q)
		if next == nil || behind > most || behind == most && q.path() < next.path() {
			next, most = q, behind
		}
	}
	return next
}

// behind is the largest share of the excess, in billionths, that the leaf is still to give of a type that is in excess.
func (r *round) behind(leaf *queue) int64 {
	const billion = 1_000_000_000
	taken := given(r.victims, leaf)
	first, most := true, int64(0)
	for typ := range r.missing(r.victims) {
		share := mulDiv(resource.Sub(r.targets[leaf][typ], taken[typ]), billion, r.excess[typ])
		if first || share > most {
			first, most = false, share
		}
	}
	return most
}

// given sums what the victims use in the queue.
func given(victims []*ask, q *queue) amounts {
	sum := amounts{}
	for _, k := range victims {
		if q.holds(k.app.queue) {
			sum.add(k.resources)
		}
	}
	return sum
}

// missing is what is still in excess with the victims gone.
func (r *round) missing(victims []*ask) amounts {
	missing, taken := amounts{}, given(victims, r.queue)
	for typ, value := range r.excess {
		if value > taken[typ] {
			missing[typ] = value - taken[typ]
		}
	}
	return missing
}

// firstCandidate is the allocation that the leaf gives next; nil when there is none.
func (r *round) firstCandidate(leaf *queue) *ask {
	var first *ask
	for _, a := range r.liveApps(leaf) {
		for _, k := range a.allocated() {
			if r.isCandidate(k) && (first == nil || compareGiven(k, first) < 0) {
				first = k
			}
		}
	}
	return first
}

func (r *round) isCandidate(k *ask) bool {
	missing := r.missing(r.victims)
	uses := slices.ContainsFunc(k.resources, func(use resource.Quantity) bool { return use.Value > 0 && missing[use.Type] > 0 })
	if !uses || k.details.Node != "" || k.isLeaving() || slices.Contains(r.victims, k) {
		return false
	}
	for _, q := range k.app.queue.chain() {
		left, taken := r.staying(q), given(r.victims, q)
		for _, use := range k.resources {
			promise := valueOf(q.settings.Guaranteed, use.Type)
			if use.Value > 0 && promise > 0 && left[use.Type]-taken[use.Type]-use.Value < promise {
				return false
			}
		}
	}
	return true
}

// compareGiven puts first what a leaf gives first.
func compareGiven(a, b *ask) int {
	return cmp.Or(cmp.Compare(a.protection(), b.protection()), cmp.Compare(a.priority, b.priority), cmp.Compare(b.allocation, a.allocation))
}

// protection is higher for what is taken later.
func (k *ask) protection() int {
	switch {
	case k.details.Originator:
		return 3
	case k.details.NotPreemptable:
		return 2
	case k.isPlaceholder():
		return 0
	}
	return 1
}
