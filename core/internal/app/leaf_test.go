package app_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// model is a leaf with applications whose every step is checked against lists sorted by the rules.
type model struct {
	t           *rapid.T
	types       *resource.Types
	classes     class.Registry
	owner       *asks.Asks
	values      *apps.Apps
	all         *app.Owner
	leaf        *app.OwnedLeaf
	byPriority  bool // it sorts by priority first
	apps        []app.App
	asks        []app.Ask // pending
	asksBy      *policy.Acting
	appsBy      *policy.Acting
	aware       bool
	sizes       int // how many sizes asks have
	levels      int // how many priorities asks have
	seq         uint64
	shrinkEpoch uint64
	// suspended are the groups of asks without a hold that are suspended.
	suspended map[group]bool
}

// group identifies asks that succeed or fail together.
type group struct {
	app              app.App
	class            class.Class
	reserves, claims bool
}

func groupOf(ask app.Ask) group {
	return group{ask.App(), ask.Class(), ask.Hold().IsReserved(), ask.Hold().IsClaimed()}
}

// largest reports whether the module largestFirst answers, and newest whether newestFirst does. Otherwise the built-in orders are in force.
func (c *model) largest() bool         { return c.asksBy.Native() != policy.NativeFifoAsks }
func (c *model) newest() bool          { return c.appsBy.Native() == policy.NoNative }
func (c *model) fair() bool            { return c.appsBy.Native() == policy.NativeFairApps }
func (c *model) hidden(a app.App) bool { return c.newest() && a.Seq()%3 == 0 }

func inForce(p policy.Point, m *policy.Module) *policy.Acting {
	return &policy.Acting{Point: p, Module: m, Fallback: m}
}

// largestFirst orders asks by size, then newest first, with two keys.
func largestFirst() *policy.Module {
	spec := &policy.PointSpec{Keys: 2, Depends: policy.OnRow, Columns: []policy.Column{{Kind: policy.Asked, Arg: "vcore"}, {Kind: policy.Submitted}}}
	return &policy.Module{Manifest: policy.Manifest{Name: "largest", Points: map[policy.Point]*policy.PointSpec{policy.AskOrder: spec}}, Evaluator: negated{}}
}

// newestFirst orders applications by submission, newest first. Every third is not eligible.
func newestFirst() *policy.Module {
	spec := &policy.PointSpec{Keys: 1, Depends: policy.OnRow, Columns: []policy.Column{{Kind: policy.Submitted}}}
	return &policy.Module{Manifest: policy.Manifest{Name: "newest", Points: map[policy.Point]*policy.PointSpec{policy.AppOrder: spec}}, Evaluator: everyThirdHidden{}}
}

type everyThirdHidden struct{}

func (everyThirdHidden) Eval(b *policy.Batch) error {
	for _, r := range b.Rows {
		if b.Out[r] = -b.Cols[0][r]; int(b.Cols[0][r])%3 == 0 {
			b.Out[r] = math.Inf(1)
		}
	}
	return nil
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

func newModel(t *rapid.T) *model {
	c := &model{t: t, types: resource.NewTypes(), owner: asks.New(), shrinkEpoch: 1, suspended: map[group]bool{}}
	c.sizes, c.levels = rapid.SampledFrom([]int{1, 3, 40}).Draw(t, "sizes"), rapid.SampledFrom([]int{1, 3, 20}).Draw(t, "levels")
	c.types.Intern("vcore")
	c.types.Intern("memory")
	c.classes = class.NewRegistry(c.types)
	c.leaf = app.NewLeaf(c.types)
	c.values = apps.New(c.types.Width())
	c.all = app.NewOwner(c.owner.View(), c.values.View(), gangs.View{}, c.classes.View())
	denominators := c.types.Vec(resource.NewSet(resource.Quantity{Type: "vcore", Value: 10}, resource.Quantity{Type: "memory", Value: 4}), 0)
	c.leaf.Measure(func(t int) int64 { return denominators[t] })
	c.byPriority = rapid.Bool().Draw(t, "priority")
	c.leaf.SortByPriority(c.byPriority)
	c.reorder()
	return c
}

func (c *model) reorder() {
	c.asksBy = inForce(policy.AskOrder, policy.FifoAsks())
	if rapid.Bool().Draw(c.t, "largest") {
		c.asksBy = &policy.Acting{Point: policy.AskOrder, Module: largestFirst(), Fallback: policy.FifoAsks()}
	}
	c.leaf.SetAskOrder(c.asksBy)
	c.aware = false
	switch c.roll("order", 4) {
	case 0:
		c.appsBy = inForce(policy.AppOrder, policy.FifoApps("fifo"))
	case 1:
		c.aware, c.appsBy = true, inForce(policy.AppOrder, policy.FifoApps("stateaware"))
	case 2:
		c.appsBy = &policy.Acting{Point: policy.AppOrder, Module: newestFirst(), Fallback: policy.FairApps()}
	default:
		c.appsBy = inForce(policy.AppOrder, policy.FairApps())
	}
	c.leaf.SetOrder(c.appsBy, c.aware, app.UserUsage{})
	clear(c.suspended)
}

// swap starts or ends the quarantine of modules.
func (c *model) swap() {
	for _, acting := range []*policy.Acting{c.asksBy, c.appsBy} {
		switch {
		case acting.Module == acting.Fallback:
			continue
		case acting.Failing():
			acting.Recover()
		default:
			acting.Fail()
		}
		if acting == c.asksBy {
			clear(c.suspended) // the module is asked about every ask again
		}
	}
	for _, a := range c.apps {
		c.all.Edit(a).MarkChanged(c.shrinkEpoch) // the module is asked about changed applications
	}
}

func (c *model) roll(what string, n int) int { return rapid.IntRange(0, n-1).Draw(c.t, what) }

func (c *model) step() {
	c.shrinkEpoch++
	what := c.roll("step", 18)
	switch {
	case len(c.apps) == 0 || what == 0:
		c.seq++
		c.admit(fmt.Sprint("app", c.seq), c.seq, apps.StateAccepted)
	case what == 1:
		c.dismiss(c.roll("gone", len(c.apps)))
	case what == 2:
		a := c.apps[c.roll("app", len(c.apps))]
		state := apps.StateAccepted + apps.State(c.roll("state", 3))
		c.all.Edit(a).Change(c.shrinkEpoch, func() { c.values.SetState(a.Number(), state, 0) })
	case what == 3:
		a := c.apps[c.roll("app", len(c.apps))]
		used := c.types.Vec(resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(c.roll("used", 4))}, resource.Quantity{Type: "memory", Value: int64(c.roll("used", 3))}), 0)
		c.values.EndAllocation(a.Number(), a.Used().Amounts())
		c.values.AddAllocation(a.Number(), used.Amounts())
		c.leaf.UsageChanged(a)
	case what == 4 && len(c.asks) > 0:
		c.drop(c.roll("ask", len(c.asks)))
	case what == 5 && len(c.asks) > 0:
		c.change(func(ask app.Ask) { c.owner.SetPriority(ask.Slot(), int32(c.roll("priority", c.levels))) })
	case what == 6 && len(c.asks) > 0:
		c.change(c.toggleReservation)
	case what == 9 && len(c.asks) > 0:
		c.change(c.toggleClaim)
	case what == 10:
		c.swap()
	case what == 11 && len(c.asks) > 0:
		c.suspend()
	case what == 12:
		for range 3 * c.roll("many", 40) {
			c.add()
		}
	case what == 7:
		c.reorder()
	case what == 8:
		for range 4 {
			c.types.Intern(fmt.Sprint("type", c.types.Len()))
		}
		c.classes.Widen()
		c.values.Widen(c.types.Width())
		c.leaf.Widen(c.types.Width())
		clear(c.suspended)
	default:
		c.add()
	}
}

// admit adds an application.
func (c *model) admit(id string, seq uint64, state apps.State) app.App {
	a := c.all.NewApp(c.values.Add(id, apps.App{Seq: seq, State: state}, &apps.Details{})).App()
	c.leaf.Admit(a)
	c.apps = append(c.apps, a)
	return a
}

// change changes a pending ask, so that its place may change.
func (c *model) change(how func(app.Ask)) {
	ask := c.asks[c.roll("ask", len(c.asks))]
	how(ask)
	c.all.Edit(ask.App()).UpdateAsk(ask)
	delete(c.suspended, groupOf(ask))
}

// suspend suspends or resumes the group of an ask without a hold.
func (c *model) suspend() {
	c.leaf.Sync(c.shrinkEpoch)
	ask := c.asks[c.roll("ask", len(c.asks))]
	g := groupOf(ask)
	if g.reserves || g.claims {
		return
	}
	if c.suspended[g] {
		if !ask.App().Resume(ask.Class()) {
			c.t.Fatalf("the asks like %s were not suspended", ask.ID())
		}
		delete(c.suspended, g)
		return
	}
	ask.App().Suspend(ask)
	c.all.Edit(ask.App()).MarkChanged(c.shrinkEpoch)
	c.suspended[g] = true
}

func (c *model) add() {
	c.seq++
	size := resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(1 + c.roll("size", c.sizes))})
	a := c.apps[c.roll("app", len(c.apps))]
	ask := c.all.Begin(c.owner.Add(fmt.Sprint("ask", c.seq), asks.Ask{App: int32(a.Number()), Seq: c.seq, Priority: int32(c.roll("priority", c.levels)),
		Created: time.Duration(c.seq), Class: c.classes.Of(&class.Shape{Resources: size}).Number()}))
	c.classes.Enqueue(ask.Class())
	r := ask.Row()
	c.values.Enqueue(a.Number(), ask.Class().Demand())
	c.all.Edit(a).AddAsk(ask, &r, c.shrinkEpoch)
	c.asks = append(c.asks, ask)
	delete(c.suspended, groupOf(ask))
}

func (c *model) drop(i int) {
	ask := c.asks[i]
	c.asks = slices.Delete(c.asks, i, i+1)
	c.classes.Dequeue(ask.Class())
	r := ask.Row()
	c.values.Dequeue(ask.App().Number(), ask.Class().Demand())
	c.all.Edit(ask.App()).DropAsk(ask, &r)
	c.owner.Remove(ask.Slot())
}

func (c *model) dismiss(i int) {
	a := c.apps[i]
	for k := len(c.asks) - 1; k >= 0; k-- {
		if c.asks[k].App() == a {
			c.drop(k)
		}
	}
	c.leaf.Dismiss(a)
	c.apps = slices.Delete(c.apps, i, i+1)
}

func (c *model) pendingOf(a app.App) []app.Ask {
	var out []app.Ask
	for _, ask := range c.asks {
		if ask.App() == a {
			out = append(out, ask)
		}
	}
	slices.SortFunc(out, func(x, y app.Ask) int {
		size := 0
		seq := cmp.Compare(x.Seq(), y.Seq())
		if c.largest() {
			size, seq = cmp.Compare(y.Class().Demand().At(0), x.Class().Demand().At(0)), -seq
		}
		return cmp.Or(cmp.Compare(y.Priority(), x.Priority()), size, seq)
	})
	return out
}

func (c *model) priority(a app.App) (highest int32, waits bool) {
	for _, ask := range c.pendingOf(a) {
		highest, waits = max(highest, ask.Priority()), true
	}
	return highest, waits
}

// shares returns the list of an application's shares that the fair order compares.
func (c *model) shares(a app.App) [2]int64 {
	v := []int64{resource.Share(a.Used()[0], 10), resource.Share(a.Used()[1], 4)}
	slices.Sort(v)
	return [2]int64{v[1], v[0]}
}

func (c *model) sorted() []app.App {
	var out []app.App
	for _, a := range c.apps {
		if _, waits := c.priority(a); waits {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(x, y app.App) int {
		p, _ := c.priority(x)
		q, _ := c.priority(y)
		if !c.byPriority {
			p, q = 0, 0
		}
		fair := 0
		if c.fair() {
			s, u := c.shares(x), c.shares(y)
			fair = slices.Compare(s[:], u[:])
		}
		newest := 0
		if c.newest() {
			newest = cmp.Compare(y.Seq(), x.Seq())
			if hx, hy := c.hidden(x), c.hidden(y); hx != hy || hx { // their keys are equal
				newest = 0
				if hx != hy {
					newest = 1
					if hy {
						newest = -1
					}
				}
			}
		}
		return cmp.Or(cmp.Compare(q, p), fair, newest, cmp.Compare(x.Seq(), y.Seq()))
	})
	return out
}

// starter returns the application, Starting or Accepted, that passes the filter of stateaware.
func (c *model) starter() app.App {
	rank := func(a app.App) (waits bool, priority int32) {
		priority, waits = c.priority(a)
		if !c.byPriority {
			return false, 0
		}
		return waits, priority
	}
	var best app.App
	for _, state := range []apps.State{apps.StateStarting, apps.StateAccepted} {
		for _, a := range c.apps {
			_, pends := c.priority(a)
			if a.State() != state || state == apps.StateAccepted && !pends {
				continue
			}
			if best.IsNone() {
				best = a
				continue
			}
			w, p := rank(a)
			v, q := rank(best)
			if w && !v || w == v && (p > q || p == q && a.Seq() < best.Seq()) {
				best = a
			}
		}
		if !best.IsNone() {
			return best
		}
	}
	return app.App{}
}

func (c *model) check() {
	c.leaf.Sync(c.shrinkEpoch)
	if c.leaf.Stale() || c.leaf.Live() != len(c.apps) {
		c.t.Fatalf("stale %v, %d live of %d", c.leaf.Stale(), c.leaf.Live(), len(c.apps))
	}
	var found []app.App
	c.leaf.Each(func(t app.Turn) bool { found = append(found, t.App); return true })
	if expected := c.sorted(); !slices.Equal(found, expected) {
		c.t.Fatalf("expected the applications %v, found %v", ids(expected), ids(found))
	}
	gate := c.starter()
	for _, a := range c.apps {
		passes := (!c.aware || a.State() == apps.StateRunning || a == gate) && !c.hidden(a)
		if a.Eligible() != passes {
			c.t.Fatalf("%s is %s: eligible is %v", a.ID(), a.State(), a.Eligible())
		}
		c.checkAsks(a)
	}
	c.checkWalk()
}

func (c *model) checkAsks(a app.App) {
	expected := c.pendingOf(a)
	highest, waits := c.priority(a)
	if a.HasPriority() != waits || waits && a.Priority() != highest || a.PendingAsks() != len(expected) {
		c.t.Fatalf("%s has priority %v, expected %d %v", a.ID(), a.HasPriority(), highest, waits)
	}
	sum := make(resource.Vec, c.types.Width())
	for i, ask := range expected {
		sum.Add(ask.Class().Demand())
		if i > 0 && (!a.Before(expected[i-1], ask) || a.Before(ask, expected[i-1])) {
			c.t.Fatalf("%s is not before %s", expected[i-1].ID(), ask.ID())
		}
	}
	if !slices.Equal(sum, a.Waiting()) {
		c.t.Fatalf("%s waits for %v, expected %v", a.ID(), a.Waiting(), sum)
	}
	first := firstOfGroups(expected)
	var heads []app.Ask
	if waits {
		a.Heads(func(ask app.Ask) bool { heads = append(heads, ask); return true })
	}
	if !slices.Equal(heads, first) {
		c.t.Fatalf("%s: the first asks of each class are %d, expected %d", a.ID(), len(heads), len(first))
	}
}

// firstOfGroups lists the first ask of each group.
func firstOfGroups(asks []app.Ask) []app.Ask {
	var first []app.Ask
	seen := map[group]bool{}
	for _, ask := range asks {
		if g := groupOf(ask); !seen[g] {
			seen[g] = true
			first = append(first, ask)
		}
	}
	return first
}

// checkWalk lets one candidate after the other fail, and expects each class of each eligible application once, in order.
func (c *model) checkWalk() {
	room := make(resource.Vec, c.types.Width())
	room.Fill(resource.Most)
	all := demandrow.Bound{Bits: class.AllBits, Room: room}
	c.expectWalk(&demandrow.Search{Open: true, Any: all, Grown: all, Headroom: room}, func(ask app.Ask) bool { return !groupOf(ask).claims })
	by := time.Duration(c.roll("due by", int(c.seq)+2))
	due := &demandrow.Search{Reserve: class.AllBits, DueBy: int64(by), Headroom: room, Beyond: room}
	due.Any.Room, due.Grown.Room = room, room
	c.expectWalk(due, func(ask app.Ask) bool {
		g := groupOf(ask)
		oldest := slices.IndexFunc(c.asks, func(other app.Ask) bool { return groupOf(other) == g && other.Created() <= by })
		return !g.reserves && !g.claims && !c.suspended[g] && oldest >= 0
	})
}

// expectWalk visits the leaf like a cycle in which all asks fail: it visits the first ask of each group that passes.
func (c *model) expectWalk(s *demandrow.Search, passes func(app.Ask) bool) {
	c.shrinkEpoch++
	s.ShrinkEpoch = c.shrinkEpoch
	var found, expected []string
	for a := c.leaf.Next(s); !a.IsNone(); a = c.leaf.Next(s) {
		for ask := a.Next(s); !ask.IsNone(); ask = a.Next(s) {
			found = append(found, ask.ID())
			a.FailAsk(ask, c.shrinkEpoch)
		}
		c.leaf.Fail(a, c.shrinkEpoch)
	}
	for _, a := range c.sorted() {
		if a.Eligible() {
			for _, ask := range firstOfGroups(c.pendingOf(a)) {
				if passes(ask) {
					expected = append(expected, ask.ID())
				}
			}
		}
	}
	if !slices.Equal(found, expected) {
		c.t.Fatalf("the walk came to %v, expected %v", found, expected)
	}
}

func ids(apps []app.App) []string {
	var out []string
	for _, a := range apps {
		out = append(out, a.ID())
	}
	return out
}

func TestLeaf_OrderFollowsTheRulesAfterChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newModel(t)
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
		c := newModel(t)
		for range rapid.IntRange(2, 40).Draw(t, "steps") {
			c.step()
		}
		c.leaf.Sync(c.shrinkEpoch)
		by := time.Duration(rapid.IntRange(0, int(c.seq)).Draw(t, "by"))
		for _, a := range c.apps {
			asks := c.pendingOf(a)
			for _, candidate := range asks {
				var expected app.Ask
				for _, ask := range asks {
					if groupOf(ask) == groupOf(candidate) && ask.Created() <= by {
						expected = ask
						break
					}
				}
				if found := a.FirstDue(candidate, func(ask app.Ask) bool { return ask.Created() <= by }); found != expected {
					t.Fatalf("by %d: found %v, expected %v", by, found, expected)
				}
			}
		}
	})
}

func TestGroup_AsksReturnToTheirPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newModel(t)
		c.sizes, c.levels = 1, rapid.SampledFrom([]int{1, 20}).Draw(t, "levels")
		a := c.admit("long", 1_000, apps.StateRunning)
		for range 140 {
			c.add()
		}
		c.check()
		var moved []app.Ask
		for range rapid.IntRange(1, 6).Draw(t, "moved") {
			moved = append(moved, c.asks[rapid.IntRange(50, 80).Draw(t, "ask")])
		}
		toggle := func(ask app.Ask) {
			c.toggleReservation(ask)
			c.all.Edit(a).UpdateAsk(ask)
		}
		for range 2 { // away and back
			for _, ask := range moved {
				toggle(ask)
			}
			c.check()
			if rapid.IntRange(0, 3).Draw(t, "swap") == 0 {
				c.swap()
			}
		}
		for range rapid.IntRange(0, 90).Draw(t, "gone") {
			c.drop(0)
		}
		c.check()
		for _, ask := range moved { // some are removed before they become the oldest
			if !ask.App().IsNone() && slices.Contains(c.asks, ask) {
				toggle(ask)
			}
		}
		c.check()
	})
}

func (c *model) toggleReservation(ask app.Ask) {
	switch {
	case ask.Hold().IsReserved():
		c.owner.SetHold(ask.Slot(), ask.Hold().Unreserve(), 0)
	case !ask.Hold().IsClaimed():
		c.owner.SetHold(ask.Slot(), ask.Hold().Reserve(false), 0)
	}
}

func (c *model) toggleClaim(ask app.Ask) {
	switch {
	case ask.Hold().IsClaimed():
		c.owner.SetHold(ask.Slot(), ask.Hold().Unclaim(), 0)
	case !ask.Hold().IsReserved():
		c.owner.SetHold(ask.Slot(), ask.Hold().Claim(), 0)
	}
}
