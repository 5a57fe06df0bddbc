package schedule

import (
	"cmp"
	"slices"
	"sort"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/resource"
)

// assignmentSteps limits the number of nodes tried by the enumeration of all assignments of a gang.
const assignmentSteps = 100_000

// gangSearch searches for nodes for the first members of a gang that fit by themselves. It
// first assigns the most constrained members first, each to its best fit, and then enumerates
// all assignments. It works on a copy of the nodes' free room, and resumes where it stopped.
type gangSearch struct {
	resumable.Attempt
	gang     app.AtomicGang
	need     int          // number of members to place
	region   *node.Region // nil: all nodes
	headroom resource.Vec
	held     map[int32]resource.Vec // what other asks must leave free on nodes, since it is held for another gang

	pending []app.Ask // members in order
	looked  int       // number of pending members examined
	shapes  []memberShape
	chosen  []member // first in the order of asks, later by sortHardest

	nodes []int32 // nodes that fit any member, in the order in which they were met
	index map[int32]int32
	free  []int64 // free room, one row per node
	width int

	sorted bool
	next   []int32 // by depth of the enumeration: the next node of the shape to try
	steps  int     // number of nodes tried
}

// memberShape is a shape with the nodes that it fits.
type memberShape struct {
	shape
	nodes []int32 // indices of nodes, by ID; empty if the shape fits no node by itself
	share int64   // dominant share of the cluster's total
}

// member is a chosen member.
type member struct {
	ask   app.Ask
	shape int
	place int // index among the chosen members in the order of asks
	node  int32
}

// searchGang resumes the search for a gang, or starts one. done is false if the search has stopped.
func (s *Walk) searchGang(first app.Ask, g app.AtomicGang) (placed []state.Placement, done bool) {
	x := s.gangs.search
	if x == nil || x.gang != g || !s.progress.Holds(x.Attempt) {
		again := x != nil && x.gang == g
		if again { // members may fit in order by now
			if s.placeInOrder(first, g) {
				return s.gangs.placed, true
			}
			s.takeBack(s.gangs.placed)
			s.headroomFor(first)
		}
		x = s.newGangSearch(first, g, g.Need())
		x.Attempt = s.progress.Attempt(again)
		s.gangs.search = x
	}
	found, done := s.run(x)
	if !done {
		return nil, false
	}
	s.gangs.search = nil
	if !found {
		if x.mayFitLater() && s.holdsLeast(x, first.App()) {
			s.reopenOnChange(first.App(), g)
		}
		return nil, true
	}
	return s.placementOf(x), true
}

// newGangSearch starts a search for the nodes of some members of a gang.
func (s *Walk) newGangSearch(first app.Ask, g app.AtomicGang, need int) *gangSearch {
	x := &gangSearch{gang: g, need: need, width: len(s.wide.Total), index: map[int32]int32{}}
	s.headroomFor(first)
	if !s.MayUseHeld(first) {
		x.held = s.accumulating.onNode
	}
	x.headroom = slices.Clone(s.gangs.headroom)
	first.App().EachMember(first, func(ask app.Ask) bool { x.pending = append(x.pending, ask); return true })
	return x
}

// run reports whether an assignment was found. done is false if the search has stopped.
func (s *Walk) run(x *gangSearch) (found, done bool) {
	if !s.choose(x) {
		return false, false
	}
	defer func() {
		if found && s.planning.on {
			for i := range x.chosen {
				s.countNow(x.chosen[i].ask, x.nodes[x.chosen[i].node], false)
			}
		}
	}()
	if !x.sorted {
		if len(x.chosen) < x.need || x.ruledOut() {
			return false, true
		}
		x.sortHardest()
		if s.fitBest(x) {
			return true, true
		}
	}
	return s.assignAll(x)
}

// choose finds the first members that fit by themselves, as many as are needed.
func (s *Walk) choose(x *gangSearch) (done bool) {
	for ; len(x.chosen) < x.need && x.looked < len(x.pending); x.looked++ {
		if s.progress.MustStopIn(resumable.Placement, x.Attempt) {
			return false
		}
		ask := x.pending[x.looked]
		i := slices.IndexFunc(x.shapes, func(m memberShape) bool { return m.shape == s.shapeOfMember(ask) })
		s.progress.Spend(1 + len(x.shapes)/8)
		if i < 0 {
			i = len(x.shapes)
			x.shapes = append(x.shapes, s.shapeOf(x, ask))
		}
		if len(x.shapes[i].nodes) > 0 {
			x.chosen = append(x.chosen, member{ask: ask, shape: i, place: len(x.chosen)})
		}
	}
	return true
}

// shapeOf finds the nodes that a member fits now.
func (s *Walk) shapeOf(x *gangSearch, ask app.Ask) memberShape {
	c := ask.Class()
	m := memberShape{shape: s.shapeOfMember(ask)}
	for need := range c.Needs().All {
		m.share = max(m.share, resource.Share(need.Min, s.wide.Total[need.Lane]))
	}
	if !c.Fits(x.headroom) || s.planning.on && !s.fitsShared(ask, s.state.Now()) {
		return m
	}
	all := s.nodesIn(x.region)
	s.progress.Spend(all.Len())
	for n := range all.All {
		if s.state.Nodes().Available(n) && s.state.Nodes().Fits(n, c) && (!s.state.Nodes().Hold(n).IsContested() || s.MayUse(ask, n)) && s.state.Nodes().Admits(c, n) {
			m.nodes = append(m.nodes, x.indexOf(n, s.state.Nodes().View()))
		}
	}
	return m
}

// indexOf returns the index of a node. It copies the node's free room at the first call.
func (x *gangSearch) indexOf(n int32, nodes nodes.View) int32 {
	i, known := x.index[n]
	if !known {
		i = int32(len(x.nodes))
		x.index[n], x.nodes = i, append(x.nodes, n)
		held := x.held[n]
		for t := range x.width {
			free := nodes.Free(n, t)
			if held != nil {
				free = max(0, resource.Sub(free, held[t]))
			}
			x.free = append(x.free, free)
		}
	}
	return i
}

func (x *gangSearch) freeOf(i int32) resource.Vec {
	return x.free[int(i)*x.width : (int(i)+1)*x.width]
}

// ruledOut reports whether sums show that no assignment exists.
func (x *gangSearch) ruledOut() bool {
	alike := true
	sum := make(resource.Vec, x.width)
	counts := make([]int64, len(x.shapes))
	for i := range x.chosen {
		m := &x.chosen[i]
		alike = alike && m.shape == x.chosen[0].shape
		sum.Add(m.ask.Class().Demand())
		counts[m.shape]++
	}
	if alike { // placing them in order would have found an assignment
		return true
	}
	total := make(resource.Vec, x.width)
	for i := range x.nodes {
		total.Add(x.freeOf(int32(i)).Amounts())
	}
	for t, d := range sum {
		if d > 0 && (d > x.headroom[t] || d > total[t]) {
			return true
		}
	}
	for i := range x.shapes {
		if counts[i] > 0 && !x.holds(&x.shapes[i], counts[i]) {
			return true
		}
	}
	return false
}

// holds reports whether the nodes have room for count members of a shape without any others.
func (x *gangSearch) holds(m *memberShape, count int64) bool {
	for _, i := range m.nodes {
		free, most := x.freeOf(i), count
		for need := range m.class.Needs().All {
			most = min(most, free[need.Lane]/need.Min)
		}
		if count -= most; count <= 0 {
			return true
		}
	}
	return false
}

// sortHardest sorts the members by the number of nodes that they fit, fewest first.
func (x *gangSearch) sortHardest() {
	x.sorted = true
	sort.SliceStable(x.chosen, func(i, j int) bool {
		p, q := &x.shapes[x.chosen[i].shape], &x.shapes[x.chosen[j].shape]
		return cmp.Or(cmp.Compare(len(p.nodes), len(q.nodes)), cmp.Compare(q.share, p.share)) < 0
	})
}

// fitBest assigns each member to the node on which it leaves the least. If one fits no node, all assignments are undone.
func (s *Walk) fitBest(x *gangSearch) bool {
	for i := range x.chosen {
		m := &x.chosen[i]
		if m.node = s.bestFit(x, m); m.node < 0 {
			for j := range x.chosen[:i] {
				s.take(x, &x.chosen[j], -1)
			}
			return false
		}
		s.take(x, m, 1)
	}
	return true
}

// bestFit returns the node with the least left over after a member is assigned, as the dominant share of the cluster's total. It returns -1
// if the member fits no node.
func (s *Walk) bestFit(x *gangSearch, of *member) int32 {
	m := &x.shapes[of.shape]
	best, least := int32(-1), int64(0)
	if !m.class.Fits(x.headroom) {
		return best
	}
	s.progress.Spend(len(m.nodes))
	for _, i := range m.nodes {
		free := x.freeOf(i)
		if !m.class.Fits(free) || !s.leavesTogether(of.ask, x.nodes[i]) {
			continue
		}
		left := int64(0)
		for t, room := range free {
			left = max(left, resource.Share(resource.Sub(room, m.class.Demand().At(t)), s.wide.Total[t]))
		}
		if best < 0 || left < least {
			best, least = i, left
		}
	}
	return best
}

// take assigns a member to its node if sign is 1, and undoes that if sign is -1.
func (s *Walk) take(x *gangSearch, m *member, sign int64) {
	x.take(m, sign)
	if s.planning.on {
		s.countNow(m.ask, x.nodes[m.node], sign > 0)
	}
}

// countTaken counts the members that the enumeration has assigned in the profiles, or takes them back while it is stopped.
func (s *Walk) countTaken(x *gangSearch, more bool) {
	for i := range len(x.next) - 1 {
		if m := &x.chosen[i]; s.planning.on {
			s.countNow(m.ask, x.nodes[m.node], more)
		}
	}
}

// take is Walk.take without profiles.
func (x *gangSearch) take(m *member, sign int64) {
	free := x.freeOf(m.node)
	for need := range x.shapes[m.shape].class.Needs().All {
		free[need.Lane] -= sign * need.Min
		x.headroom[need.Lane] -= sign * need.Min
	}
}

// assignAll enumerates the assignments, nodes by ID.
func (s *Walk) assignAll(x *gangSearch) (found, done bool) {
	if x.next == nil {
		x.next = make([]int32, 1, len(x.chosen))
	}
	s.countTaken(x, true)
	for {
		depth := len(x.next) - 1
		m := &x.chosen[depth]
		if s.progress.MustStopIn(resumable.Placement, x.Attempt) {
			s.countTaken(x, false)
			return false, false
		}
		if s.nextNode(x, m, &x.next[depth]) {
			if x.steps++; x.steps > assignmentSteps {
				s.countTaken(x, false)
				return false, true
			}
			s.take(x, m, 1)
			if len(x.next) == len(x.chosen) {
				return true, true
			}
			x.next = append(x.next, 0)
			continue
		}
		if depth == 0 {
			return false, true
		}
		x.next = x.next[:depth]
		s.take(x, &x.chosen[depth-1], -1)
	}
}

// nextNode finds the next node that a member fits.
func (s *Walk) nextNode(x *gangSearch, m *member, at *int32) bool {
	k := &x.shapes[m.shape]
	if !k.class.Fits(x.headroom) {
		return false
	}
	for int(*at) < len(k.nodes) {
		i := k.nodes[*at]
		*at++
		s.progress.Spend(1)
		if k.class.Fits(x.freeOf(i)) && s.leavesTogether(m.ask, x.nodes[i]) {
			m.node = i
			return true
		}
	}
	return false
}

// placementOf returns the placements of the members in the order of asks, and assumes them on their nodes. The search checked each member
// by itself; the result is nil if a predicate rejects a member together with those before it.
func (s *Walk) placementOf(x *gangSearch) []state.Placement {
	sort.Slice(x.chosen, func(i, j int) bool { return x.chosen[i].place < x.chosen[j].place })
	placed := s.gangs.placed[:0]
	for i := range x.chosen {
		p := state.Placement{Ask: x.chosen[i].ask, Node: x.nodes[x.chosen[i].node]}
		if node.OnPlacements(p.Ask.Class()) && !s.state.Nodes().Admits(p.Ask.Class(), p.Node) {
			s.takeBack(placed)
			return nil
		}
		s.assumeOn(p)
		placed = append(placed, p)
	}
	s.gangs.placed = placed
	return placed
}
