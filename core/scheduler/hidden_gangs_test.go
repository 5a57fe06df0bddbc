package scheduler_test

import (
	"testing"

	"github.com/quern-project/quern/core"
)

// A gang for which no rack has room is not found by searches. It has to be found again as soon as a rack has room for all of it.
func TestWaitingGangsAreFoundAgainWhenARackHasRoom(t *testing.T) {
	c := newRacks(t, 8, 2, 1)
	rack := core.Topology{Required: "rack"}
	var small []int
	for range 8 {
		small = append(small, c.ask(1, 8, core.Topology{}))
	}
	if n := c.finish(); n != 8 {
		t.Fatalf("%d asks were placed on 8 nodes", n)
	}
	large, pair := c.ask(4, 8, rack), c.ask(2, 8, rack)
	on := map[string]string{} // node by ask
	for _, d := range c.Take() {
		if d.Type == core.Allocation {
			on[d.ID] = d.Node
		}
	}
	rackOf := func(gang int) int { return int(on[memberID(gang, 0)][4]-'0') % 2 }
	expect := func(placed int, after string) {
		t.Helper()
		if n := c.finish(); n != placed {
			t.Fatalf("%d asks were placed after %s, expected %d", n, after, placed)
		}
	}
	expect(0, "both gangs were submitted")
	free := func(in int) {
		t.Helper()
		for i, gang := range small {
			if gang > 0 && rackOf(gang) == in {
				c.end(gang)
				small[i] = 0
				return
			}
		}
		t.Fatal("all nodes of the rack are free")
	}
	free(0)
	expect(0, "one node of a rack became free")
	free(1)
	expect(0, "one node of each rack became free")
	free(0)
	expect(2, "two nodes of a rack became free")
	c.end(pair)
	expect(0, "the gang of two ended, which leaves two nodes in that rack")
	free(0)
	expect(0, "three nodes of the rack became free")
	free(0)
	expect(4, "four nodes of the rack became free")
	c.end(large)
	expect(0, "all gangs have ended")
}
