package plan

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Until returns the first instant, from an instant on, at which amounts are not free, or instant.Never.
func (p *Profile) Until(needs Needs, from time.Duration) time.Duration {
	from = max(from, p.times[0])
	for i := p.at(from); i < len(p.times); i++ {
		if !p.takes(i, needs) {
			return max(from, p.times[i])
		}
	}
	return instant.Never
}
