package victim

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// combinations tries every set of a few eligible victims of one node, which is faster than the solver if there are not many. It
// finds the best set that is enough and does less harm than the incumbent. It ignores guards; the caller checks them.
type combinations struct {
	p        *problem
	s        *nodeView
	eligible []int32       // indices of the victims to choose from
	size     int           // size of the sets that are tried
	lowest   [maxFew]int64 // from the highest: lower bounds of the priorities of a set
	amounts  []int64       // to be freed, by shortfall
	width    int           // length of a row of frees or sums: amounts by shortfall, then by lane
	frees    []int64       // a row for each eligible victim
	sums     []int64       // a row for each depth: the sums of the victims picked above it
	picked   [maxFew]int32

	found bool // a set was found
	rival bool // best holds a set of this size: the incumbent's, until a better one is found
	best  harmOfFew
	set   [maxFew]int32 // the victims of best, if found
	try   harmOfFew
	most  []int64 // by lane: a set that frees more does more harm than best
}

// harmOfFew holds the criteria that distinguish sets of equal size and equal highest priority.
type harmOfFew struct {
	prios  [maxFew]int64 // from the highest
	excess []int64
	aged   [maxFew]int64  // shares of leaves, from the largest
	placed [maxFew]uint64 // ascending
}

// hugeAmount is a bound below which sums of maxFew amounts cannot overflow.
const hugeAmount = math.MaxInt64 / (2 * maxFew)

// combine solves a bounded candidate by trying all combinations: it makes it exact, or proves that it is no better than the
// incumbent. It reports false if there are too many combinations, or if guards forbid the best one.
//
// The solver compares sets by the same criteria. The number of combinations is bounded by exactSteps too, so whether a node is
// searched completely does not depend on which of the two searches it.
func (f *Finder) combine(p *problem, slot int32, c *candidate, best *incumbent) bool {
	x, y := &f.combinations, &f.examination
	if f.Ranks != nil || c.originators+c.optedOuts > 0 || len(y.eligible) > math.MaxUint16 {
		return false
	}
	s := &f.views[slot]
	rivals := best.slot >= 0 && best.originators+best.optedOuts+best.ended == 0 && best.top == c.top // no set here ends a gang
	cost := 0
	for n := int(c.count); n <= maxFew; n++ {
		if rivals && n > int(best.count) { // a set of best.count victims may exist, but none that is better
			c.count, c.notBelow = best.count, f.setOf(p, best.slot, &best.candidate)
			return true
		}
		sets := subsets(len(y.eligible), n)
		if cost += (len(y.eligible) + 1) * sets; 2*cost > f.exact {
			return false
		}
		x.rival = rivals && n == int(best.count)
		if x.rival {
			x.best.setFrom(f.setOf(p, best.slot, &best.candidate))
		}
		if !x.run(p, s, &f.needs, y.eligible, n) {
			return false
		}
		f.steps += 10 + len(x.eligible)*n
		if x.found {
			return f.resolveFew(p, s, c, x.set[:n])
		}
	}
	return false
}

// subsets returns the number of sets of at most k out of n elements.
func subsets(n, k int) int {
	sum, these := 1, 1
	for i := range min(k, n) {
		these = these * (n - i) / (i + 1)
		sum += these
	}
	return sum
}

// setFrom copies the harm of the incumbent's set.
func (h *harmOfFew) setFrom(set *Set) {
	copy(h.prios[:], set.harm.prios)
	h.excess = append(h.excess[:0], set.harm.excess...)
	copy(h.aged[:], set.harm.aged)
	for i := range set.victims {
		h.placed[i] = set.victims[i].placed
	}
}

// run tries all sets of one size. It reports false if amounts are so large that sums may overflow.
func (x *combinations) run(p *problem, s *nodeView, n *needs, eligible []int32, size int) bool {
	x.p, x.s, x.size, x.found = p, s, size, false
	top := s.victims[eligible[len(eligible)-1]].prio
	x.lowest[0] = top
	for i := 1; i < size; i++ {
		x.lowest[i] = s.victims[eligible[0]].prio
	}
	x.amounts = x.amounts[:0]
	for i := range n.list {
		x.amounts = append(x.amounts, n.list[i].amount)
	}
	x.limitExcess()
	if !x.load(n, eligible) {
		return false
	}
	x.sums = append(x.sums[:0], make([]int64, (size+1)*x.width)...)
	x.extend(0, 0)
	return true
}

// load lists the amounts that eligible victims free. It leaves out victims that alone exceed the excess of best.
func (x *combinations) load(n *needs, eligible []int32) bool {
	lanes := len(x.s.room)
	x.eligible, x.frees, x.width = x.eligible[:0], x.frees[:0], len(n.list)+lanes
	for _, at := range eligible {
		v := &x.s.victims[at]
		if x.exceeds(v.class.Demand()) {
			continue
		}
		x.eligible = append(x.eligible, at)
		for i := range n.list {
			x.frees = append(x.frees, x.p.frees(v.leaf, v.class, &n.list[i]))
		}
		for _, amount := range v.class.Demand().All {
			x.frees = append(x.frees, amount)
		}
	}
	return !huge(x.amounts) && !huge(x.frees)
}

func huge(amounts []int64) bool {
	for _, a := range amounts {
		if a > hugeAmount {
			return true
		}
	}
	return false
}

// exceeds reports whether freeing these amounts leaves more excess than best.
func (x *combinations) exceeds(freed resource.Amounts) bool {
	for t, most := range x.most {
		if freed.At(t) > most {
			return true
		}
	}
	return false
}

// limitExcess bounds the amounts that a set may free by the largest excess share of best. There is no bound if another set may
// have lower priorities, since those are compared first.
func (x *combinations) limitExcess() {
	x.most = x.most[:0]
	if !x.rival || len(x.best.excess) == 0 || comparePriorities(&x.best.prios, &x.lowest, x.size) > 0 {
		return
	}
	for t, room := range x.s.room {
		excess := largestWithShare(x.best.excess[0], x.p.Total[t])
		x.most = append(x.most, max(0, resource.Add(resource.Sub(excess, max(0, room)), x.p.Ask.Class().Demand().At(t))))
	}
}

// largestWithShare returns the largest amount whose share of a total is at most the given share.
func largestWithShare(share, total int64) int64 {
	if total <= 0 || share >= resource.ShareCap {
		return math.MaxInt64
	}
	hi, lo := bits.Mul64(uint64(share)+1, uint64(total))
	if hi >= resource.ShareUnit {
		return math.MaxInt64
	}
	q, rest := bits.Div64(hi, lo, resource.ShareUnit)
	if rest == 0 {
		q--
	}
	return int64(min(q, math.MaxInt64))
}

// extend tries each eligible victim from a position on at a depth of the picked set, and recurses for the others.
func (x *combinations) extend(from, depth int) {
	others := x.size - depth - 1
	for i := from; i+others < len(x.eligible); i++ {
		if !x.add(i, depth, others) {
			continue
		}
		x.picked[depth] = x.eligible[i]
		if others > 0 {
			x.extend(i+1, depth+1)
		} else {
			x.consider()
		}
	}
}

// add computes the sums with one more victim at a depth. It reports false if they leave too much excess or, if no victims follow,
// if they are not enough.
func (x *combinations) add(i, depth, others int) bool {
	w := x.width
	frees, above, sum := x.frees[i*w:(i+1)*w], x.sums[depth*w:(depth+1)*w], x.sums[(depth+1)*w:(depth+2)*w]
	for j := range sum {
		sum[j] = above[j] + frees[j]
	}
	if others == 0 {
		for j, amount := range x.amounts {
			if sum[j] < amount {
				return false
			}
		}
	}
	return !x.exceeds(resource.Vec(sum[len(x.amounts):]).Amounts())
}

// consider makes the picked set the best one if it does less harm.
func (x *combinations) consider() {
	h := &x.try
	for i, at := range x.picked[:x.size] { // picked is in ascending order of priority
		v := &x.s.victims[at]
		h.prios[x.size-1-i], h.placed[i] = v.prio, v.placed
		for j := i; j > 0 && h.placed[j] < h.placed[j-1]; j-- {
			h.placed[j], h.placed[j-1] = h.placed[j-1], h.placed[j]
		}
	}
	x.shares(h)
	h.excess = h.excess[:0]
	sum := x.sums[x.size*x.width:][len(x.amounts):x.width]
	for t, freed := range sum {
		if freed > 0 {
			h.excess = append(h.excess, x.p.beyond(t, x.s.room[t], freed))
		}
	}
	slices.Sort(h.excess)
	slices.Reverse(h.excess)
	if x.rival && x.try.compare(&x.best, x.size) >= 0 {
		return
	}
	x.best, x.try = x.try, x.best
	x.found, x.rival, x.set = true, true, x.picked
	x.limitExcess()
}

// shares fills in the shares of the leaves of the picked set.
func (x *combinations) shares(h *harmOfFew) {
	if x.p.AgedShare == nil {
		return
	}
	for i, at := range x.picked[:x.size] {
		h.aged[i] = x.p.agedShare(x.s.victims[at].leaf)
		for j := i; j > 0 && h.aged[j] > h.aged[j-1]; j-- {
			h.aged[j], h.aged[j-1] = h.aged[j-1], h.aged[j]
		}
	}
}

func (h *harmOfFew) compare(o *harmOfFew, size int) int {
	if order := comparePriorities(&h.prios, &o.prios, size); order != 0 {
		return order
	}
	if order := slices.Compare(h.excess, o.excess); order != 0 {
		return order
	}
	if order := comparePriorities(&o.aged, &h.aged, size); order != 0 {
		return order
	}
	for i := range size {
		if h.placed[i] != o.placed[i] {
			return cmp.Compare(o.placed[i], h.placed[i])
		}
	}
	return 0
}
