package app_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// crowd is a leaf with applications whose every step is checked against lists sorted by the rules.
type crowd struct {
	t       *rapid.T
	types   *resource.Types
	classes *class.Registry
	leaf    *app.Leaf
	apps    []*app.App
	asks    []*app.Ask // pending
	fair    bool
	aware   bool
	largest bool // asks: largest first
	seq     uint64
	world   uint64
}

func inForce(p policy.Point, m *policy.Module) *policy.Acting {
	return &policy.Acting{Point: p, Module: m, Fallback: m}
}

// largestFirst orders asks by size, then the last that came, with two keys.
func largestFirst() *policy.Module {
	spec := &policy.PointSpec{Keys: 2, Depends: policy.OnRow, Columns: []policy.Column{{Kind: policy.Asked, Arg: "vcore"}, {Kind: policy.Submitted}}}
	return &policy.Module{Manifest: policy.Manifest{Name: "largest", Points: map[policy.Point]*policy.PointSpec{policy.AskOrder: spec}}, Evaluator: negated{}}
}

type negated struct{}

func (negated) Eval(b *policy.Batch) error {
	for _, r := range b.Rows {
		for k := range b.Keys {
			b.Out[int(r)*b.Keys+k] = -b.Cols[k][r]
		}
	}
	return nil
}

func newCrowd(t *rapid.T) *crowd {
	c := &crowd{t: t, types: resource.NewTypes(), world: 1}
	c.types.Intern("vcore")
	c.types.Intern("memory")
	c.classes = class.NewRegistry(c.types)
	c.leaf = app.NewLeaf(c.types)
	c.leaf.Denominators = c.types.Vec(resource.NewSet(resource.Quantity{Type: "vcore", Value: 10}, resource.Quantity{Type: "memory", Value: 4}), 0)
	c.leaf.PrioritySort = rapid.Bool().Draw(t, "priority")
	c.reorder()
	return c
}

func (c *crowd) reorder() {
	c.largest = rapid.Bool().Draw(c.t, "largest")
	asks := policy.FifoAsks()
	if c.largest {
		asks = largestFirst()
	}
	c.leaf.SetAskOrder(inForce(policy.AskOrder, asks))
	c.fair, c.aware = false, false
	switch rapid.IntRange(0, 2).Draw(c.t, "order") {
	case 0:
		c.leaf.SetOrder(inForce(policy.AppOrder, policy.FifoApps("fifo")), false)
	case 1:
		c.aware = true
		c.leaf.SetOrder(inForce(policy.AppOrder, policy.FifoApps("stateaware")), true)
	default:
		c.fair = true
		c.leaf.SetOrder(inForce(policy.AppOrder, policy.FairApps()), false)
	}
}

func (c *crowd) roll(what string, n int) int { return rapid.IntRange(0, n-1).Draw(c.t, what) }

func (c *crowd) step() {
	c.world++
	what := c.roll("step", 12)
	switch {
	case len(c.apps) == 0 || what == 0:
		c.seq++
		a := app.NewApp(fmt.Sprint("app", c.seq), c.seq, c.types.Width())
		a.State = "Accepted"
		c.leaf.Admit(a)
		c.apps = append(c.apps, a)
	case what == 1:
		c.dismiss(c.roll("gone", len(c.apps)))
	case what == 2:
		a := c.apps[c.roll("app", len(c.apps))]
		state := []string{"Accepted", "Starting", "Running"}[c.roll("state", 3)]
		c.leaf.SetState(a, state, state != "Accepted", 0, c.world)
	case what == 3:
		a := c.apps[c.roll("app", len(c.apps))]
		a.Used = c.types.Vec(resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(c.roll("used", 4))}, resource.Quantity{Type: "memory", Value: int64(c.roll("used", 3))}), 0)
		c.leaf.Requeue(a)
	case what == 4 && len(c.asks) > 0:
		c.drop(c.roll("ask", len(c.asks)))
	case what == 5 && len(c.asks) > 0:
		ask := c.asks[c.roll("ask", len(c.asks))]
		ask.Priority = int32(c.roll("priority", 3))
		ask.App.Resort(ask)
	case what == 6 && len(c.asks) > 0: // gains or loses a reservation
		ask := c.asks[c.roll("ask", len(c.asks))]
		ask.Reserves = -1 - ask.Reserves
		ask.App.Resort(ask)
	case what == 7:
		c.reorder()
	case what == 8:
		for range 4 {
			c.types.Intern(fmt.Sprint("type", c.types.Len()))
		}
		c.classes.Widen()
		c.leaf.Widen(c.types.Width())
	default:
		c.add()
	}
}

func (c *crowd) add() {
	c.seq++
	size := resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(1 + c.roll("size", 3))})
	ask := &app.Ask{ID: fmt.Sprint("ask", c.seq), Seq: c.seq, Priority: int32(c.roll("priority", 3)), Node: app.NoNode, Reserves: app.NoNode, Keeps: app.NoNode,
		Created: time.Duration(c.seq), Class: c.classes.Of(&class.Shape{Resources: size})}
	c.classes.Pend(ask.Class)
	c.apps[c.roll("app", len(c.apps))].AddAsk(ask)
	c.asks = append(c.asks, ask)
}

func (c *crowd) drop(i int) {
	ask := c.asks[i]
	c.asks = slices.Delete(c.asks, i, i+1)
	c.classes.Unpend(ask.Class)
	ask.App.DropAsk(ask)
}

func (c *crowd) dismiss(i int) {
	a := c.apps[i]
	for k := len(c.asks) - 1; k >= 0; k-- {
		if c.asks[k].App == a {
			c.drop(k)
		}
	}
	c.leaf.Dismiss(a)
	c.apps = slices.Delete(c.apps, i, i+1)
}

func (c *crowd) pendingOf(a *app.App) []*app.Ask {
	var out []*app.Ask
	for _, ask := range c.asks {
		if ask.App == a {
			out = append(out, ask)
		}
	}
	slices.SortFunc(out, func(x, y *app.Ask) int {
		size := 0
		seq := cmp.Compare(x.Seq, y.Seq)
		if c.largest {
			size, seq = cmp.Compare(y.Class.Demand[0], x.Class.Demand[0]), -seq
		}
		return cmp.Or(cmp.Compare(y.Priority, x.Priority), size, seq)
	})
	return out
}

func (c *crowd) priority(a *app.App) (highest int32, waits bool) {
	for _, ask := range c.pendingOf(a) {
		highest, waits = max(highest, ask.Priority), true
	}
	return highest, waits
}

// shares is the list of an application's usage that fair compares.
func (c *crowd) shares(a *app.App) [2]int64 {
	v := []int64{resource.Share(a.Used[0], 10), resource.Share(a.Used[1], 4)}
	slices.Sort(v)
	return [2]int64{v[1], v[0]}
}

func (c *crowd) sorted() []*app.App {
	var out []*app.App
	for _, a := range c.apps {
		if _, waits := c.priority(a); waits {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(x, y *app.App) int {
		p, _ := c.priority(x)
		q, _ := c.priority(y)
		if !c.leaf.PrioritySort {
			p, q = 0, 0
		}
		fair := 0
		if c.fair {
			s, u := c.shares(x), c.shares(y)
			fair = slices.Compare(s[:], u[:])
		}
		return cmp.Or(cmp.Compare(q, p), fair, cmp.Compare(x.Seq, y.Seq))
	})
	return out
}

// gate is the application, Starting or Accepted, that stateaware lets pass.
func (c *crowd) gate() *app.App {
	rank := func(a *app.App) (waits bool, priority int32) {
		priority, waits = c.priority(a)
		if !c.leaf.PrioritySort {
			return false, 0
		}
		return waits, priority
	}
	var best *app.App
	for _, state := range []string{"Starting", "Accepted"} {
		for _, a := range c.apps {
			_, pends := c.priority(a)
			if a.State != state || state == "Accepted" && !pends {
				continue
			}
			if best == nil {
				best = a
				continue
			}
			w, p := rank(a)
			v, q := rank(best)
			if w && !v || w == v && (p > q || p == q && a.Seq < best.Seq) {
				best = a
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

func (c *crowd) check() {
	c.leaf.Sync(c.world)
	if c.leaf.Stale() || c.leaf.Live() != len(c.apps) {
		c.t.Fatalf("stale %v, %d live of %d", c.leaf.Stale(), c.leaf.Live(), len(c.apps))
	}
	var found []*app.App
	c.leaf.Each(func(a *app.App) bool { found = append(found, a); return true })
	if expected := c.sorted(); !slices.Equal(found, expected) {
		c.t.Fatalf("expected the applications %v, found %v", ids(expected), ids(found))
	}
	gate := c.gate()
	for _, a := range c.apps {
		passes := !c.aware || a.State == "Running" || a == gate
		if a.Eligible() != passes {
			c.t.Fatalf("%s is %s: eligible is %v", a.ID, a.State, a.Eligible())
		}
		c.checkAsks(a)
	}
	c.checkWalk()
}

func (c *crowd) checkAsks(a *app.App) {
	expected := c.pendingOf(a)
	highest, waits := c.priority(a)
	if a.HasPriority() != waits || waits && a.Priority() != highest || a.Asks != len(expected) {
		c.t.Fatalf("%s has priority %v, expected %d %v", a.ID, a.HasPriority(), highest, waits)
	}
	sum := make(resource.Vec, c.types.Width())
	for i, ask := range expected {
		sum.Add(ask.Class.Demand)
		if i > 0 && (!a.Before(expected[i-1], ask) || a.Before(ask, expected[i-1])) {
			c.t.Fatalf("%s is not before %s", expected[i-1].ID, ask.ID)
		}
	}
	if !slices.Equal(sum, a.Waiting.Vec()) {
		c.t.Fatalf("%s waits for %v, expected %v", a.ID, a.Waiting, sum)
	}
	type bucket struct {
		class    *class.Class
		reserved bool
	}
	var heads, first []*app.Ask
	seen := map[bucket]bool{}
	for _, ask := range expected {
		if b := (bucket{ask.Class, ask.Reserves != app.NoNode}); !seen[b] {
			seen[b] = true
			first = append(first, ask)
		}
	}
	if waits {
		a.Heads(func(ask *app.Ask) bool { heads = append(heads, ask); return true })
	}
	if !slices.Equal(heads, first) {
		c.t.Fatalf("%s: the first asks of each class are %d, expected %d", a.ID, len(heads), len(first))
	}
}

// checkWalk fails one candidate after the other, and expects every class of every eligible application once, in order.
func (c *crowd) checkWalk() {
	c.world++
	room := make(resource.Vec, c.types.Width())
	room.Fill(resource.Most)
	all := pending.Bound{Bits: class.AllBits, Room: room}
	s := &pending.Search{World: c.world, Open: true, Any: all, Grown: all, Headroom: room}
	var found, expected []string
	for a := c.leaf.Next(s); a != nil; a = c.leaf.Next(s) {
		for ask := a.Next(s); ask != nil; ask = a.Next(s) {
			found = append(found, ask.ID)
			a.FailAsk(ask, c.world)
		}
		c.leaf.Fail(a, c.world)
	}
	for _, a := range c.sorted() {
		if a.Eligible() {
			a.Heads(func(ask *app.Ask) bool { expected = append(expected, ask.ID); return true })
		}
	}
	if !slices.Equal(found, expected) {
		c.t.Fatalf("the walk came to %v, expected %v", found, expected)
	}
}

func ids(apps []*app.App) []string {
	var out []string
	for _, a := range apps {
		out = append(out, a.ID)
	}
	return out
}

func TestALeafIsInTheOrderOfTheRulesWhateverChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd(t)
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			c.step()
			if rapid.IntRange(0, 2).Draw(t, "look") == 0 {
				c.check()
			}
		}
		c.check()
	})
}

func TestTheFirstDueAskOfAClassIsFoundBehindYoungerOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd(t)
		for range rapid.IntRange(2, 40).Draw(t, "steps") {
			c.step()
		}
		c.leaf.Sync(c.world)
		by := time.Duration(rapid.IntRange(0, int(c.seq)).Draw(t, "by"))
		for _, a := range c.apps {
			asks := c.pendingOf(a)
			for _, candidate := range asks {
				var expected *app.Ask
				for _, ask := range asks {
					if ask.Class == candidate.Class && ask.Reserves == candidate.Reserves && ask.Created <= by {
						expected = ask
						break
					}
				}
				if found := a.Due(candidate, func(ask *app.Ask) bool { return ask.Created <= by }); found != expected {
					t.Fatalf("by %d: found %v, expected %v", by, found, expected)
				}
			}
		}
	})
}
