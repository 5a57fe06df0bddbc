package ledger

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

var oneCore = resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})

// played feeds a ledger what a host without the laws of preemption might have decided.
type played struct {
	*Ledger
	t *testing.T
}

// begun has the applications a-1 and a-2 of ann in root.a, b of bob in root.b, and an allocation b1 of b.
func begun(t *testing.T) *played {
	p := &played{New(), t}
	p.Advance(0)
	p.Applied(&core.Input{Event: &core.AddNode{ID: "n", Capacity: oneCore}}, core.Accepted, []core.Decision{{Type: core.NodeAccepted, ID: "n"}})
	for _, a := range []core.AddApp{{ID: "a-1", Queue: "root.a", User: "ann"}, {ID: "a-2", Queue: "root.a", User: "ann"}, {ID: "b", Queue: "root.b", User: "bob"}} {
		p.Applied(&core.Input{Event: &a}, core.Accepted, []core.Decision{{Type: core.AppAccepted, ID: a.ID, Queue: a.Queue}})
	}
	p.restore("b1", "b")
	return p
}

func (p *played) restore(id, app string) {
	p.Applied(&core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: id, App: app, Resources: oneCore}, PlacedOn: "n"}}, core.Accepted, nil)
}

// displace has an application ask under an ID, and preempt a victim.
func (p *played) displace(id, app, victim string, right core.Right) {
	p.Applied(&core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: oneCore}}, core.Accepted, nil)
	p.Decided([]core.Decision{{Type: core.Preemption, ID: victim, For: id, Node: "n", Right: right}})
	p.release(victim, core.ReasonPreempted)
	p.Applied(&core.Input{Event: &core.RemoveAsk{ID: id}}, core.Accepted, nil)
	p.restore(id, app)
}

func (p *played) release(id string, reason core.Reason) {
	a := p.ask(id)
	p.Decided([]core.Decision{{Type: core.Release, ID: id, App: a.app.id, Queue: a.Queue.Path, Node: "n", Reason: reason, Submission: a.submission}})
}

func (p *played) expect(cycles int) {
	p.t.Helper()
	if p.Totals.Cycles != cycles {
		p.t.Errorf("expected %d cycles, found %d", cycles, p.Totals.Cycles)
	}
}

func TestCycles_DisplacedInReturn(t *testing.T) {
	p := begun(t)
	p.displace("a1", "a-1", "b1", core.RightGuarantee)
	p.expect(0)
	p.Advance(time.Hour)
	p.displace("b1", "b", "a1", core.RightGuarantee)
	p.expect(1)
	p.displace("a1", "a-1", "b1", core.RightGuarantee)
	p.expect(2)
}

func TestCycles_Successor(t *testing.T) {
	p := begun(t)
	p.restore("s", "a-2")
	p.displace("a1", "a-1", "b1", core.RightGuarantee)
	p.displace("again", "b", "s", core.RightGuarantee)
	p.expect(1)
}

func TestCycles_NotAfterAnHour(t *testing.T) {
	p := begun(t)
	p.displace("a1", "a-1", "b1", core.RightGuarantee)
	p.Advance(time.Hour + 1)
	p.displace("b1", "b", "a1", core.RightGuarantee)
	p.expect(0)
}

func TestCycles_AskedBefore(t *testing.T) {
	p := begun(t)
	p.Applied(&core.Input{Event: &core.AddAsk{ID: "early", App: "b", Resources: oneCore}}, core.Accepted, nil)
	p.Advance(time.Second)
	p.displace("a1", "a-1", "b1", core.RightGuarantee)
	p.Decided([]core.Decision{{Type: core.Preemption, ID: "a1", For: "early", Node: "n", Right: core.RightGuarantee}})
	p.expect(0)
}

func TestCycles_DemandChanged(t *testing.T) {
	for name, change := range map[string]func(p *played){
		"an end":            func(p *played) { p.release("b2", core.ReasonFinished) },
		"a lost node":       func(p *played) { p.release("b2", core.ReasonNodeRemoved) },
		"a required node":   func(p *played) { p.displace("d", "a-2", "b2", core.RightRequiredNode) },
		"a quota":           func(p *played) { p.displace("d", "a-2", "b2", core.RightQuota) },
		"new configuration": func(p *played) { p.Decided([]core.Decision{{Type: core.ConfigAccepted}}) },
	} {
		p := begun(t)
		p.restore("b2", "b")
		p.displace("a1", "a-1", "b1", core.RightGuarantee)
		change(p)
		p.displace("b1", "b", "a1", core.RightGuarantee)
		if p.Totals.Cycles != 0 {
			t.Errorf("%s: found %d cycles", name, p.Totals.Cycles)
		}
	}
}

func TestCycles_EndOfTheOtherSide(t *testing.T) {
	p := begun(t)
	p.restore("a0", "a-1")
	p.displace("a1", "a-1", "b1", core.RightGuarantee)
	p.release("a0", core.ReasonFinished)
	p.displace("b1", "b", "a1", core.RightGuarantee)
	p.expect(1)
}

func TestCycles_WithinAQueuePriorityDecides(t *testing.T) {
	for _, c := range []struct {
		was, returns, victim int32
		cycles               int
	}{{1, 1, 1, 1}, {1, 0, 2, 1}, {1, 2, 1, 0}, {1, 1, 0, 0}} {
		var cycles Cycles
		a, b := Party{"ann", "root.q", "a"}, Party{"bob", "root.q", "b"}
		cycles.Preempted(&Displacement{Right: core.RightQueue, By: a, Of: b, OfPriority: c.was})
		cycles.Preempted(&Displacement{Right: core.RightQueue, By: b, Of: a, ByPriority: c.returns, OfPriority: c.victim})
		if cycles.Count != c.cycles {
			t.Errorf("%+v: found %d cycles", c, cycles.Count)
		}
	}
}

func TestCycles_MemoryIsBounded(t *testing.T) {
	var cycles Cycles
	for i := range 3 * mostDisplacements {
		cycles.Preempted(&Displacement{At: time.Duration(i), Right: core.RightGuarantee, By: Party{Queue: "root.a"}, Of: Party{Queue: "root.b"}})
	}
	if len(cycles.list) > mostDisplacements {
		t.Errorf("%d displacements are kept", len(cycles.list))
	}
}

func TestSideOf(t *testing.T) {
	for _, c := range [][3]string{
		{"root.a", "root.a", ""}, {"root.a.x", "root.b", "root.a"}, {"root.a.x.y", "root.a.z", "root.a.x"}, {"root.ab", "root.a", "root.ab"},
		{"[gpu.x]root.a", "[gpu.x]root.b", "[gpu.x]root.a"},
	} {
		if got := sideOf(c[0], c[1]); got != c[2] {
			t.Errorf("%s beside %s: expected %q, found %q", c[0], c[1], c[2], got)
		}
	}
}
