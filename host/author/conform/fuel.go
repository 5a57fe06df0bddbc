package conform

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/policy"
)

// attempts are how often a process is asked, since a machine that is busy with something else is no fault of it.
const attempts = 3

// fuelSuffices asks as the host does, with the limits of the settings, and tells what a module took.
func fuelSuffices(s *suite) verdict {
	tries := 1
	if s.probe == nil {
		tries = attempts
	}
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			var took []string
			for _, rows := range []int{1, 1000, many} {
				b := in.batch(p, ids(0, rows), plausible)
				if err := s.withinLimits(b, tries); err != nil {
					return differs("an answer within the limits", "%s: %d rows: %v", p, rows, err)
				}
				if in.guest == nil {
					continue
				}
				if err := in.copy.Eval(b); err != nil {
					return fault(p, err)
				}
				took = append(took, fmt.Sprintf("%.1f", float64(in.guest.spent)/float64(rows)))
			}
			if took == nil {
				return fine
			}
			return verdict{note: "fuel an item: " + strings.Join(took, ", ")}
		})
	})
}

// withinLimits asks a fresh copy, several times if need be.
func (s *suite) withinLimits(b *policy.Batch, tries int) error {
	var err error
	for range tries {
		e, end, failed := s.host.Evaluator(s.ctx, nil)
		if failed != nil {
			return failed
		}
		err = e.Eval(b)
		end()
		if err == nil {
			break
		}
	}
	return err
}
