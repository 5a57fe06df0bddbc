package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// unitTest runs a test on each machine that preempts gangs as units. root.b has the given fields, and root.a preempts it.
func unitTest(t *testing.T, fields string, test func(c *cluster)) {
	t.Helper()
	unitTestOf(t, `
  queues:
  - {name: a, resources: {guaranteed: {vcore: 50}}, properties: {preemption.delay: 1s}}
  - {name: b`+fields+`}
  - {name: c, properties: {preemption.delay: 1s, preemption.intra-queue: enabled}}
`, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.app("y", "root.b", "u")
		c.app("x", "root.b", "u")
		c.skip()
		test(c)
	})
}

func unitTestOf(t *testing.T, config string, test func(c *cluster)) {
	t.Helper()
	machines := map[string]func() dumper{"oracle": func() dumper { return oracle.New() }, "scheduler": func() dumper { return newMachine() }}
	for name, machine := range machines {
		t.Run(name, func(t *testing.T) {
			test(clusterOf(t, machine(), config))
		})
	}
}

// nodes adds nodes n1, n2 and so on, of these vcores.
func (c *cluster) nodes(vcores ...int64) {
	for i, size := range vcores {
		c.node(fmt.Sprint("n", i+1), size)
	}
	c.skip()
}

// runs restores an allocation of a vcore.
func (c *cluster) runs(id, app, node string, details core.Ask) { c.runsWith(id, app, node, 1, details) }

func (c *cluster) runsWith(id, app, node string, vcores int64, details core.Ask) {
	c.apply(core.Input{Event: &core.RestoreAllocation{PlacedOn: node, AddAsk: core.AddAsk{ID: id, App: app, Resources: cores(vcores), Ask: details}}})
	c.skip()
}

// of makes an ask a member of a gang of at least so many.
func of(gang string, least int, set ...func(k *core.Ask)) core.Ask {
	k := core.Ask{Gang: &core.Gang{ID: gang, Min: least}}
	for _, change := range set {
		change(&k)
	}
	return k
}

func single(set ...func(k *core.Ask)) core.Ask {
	k := core.Ask{}
	for _, change := range set {
		change(&k)
	}
	return k
}

func disrupted(by core.Disruption) func(*core.Ask) {
	return func(k *core.Ask) { k.Gang.Disruption = by }
}
func ranked(priority int32) func(*core.Ask) { return func(k *core.Ask) { k.Priority = priority } }
func originator(k *core.Ask)                { k.Originator = true }
func optedOut(k *core.Ask)                  { k.NotPreemptable = true }
func repaired(within time.Duration) func(*core.Ask) {
	return func(k *core.Ask) { k.Gang.Repair = core.Repair{Bounded: true, Within: within} }
}

// needs adds an ask of root.a that needs so many vcores, and waits until its delay is over.
func (c *cluster) needs(vcores int64, details core.Ask) {
	c.ask("k", "p", vcores, details)
	c.expect()
	c.pass(time.Second)
}

func (c *cluster) fails(id string) {
	c.apply(core.Input{Event: &core.ReleaseAllocation{ID: id, Failed: true}})
}

func TestUnit_SurplusGoesAndTheOrderSaysWhich(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(4)
		c.runs("g1", "x", "n1", of("g", 2, ranked(1)))
		c.runs("g2", "x", "n1", of("g", 2))
		c.runs("g3", "x", "n1", of("g", 2))
		c.runs("g4", "x", "n1", of("g", 2, ranked(1)))
		c.needs(2, single(ranked(5)))
		c.expect("preemption g2 k n1 g", "preemption g3 k n1 g")
	})
}

func TestUnit_MoreThanSurplusIsTheWholeGang(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(3)
		for i := range 3 {
			c.runs(fmt.Sprint("g", i), "x", "n1", of("g", 2))
		}
		c.needs(2, single())
		c.expect("preemption g0 k n1 g ends", "preemption g1 k n1 g ends", "preemption g2 k n1 g ends")
	})
}

func TestUnit_MembersOnOtherNodesGoToo(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1, 1)
		c.runs("g1", "x", "n2", of("g", 2))
		c.runs("g2", "x", "n3", of("g", 2))
		c.runs("s", "y", "n1", single(ranked(3)))
		c.needs(1, single(ranked(3)))
		c.expect("preemption g1 k n2 g ends", "preemption g2 k n3 g ends")
		c.release("g1")
		c.expect("release g1 preempted", "allocation k n2")
	})
}

func TestUnit_SinglesRatherThanAGang(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(4, 4)
		c.runsWith("g1", "x", "n1", 2, of("g", 2))
		c.runsWith("g2", "x", "n1", 2, of("g", 2))
		for i := range 4 {
			c.runs(fmt.Sprint("s", i), "y", "n2", single())
		}
		c.needs(4, single())
		c.expect("preemption s0 k n2", "preemption s1 k n2", "preemption s2 k n2", "preemption s3 k n2")
	})
}

func TestUnit_SinglesOfAnySizeRatherThanAGangOnAnotherNode(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(3, 3)
		c.runsWith("s1", "y", "n1", 1, single())
		c.runsWith("s2", "y", "n1", 2, single())
		c.runsWith("g1", "x", "n2", 3, of("g", 1))
		c.needs(3, single())
		c.expect("preemption s1 k n1", "preemption s2 k n1")
	})
}

func TestUnit_LowerPriorityRatherThanFewerGangs(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(2, 1)
		c.runs("g1", "x", "n1", of("g", 2))
		c.runs("g2", "x", "n1", of("g", 2))
		c.runs("s", "y", "n2", single(ranked(1)))
		c.needs(1, single(ranked(2)))
		c.expect("preemption g1 k n1 g ends", "preemption g2 k n1 g ends")
	})
}

func TestUnit_FewerGangsRatherThanFewerVictims(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(2, 3)
		c.runs("g1", "x", "n1", of("g", 1, disrupted(core.DisruptWhole)))
		c.runs("h1", "x", "n1", of("h", 1, disrupted(core.DisruptWhole)))
		for i := range 3 {
			c.runs(fmt.Sprint("i", i), "y", "n2", of("i", 3))
		}
		c.needs(2, single())
		c.expect("preemption i0 k n2 i ends", "preemption i1 k n2 i ends", "preemption i2 k n2 i ends")
	})
}

func TestUnit_WholeHasNoSurplus(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1)
		c.runs("g1", "x", "n1", of("g", 1, disrupted(core.DisruptWhole)))
		c.runs("g2", "x", "n2", of("g", 1, disrupted(core.DisruptWhole)))
		c.needs(1, single())
		c.expect("preemption g1 k n1 g ends", "preemption g2 k n2 g ends")
	})
}

func TestUnit_MemberGangsGoOneByOneAndAreBroken(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1)
		c.runs("g1", "x", "n1", of("g", 2, disrupted(core.DisruptMember)))
		c.runs("g2", "x", "n2", of("g", 2, disrupted(core.DisruptMember)))
		c.needs(1, single())
		c.expect("preemption g2 k n2 g")
		c.release("g2")
		c.expect("release g2 preempted", "gang.broken x g 1/2 preempted", "allocation k n2")
	})
}

func TestUnit_QueueLetsItsGangsGoOneByOne(t *testing.T) {
	for _, by := range []core.Disruption{core.DisruptUnit, core.DisruptWhole} {
		unitTest(t, ", properties: {preemption.gangs: member}", func(c *cluster) {
			c.nodes(1, 1)
			c.runs("g1", "x", "n1", of("g", 2, disrupted(by)))
			c.runs("g2", "x", "n2", of("g", 2, disrupted(by)))
			c.needs(1, single())
			c.expect("preemption g2 k n2 g")
			c.release("g2")
			c.expect("release g2 preempted", "gang.broken x g 1/2 preempted", "allocation k n2")
		})
	}
}

func TestUnit_AMemberThatMayBeNoVictimSavesItsGang(t *testing.T) {
	for name, set := range map[string]func(*core.Ask){
		"law 6":         ranked(9),
		"required node": func(k *core.Ask) { k.Node = "n2" },
	} {
		t.Run(name, func(t *testing.T) {
			unitTest(t, "", func(c *cluster) {
				c.nodes(1, 1)
				c.runs("g1", "x", "n1", of("g", 2))
				c.runs("g2", "x", "n2", of("g", 2, set))
				c.needs(1, single(ranked(3)))
				c.expect()
			})
		})
	}
}

func TestUnit_SurplusCountsByItsMembersAlone(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1)
		c.runs("g1", "x", "n1", of("g", 1, ranked(9)))
		c.runs("g2", "x", "n2", of("g", 1))
		c.needs(1, single(ranked(3)))
		c.expect("preemption g2 k n2 g")
	})
}

func TestUnit_EachMemberHasItsOwnProtection(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(2, 2)
		c.runs("g1", "x", "n1", of("g", 3))
		c.runs("g2", "x", "n1", of("g", 3))
		c.node("n3", 1)
		c.runs("g3", "x", "n3", of("g", 3, originator))
		c.runs("s1", "y", "n2", single(originator))
		c.runs("s2", "y", "n2", single(originator))
		c.needs(2, single())
		c.expect("preemption g1 k n1 g ends", "preemption g2 k n1 g ends", "preemption g3 k n3 g ends")
	})
}

func TestUnit_OptedOutSinglesBeforeAnOriginatorOfAGang(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1, 1)
		c.runs("g1", "x", "n1", of("g", 2))
		c.runs("g2", "x", "n2", of("g", 2, originator))
		c.runs("s", "y", "n3", single(optedOut))
		c.needs(1, single())
		c.expect("preemption s k n3")
	})
}

func TestUnit_AGangLargerThanWhatIsAboveTheGuaranteeStays(t *testing.T) {
	const guaranteed = ", resources: {guaranteed: {vcore: 2}}"
	for fields, want := range map[string][]string{
		guaranteed: nil,
		guaranteed + ", properties: {preemption.gangs: member}": {"preemption g3 k n3 g"},
	} {
		unitTest(t, fields, func(c *cluster) {
			c.nodes(1, 1, 1)
			for i := range 3 {
				c.runs(fmt.Sprint("g", i+1), "x", fmt.Sprint("n", i+1), of("g", 3))
			}
			c.needs(1, single())
			c.expect(want...)
		})
	}
}

func TestUnit_ForARequiredNode(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1, 1)
		c.runs("g1", "x", "n1", of("g", 2))
		c.runs("g2", "x", "n2", of("g", 2))
		c.ask("k", "p", 1, core.Ask{Node: "n1"})
		c.expect("reservation k n1", "preemption g1 k n1 g ends", "preemption g2 k n2 g ends", "unreservation k n1")
	})
}

func TestUnit_WithinAQueue(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1)
		c.app("z", "root.c", "u")
		c.app("w", "root.c", "u")
		c.runs("g1", "z", "n1", of("g", 2))
		c.runs("g2", "z", "n2", of("g", 2, ranked(1)))
		c.ask("k", "w", 1, core.Ask{Priority: 1})
		c.pass(time.Second)
		c.expect() // its member of equal priority saves the gang
		c.ask("l", "w", 1, core.Ask{Priority: 2})
		c.pass(time.Second)
		c.expect("preemption g1 l n1 g ends", "preemption g2 l n2 g ends")
	})
}

func TestUnit_SucceededMembersCountForEver(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(2, 1)
		c.runs("g1", "x", "n1", of("g", 3))
		c.runs("g2", "x", "n1", of("g", 3))
		c.runs("g3", "x", "n2", of("g", 3))
		c.pass(time.Second)
		c.release("g3")
		c.runs("g4", "x", "n2", of("g", 3))
		c.skip()
		c.needs(1, single()) // three are there, and two are needed
		c.expect("preemption g4 k n2 g")
	})
}

func TestUnit_HeadroomCountsAllThatLeaves(t *testing.T) {
	unitTestOf(t, `
  queues:
  - name: top
    resources: {max: {vcore: 4}}
    queues:
    - {name: a, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 1s}}
    - {name: b}
`, func(c *cluster) {
		c.app("p", "root.top.a", "u")
		c.app("x", "root.top.b", "u")
		c.nodes(1, 3, 3)
		c.runs("g1", "x", "n1", of("g", 2))
		c.runsWith("g2", "x", "n2", 3, of("g", 2))
		c.needs(3, single()) // n3 has room, but no victims for headroom
		c.expect("preemption g1 k n1 g ends", "preemption g2 k n2 g ends")
	})
}

func TestUnit_ExcessCountsWhatLeavesTheNode(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(2, 1, 9)
		c.runsWith("s", "y", "n1", 2, of("h", 1, disrupted(core.DisruptWhole)))
		c.runsWith("t", "y", "n3", 8, of("h", 1, disrupted(core.DisruptWhole)))
		c.runs("g1", "x", "n2", of("g", 2))
		c.runs("g2", "x", "n3", of("g", 2))
		c.needs(1, single()) // each gang has two members; from n2 nothing is left over
		c.expect("preemption g1 k n2 g ends", "preemption g2 k n3 g ends")
	})
}

func TestUnit_ObservedAlike(t *testing.T) {
	unitTestOf(t, `
  preemption: {observe: true}
  queues:
  - {name: a, resources: {guaranteed: {vcore: 50}}, properties: {preemption.delay: 1s}}
  - {name: b}
`, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.app("x", "root.b", "u")
		c.nodes(1, 1)
		c.runs("g1", "x", "n1", of("g", 2))
		c.runs("g2", "x", "n2", of("g", 2))
		c.needs(1, single())
		c.expect("preemption.observed g1 k n1 g ends", "preemption.observed g2 k n2 g ends")
	})
}

func TestUnit_AGangPreemptsWholeGangs(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1, 1)
		c.runs("g1", "x", "n1", of("g", 3))
		c.runs("g2", "x", "n2", of("g", 3))
		c.runs("g3", "x", "n3", of("g", 3))
		c.ask("k1", "p", 1, of("h", 2))
		c.ask("k2", "p", 1, of("h", 2))
		c.pass(time.Second)
		c.expect("preemption g1 k1 n1 g ends", "preemption g2 k2 n2 g ends", "preemption g3 k1 n3 g ends")
		c.release("g1")
		c.release("g2")
		c.expect("release g1 preempted", "release g2 preempted")
		c.release("g3")
		c.expect("release g3 preempted", "allocation k1 n1", "allocation k2 n2")
	})
}

func TestUnit_AGangTakesSurplus(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1, 1)
		c.runs("g1", "x", "n1", of("g", 1))
		c.runs("g2", "x", "n2", of("g", 1))
		c.runs("g3", "x", "n3", of("g", 1))
		c.ask("k1", "p", 1, of("h", 2))
		c.ask("k2", "p", 1, of("h", 2))
		c.pass(time.Second)
		c.expect("preemption g2 k1 n2 g", "preemption g3 k2 n3 g")
	})
}
