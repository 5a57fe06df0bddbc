package conformance

import (
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// crowd is how many items the checks of purity ask about.
const crowd = 100

// pair compares what two ways of asking about the same items answer.
func (s *suite) pair(second func(in *session, p policy.Point) ([]float64, error)) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			want, err := in.numbers(p, ids(0, crowd), plausible)
			if err != nil {
				return fault(p, err)
			}
			got, err := second(in, p)
			if err != nil {
				return fault(p, err)
			}
			return compare(p, in.keys(p), want, got, nil, 0)
		})
	})
}

func sameTwice(s *suite) verdict {
	return s.pair(func(in *session, p policy.Point) ([]float64, error) {
		return in.answers(p, ids(0, crowd), plausible)
	})
}

// sameElsewhere asks an instance that began with other questions.
func sameElsewhere(s *suite) verdict {
	other, err := s.open(nil, words)
	if err != nil {
		return differs("another instance", "%v", err)
	}
	defer other.end()
	return s.pair(func(_ *session, p policy.Point) ([]float64, error) {
		if _, err := other.answers(p, ids(3000, crowd/3), plausible); err != nil {
			return nil, err
		}
		return other.answers(p, ids(0, crowd), plausible)
	})
}

func sameAfterOthers(s *suite) verdict {
	return s.pair(func(in *session, p policy.Point) ([]float64, error) {
		for n := range 20 {
			for _, other := range s.points {
				if _, err := in.answers(other, ids(1000*n, 1+37*n), plausible); err != nil {
					return nil, err
				}
			}
		}
		if _, err := in.answers(p, ids(5000, crowd), always(7)); err != nil {
			return nil, err
		}
		return in.answers(p, ids(0, crowd), plausible)
	})
}

// sameInPieces asks about parts of the items, where an answer does not depend on who else is asked about.
func sameInPieces(s *suite) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			if s.Announced.Points[p].Depends == policy.OnSiblings {
				return verdict{skipped: true, note: "its answers depend on siblings"}
			}
			want, err := in.numbers(p, ids(0, crowd), plausible)
			if err != nil {
				return fault(p, err)
			}
			for _, size := range []int{1, 7, 33} {
				got, err := in.pieces(p, ids(0, crowd), size)
				if err != nil {
					return fault(p, err)
				}
				if v := compare(p, in.keys(p), want, got, nil, 0); v.found != "" {
					return v
				}
			}
			return fine
		})
	})
}

func (s *session) pieces(p policy.Point, list []int, size int) ([]float64, error) {
	var all []float64
	for piece := range slices.Chunk(list, size) {
		out, err := s.answers(p, piece, plausible)
		if err != nil {
			return nil, err
		}
		all = append(all, out...)
	}
	return all, nil
}

// sumSlack is how much answers about siblings may differ when rows come in another order: sums round.
const sumSlack = 1e-9

func sameInAnyOrder(s *suite) verdict {
	other, place := shuffled(ids(0, crowd))
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			slack := 0.0
			if s.Announced.Points[p].Depends == policy.OnSiblings {
				slack = sumSlack
			}
			want, err := in.numbers(p, ids(0, crowd), plausible)
			if err != nil {
				return fault(p, err)
			}
			got, err := in.answers(p, other, plausible)
			if err != nil {
				return fault(p, err)
			}
			return compare(p, in.keys(p), want, got, place, slack)
		})
	})
}

// sameWithOtherCodes asks a copy to which texts came in the opposite order.
func sameWithOtherCodes(s *suite) verdict {
	backwards := slices.Clone(words)
	slices.Reverse(backwards)
	other, err := s.open(nil, append([]string{"unheard of"}, backwards...))
	if err != nil {
		return differs("another instance", "%v", err)
	}
	defer other.end()
	return s.pair(func(_ *session, p policy.Point) ([]float64, error) {
		return other.answers(p, ids(0, crowd), plausible)
	})
}

// sameWithLateTexts asks a copy that hears of texts one after the other, as they come up.
func sameWithLateTexts(s *suite) verdict {
	other, err := s.open(nil, nil)
	if err != nil {
		return differs("another instance", "%v", err)
	}
	defer other.end()
	return s.pair(func(_ *session, p policy.Point) ([]float64, error) {
		for n := range 4 {
			if _, err := other.answers(p, ids(n, 1), plausible); err != nil {
				return nil, err
			}
		}
		return other.answers(p, ids(0, crowd), plausible)
	})
}
