package conformance

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/policy"
)

// breaches asks about some of the rows, and about all, and returns the first breach of a frame that the filter knows.
func (s *suite) breaches(known func(string) bool, expected string) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			for _, every := range []int{1, 3} {
				in.guest.broken = ""
				b := in.batch(p, ids(0, crowd), plausible)
				b.Rows = everyNth(b.Rows, every)
				if err := in.copy.Eval(b); err != nil {
					return fault(p, err)
				}
				if found := in.guest.broken; found != "" && known(found) {
					return differs(expected, "%s: %s", p, found)
				}
			}
			return fine
		})
	})
}

// everyNth are some of the rows, backwards.
func everyNth(rows []int32, n int) []int32 {
	var some []int32
	for i := len(rows) - 1; i >= 0; i-- {
		if n == 1 || i%n == 1 {
			some = append(some, rows[i])
		}
	}
	return some
}

func writesAnswersOnly(s *suite) verdict {
	return s.breaches(func(found string) bool { return strings.HasPrefix(found, "a byte") }, "an unchanged frame, except for answers")
}

func answersRowsAsked(s *suite) verdict {
	return s.breaches(func(found string) bool { return !strings.HasPrefix(found, "a byte") }, "answers to the rows asked about only")
}

// Calls of memoryStays: a garbage collector may need the first to settle.
const (
	warmUp  = 2_000
	calls   = 10_000
	fewRows = 64
)

func memoryStays(s *suite) verdict {
	return s.with(func(in *session) verdict {
		return s.each(func(p policy.Point) verdict {
			b := in.batch(p, ids(0, fewRows), plausible)
			settled := uint32(0)
			for n := range calls {
				if err := in.copy.Eval(b); err != nil {
					return differs("an answer", "%s: call %d: %v", p, n+1, err)
				}
				if n == warmUp {
					settled = in.guest.instance.Size()
				}
			}
			if now := in.guest.instance.Size(); now != settled {
				return differs("a memory that stays as large as it is", "%s: %d bytes after %d calls, %d after %d", p, settled, warmUp, now, calls)
			}
			return verdict{note: fmt.Sprintf("%d KiB", settled>>10)}
		})
	})
}
