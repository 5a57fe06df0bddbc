package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// If the victims of an ask have not left in time, the ask may be allocated on another node, when its turn in the scheduling order comes.
// Members of gangs and asks with a required node always wait for their claimed nodes.

// patienceEnds returns when the ask of the claim may be allocated on another node, or instant.Never.
func (p *partition) patienceEnds(c *claim) time.Duration {
	waits := slices.ContainsFunc(c.victims, func(v *ask) bool { return v.node != nil })
	if c.gang != nil || c.ask.details.Node != "" || !waits {
		return instant.Never
	}
	return p.settings.Patience.After(c.made)
}

// mayWalk reports whether the ask may be allocated in scheduling order: it has no claim, or its patience has ended.
func (p *partition) mayWalk(k *ask) bool {
	c := p.claimOf(k)
	return c == nil || p.patienceEnds(c) <= p.now
}

// fitsHeadroomWithClaim is fitsHeadroom without the ask's own claim.
func (p *partition) fitsHeadroomWithClaim(k *ask) bool {
	if p.claimOf(k) != nil {
		return p.fitsMaxNow(k)
	}
	return p.fitsHeadroom(k)
}
