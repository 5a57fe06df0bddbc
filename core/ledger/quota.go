package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// quotaBooks records what a queue released because it was above its max.
type quotaBooks struct {
	rounds, victims int
	taken           Amounts
	last            time.Duration // of the last round
}

// QuotaSummary is what a queue released because it was above its max.
type QuotaSummary struct {
	Path    string // in shown form
	Rounds  int
	Victims int
	Taken   resource.Set
}

// gaveBack counts a victim of a queue above its max. Victims of one instant belong to one round.
func (l *Ledger) gaveBack(p Preemption) {
	b := p.Quota.quota
	if b == nil {
		b = &quotaBooks{}
		p.Quota.quota = b
	}
	if b.rounds == 0 || b.last != l.Now {
		b.rounds++
		b.last = l.Now
	}
	b.victims++
	b.taken = b.taken.add(p.Victim.Shape.Amounts)
}

// quotaSummaries lists the queues that released allocations for their max, by path.
func (l *Ledger) quotaSummaries() (all []QuotaSummary) {
	for _, q := range l.Queues {
		if b := q.quota; b != nil {
			all = append(all, QuotaSummary{q.Path, b.rounds, b.victims, l.set(b.taken)})
		}
	}
	slices.SortFunc(all, func(a, b QuotaSummary) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// set converts amounts to a set without zeros.
func (l *Ledger) set(v Amounts) resource.Set {
	var list []resource.Quantity
	for i, amount := range v {
		if amount != 0 {
			list = append(list, resource.Quantity{Type: l.Types[i], Value: amount})
		}
	}
	return resource.NewSet(list...)
}
