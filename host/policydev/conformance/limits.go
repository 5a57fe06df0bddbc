package conformance

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/format"
)

// sizesAsked are how many rows the checks of limits ask about.
var sizesAsked = []int{1, 1000, many}

// limitsSuffice asks as the host does, with the limits of the settings, and tells what was taken of them.
func limitsSuffice(s *suite) verdict {
	return s.with(func(in *session) verdict {
		if in.guest == nil {
			return s.each(in.deadlineSuffices)
		}
		return s.each(in.fuelSuffices)
	})
}

func (in *session) fuelSuffices(p policy.Point) verdict {
	e, end, err := in.suite.host.Evaluator(in.suite.ctx)
	if err != nil {
		return differs("a copy of it", "%v", err)
	}
	defer end()
	var took []string
	for _, rows := range sizesAsked {
		b := in.batch(p, ids(0, rows), plausible)
		if err := e.Eval(b); err != nil {
			return differs("an answer within the limits", "%s: %d rows: %v", p, rows, err)
		}
		switch err := in.copy.Eval(b); {
		case errors.Is(err, errNoRoom):
			continue // the host asked in pieces
		case err != nil:
			return fault(p, err)
		}
		took = append(took, fmt.Sprintf("%.1f", float64(in.guest.spent)/float64(rows)))
	}
	return verdict{note: "fuel an item: " + strings.Join(took, ", ")}
}

// attempts are how often a process is asked at most: the best time counts, since a machine that is busy with something
// else is no fault of the process.
const attempts = 25

func (in *session) deadlineSuffices(p policy.Point) verdict {
	deadline := in.suite.host.Subject.Deadline
	var took []string
	for _, rows := range sizesAsked {
		best := time.Duration(math.MaxInt64)
		for n := 0; n < attempts && best > deadline/2; n++ {
			b := in.batch(p, ids(0, rows), plausible)
			start := time.Now()
			if err := in.copy.Eval(b); err != nil {
				return fault(p, err)
			}
			best = min(best, time.Since(start))
		}
		if best > deadline {
			return differs("an answer within "+deadline.String(), "%s: %d rows: %v, the best of %d", p, rows, best, attempts)
		}
		took = append(took, format.Duration(best))
	}
	return verdict{note: strings.Join(took, ", ") + ", of " + deadline.String()}
}
