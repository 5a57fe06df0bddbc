package conformance

import (
	"errors"
	"math"

	"github.com/quern-project/quern/core/policy"
)

// many is how many rows a large batch has.
const many = 10_000

// anyNumberOfRows begins with none, which only a frame can have: a scheduler does not ask about nothing.
func anyNumberOfRows(s *suite) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			for _, rows := range []int{0, 1, 2, many} {
				if rows == 0 && in.guest == nil {
					continue
				}
				_, err := in.numbers(p, ids(0, rows), plausible)
				if rows == many && errors.Is(err, errNoRoom) {
					return verdict{note: "its memory has no room for 10,000 rows at once"} // a host asks about fewer
				}
				if err != nil {
					return differs("an answer", "%s: %d rows: %v", p, rows, err)
				}
			}
			return fine
		})
	})
}

// extremeNumbers fills every column with one number, and each row with another.
func extremeNumbers(s *suite) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			for _, v := range extremes {
				if _, err := in.numbers(p, ids(0, 20), always(v)); err != nil {
					return differs("an answer, a number", "%s: with %v in every column: %v", p, v, err)
				}
			}
			if _, err := in.numbers(p, ids(0, 200), mixed(wholes)); err != nil {
				return differs("an answer, a number", "%s: with numbers up to 2^53-1 mixed: %v", p, err)
			}
			return fine
		})
	})
}

// wholes are the extremes that every column may hold.
var wholes = []float64{0, 1, -1, whole, -whole, 1000}

// mixed describes items by numbers of a list, another in each row and column.
func mixed(list []float64) describe {
	return func(id int, p policy.Point, c *policy.Column) float64 {
		return always(list[mix(id, c)%uint64(len(list))])(id, p, c)
	}
}

// noNumbers must be answered, with whatever.
func noNumbers(s *suite) verdict {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			for _, v := range odd {
				if _, err := in.answers(p, ids(0, 20), always(v)); err != nil {
					return differs("an answer, whatever it is", "%s: with %v in every column: %v", p, v, err)
				}
			}
			if _, err := in.answers(p, ids(0, 200), mixed(append(odd, 0, 1, whole))); err != nil {
				return differs("an answer, whatever it is", "%s: with them mixed: %v", p, err)
			}
			return fine
		})
	})
}
