package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// An ask whose victims have not all left in time, though they were told to, may land on another node, in its turn in the
// walk. Members of gangs wait for their nodes, and so does an ask with a required node.

// patienceEnds is when the ask of the claim may land elsewhere; instant.Never, if it may not.
func (p *partition) patienceEnds(c *claim) time.Duration {
	waits := slices.ContainsFunc(c.victims, func(v *ask) bool { return v.node != nil })
	if c.gang != nil || c.ask.details.Node != "" || !waits {
		return instant.Never
	}
	return p.settings.Patience.After(c.made)
}

// mayWalk reports whether the ask is placed in its turn in the walk: no node is kept for it, or it has lost its patience.
func (p *partition) mayWalk(k *ask) bool {
	c := p.claimOf(k)
	return c == nil || p.patienceEnds(c) <= p.now
}

// isLetIn reports whether headroom lets the ask be placed. What is kept for it is its own.
func (p *partition) isLetIn(k *ask) bool {
	if p.claimOf(k) != nil {
		return p.fitsMaxNow(k)
	}
	return p.fitsHeadroom(k)
}
