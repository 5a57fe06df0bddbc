package node

import (
	"testing"

	"github.com/quern-project/quern/core/resource"
)

func TestWhatIsKeptForTasksIsNotFree(t *testing.T) {
	n := &Node{Capacity: resource.Vec{10}, Occupied: resource.Vec{1}, Used: resource.Vec{4}}
	expect := func(free, toBe int64) {
		t.Helper()
		if n.Free(0) != free || n.FutureRoom(0) != toBe {
			t.Fatalf("expected %d free and %d to be, found %d and %d", free, toBe, n.Free(0), n.FutureRoom(0))
		}
	}
	expect(5, 5)
	n.AddReplacement(resource.Vec{3}, resource.Vec{4}, true) // smaller than its placeholder here
	expect(5, 2)
	n.AddReplacement(resource.Vec{2}, nil, true) // its placeholder is elsewhere
	expect(3, 0)
	if free := n.FreeWithout(0, 4); free != 7 {
		t.Fatalf("expected 7 free without the placeholder, found %d", free)
	}
	n.AddReplacement(resource.Vec{3}, resource.Vec{4}, false)
	n.AddReplacement(resource.Vec{3}, nil, true) // the placeholder has left
	n.Used[0] = 0
	expect(4, 4)
	n.AddReplacement(resource.Vec{3}, nil, false)
	n.AddReplacement(resource.Vec{2}, nil, false)
	expect(9, 9)
	if n.Swaps != nil {
		t.Fatal("nothing is to land, and it is still kept in mind")
	}
}
