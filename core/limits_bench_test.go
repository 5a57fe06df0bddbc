package core_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
)

// BenchmarkReleaseBelowALimit releases an allocation of a user and asks again, while other applications of his wait for the same
// limit with an ask each: all of them are looked at again.
func BenchmarkReleaseBelowALimit(b *testing.B) {
	for _, apps := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("apps=%d", apps), func(b *testing.B) {
			c := limitedCluster(b, "{users: [bob], maxresources: {vcore: 5}}", "")
			ask := func(i int) {
				c.Apply(&core.Input{At: c.Now(), Type: core.AskAdd, ID: fmt.Sprint("ask", i), App: fmt.Sprint("app", i), Resources: vcores(1)})
			}
			for i := range apps {
				c.appOf(fmt.Sprint("app", i), "root.a", "bob")
				ask(i)
			}
			c.cycle()
			for b.Loop() {
				c.Apply(&core.Input{At: c.Now(), Type: core.AllocationRelease, ID: "ask0"})
				ask(0)
				if c.Cycle(-1) != 1 {
					b.Fatal("a release did not let one ask in")
				}
				c.Take()
			}
		})
	}
}
