package victim

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/state/queues"
)

// agedShare returns Question.AgedShare of a leaf, or 0 if no usage ages.
func (p *problem) agedShare(leaf int32) int64 {
	if p.AgedShare == nil {
		return 0
	}
	share, known := p.aged[leaf]
	if !known {
		if p.aged == nil {
			p.aged = map[int32]int64{}
		}
		share = p.AgedShare(queues.ID(leaf))
		p.aged[leaf] = share
	}
	return share
}

// addShare inserts the share of a victim's leaf in descending order.
func (h *harm) addShare(share int64) {
	h.aged = append(h.aged, share)
	for i := len(h.aged) - 1; i > 0 && h.aged[i-1] < share; i-- {
		h.aged[i-1], h.aged[i] = share, h.aged[i-1]
	}
}

// sortByShares sorts the victims of a group, so that those of the leaves with the largest shares are chosen first, and of these the youngest.
func (k *group) sortByShares(p *problem) {
	if p.AgedShare != nil && !k.whole {
		slices.SortStableFunc(k.victims, func(a, b victim) int { return cmp.Compare(p.agedShare(b.leaf), p.agedShare(a.leaf)) })
	}
}

// agedAt says of which instant, and of which changes of nodes, the shares are that exact candidates were compared by.
type agedAt struct {
	epoch uint64
	log   int
}

// outdate invalidates the candidates that depend on shares which may have changed.
func (f *Finder) outdate(s *search, p *problem) {
	now := agedAt{p.AgedEpoch, len(f.log)}
	if p.AgedShare == nil || s.aged == now {
		return
	}
	s.aged = now
	for slot := range s.candidates {
		if c := &s.candidates[slot]; c.state >= exactFew || c.notBelow != nil {
			s.invalidate(int32(slot))
		}
	}
}
