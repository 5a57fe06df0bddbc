package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/policy"
)

// sizesAsked are how many rows the checks of limits ask about.
var sizesAsked = []int{1, 1000, many}

// limitsSuffice asks as the host does, with the limits of the settings, and tells what was taken of them.
func limitsSuffice(s *suite) verdict {
	return s.with(func(in *session) verdict {
		if in.guest == nil {
			return s.each(in.timeSuffices)
		}
		return s.each(in.fuelSuffices)
	})
}

// fuelSuffices also compares the answers: a host asks about large batches in pieces, where that is allowed.
func (in *session) fuelSuffices(p policy.Point) verdict {
	e, end, err := in.suite.Evaluator()
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
		asHost := slices.Clone(b.Out)
		switch err := in.copy.Eval(b); {
		case errors.Is(err, errNoRoom):
			continue // the host asked in pieces
		case err != nil:
			return fault(p, err)
		}
		if v := compare(p, b.Keys, asHost, b.Out, nil, 0); v.found != "" {
			return v
		}
		took = append(took, fmt.Sprintf("%.1f", float64(in.guest.spent)/float64(rows)))
	}
	return verdict{note: "fuel an item: " + strings.Join(took, ", ")}
}

// timeSuffices has the caller measure a process.
func (in *session) timeSuffices(p policy.Point) verdict {
	batch := func(rows int) *policy.Batch { return in.batch(p, ids(0, rows), plausible) }
	took, expected, found := in.suite.InTime(p, sizesAsked, batch, in.copy)
	return verdict{expected: expected, found: found, note: took}
}
