package contract

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/format"
)

// attempts are how often a process is asked at most: the best time counts, since a machine that is busy with something
// else is no fault of the process.
const attempts = 25

// inTime asks a process about batches, each of which has to be answered before the deadline.
func inTime(deadline time.Duration) func(policy.Point, []int, func(int) *policy.Batch, policy.Evaluator) (took, expected, found string) {
	return func(p policy.Point, sizes []int, batch func(int) *policy.Batch, e policy.Evaluator) (took, expected, found string) {
		var times []string
		for _, rows := range sizes {
			best := time.Duration(math.MaxInt64)
			for n := 0; n < attempts && best > deadline/2; n++ {
				b := batch(rows)
				start := time.Now()
				if err := e.Eval(b); err != nil {
					return "", "an answer", fmt.Sprintf("%s: %v", p, err)
				}
				best = min(best, time.Since(start))
			}
			if best > deadline {
				return "", "an answer within " + deadline.String(), fmt.Sprintf("%s: %d rows: %v, the best of %d", p, rows, best, attempts)
			}
			times = append(times, format.Duration(best))
		}
		return strings.Join(times, ", ") + ", of " + deadline.String(), "", ""
	}
}
