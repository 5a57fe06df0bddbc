package node_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/resource"
)

var (
	levels   = []string{"zone", "model"}
	topology = []node.Level{{Name: "region", Attribute: "zone"}, {Name: "rack", Attribute: "model"}}
)

// TestDomains_AnswerLikeAScan compares searches in regions, and their room, with a scan of all nodes.
func TestDomains_AnswerLikeAScan(t *testing.T) {
	for name, score := range scorings() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
				tr := finderRun{failer: t, roll: roll, ids: 9, name: name, fixture: newStand(score, odd()), mine: map[string]bool{}}
				for range rapid.IntRange(1, 40).Draw(t, "steps") {
					if tr.step(); tr.Domains().Levels() == 0 { // it is new
						tr.SetTopology(topology)
					}
					tr.compareRegion(tr.anyShape())
				}
			})
		})
	}
}

// compareSlices reads the room for slices of two asks in a region.
func (tr *finderRun) compareSlices(c class.Class, r node.Region, reserved []int32, inside func(int32) bool) {
	v, rooms := tr.Domains(), tr.CountRooms(c, node.Contest{Nodes: reserved})
	for level := max(0, tr.Depth(r)); level <= v.Levels(); level++ {
		slices, in := int64(0), map[int32]int64{}
		for _, n := range tr.Sorted().Clone() {
			switch {
			case !inside(n):
			case level == v.Levels():
				in[n] += rooms.On(n)
			case v.Of(n, level) != domain.None:
				in[int32(v.Of(n, level))] += rooms.On(n)
			}
		}
		for _, room := range in {
			slices += room / 2
		}
		if found := rooms.InSlices(level, 2).Of(r); found != slices {
			tr.failer.Fatalf("%+v has room for %d slices at level %d, expected %d", r, found, level, slices)
		}
		if found := tr.RegionsIn(r, level); found.Len() != len(in) {
			tr.failer.Fatalf("%+v has the regions %v at level %d, expected %d", r, found.Clone(), level, len(in))
		}
	}
}

// compareRegion searches a region for an ask, and reads the room there.
func (tr *finderRun) compareRegion(shape class.Shape) {
	r, inside := tr.anyRegion()
	c := tr.class(shape)
	mayTake := func(n int32) bool { return tr.mine[tr.ID(n)] }
	best, room := nodes.None, int64(0)
	var list, reserved []int32
	for _, n := range tr.Sorted().Clone() {
		hold := tr.Hold(n)
		granted := !hold.IsReserved() || (shape.Node != "" || !hold.IsRequired()) && mayTake(n)
		if hold.IsReserved() && granted {
			reserved = append(reserved, n)
		}
		if !inside(n) {
			continue
		}
		if list = append(list, n); !granted || !tr.takes(c, n) {
			continue
		}
		room += tr.holds(c, n)
		if best == nodes.None || tr.score(c, n) > tr.score(c, best) {
			best = n
		}
	}
	tr.compareSlices(c, r, reserved, inside)
	if found, _ := tr.BestIn(c, r, mayTake); found != best {
		tr.failer.Fatalf("%+v goes to slot %d in %+v, expected %d", shape, found, r, best)
	}
	if found := tr.NodesIn(r).Clone(); !slices.Equal(found, list) {
		tr.failer.Fatalf("%+v has the nodes %v, expected %v", r, found, list)
	}
	if found := tr.CountRooms(c, node.Contest{Nodes: reserved}).Of(r); found != room {
		tr.failer.Fatalf("%+v has counted room for %d of %+v, expected %d", r, found, shape, room)
	}
	if shape.Predicate != "" {
		return
	}
	rooms := tr.Rooms(c, node.Contest{Nodes: reserved})
	if found := rooms.Of(r); found != room {
		tr.failer.Fatalf("%+v has room for %d of %+v, expected %d", r, found, shape, room)
	}
	if d, whole := r.Domain(); whole && d != domain.None && room > 0 && !rooms.Holds(tr.Domains().Level(d), room) {
		tr.failer.Fatalf("no domain like %+v has room for %d", r, room)
	}
}

// holds returns how many asks of a class fit a node.
func (tr *finderRun) holds(c class.Class, n int32) int64 {
	most := int64(resource.Most)
	for t, need := range c.Demand().All {
		if need > 0 {
			most = min(most, tr.Free(n, t)/need)
		}
	}
	return most
}

// anyRegion draws a region, and returns which nodes are in it.
func (tr *finderRun) anyRegion() (r node.Region, inside func(n int32) bool) {
	var path []string
	for range tr.roll("levels", len(levels)+1) {
		path = append(path, []string{"v1", "v2", "v3"}[tr.roll("value", 3)])
	}
	depth := func(n int32) (values []string) {
		for _, attribute := range levels {
			value, has := tr.Attributes(n)[attribute]
			if !has {
				break
			}
			values = append(values, value)
		}
		return values
	}
	under := func(n int32) bool { return len(depth(n)) >= len(path) && slices.Equal(depth(n)[:len(path)], path) }
	d := tr.Domains().Find(path)
	switch {
	case tr.roll("single", 4) == 0:
		only := tr.Find(tr.anyID())
		return node.Only(only), func(n int32) bool { return n == only }
	case d == domain.None && len(path) > 0:
		return node.Nowhere(), func(int32) bool { return false }
	case tr.roll("rest", 3) == 0 && len(path) < len(levels):
		return node.RestOf(d), func(n int32) bool { return under(n) && len(depth(n)) == len(path) }
	}
	return node.In(d), under
}

func TestDomains_NodesWithPreferredAttributesComeFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		tr := finderRun{failer: t, roll: roll, ids: 9, name: "fair", fixture: newStand(scorings()["fair"], odd()), mine: map[string]bool{}}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			tr.step()
			shape := tr.anyShape()
			shape.Node, shape.Topology = "", class.Prefer("model", levels...)
			tr.comparePreferred(shape)
		}
	})
}

// comparePreferred searches for an ask that prefers nodes with the attributes of all levels, and then those with the first.
func (tr *finderRun) comparePreferred(shape class.Shape) {
	c, best, bestDepth := tr.class(shape), nodes.None, -1
	for _, n := range tr.Sorted().Clone() {
		hold, depth := tr.Hold(n), 0
		for depth < len(levels) && tr.Attributes(n)[levels[depth]] != "" {
			depth++
		}
		if !tr.takes(c, n) || hold.IsReserved() && (hold.IsRequired() || !tr.mine[tr.ID(n)]) || depth < bestDepth {
			continue
		}
		if depth > bestDepth || tr.score(c, n) > tr.score(c, best) {
			best, bestDepth = n, depth
		}
	}
	if found, _ := tr.Best(c, func(n int32) bool { return tr.mine[tr.ID(n)] }); found != best {
		tr.failer.Fatalf("%+v goes to slot %d, expected %d", shape, found, best)
	}
}
