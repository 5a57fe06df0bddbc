package node_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

var weights = []policy.Weight{{Type: "vcore", Thousandths: 1000}, {Type: "memory", Thousandths: 2500}}

// fixture is a finder with its nodes and the objects that a search needs. Its methods change a node and report the change to the finder.
type fixture struct {
	node.Updater
	own     *nodes.Nodes
	rebuilt func() node.Updater // another finder of the same nodes
	types   *resource.Types
	classes class.Registry
}

func newStand(score *policy.Module, verdict *policy.Module) *fixture {
	types := resource.NewTypes()
	for _, n := range []string{"vcore", "memory", "gpu"} {
		types.Intern(n)
	}
	symbols := policy.NewSymbolTable(types)
	acting := func(p policy.Point, m *policy.Module) *policy.Acting {
		return &policy.Acting{Point: p, Module: m, Fallback: m, Symbols: symbols, OnFault: func(*policy.Acting, error) {}}
	}
	own := nodes.New(types.Width())
	finder := func() node.Updater {
		return node.New(own.View(), types, acting(policy.NodeScore, score), func(string) *policy.Acting { return acting(policy.NodeFilter, verdict) }, func(string) bool { return false })
	}
	return &fixture{finder(), own, finder, types, class.NewRegistry(types)}
}

func (s *fixture) vec(vcore, memory, gpu int64) resource.Vec {
	v := make(resource.Vec, s.types.Width())
	v[0], v[1], v[2] = vcore, memory, gpu
	return v
}

func (s *fixture) add(id string, capacity resource.Vec) int32 {
	return s.addNode(&nodes.Node{ID: id, Capacity: capacity, Schedulable: true})
}

func (s *fixture) addNode(n *nodes.Node) int32 {
	slot := s.own.Add(n)
	s.Added(slot)
	return slot
}

func (s *fixture) remove(n int32) {
	s.Removing(n)
	s.own.Remove(n)
	s.own.Reclaim()
}

// use makes the allocations of a node use other amounts.
func (s *fixture) use(n int32, amounts resource.Vec) {
	s.own.Release(n, s.Used(n).Amounts())
	s.own.Allocate(n, amounts.Amounts())
	s.Changed(n)
}

func (s *fixture) resize(n int32, capacity resource.Vec) {
	s.own.Resize(n, capacity)
	s.Changed(n)
}

func (s *fixture) class(shape class.Shape) class.Class { return s.classes.Of(&shape) }

func nobody(int32) bool { return false }

func (s *fixture) best(c class.Class, mayTake func(int32) bool) string {
	if n, _ := s.Best(c, mayTake); n != nodes.None {
		return s.ID(n)
	}
	return ""
}

// insertions are orders of adding nodes in which names always fall into one gap, or at the ends.
var insertions = map[string]func(n int) []string{
	"ascending":  func(n int) []string { return named(n, func(i int) int { return i }) },
	"descending": func(n int) []string { return named(n, func(i int) int { return n - i }) },
	"inwards from below and above": func(n int) []string {
		return named(n, func(i int) int {
			if i%2 == 0 {
				return i
			}
			return 2*n - i
		})
	},
	"into the gap below the last": func(n int) []string {
		return append([]string{"a", "z"}, named(n, func(i int) int { return n - i })...)
	},
	"into the gap above the first": func(n int) []string {
		out := []string{"a", "b"}
		for i := range n { // a, a!, a!!: each right above the last; then b is never passed
			out = append(out, "a"+strings.Repeat("!", i+1))
		}
		return out
	},
	"halving one gap": func(n int) []string {
		out := []string{"m0", "m1"}
		for i := range n { // m0, m00, m000 in turn: each between m0 and the one before
			out = append(out, "m0"+strings.Repeat("0", n-i))
		}
		return out
	},
}

func named(n int, number func(i int) int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("n%05d", number(i))
	}
	return out
}

func TestEqualNodesAreTakenBytewiseByIDHoweverTheyCame(t *testing.T) {
	for name, insertion := range insertions {
		t.Run(name, func(t *testing.T) {
			s := newStand(policy.FairNodes(weights), policy.PassAll())
			ids := insertion(150)
			for _, id := range ids {
				s.add(id, s.vec(10, 10, 0))
			}
			slices.Sort(ids)
			c := s.class(class.Shape{Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 10})})
			for i, id := range ids {
				if found := s.ID(s.Sorted().At(i)); found != id {
					t.Fatalf("sorted %d is %q, expected %q", i, found, id)
				}
				n, _ := s.Best(c, nobody)
				if n == nodes.None || s.ID(n) != id {
					t.Fatalf("best %d is in slot %d, expected %q", i, n, id)
				}
				s.use(n, s.vec(10, 0, 0))
			}
		})
	}
}

// TestAsksOfManyShapesAreAnsweredLikeAScan fills a finder with asks of many shapes, so that the nodes with the best scores usually lack room,
// and searches use thresholds and the tree by score.
func TestAsksOfManyShapesAreAnsweredLikeAScan(t *testing.T) {
	for name, score := range map[string]*policy.Module{"fair": policy.FairNodes(weights), "binpacking": policy.PackedNodes(weights)} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 7))
			roll := func(_ string, n int) int { return rng.IntN(n) }
			tr := finderRun{failer: t, roll: roll, name: name, fixture: newStand(score, odd())}
			ids := rng.Perm(600)
			for i, id := range ids {
				tr.add(fmt.Sprint("n", id), tr.vec(int64(roll("", 200)), int64(roll("", 200)), int64(roll("", 3)/2)))
				if i == 300 {
					tr.MaxFree() // those that follow are merged with the others
				}
			}
			for range 6000 {
				vcore, memory := int64(1+roll("", 60)), int64(1+roll("", 60))
				n := tr.compare(class.Shape{Resources: shape(vcore, memory, int64(roll("", 8)/7))})
				if n == nodes.None {
					tr.use(tr.Sorted().At(roll("", len(ids))), tr.vec(0, 0, 0))
				} else {
					used := tr.Used(n)
					tr.use(n, tr.vec(used[0]+vcore, used[1]+memory, used[2]))
				}
			}
		})
	}
}

// scorings are score policies of all kinds. The built-in ones are also included as modules.
func scorings() map[string]*policy.Module {
	asked := func(m *policy.Module) *policy.Module {
		m.Native = policy.NoNative
		return m
	}
	return map[string]*policy.Module{
		"fair": policy.FairNodes(weights), "fair, asked": asked(policy.FairNodes(weights)),
		"binpacking": policy.PackedNodes(weights), "binpacking, asked": asked(policy.PackedNodes(weights)),
		"ask": fitting(policy.OnAsk), "siblings": fitting(policy.OnSiblings), "average": average(),
	}
}

// TestAPoolAnswersLikeAScanOfAllNodes compares searches of all kinds, the largest room and the order with obvious implementations.
func TestAPoolAnswersLikeAScanOfAllNodes(t *testing.T) {
	for name, score := range scorings() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				roll := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
				tr := finderRun{failer: t, roll: roll, ids: 9, name: name, fixture: newStand(score, odd()), mine: map[string]bool{}}
				for range rapid.IntRange(1, 60).Draw(t, "steps") {
					tr.step()
				}
			})
		})
	}
}

// TestALargePoolAnswersLikeAScanOfAllNodes does the same with so many nodes that blocks fill up, searches are long enough for thresholds and
// the tree, and the log of changes restarts.
func TestALargePoolAnswersLikeAScanOfAllNodes(t *testing.T) {
	for name, score := range scorings() {
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 0))
				roll := func(_ string, n int) int { return rng.IntN(n) }
				tr := finderRun{failer: t, roll: roll, ids: 500, name: name, fixture: newStand(score, odd()), mine: map[string]bool{}}
				for range 800 {
					tr.step()
				}
				for range 40 { // more asks of few shapes, as they come in a fill
					tr.burst()
				}
				for tr.ids = 100; tr.Sorted().Len() > 50; { // the cluster shrinks
					tr.remove(tr.Sorted().At(tr.roll("node", tr.Sorted().Len())))
				}
				for range 100 {
					tr.step()
				}
			})
		}
	}
}

// fitting scores a node by its free room, minus the ask if there is one.
func fitting(depends policy.Dependence) *policy.Module {
	spec := &policy.PointSpec{Keys: 1, Depends: depends, Columns: []policy.Column{{Kind: policy.Free, Arg: "vcore"}, {Kind: policy.Asked, Arg: "vcore"}}}
	return &policy.Module{Manifest: policy.Manifest{Name: "fitting", Points: map[policy.Point]*policy.PointSpec{policy.NodeScore: spec}}, Evaluator: eval(func(b *policy.Batch) error {
		for _, r := range b.Rows {
			b.Out[r] = b.Cols[1][r] - b.Cols[0][r]
		}
		return nil
	})}
}

// average scores a node by the distance of its free room from the mean, so that a change of one node changes all scores.
func average() *policy.Module {
	spec := &policy.PointSpec{Keys: 1, Depends: policy.OnSiblings, Columns: []policy.Column{{Kind: policy.Free, Arg: "vcore"}}}
	return &policy.Module{Manifest: policy.Manifest{Name: "average", Points: map[policy.Point]*policy.PointSpec{policy.NodeScore: spec}}, Evaluator: eval(func(b *policy.Batch) error {
		sum := 0.0
		for _, r := range b.Rows {
			sum += b.Cols[0][r]
		}
		for _, r := range b.Rows {
			b.Out[r] = -math.Abs(b.Cols[0][r]*float64(len(b.Rows)) - sum)
		}
		return nil
	})}
}

// odd refuses nodes whose name ends in an even digit.
func odd() *policy.Module {
	spec := &policy.PointSpec{Keys: 1, Depends: policy.OnAsk}
	return &policy.Module{Manifest: policy.Manifest{Name: "odd", Points: map[policy.Point]*policy.PointSpec{policy.NodeFilter: spec}}, Evaluator: eval(func(b *policy.Batch) error {
		for _, r := range b.Rows {
			name := b.Items.Name(r)
			b.Out[r] = float64(1 - int(name[len(name)-1])%2)
		}
		return nil
	})}
}

type eval func(*policy.Batch) error

func (e eval) Eval(b *policy.Batch) error { return e(b) }

// finderRun changes a finder at random and checks its answers.
type finderRun struct {
	*fixture
	failer interface{ Fatalf(string, ...any) }
	roll   func(what string, n int) int
	ids    int // number of names for nodes
	name   string
	mine   map[string]bool // reserved nodes that the ask may use
}

func (tr *finderRun) attributes() map[string]string {
	out := map[string]string{}
	for _, a := range []string{"zone", "model"} {
		if v := tr.roll(a, 4); v > 0 {
			out[a] = fmt.Sprint("v", v)
		}
	}
	return out
}

func (tr *finderRun) step() {
	if tr.roll("rebuild", 30) == 0 { // as after a restore: a finder keeps nothing that does not follow from the nodes
		tr.Updater = tr.rebuilt()
	}
	id := tr.anyID()
	n := tr.Find(id)
	what := tr.roll("what", 13)
	switch {
	case n == nodes.None && what < 9:
		tr.addNode(&nodes.Node{ID: id, Capacity: tr.anyCapacity(), Occupied: tr.vec(int64(tr.roll("occupied", 3)), 0, 0),
			Attributes: tr.attributes(), Schedulable: tr.roll("drained", 5) > 0})
	case n == nodes.None || what >= 8:
		tr.compare(tr.anyShape())
	case what == 0:
		delete(tr.mine, id)
		tr.own.Drain(n)
		tr.remove(n)
	case what == 1:
		tr.own.Relabel(n, tr.attributes())
		tr.Changed(n)
	case what == 2:
		if tr.Schedulable(n) {
			tr.own.Drain(n)
		} else {
			tr.own.Resume(n)
		}
		tr.Changed(n)
	case what == 3:
		if tr.Hold(n).IsReserved() {
			tr.own.Unreserve(n)
		} else {
			tr.own.Reserve(n, tr.roll("bound", 3) == 0)
		}
		tr.mine[id] = tr.roll("own", 2) == 0
		tr.Changed(n)
	case what == 4:
		if tr.Hold(n).IsClaimed() {
			tr.own.Unclaim(n)
		} else {
			tr.own.Claim(n)
		}
		tr.Changed(n)
	case what == 5:
		tr.resize(n, tr.anyCapacity())
	default:
		tr.use(n, tr.vec(int64(tr.roll("used", 6)), int64(tr.roll("used memory", 4)), 0))
	}
}

// burst allocates asks of one shape, each on the node that the finder returns.
func (tr *finderRun) burst() {
	shape := tr.anyShape()
	for range 10 {
		if n := tr.compare(shape); n != nodes.None {
			used := tr.Used(n)
			tr.use(n, tr.vec(used[0]+1, used[1]+int64(tr.roll("memory", 2)), used[2]))
		}
	}
}

func (tr *finderRun) anyID() string { return fmt.Sprint("n", tr.roll("node", tr.ids)) }

func (tr *finderRun) anyCapacity() resource.Vec {
	return tr.vec(int64(tr.roll("vcore", 9)), int64(tr.roll("memory", 5)), int64(tr.roll("gpu", 2)))
}

func (tr *finderRun) anyShape() class.Shape {
	shape := class.Shape{Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(1 + tr.roll("ask", 5))},
		resource.Quantity{Type: "memory", Value: int64(tr.roll("memory", 3))}, resource.Quantity{Type: "gpu", Value: int64(tr.roll("gpus", 2))})}
	for _, a := range []string{"zone", "model", "none"} {
		if tr.roll("bound by "+a, 4) == 0 {
			if shape.Constraints == nil {
				shape.Constraints = map[string][]string{}
			}
			shape.Constraints[a] = []string{"v1", fmt.Sprint("v", tr.roll("value", 4))}
		}
	}
	if tr.roll("predicate", 4) == 0 {
		shape.Predicate = "odd"
	}
	if tr.roll("required", 6) == 0 {
		shape.Node = tr.anyID()
	}
	return shape
}

// compare checks the best node, the largest room and the order.
func (tr *finderRun) compare(shape class.Shape) int32 {
	c := tr.class(shape)
	mayTake := func(n int32) bool { return tr.mine[tr.ID(n)] }
	best := nodes.None
	most, contested := tr.vec(0, 0, 0), false
	for i, n := range tr.Sorted().Clone() {
		if i > 0 && tr.ID(tr.Sorted().At(i-1)) >= tr.ID(n) {
			tr.failer.Fatalf("%q stands before %q", tr.ID(tr.Sorted().At(i-1)), tr.ID(n))
		}
		hold := tr.Hold(n)
		if tr.takes(c, n) && (shape.Node != "" || !hold.IsRequired()) && hold.IsReserved() {
			contested = true
		}
		if tr.takes(c, n) && (!hold.IsReserved() || (shape.Node != "" || !hold.IsRequired()) && mayTake(n)) && (best == nodes.None || tr.score(c, n) > tr.score(c, best)) {
			best = n
		}
		for t := range most {
			if tr.Schedulable(n) && !hold.IsClaimed() {
				most[t] = max(most[t], tr.Free(n, t))
			}
		}
	}
	found, told := tr.Best(c, mayTake)
	if found != best || best == nodes.None && told != contested {
		tr.failer.Fatalf("%+v goes to slot %d, expected %d; contested: %v, expected %v", shape, found, best, told, contested)
	}
	for t, bound := range tr.FreeBound().All {
		if bound < most[t] {
			tr.failer.Fatalf("nodes are said to have at most %v free, expected at least %v", tr.FreeBound(), most)
		}
	}
	if room := tr.MaxFree(); !slices.Equal(room.Clone(), most) {
		tr.failer.Fatalf("the most free is %v, expected %v", room, most)
	}
	return best
}

func (tr *finderRun) takes(c class.Class, n int32) bool {
	id := tr.ID(n)
	if c.Node() != "" && id != c.Node() || c.Predicate() != "" && int(id[len(id)-1])%2 == 0 || !tr.Schedulable(n) || tr.Hold(n).IsClaimed() {
		return false
	}
	for k := range c.Constraints().All {
		if v, has := tr.Attributes(n)[k.Attribute]; !has || !k.Any && !slices.Contains(k.Values.Clone(), v) {
			return false
		}
	}
	for t, need := range c.Demand().All {
		if need > 0 && tr.Capacity(n)[t]-tr.Occupied(n)[t]-tr.Used(n)[t] < need {
			return false
		}
	}
	return true
}

func (tr *finderRun) score(c class.Class, n int32) int64 {
	switch strings.TrimSuffix(tr.name, ", asked") {
	case "fair":
		return -tr.Utilisation(n, weights)
	case "binpacking":
		return tr.Utilisation(n, weights)
	case "ask":
		return c.Demand().At(0) - tr.Free(n, 0)
	case "average":
		sum := int64(0)
		for other := range tr.Sorted().All {
			sum += tr.Free(other, 0)
		}
		return -max(tr.Free(n, 0)*int64(tr.Sorted().Len())-sum, sum-tr.Free(n, 0)*int64(tr.Sorted().Len()))
	case "domain":
		return tr.domainScore(c, n)
	default:
		return -tr.Free(n, 0)
	}
}

func TestAReservedNodeIsContestedUnlessItIsTaken(t *testing.T) {
	s := newStand(policy.FairNodes(weights), policy.PassAll())
	held := s.add("held", s.vec(4, 0, 0))
	s.own.Reserve(held, false)
	s.Changed(held)
	c := s.class(class.Shape{Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 4})})
	if n, contested := s.Best(c, nobody); n != nodes.None || !contested {
		t.Errorf("found slot %d, contested %v", n, contested)
	}
	if n, _ := s.Best(c, func(int32) bool { return true }); n != held {
		t.Errorf("found %v", n)
	}
	s.use(held, s.vec(1, 0, 0))
	if n, contested := s.Best(c, nobody); n != nodes.None || contested {
		t.Errorf("without room: found %v, contested %v", n, contested)
	}
}

func TestTheTotalFollowsTheNodesUpToTheLargestAmount(t *testing.T) {
	s := newStand(policy.FairNodes(weights), policy.PassAll())
	a := s.add("a", s.vec(resource.Most-8, 1, 0))
	s.add("b", s.vec(3, 2, 0))
	c := s.add("c", s.vec(5, 3, 1))
	if found := fmt.Sprint(s.Total()); found != fmt.Sprint(s.vec(resource.Most, 6, 1)) {
		t.Errorf("found %s", found)
	}
	s.remove(a)
	s.resize(s.Find("b"), s.vec(7, 2, 0))
	if found := fmt.Sprint(s.Total()); found != fmt.Sprint(s.vec(12, 5, 1)) {
		t.Errorf("found %s", found)
	}
	s.use(c, s.vec(9, 1, 0)) // over-committed
	if found := fmt.Sprint(s.MaxFree().Clone()); found != fmt.Sprint(s.vec(7, 2, 1)) {
		t.Errorf("the most free is %s", found)
	}
}

func TestClassOrders_MoreThanTheBoundStayRight(t *testing.T) {
	s := newStand(policy.FairNodes(weights), odd())
	for i := range 12 {
		s.own.Relabel(s.add(fmt.Sprintf("n%02d", i), s.vec(20, 0, 0)), map[string]string{"zone": fmt.Sprint(i % 3)})
	}
	for round := range 2 {
		for i := range 600 {
			c := s.class(class.Shape{Predicate: "odd", Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(1 + i%7)}),
				Constraints: map[string][]string{"zone": {fmt.Sprint(i % 3)}, fmt.Sprint("a", i): {"x"}}})
			if found := s.best(c, nobody); found != "" {
				t.Fatalf("round %d: %q lacks the attribute a%d", round, found, i)
			}
			c = s.class(class.Shape{Predicate: "odd", Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(i%20 + 1)}), Constraints: map[string][]string{"zone": {fmt.Sprint(i % 3)}}})
			if expected := []string{"n03", "n01", "n05"}[i%3]; s.best(c, nobody) != expected {
				t.Fatalf("round %d: %q, expected %q", round, s.best(c, nobody), expected)
			}
		}
	}
}

func TestSearch_MoreAttributesThanIndexes(t *testing.T) {
	s := newStand(policy.FairNodes(weights), policy.PassAll())
	constraints, attributes := map[string][]string{}, map[string]string{}
	for i := range 1000 {
		constraints[fmt.Sprint("a", i)], attributes[fmt.Sprint("a", i)] = []string{"x"}, "x"
	}
	s.add("without", s.vec(2, 0, 0))
	with := s.add("with", s.vec(2, 0, 0))
	s.own.Relabel(with, attributes)
	s.Changed(with)
	c := s.class(class.Shape{Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1}), Constraints: constraints})
	if found := s.best(c, nobody); found != "with" {
		t.Errorf("found %q", found)
	}
}
