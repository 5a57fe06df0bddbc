package oracle

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// agedName says whose usage ages: that of a queue or, in a leaf, that of a user.
type agedName struct {
	path, user string
	ofUser     bool
}

// history is how usage changed. The aged usage A of a type follows dA/dt = (U - A) ln(2)/H. Its changes are steps, each in one
// calculation from the step before.
type history struct {
	steps    []usageStep
	absences []absence // in which the queue is gone, or the user uses nothing; in order
}

// absence is a period, including both ends.
type absence struct{ since, until time.Duration }

// usageStep is a change of usage or of the half-life.
type usageStep struct {
	at       time.Duration
	aged     map[string]*big.Int // at this instant, in 2^-32 of a unit
	used     amounts             // since this instant
	halfLife instant.Delay       // since this instant
	renewed  bool                // the half-life changed, or aged usage began at 0
}

// forgottenAfter is the number of half-lives after which the usage of a user without any, or of a queue that is gone, is forgotten.
const forgottenAfter = 20

func (h *history) last() *usageStep { return &h.steps[len(h.steps)-1] }

func (h *history) halfLife() instant.Delay { return h.last().halfLife }

// forgotten reports whether the usage is too old to count at an instant.
func (h *history) forgotten(at time.Duration) bool {
	return slices.ContainsFunc(h.absences, func(a absence) bool {
		gone := new(big.Int).Sub(big.NewInt(int64(at)), big.NewInt(int64(a.since)))
		long := new(big.Int).Mul(big.NewInt(forgottenAfter), big.NewInt(int64(h.halfLife())))
		return a.since <= at && at <= a.until && gone.Cmp(long) >= 0
	})
}

func (h *history) isGone() bool {
	n := len(h.absences)
	return n > 0 && h.absences[n-1].until == instant.Never
}

// setGone begins or ends an absence.
func (h *history) setGone(gone bool, now time.Duration) {
	switch {
	case gone == h.isGone():
	case gone:
		h.absences = append(h.absences, absence{now, instant.Never})
	default:
		h.absences[len(h.absences)-1].until = now
	}
}

// agedAt returns the aged usage at an instant, from the last step before it.
func (o *Oracle) agedAt(h *history, at time.Duration) map[string]*big.Int {
	aged := map[string]*big.Int{}
	if h.forgotten(at) {
		return aged
	}
	var from *usageStep
	for i := range h.steps {
		if h.steps[i].at <= at {
			from = &h.steps[i]
		}
	}
	if from == nil {
		return aged
	}
	mantissa, bits := o.decay(new(big.Int).Sub(big.NewInt(int64(at)), big.NewInt(int64(from.at))), from.halfLife)
	return average(from.aged, from.used, mantissa, bits)
}

// average returns aged*w + used*(1-w) for each type, rounded down to 2^-32 of a unit, with w = mantissa/2^bits.
func average(aged map[string]*big.Int, used amounts, mantissa *big.Int, bits uint) map[string]*big.Int {
	mean := map[string]*big.Int{}
	types := map[string]bool{}
	for typ := range aged {
		types[typ] = true
	}
	for typ := range used {
		types[typ] = true
	}
	rest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), mantissa)
	for typ := range types {
		sum := new(big.Int).Lsh(big.NewInt(used[typ]), 32)
		sum.Mul(sum, rest)
		if a := aged[typ]; a != nil {
			sum.Add(sum, new(big.Int).Mul(a, mantissa))
		}
		mean[typ] = sum.Rsh(sum, bits)
	}
	return mean
}

// decay returns 2^-(elapsed/halfLife) as mantissa/2^bits, where the mantissa has 63 bits and is rounded down. It is 0 from 128 half-lives on.
func (o *Oracle) decay(elapsed *big.Int, halfLife instant.Delay) (mantissa *big.Int, bits uint) {
	if halfLife == 0 {
		return new(big.Int), 63
	}
	whole, rest := new(big.Int).QuoRem(elapsed, big.NewInt(int64(halfLife)), new(big.Int))
	if whole.Cmp(big.NewInt(128)) >= 0 {
		return new(big.Int), 63
	}
	return o.power(rest, big.NewInt(int64(halfLife))), 63 + uint(whole.Uint64())
}

// powerBits is the precision of power.
const powerBits = 256

// power returns 2^-(part/whole) in 2^-63, rounded down: the product of the square roots of square roots of 1/2 that the bits of the exponent name.
func (o *Oracle) power(part, whole *big.Int) *big.Int {
	key := part.String() + "/" + whole.String()
	if known := o.powers[key]; known != nil {
		return known
	}
	product := new(big.Int).Lsh(big.NewInt(1), powerBits)
	root, rest := new(big.Int).Rsh(product, 1), new(big.Int).Set(part)
	for range powerBits - 16 {
		root = new(big.Int).Sqrt(new(big.Int).Lsh(root, powerBits))
		rest.Lsh(rest, 1)
		if rest.Cmp(whole) >= 0 {
			rest.Sub(rest, whole)
			product.Rsh(product.Mul(product, root), powerBits)
		}
	}
	o.powers[key] = product.Rsh(product, powerBits-63)
	return o.powers[key]
}

// shownUsage returns the usage that an order compares now: aged usage at the last multiple of the period, and current usage, each with its
// weight.
func (p *partition) shownUsage(h *history, used amounts, settings *config.Queue) map[string]*big.Int {
	period := max(time.Second, time.Duration(h.halfLife())/1024)
	multiple := instant.Sub(p.now, instant.Add(p.now%period, period)%period)
	for _, s := range h.steps {
		if s.renewed && s.at > multiple { // until the next multiple, the aged usage at that instant counts
			multiple = s.at
		}
	}
	mantissa, bits := p.decay(big.NewInt(int64(settings.LookAhead())), settings.HalfLife)
	return average(p.agedAt(h, multiple), used, mantissa, bits)
}

// agedShares is shares for amounts in 2^-32 of a unit.
func (p *partition) agedShares(q *queue, used map[string]*big.Int) []int64 {
	var shares []int64
	for typ, value := range used {
		if value.Sign() == 0 {
			continue
		}
		share := big.NewInt(resource.ShareUnit)
		if denominator := p.denominatorOf(q, typ); denominator > 0 {
			share.Mul(share, value)
			share.Quo(share, new(big.Int).Lsh(big.NewInt(denominator), 32))
		}
		if most := big.NewInt(resource.ShareCap); share.Cmp(most) > 0 {
			share = most
		}
		shares = append(shares, share.Int64())
	}
	return shares
}

// compareAged orders two children of a parent with a half-life: those below their guarantees by current usage, and then by the largest share
// of the usage that is shown.
func (p *partition) compareAged(parent, a, b *queue) int {
	return cmp.Or(compareFirst(p.belowGuaranteed(a), p.belowGuaranteed(b)), cmp.Compare(p.agedShare(parent, a), p.agedShare(parent, b)))
}

func (p *partition) agedShare(parent, child *queue) int64 {
	h := p.aging[agedName{path: child.path()}]
	used := h.last().used
	if p.sweeping != nil {
		used = p.usedOrPlanned(child)
	}
	var largest int64
	for _, share := range p.agedShares(child, p.shownUsage(h, used, parent.settings)) {
		largest = max(largest, share)
	}
	return largest
}

// belowGuaranteed reports whether the queue has guarantees above 0, and uses less than each.
func (p *partition) belowGuaranteed(q *queue) bool {
	guaranteed, used := withoutZeros(q.settings.Guaranteed), p.usedOrPlanned(q)
	return len(guaranteed) > 0 && !slices.ContainsFunc(guaranteed, func(g resource.Quantity) bool { return used[g.Type] >= g.Value })
}

// userShares returns the largest shares of an application's user in its leaf, largest first.
func (p *partition) userShares(a *app) [sharesCompared]int64 {
	var listed [sharesCompared]int64
	h := p.aging[agedName{a.queue.path(), a.user, true}]
	if h == nil {
		return listed
	}
	used := h.last().used
	for _, k := range p.plannedAsks() {
		if k.app.queue == a.queue && k.app.user == a.user {
			used = maps.Clone(used)
			used.add(k.resources)
		}
	}
	shares := p.agedShares(a.queue, p.shownUsage(h, used, a.queue.settings))
	slices.Sort(shares)
	slices.Reverse(shares)
	copy(listed[:], shares)
	return listed
}

// usageChanged records that the usage of an application has changed in its leaf and in the queues above, up to one that is not included.
func (p *partition) usageChanged(a *app, leaf, end *queue) {
	for q := leaf; q != end; q = q.parent {
		if h := p.aging[agedName{path: q.path()}]; h != nil {
			p.step(h, p.used(q), h.halfLife(), false)
		}
	}
	if !leaf.settings.SortsUsers() {
		return
	}
	name := agedName{leaf.path(), a.user, true}
	if p.aging[name] == nil {
		p.aging[name] = p.newHistory(leaf.settings.HalfLife)
		p.aging[name].setGone(true, p.now)
	}
	h := p.aging[name]
	used := p.sum(leaf, func(k *ask) bool { return k.node != nil && k.app.user == a.user })
	p.step(h, used, h.halfLife(), false)
	h.setGone(len(used.set()) == 0, p.now)
}

func (p *partition) newHistory(halfLife instant.Delay) *history {
	return &history{steps: []usageStep{{at: p.now, used: amounts{}, halfLife: halfLife, renewed: true}}}
}

// step records a change of usage or of the half-life.
func (p *partition) step(h *history, used amounts, halfLife instant.Delay, renewed bool) {
	h.steps = append(h.steps, usageStep{p.now, p.agedAt(h, p.now), used, halfLife, renewed})
}

// renewAging gives all queues of the tree whose usage ages their histories, and changes those of others as the settings say.
func (p *partition) renewAging(before map[string]bool) {
	for _, q := range p.root.subtree() {
		p.ageQueue(q)
		if q.settings.SortsUsers() && !before[q.path()] {
			for _, a := range p.liveApps(q) {
				if len(a.allocated()) > 0 {
					p.usageChanged(a, q, q)
				}
			}
		}
	}
	for name, h := range p.aging {
		p.renewHistory(name, h)
	}
}

// usersSorted lists the leaves that sort by users.
func (p *partition) usersSorted() map[string]bool {
	sorted := map[string]bool{}
	for _, q := range p.root.subtree() {
		sorted[q.path()] = q.settings.SortsUsers()
	}
	return sorted
}

// ageQueue gives a queue of the tree its history. Aged usage begins at 0.
func (p *partition) ageQueue(q *queue) {
	if q.parent == nil || q.parent.settings.HalfLife == 0 {
		return
	}
	name := agedName{path: q.path()}
	h := p.aging[name]
	switch {
	case h == nil:
		h = p.newHistory(q.parent.settings.HalfLife)
		h.last().used = p.used(q)
		p.aging[name] = h
	case h.forgotten(p.now):
		p.step(h, amounts{}, h.halfLife(), false)
	}
	h.setGone(false, p.now)
}

// renewHistory adopts the half-life in force, or forgets the history.
func (p *partition) renewHistory(name agedName, h *history) {
	decides := p.findQueue(name.path)
	if !name.ofUser {
		if decides == nil {
			h.setGone(true, p.now)
		}
		decides = p.findQueue(name.path[:max(0, strings.LastIndex(name.path, "."))])
	}
	switch {
	case decides == nil:
	case name.ofUser && !decides.settings.SortsUsers(), !name.ofUser && (decides.isLeaf() || decides.settings.HalfLife == 0):
		delete(p.aging, name)
	case decides.settings.HalfLife != h.halfLife():
		on := h.halfLife() == 0
		p.step(h, h.last().used, decides.settings.HalfLife, true)
		if on {
			h.last().aged = nil
		}
	}
}

// dumpAging adds the usage that orders compare to the dump of a queue.
func (p *partition) dumpAging(d *core.QueueDump, q *queue) {
	if h := p.aging[agedName{path: q.path()}]; h != nil {
		settings := q.parent.settings
		aged := p.dumpAged(h, settings, q)
		aged.BelowGuaranteed = p.belowGuaranteed(q)
		d.Aged = &aged
	}
	for name, h := range p.aging {
		if !name.ofUser || name.path != q.path() {
			continue
		}
		if aged := p.dumpAged(h, q.settings, q); len(aged.Types) > 0 {
			d.Users = append(d.Users, core.AgedUser{User: name.user, Aged: aged})
		}
	}
	slices.SortFunc(d.Users, func(a, b core.AgedUser) int { return strings.Compare(a.User, b.User) })
}

func (p *partition) dumpAged(h *history, settings *config.Queue, q *queue) core.Aged {
	d := core.Aged{HalfLife: time.Duration(h.halfLife()), LookAhead: time.Duration(settings.LookAhead())}
	now, shown := map[string]*big.Int{}, p.shownUsage(h, h.last().used, settings)
	if d.HalfLife > 0 {
		now = p.agedAt(h, p.now)
	}
	types := maps.Clone(shown)
	maps.Copy(types, now)
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		a := core.AgedAmount{Type: typ, Used: h.last().used[typ], Aged: fraction(now[typ]), Compared: fraction(shown[typ])}
		if a.Used != 0 || a.Aged != (core.Fraction{}) || a.Compared != (core.Fraction{}) {
			d.Types = append(d.Types, a)
		}
	}
	for _, share := range p.agedShares(q, shown) {
		d.Share = max(d.Share, share)
	}
	return d
}

func fraction(amount *big.Int) core.Fraction {
	if amount == nil {
		return core.Fraction{}
	}
	units := new(big.Int).Rsh(amount, 32)
	part := new(big.Int).Sub(amount, new(big.Int).Lsh(units, 32))
	return core.Fraction{Units: units.Int64(), Part: uint32(part.Uint64())}
}
