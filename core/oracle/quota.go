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

// overQuota describes a queue that uses more than its max while preemption by quota is on for it.
type overQuota struct {
	since time.Duration
	// tried is set after a round that could not end the excess: the usage and settings at that time. No round is due until they change.
	tried quotaUse
	again time.Duration // if tried: when an allocation has run long enough, so that a round is due again; 0: none will
}

// quotaUse identifies the usage and settings that a round depends on. The zero value is none.
type quotaUse struct {
	settings    *config.Queue
	allocations string // with their nodes
}

// staying returns the queue's usage without leaving allocations.
func (p *partition) staying(q *queue) amounts {
	return p.sum(q, func(k *ask) bool { return k.node != nil && !k.isLeaving() })
}

// excess returns by how much the queue exceeds its max without leaving allocations, for the types that do.
func (p *partition) excess(q *queue) amounts {
	excess, used := amounts{}, p.staying(q)
	for _, most := range q.settings.Max {
		if used[most.Type] > most.Value {
			excess[most.Type] = used[most.Type] - most.Value
		}
	}
	return excess
}

// updateOverQuota records which queues are over their max while preemption by quota is on for them. New ones are so from now on.
func (p *partition) updateOverQuota() {
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

// usageOf returns a description of the allocations and settings in a queue, which changes if any of them does.
func (p *partition) usageOf(q *queue) quotaUse {
	use := quotaUse{settings: q.settings}
	for _, a := range p.liveApps(q) {
		for _, k := range a.allocated() {
			use.allocations += fmt.Sprintf(" %d in %s", k.allocation, a.queue.path())
		}
	}
	return use
}

// quotaTimes returns when rounds are due.
func (p *partition) quotaTimes() []time.Duration {
	var all []time.Duration
	for _, q := range p.root.subtree() {
		if q.over != nil && q.over.tried == (quotaUse{}) {
			all = append(all, q.settings.QuotaDelay.After(q.over.since))
		} else if q.over != nil {
			all = append(all, q.over.again)
		}
	}
	return all
}

// quotaRounds runs the rounds that are due, upper queues first.
func (p *partition) quotaRounds() {
	queues := p.root.subtree()
	slices.SortFunc(queues, func(a, b *queue) int {
		return cmp.Or(cmp.Compare(len(a.chain()), len(b.chain())), strings.Compare(a.path(), b.path()))
	})
	for _, q := range queues {
		p.updateOverQuota()
		if q.over == nil || !q.roundDue(p.now) || p.isGivingAbove(q) {
			continue
		}
		r := p.newRound(q)
		r.choose()
		p.announceRound(r)
		if len(p.excess(q)) > 0 {
			q.over.tried, q.over.again = p.usageOf(q), p.nextUnspared(q)
		}
	}
	p.updateOverQuota()
}

// roundDue reports whether a round of a queue over its max is due.
func (q *queue) roundDue(now time.Duration) bool {
	if q.over.tried != (quotaUse{}) {
		return q.over.again > 0 && q.over.again <= now
	}
	return q.settings.QuotaDelay.After(q.over.since) <= now
}

// isGivingAbove reports whether victims of a round of an ancestor are still leaving.
func (p *partition) isGivingAbove(q *queue) bool {
	above := q.parent.chain()
	return slices.ContainsFunc(p.ownAsks(), func(k *ask) bool {
		return slices.ContainsFunc(above, func(upper *queue) bool { return k.quota == upper.path() })
	})
}

func (p *partition) announceRound(r *round) {
	ended := p.ended(r.victims)
	if !p.settings.PreemptionObserve {
		p.gangsLose(r.victims)
		p.spend(r.victims)
		p.count(r.victims)
	}
	for _, k := range inAllocationOrder(r.victims) {
		d := core.Decision{
			Type: core.Preemption, ID: k.id, Quota: r.queue.path(), Node: k.node.id, Queue: k.app.queue.path(), Right: core.RightQuota, Placement: k.placement,
		}
		if p.settings.PreemptionObserve {
			d.Type = core.Observed
		} else {
			k.leaves, k.leavesSince, k.quota = core.ReasonPreempted, r.now, r.queue.path()
		}
		p.decide(p.withGang(d, k, ended))
	}
}

// round is the search for the allocations that a queue over its max releases.
type round struct {
	*partition
	queue   *queue
	excess  amounts
	targets map[*queue]amounts // of the queue and those below: the amounts that each has to release
	victims []*ask
}

func (p *partition) newRound(q *queue) *round {
	r := &round{partition: p, queue: q, excess: p.excess(q), targets: map[*queue]amounts{}}
	r.share(q, r.excess)
	return r
}

// share divides the target of a queue among its children, in proportion to the amounts that they can release.
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

// releasable returns the queue's usage beyond its guarantee, for a parent at most the sum that its children can release.
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

// mulDiv returns floor(a * b / c), for a positive c.
func mulDiv(a, b, c int64) int64 {
	product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	return product.Div(product, big.NewInt(c)).Int64()
}

// choose chooses victims from the leaf that is furthest behind its target, until no type is in excess or no leaf has a candidate: single
// allocations and, if no leaf has any, a whole gang. Then it drops unnecessary victims, the last chosen first, gangs last.
func (r *round) choose() {
	for {
		if leaf := r.nextLeaf(func(q *queue) bool { return r.firstCandidate(q) != nil }); leaf != nil {
			r.victims = append(r.victims, r.firstCandidate(leaf))
			continue
		}
		leaf := r.nextLeaf(func(q *queue) bool { return r.firstGang(q) != nil })
		if leaf == nil {
			break
		}
		r.victims = append(r.victims, r.firstGang(leaf)...)
	}
	r.dropNeedless()
}

// dropNeedless drops the victims without which no more is in excess.
func (r *round) dropNeedless() {
	var gangs [][]*ask
	singles := slices.Clone(r.victims)
	for _, u := range r.ended(r.victims) {
		gangs = append(gangs, u.takenFrom(r.victims))
		singles = without(singles, u.takenFrom(r.victims)...)
	}
	slices.SortFunc(gangs, compareGangsGiven)
	slices.SortFunc(singles, compareGiven)
	for _, k := range slices.Backward(singles) {
		r.dropIfNeedless(k)
	}
	for _, gang := range slices.Backward(gangs) {
		r.dropIfNeedless(gang...)
	}
}

func (r *round) dropIfNeedless(victims ...*ask) {
	if rest := without(r.victims, victims...); r.missing(rest).equals(r.missing(r.victims)) && r.keepsUnits(rest) {
		r.victims = rest
	}
}

func without(asks []*ask, others ...*ask) []*ask {
	return slices.DeleteFunc(slices.Clone(asks), func(k *ask) bool { return slices.Contains(others, k) })
}

// nextLeaf returns the leaf that is furthest behind its target among those with a candidate, or nil.
func (r *round) nextLeaf(hasCandidate func(q *queue) bool) *queue {
	var next *queue
	var most int64
	for _, q := range r.queue.subtree() {
		if !q.isLeaf() || !hasCandidate(q) {
			continue
		}
		behind := r.behind(q)
		if next == nil || behind > most || behind == most && q.path() < next.path() {
			next, most = q, behind
		}
	}
	return next
}

// behind returns the largest share of the excess, in billionths, that the leaf still has to release of a type in excess.
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

// given sums the usage of the victims in the queue.
func given(victims []*ask, q *queue) amounts {
	sum := amounts{}
	for _, k := range victims {
		if q.holds(k.app.queue) {
			sum.add(k.resources)
		}
	}
	return sum
}

// missing returns the excess that remains without the victims.
func (r *round) missing(victims []*ask) amounts {
	missing, taken := amounts{}, given(victims, r.queue)
	for typ, value := range r.excess {
		if value > taken[typ] {
			missing[typ] = value - taken[typ]
		}
	}
	return missing
}

// firstCandidate returns the leaf's next victim, or nil.
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

// isCandidate reports whether the allocation may be the next victim by itself: it is no member of a unit, or surplus.
func (r *round) isCandidate(k *ask) bool {
	return r.mayGive(k) && !slices.ContainsFunc(r.unitsOf(k), func(u unit) bool { return !u.isSurplus(append(u.takenFrom(r.victims), k)) })
}

// mayGive reports whether allocations may be the next victims together, apart from law 8.
func (r *round) mayGive(allocations ...*ask) bool {
	missing, sum := r.missing(r.victims), amounts{}
	for _, k := range allocations {
		if k.details.Node != "" || k.isLeaving() || slices.Contains(r.victims, k) || r.spares(k, core.RightQuota) {
			return false
		}
		sum.add(k.resources)
	}
	if !slices.ContainsFunc(sum.set(), func(use resource.Quantity) bool { return missing[use.Type] > 0 }) {
		return false
	}
	for _, q := range allocations[0].app.queue.chain() {
		left, taken := r.staying(q), given(r.victims, q)
		for typ, use := range sum {
			promise := valueOf(q.settings.Guaranteed, typ)
			if use > 0 && promise > 0 && left[typ]-taken[typ]-use < promise {
				return false
			}
		}
	}
	return true
}

// firstGang returns the members of the leaf's next gang that goes whole, without those that are victims already, or nil.
func (r *round) firstGang(leaf *queue) []*ask {
	var first []*ask
	for _, a := range r.liveApps(leaf) {
		for _, u := range r.touched(a.allocated()) {
			rest := without(u.present(), r.victims...)
			if len(rest) > 0 && r.mayGive(rest...) && r.keepsUnits(slices.Concat(r.victims, rest)) && (first == nil || compareGangsGiven(rest, first) < 0) {
				first = rest
			}
		}
	}
	return first
}

// compareGangsGiven orders the gangs of a leaf as they become victims: by number of members, and then by the member that would be the
// last victim.
func compareGangsGiven(a, b []*ask) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), compareGiven(slices.MaxFunc(a, compareGiven), slices.MaxFunc(b, compareGiven)))
}

// compareGiven orders allocations of a leaf as they become victims.
func compareGiven(a, b *ask) int {
	return cmp.Or(cmp.Compare(a.protection(), b.protection()), cmp.Compare(a.priority, b.priority), cmp.Compare(b.allocation, a.allocation))
}

// protection returns the level of protection. Allocations with a higher level become victims later.
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
