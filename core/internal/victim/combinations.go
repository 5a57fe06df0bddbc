package victim

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// combinations tries every set of a few eligible victims of one node: where there are not many, that is faster than the
// solver. It finds the best set that is enough and does less harm than the incumbent, whatever guards say.
type combinations struct {
	p        *problem
	s        *nodeView
	eligible []int32    // indices of the victims to choose from
	size     int        // of the sets that are tried
	lowest   [few]int64 // the lowest priorities that a set can have
	amounts  []int64    // still to be freed, by shortfall
	width    int        // amounts of one victim or sum: by shortfall, then by lane
	frees    []int64    // by eligible victim
	sums     []int64    // by depth: of the victims picked above it
	picked   [few]int32

	found bool // a set was found
	rival bool // best is a set of that many victims: the incumbent's, until one was found
	best  harmOfFew
	set   [few]int32 // best's victims, once found
	try   harmOfFew
	most  []int64 // by lane: sets that free more do more harm than best
}

// harmOfFew is what tells sets of one size and one highest priority apart.
type harmOfFew struct {
	prios  [few]int64 // from the highest
	excess []int64
	placed [few]uint64 // ascending
}

// hugeAmount is beyond what sums of a few amounts are made of here; nothing saturates below it.
const hugeAmount = math.MaxInt64 / (2 * few)

// combine makes a bounded candidate exact, or finds that it is no better than the incumbent, by trying all combinations. It
// reports false where there are too many, or guards forbid the best of them.
//
// The solver looks at sets of the least number of victims in the same order of criteria. What it would need for that is
// bounded by exactSteps here too, so that nodes are searched in full or in part whichever of the two searches them.
func (f *Finder) combine(p *problem, slot int32, c *candidate, best *incumbent) bool {
	x, y := &f.combinations, &f.examination
	if f.Ranks != nil || c.originators+c.optedOuts > 0 || len(y.eligible) > math.MaxUint16 {
		return false
	}
	s := &f.views[slot]
	rivals := best.slot >= 0 && best.originators+best.optedOuts == 0 && best.top == c.top
	cost := 0
	for n := int(c.count); n <= few; n++ {
		if rivals && n > int(best.count) { // best.count victims may be enough, in a set that is no better
			c.count, c.notBelow = best.count, f.setOf(p, best.slot, &best.candidate)
			return true
		}
		sets := subsets(len(y.eligible), n)
		if cost += (len(y.eligible) + 1) * sets; 2*cost > f.exact {
			return false
		}
		x.rival = rivals && n == int(best.count)
		if x.rival {
			x.best.take(f.setOf(p, best.slot, &best.candidate))
		}
		if !x.run(p, s, &f.needs, y.eligible, n) {
			return false
		}
		f.steps += 10 + len(x.eligible)*n
		if x.found {
			return f.settleFew(p, s, c, x.set[:n])
		}
	}
	return false
}

// subsets is how many sets of at most k of n things there are.
func subsets(n, k int) int {
	sum, these := 1, 1
	for i := range min(k, n) {
		these = these * (n - i) / (i + 1)
		sum += these
	}
	return sum
}

// take notes the harm of the incumbent's set.
func (h *harmOfFew) take(set *Set) {
	copy(h.prios[:], set.harm.prios)
	h.excess = append(h.excess[:0], set.harm.excess...)
	for i := range set.victims {
		h.placed[i] = set.victims[i].placed
	}
}

// run tries all sets of a size. It reports false where amounts are too large to be added without care.
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

// load lists what the eligible victims free, but of those that alone leave too much in excess.
func (x *combinations) load(n *needs, eligible []int32) bool {
	lanes := len(x.s.room)
	x.eligible, x.frees, x.width = x.eligible[:0], x.frees[:0], len(n.list)+lanes
	for _, at := range eligible {
		v := &x.s.victims[at]
		if x.exceeds(v.class.Demand) {
			continue
		}
		x.eligible = append(x.eligible, at)
		for i := range n.list {
			x.frees = append(x.frees, x.p.frees(v.leaf, v.class, &n.list[i]))
		}
		x.frees = append(x.frees, v.class.Demand...)
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

// exceeds reports whether victims that free so much do more harm than best.
func (x *combinations) exceeds(freed []int64) bool {
	for t, most := range x.most {
		if freed[t] > most {
			return true
		}
	}
	return false
}

// limitExcess bounds what a set may free by the largest share that best leaves in excess. That is no bound where another
// set may have lower priorities, which come first.
func (x *combinations) limitExcess() {
	x.most = x.most[:0]
	if !x.rival || len(x.best.excess) == 0 || comparePriorities(&x.best.prios, &x.lowest, x.size) > 0 {
		return
	}
	for t, room := range x.s.room {
		excess := amountOfShare(x.best.excess[0], x.p.Total[t])
		x.most = append(x.most, max(0, resource.Add(resource.Sub(excess, max(0, room)), x.p.Ask.Class.Demand[t])))
	}
}

// amountOfShare is the largest amount whose share of a total is at most a share.
func amountOfShare(share, total int64) int64 {
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

// extend adds each eligible victim from a position on to the victims picked above a depth.
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

// add adds what a victim frees at a depth. It reports false where that is too much, or too little without others.
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
	return !x.exceeds(sum[len(x.amounts):])
}

// consider makes the picked victims the best set if they do less harm.
func (x *combinations) consider() {
	h := &x.try
	for i, at := range x.picked[:x.size] { // which come lowest priority first
		v := &x.s.victims[at]
		h.prios[x.size-1-i], h.placed[i] = v.prio, v.placed
		for j := i; j > 0 && h.placed[j] < h.placed[j-1]; j-- {
			h.placed[j], h.placed[j-1] = h.placed[j-1], h.placed[j]
		}
	}
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

func (h *harmOfFew) compare(o *harmOfFew, size int) int {
	if order := comparePriorities(&h.prios, &o.prios, size); order != 0 {
		return order
	}
	if order := slices.Compare(h.excess, o.excess); order != 0 {
		return order
	}
	for i := range size {
		if h.placed[i] != o.placed[i] {
			return cmp.Compare(o.placed[i], h.placed[i])
		}
	}
	return 0
}
