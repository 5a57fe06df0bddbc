package conform

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/policy"
)

// fuelSuffices asks as the host does, with the limits of the settings, and tells what a module took.
func fuelSuffices(s *suite) verdict {
	e, end, err := s.host.Evaluator(s.ctx, nil)
	if err != nil {
		return differs("a copy of it", "%v", err)
	}
	defer end()
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			var took []string
			for _, rows := range []int{1, 1000, many} {
				if err := e.Eval(in.batch(p, ids(0, rows), plausible)); err != nil {
					return differs("an answer within the limits", "%s: %d rows: %v", p, rows, err)
				}
				if in.guest == nil {
					continue
				}
				if _, err := in.answers(p, ids(0, rows), plausible); err != nil {
					return fault(p, err)
				}
				took = append(took, fmt.Sprintf("%.1f", float64(in.guest.spent)/float64(rows)))
			}
			if took == nil {
				return fine
			}
			return verdict{note: strings.Join(took, ", ") + " an item"}
		})
	})
}
