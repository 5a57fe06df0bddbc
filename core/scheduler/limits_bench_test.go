package scheduler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// BenchmarkReleaseBelowALimit releases an allocation of a user and adds an ask, while each of the user's other applications has an ask
// that waits for the same limit. Only as many of these are tried as there is room for.
func BenchmarkReleaseBelowALimit(b *testing.B) {
	for _, apps := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("apps=%d", apps), func(b *testing.B) {
			c := limitedCluster(b, "{users: [bob], maxresources: {vcore: 5}}", "")
			ask := func(i int) {
				c.Apply(&core.Input{At: c.Now(), Event: &core.AddAsk{ID: fmt.Sprint("ask", i), App: fmt.Sprint("app", i), Resources: vcores(1)}})
			}
			for i := range apps {
				c.appOf(fmt.Sprint("app", i), "root.a", "bob")
				ask(i)
			}
			c.cycle()
			for b.Loop() {
				c.Apply(&core.Input{At: c.Now(), Event: &core.ReleaseAllocation{ID: "ask0"}})
				ask(0)
				if c.Cycle(-1) != 1 {
					b.Fatal("a release did not let one ask in")
				}
				c.Take()
			}
		})
	}
}

// firstColumn is a policy whose only key is its first column.
type firstColumn struct{}

func (firstColumn) Eval(b *policy.Batch) error {
	for _, row := range b.Rows {
		b.Out[row] = b.Cols[0][row]
	}
	return nil
}

// BenchmarkPlaceByUseOfLimits places an ask while a policy orders applications by a column of their own and by their user's usage of a
// limit: all applications of the user with pending asks are then sorted in again.
func BenchmarkPlaceByUseOfLimits(b *testing.B) {
	for _, column := range []string{"allocations", "user_limit_share"} {
		for _, apps := range []int{10, 100, 1_000} {
			b.Run(fmt.Sprintf("%s/apps=%d", column, apps), func(b *testing.B) {
				c := newCluster(b, core.Options{Evaluator: func(core.Announcement) policy.Evaluator { return firstColumn{} }}, "")
				c.setPolicy("order", "1", manifest("order", policy.AppOrder, 1, policy.OnRow, column))
				c.configure(`, limits: [{users: [bob], maxresources: {vcore: 1000}}], queues: [{name: a, properties: {application.sort.policy: order}}]`)
				c.node("n", 1)
				ask := func(id, app string) {
					c.Apply(&core.Input{At: c.Now(), Event: &core.AddAsk{ID: id, App: app, Resources: vcores(1)}})
				}
				for i := range apps {
					c.appOf(fmt.Sprint("app", i), "root.a", "bob")
					ask(fmt.Sprint("first", i), fmt.Sprint("app", i))
					ask(fmt.Sprint("second", i), fmt.Sprint("app", i))
				}
				c.cycle()
				placed := "first0"
				for b.Loop() {
					c.Apply(&core.Input{At: c.Now(), Event: &core.ReleaseAllocation{ID: placed}})
					ask(placed, "app"+strings.TrimLeft(placed, "firstecond"))
					if c.Cycle(-1) != 1 {
						b.Fatal("a release did not let one ask in")
					}
					for _, d := range c.Take() {
						if d.Type == core.Allocation {
							placed = d.ID
						}
					}
				}
			})
		}
	}
}
