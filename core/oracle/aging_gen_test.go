package oracle_test

import (
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// agedUsage draws scenarios in which past usage matters: work that ends, waits around half-lives, multiples of periods, and twenty half-lives.
var agedUsage = func() focus {
	f := fairShares
	f.aging = 2
	f.limited = 6
	f.kinds = append(f.kinds, weigh(map[core.InputType]int{core.AllocationRelease: 10, core.AppMove: 2, core.ConfigSet: 3, core.AppRemove: 1})...)
	f.waits = []time.Duration{
		time.Second, 1, 999 * time.Millisecond, 1500 * time.Millisecond, 7 * time.Second, 10 * time.Second, 73*time.Second + 1, 10 * time.Minute,
		20 * time.Second, 200 * time.Second, 200*time.Second - 1, 40 * time.Minute, 300 * time.Hour,
	}
	f.appSorts = []string{"fair-users", "fair-users", "fair", "fifo", "Fair-Users"}
	return f
}()

func agingScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario { return drawWorldOf(t, agedUsage).drawScenario(t) })
}

// drawAging gives a queue a half-life.
func (w *world) drawAging(t *rapid.T, q *queueText) {
	if w.aging == 0 || !chance(t, "half-life", w.aging) {
		return
	}
	q.properties["fairness.half-life"] = pick(t, "half-life of", "10s", "1s", "7.3s", "10m", "24h", "0s", "0", "2562047h")
	if chance(t, "look-ahead", 3) {
		q.properties["fairness.look-ahead"] = pick(t, "look-ahead of", "0s", "1s", "5s", "1h", "2562047h")
	}
}
