package conformance

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// dependsAsDeclared changes what a point says its answers do not depend on.
func dependsAsDeclared(s *suite) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			if s.Announced.Points[p].Depends == policy.OnSiblings {
				return in.onThoseAskedAbout(p)
			}
			return in.onItsRow(p)
		})
	})
}

// onItsRow puts other items around half of them. The ask, where there is one, stays.
func (s *session) onItsRow(p policy.Point) verdict {
	list := ids(0, crowd)
	want, err := s.numbers(p, list, plausible)
	if err != nil {
		return fault(p, err)
	}
	for i := range list {
		if i%2 == 1 {
			list[i] += 7 * crowd
		}
	}
	got, err := s.numbers(p, list, plausible)
	if err != nil {
		return fault(p, err)
	}
	keys := s.keys(p)
	for i := 0; i < crowd; i += 2 {
		if v := compare(p, keys, want[i*keys:(i+1)*keys], got[i*keys:(i+1)*keys], nil, 0); v.found != "" {
			spec := s.suite.Announced.Points[p]
			return differs("answers that depend only on declared columns: "+string(spec.Depends),
				"%s: the answer for item %d changes when other items change: %v, then %v", p, i, want[i*keys:(i+1)*keys], got[i*keys:(i+1)*keys])
		}
	}
	if s.needlesslyOnAsk(p) {
		return verdict{note: "it reads no column of the ask: depends = row is enough, and cheaper"}
	}
	return fine
}

// needlesslyOnAsk reports whether a score is declared to depend on an ask that no column tells of.
func (s *session) needlesslyOnAsk(p policy.Point) bool {
	spec := s.suite.Announced.Points[p]
	return p == policy.NodeScore && spec.Depends == policy.OnAsk &&
		!slices.ContainsFunc(spec.Columns, func(c policy.Column) bool { return c.Kind.OfAsk() })
}

// onThoseAskedAbout fills the rows that are not asked about with nonsense, as rows of items that are gone are.
func (s *session) onThoseAskedAbout(p policy.Point) verdict {
	all, alive := s.batch(p, ids(0, crowd), plausible), s.batch(p, ids(0, crowd), func(id int, p policy.Point, c *policy.Column) float64 {
		if id%2 == 1 {
			return math.NaN()
		}
		return plausible(id, p, c)
	})
	all.Rows, alive.Rows = evens(crowd), evens(crowd)
	for _, b := range []*policy.Batch{all, alive} {
		if err := s.copy.Eval(b); err != nil {
			return fault(p, err)
		}
	}
	for _, row := range all.Rows {
		for j := range all.Keys {
			at := int(row)*all.Keys + j
			if want, got := all.Out[at], alive.Out[at]; want != got {
				return differs("answers that depend only on the rows asked about", "%s: item %d, key %d: %v, and %v where rows not asked about hold other numbers", p, row, j, want, got)
			}
		}
	}
	return fine
}

func evens(n int) []int32 {
	var rows []int32
	for row := 0; row < n; row += 2 {
		rows = append(rows, int32(row))
	}
	return rows
}
