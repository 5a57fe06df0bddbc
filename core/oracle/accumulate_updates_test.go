package oracle_test

import (
	"testing"

	"github.com/quern-project/quern/core"
)

// nowNeeds gives a pending ask another amount.
func (c *cluster) nowNeeds(id string, vcores int64) {
	c.apply(core.Input{Event: &core.UpdateAsk{ID: id, Resources: cores(vcores)}})
}

func TestAccumulate_MemberThatGrowsGivesItsRoomToTheNext(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(2)
		c.asksFor("x1", "g", 3)
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.nowNeeds("g1", 5)
		c.expect("unreservation g1 n1 g", "reservation g2 n1 g")
	})
}

func TestAccumulate_AsksBehindUseWhatAMemberNoLongerNeeds(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		for _, id := range []string{"g1", "g2"} {
			c.ask(id, "x1", 2, of("g", 2))
		}
		c.isPassed()
		c.release("r2")
		c.release("r3")
		c.expect("release r2 finished", "release r3 finished", "reservation g1 n1 g")
		c.ask("s2", "y", 1)
		c.expect()
		c.nowNeeds("g1", 1)
		c.expect("allocation s2 n1")
	})
}

func TestAccumulate_LargerTaskReplacesWithinWhatIsNotHeld(t *testing.T) {
	for amount, want := range map[int64][]string{
		1: {"placeholder.replaced p t n1"}, 2: {"placeholder.replaced p t n1"}, 3: {"placeholder.timeout p n1 too-small"},
	} {
		accumulates(t, "", func(c *cluster) {
			c.filled(5)
			c.gang("h", "root.a", 1, false)
			c.release("r5")
			c.skip()
			c.holder("p", "h", 1)
			c.skip()
			for _, id := range []string{"g1", "g2", "g3"} {
				c.ask(id, "x1", 2, of("g", 3))
			}
			c.isPassed()
			for _, id := range []string{"r2", "r3", "r4"} {
				c.release(id)
			}
			c.expect("release r2 finished", "release r3 finished", "reservation g1 n1 g", "release r4 finished")
			c.task("t", "h", amount)
			c.expect(want...)
		})
	}
}
