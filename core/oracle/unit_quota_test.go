package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// quotaUnitTest is a test of root.q, with the leaves a and b, whose max is lowered to so many vcores after fill.
func quotaUnitTest(t *testing.T, vcores int, guaranteed string, fill, test func(c *cluster)) {
	t.Helper()
	text := func(vcores int) string {
		return fmt.Sprintf(`
  preemption: {quotapreemptionenabled: true}
  queues:
  - name: q
    resources: {max: {vcore: %d}}
    properties: {quota.preemption.delay: 10s}
    queues:
    - {name: a%s}
    - {name: b}
`, vcores, guaranteed)
	}
	unitTestOf(t, text(100), func(c *cluster) {
		c.app("x", "root.q.a", "u")
		c.app("y", "root.q.b", "u")
		c.node("n", 100)
		fill(c)
		c.config(text(vcores))
		c.skip()
		c.pass(10 * time.Second)
		test(c)
	})
}

func TestUnitQuota_SinglesAndSurplusBeforeWholeGangs(t *testing.T) {
	quotaUnitTest(t, 4, "", func(c *cluster) {
		for i := range 4 {
			c.runs(fmt.Sprint("g", i+1), "x", "n", of("g", 3))
		}
		c.runs("s", "x", "n", single(ranked(9)))
		c.runs("t", "y", "n", single(originator))
	}, func(c *cluster) {
		c.expect("preemption g4 n root.q g", "preemption s n root.q")
	})
}

func TestUnitQuota_WholeGangsOnlyAfterTheSinglesOfEveryLeaf(t *testing.T) {
	quotaUnitTest(t, 2, "", func(c *cluster) {
		for i := range 3 {
			c.runs(fmt.Sprint("g", i+1), "x", "n", of("g", 3))
		}
		c.runs("t", "y", "n", single(originator))
	}, func(c *cluster) { // t alone is not enough; with the gang, it is needless
		c.expect("preemption g1 n root.q g ends", "preemption g2 n root.q g ends", "preemption g3 n root.q g ends")
	})
}

func TestUnitQuota_SmallestGangOfALeafFirst(t *testing.T) {
	quotaUnitTest(t, 5, "", func(c *cluster) {
		for i := range 2 {
			c.runs(fmt.Sprint("h", i+1), "x", "n", of("h", 2, ranked(9)))
		}
		for i := range 4 {
			c.runs(fmt.Sprint("g", i+1), "x", "n", of("g", 4))
		}
	}, func(c *cluster) {
		c.expect("preemption h1 n root.q h ends", "preemption h2 n root.q h ends")
	})
}

func TestUnitQuota_ThenTheMemberThatGoesLastDecides(t *testing.T) {
	quotaUnitTest(t, 5, "", func(c *cluster) {
		c.runs("g1", "x", "n", of("g", 2))
		c.runs("g2", "x", "n", of("g", 2, ranked(2)))
		c.runs("h1", "x", "n", of("h", 2, ranked(1)))
		c.runs("h2", "x", "n", of("h", 2, ranked(1)))
		c.runs("i1", "x", "n", of("i", 2))
		c.runs("i2", "x", "n", of("i", 2, originator))
	}, func(c *cluster) {
		c.expect("preemption h1 n root.q h ends", "preemption h2 n root.q h ends")
	})
}

func TestUnitQuota_NeverBelowAGuarantee(t *testing.T) {
	quotaUnitTest(t, 2, ", resources: {guaranteed: {vcore: 1}}", func(c *cluster) {
		for i := range 3 {
			c.runs(fmt.Sprint("g", i+1), "x", "n", of("g", 3))
		}
	}, func(c *cluster) {
		c.expect()
	})
}

func TestUnitQuota_ARequiredNodeSavesTheGang(t *testing.T) {
	quotaUnitTest(t, 2, "", func(c *cluster) {
		c.runs("g1", "x", "n", of("g", 3))
		c.runs("g2", "x", "n", of("g", 3))
		c.runs("g3", "x", "n", of("g", 3, func(k *core.Ask) { k.Node = "n" }))
	}, func(c *cluster) {
		c.expect()
	})
}

func TestUnitQuota_ANeedlessGangStays(t *testing.T) {
	quotaUnitTest(t, 4, "", func(c *cluster) {
		for _, id := range []string{"g1", "g2"} {
			c.runs(id, "x", "n", of("g", 2))
		}
		for _, id := range []string{"i1", "i2"} {
			c.runs(id, "x", "n", of("i", 2))
		}
		for _, id := range []string{"h1", "h2", "h3"} {
			c.runs(id, "y", "n", of("h", 3))
		}
	}, func(c *cluster) { // the target of a is larger, so i is chosen; then that of b is, and h alone suffices
		c.expect("preemption h1 n root.q h ends", "preemption h2 n root.q h ends", "preemption h3 n root.q h ends")
	})
}

func TestUnitQuota_GangsOfAMemberQueueGoOneByOne(t *testing.T) {
	quotaUnitTest(t, 2, ", properties: {preemption.gangs: member}", func(c *cluster) {
		for i := range 3 {
			c.runs(fmt.Sprint("g", i+1), "x", "n", of("g", 3))
		}
	}, func(c *cluster) {
		c.expect("preemption g3 n root.q g")
		c.release("g3")
		c.expect("release g3 preempted", "gang.broken x g 2/3 preempted")
	})
}
