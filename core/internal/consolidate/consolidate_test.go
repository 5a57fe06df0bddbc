package consolidate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/resource"
	_ "github.com/quern-project/quern/internal/seeded"
)

// drawProblem makes a small cluster with one or two asks.
func drawProblem(t *rapid.T) *Problem {
	nodes, types := rapid.IntRange(1, 4).Draw(t, "nodes"), rapid.IntRange(1, 2).Draw(t, "types")
	amounts := func(label string, low, high int64) resource.Vec {
		return rapid.SliceOfN(rapid.Int64Range(low, high), types, types).Draw(t, label)
	}
	p := &Problem{Total: make(resource.Vec, types)}
	for range nodes {
		p.Free = append(p.Free, amounts("free", -1, 4))
	}
	for i := range p.Total {
		p.Total[i] = 40
	}
	var demands []resource.Vec
	for range rapid.IntRange(1, 3).Draw(t, "shapes") {
		demands = append(demands, amounts("demand", 1, 5))
		p.Allowed = append(p.Allowed, rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bool { return rapid.IntRange(0, 4).Draw(t, "allowed") > 0 }), nodes, nodes).Draw(t, "allowed"))
	}
	item := func(on int) Item {
		shape := rapid.IntRange(0, len(demands)-1).Draw(t, "shape")
		return Item{demands[shape], on, shape}
	}
	for n := range nodes {
		for range rapid.IntRange(0, 2).Draw(t, "movable") {
			p.Movable = append(p.Movable, item(n))
		}
	}
	for range rapid.IntRange(1, 2).Draw(t, "asks") {
		p.Asks = append(p.Asks, item(-1))
	}
	return p
}

// bruteForce tries every node for every ask and every allocation.
func bruteForce(p *Problem) (best Plan, found bool) {
	free := make([]resource.Vec, len(p.Free))
	for n := range free {
		free[n] = slices.Clone(p.Free[n])
	}
	for _, m := range p.Movable {
		free[m.On].Add(m.Demand.Amounts())
	}
	nodes := make([]int, len(p.Movable)+len(p.Asks))
	var try func(i int)
	try = func(i int) {
		if i == len(nodes) {
			if plan := planOf(p, nodes); lawful(p, &plan) && (!found || plan.Compare(&best) < 0) {
				best, found = plan, true
			}
			return
		}
		for n := range p.Free {
			nodes[i] = n
			try(i + 1)
		}
	}
	try(0)
	return best, found
}

func planOf(p *Problem, nodes []int) Plan {
	plan := Plan{Asks: slices.Clone(nodes[len(p.Movable):])}
	for m := range p.Movable {
		if nodes[m] != p.Movable[m].On {
			plan.Moves = append(plan.Moves, Move{m, nodes[m]})
		}
	}
	plan.shares = p.sharesOf(items(plan.Moves))
	return plan
}

// lawful reports whether everything that a plan places fits where it may be.
func lawful(p *Problem, plan *Plan) bool {
	free := make([]resource.Vec, len(p.Free))
	for n := range free {
		free[n] = slices.Clone(p.Free[n])
	}
	var gained []int
	for _, m := range plan.Moves {
		it := p.Movable[m.Item]
		if !p.Allowed[it.Shape][m.To] || m.To == it.On {
			return false
		}
		free[it.On].Add(it.Demand.Amounts())
		free[m.To].Sub(it.Demand.Amounts())
		gained = append(gained, m.To)
	}
	for i, n := range plan.Asks {
		if !p.Allowed[p.Asks[i].Shape][n] {
			return false
		}
		free[n].Sub(p.Asks[i].Demand.Amounts())
		gained = append(gained, n)
	}
	for _, n := range gained { // a node may have been over-committed before
		for t, left := range free[n] {
			if left < 0 && needs(p, plan, n, t) {
				return false
			}
		}
	}
	return true
}

// needs reports whether something that a plan places on a node needs a type.
func needs(p *Problem, plan *Plan, n, t int) bool {
	return slices.ContainsFunc(plan.Moves, func(m Move) bool { return m.To == n && p.Movable[m.Item].Demand[t] > 0 }) ||
		slices.Contains(plan.Asks, n)
}

func TestFind_EqualsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		want, has := bruteForce(p)
		if len(want.Moves) > ExactMoves {
			t.Skip("more moves than are searched exactly")
		}
		plan, found := Find(p)
		if found != has {
			t.Fatalf("found %v, want %v: %+v", found, has, want)
		}
		if !found {
			return
		}
		if !lawful(p, &plan) {
			t.Fatalf("not lawful: %+v", plan)
		}
		if plan.Approximate || len(plan.Moves) != len(want.Moves) || !slices.Equal(plan.shares, want.shares) {
			t.Fatalf("found %+v, want %+v", plan, want)
		}
	})
}

func TestFind_GreedyPlansAreLawful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		if plan, found := greedy(p); found && !lawful(p, &plan) {
			t.Fatalf("not lawful: %+v", plan)
		}
	})
}

func TestFind_SaysThatItStoppedEarly(t *testing.T) {
	p := &Problem{Total: resource.Vec{80}, Allowed: [][]bool{{true, true, true}, {true, true, true}}}
	for n := range 3 {
		p.Free = append(p.Free, resource.Vec{int64(n)})
	}
	p.Asks = []Item{{resource.Vec{3}, -1, 0}}
	p.Movable = []Item{{resource.Vec{1}, 1, 1}, {resource.Vec{1}, 2, 1}}
	if plan, found := Find(p); !found || plan.Approximate || !slices.Equal(plan.Moves, []Move{{1, 0}}) && !slices.Equal(plan.Moves, []Move{{1, 1}}) {
		t.Errorf("found %v: %+v", found, plan)
	}
	if plan, found := find(p, 1); !found || !plan.Approximate || !lawful(p, &plan) {
		t.Errorf("without steps: found %v, %+v", found, plan)
	}
}

// Eight allocations of one core have to leave two nodes: more moves than are searched exactly.
func TestFind_MoreThanSixMoves(t *testing.T) {
	p := &Problem{Free: []resource.Vec{{0}, {8}}, Total: resource.Vec{16}, Allowed: [][]bool{{true, false}, {true, true}}, Asks: []Item{{resource.Vec{8}, -1, 0}}}
	for range 8 {
		p.Movable = append(p.Movable, Item{resource.Vec{1}, 0, 1})
	}
	if plan, found := Find(p); !found || !plan.Approximate || len(plan.Moves) != 8 {
		t.Errorf("found %v: %+v", found, plan)
	}
}

func BenchmarkFind(b *testing.B) {
	p := &Problem{Total: resource.Vec{40_000}, Allowed: [][]bool{make([]bool, 5_000), make([]bool, 5_000)}, Asks: []Item{{resource.Vec{4}, -1, 0}}}
	for n := range 5_000 {
		p.Free = append(p.Free, resource.Vec{int64(1 + n%3)})
		p.Allowed[0][n], p.Allowed[1][n] = true, true
		for range 2 {
			p.Movable = append(p.Movable, Item{resource.Vec{2}, n, 1})
		}
	}
	for b.Loop() {
		if plan, found := Find(p); !found || len(plan.Moves) != 1 {
			b.Fatal(plan)
		}
	}
}
