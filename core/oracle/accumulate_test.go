package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// accumulates runs a test in which gangs accumulate after 10s. x1 comes before x2, y and z, which is in root.b. root.a has the given fields.
func accumulates(t *testing.T, fields string, test func(c *cluster)) {
	t.Helper()
	accumulatesWith(t, "gang.accumulate-after: 10s, gang.accumulate-for: 1m, reservation.delay: 0s", fields, test)
}

func accumulatesWith(t *testing.T, properties, fields string, test func(c *cluster)) {
	t.Helper()
	unitTestOf(t, accumulatingConfig(properties, fields), func(c *cluster) {
		for _, id := range []string{"x1", "x2", "y"} {
			c.app(id, "root.a", "u")
		}
		c.app("z", "root.b", "u")
		c.skip()
		test(c)
	})
}

func accumulatingConfig(properties, fields string) string {
	return fmt.Sprintf(`
  queues:
  - name: root
    properties: {%s}
    queues:
    - {name: a%s}
    - {name: b, resources: {guaranteed: {vcore: 9}}, properties: {preemption.delay: 1s}}
`, properties, fields)
}

// filled adds nodes of these vcores that are full of r1, r2 and so on, of a vcore each, in the order of nodes.
func (c *cluster) filled(vcores ...int64) {
	c.nodes(vcores...)
	i := 0
	for node, size := range vcores {
		for range size {
			i++
			c.runs(fmt.Sprint("r", i), "y", fmt.Sprint("n", node+1), single())
		}
	}
}

// asksFor adds the members g1, g2 and so on of a gang that needs all of them.
func (c *cluster) asksFor(app, gang string, members int, set ...func(*core.Ask)) {
	for i := range members {
		c.ask(fmt.Sprint(gang, i+1), app, 1, of(gang, members, set...))
	}
	c.expect()
}

// isPassed lets an ask of y take what r1 leaves, once all have waited long enough.
func (c *cluster) isPassed() {
	c.pass(10 * time.Second)
	c.ask("s1", "y", 1)
	c.expect()
	c.release("r1")
	c.expect("release r1 finished", "allocation s1 n1")
}

func TestAccumulate_HoldsWhatFreesUntilItLands(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x1", "g", 3)
		c.isPassed()
		c.ask("s2", "y", 1)
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.release("r3")
		c.expect("release r3 finished", "reservation g2 n1 g")
		c.release("s1")
		c.expect("release s1 finished", "allocation g1 n1", "unreservation g1 n1 g", "allocation g2 n1", "unreservation g2 n1 g", "allocation g3 n1")
	})
}

func TestAccumulate_OnlyOnceItHasWaitedAndIsPassed(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.app("w", "root.a", "u")
		c.skip()
		c.asksFor("y", "g", 3)
		c.pass(9 * time.Second)
		c.ask("s1", "w", 1)
		c.release("r1")
		c.expect("release r1 finished", "allocation s1 n1") // too early
		c.pass(time.Second)
		c.ask("s2", "x1", 1)
		c.release("r2")
		c.expect("release r2 finished", "allocation s2 n1") // it precedes the gang
		c.release("r3")
		c.expect("release r3 finished")
		c.ask("s3", "w", 1)
		c.expect("allocation s3 n1")
		c.release("s3")
		c.expect("release s3 finished", "reservation g1 n1 g")
	})
}

func TestAccumulate_NotWhereAMaxOrLimitNeverLetsItIn(t *testing.T) {
	for _, fields := range []string{", resources: {max: {vcore: 3}}", ", limits: [{users: [u], maxresources: {vcore: 3}}]"} {
		accumulates(t, fields, func(c *cluster) {
			c.filled(2)
			c.asksFor("x1", "g", 4)
			c.isPassed()
			c.release("r2")
			c.expect("release r2 finished")
		})
	}
}

func TestAccumulate_NotWhileMembersAreMissing(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(2)
		c.ask("g1", "x1", 1, of("g", 2))
		c.isPassed()
		c.ask("g2", "x1", 1, of("g", 2))
		c.release("r2")
		c.expect("release r2 finished")
	})
}

func TestAccumulate_HigherPrioritiesAndRequiredNodesTakeWhatIsHeld(t *testing.T) {
	for name, details := range map[string]core.Ask{"priority": {Priority: 1}, "required node": {Node: "n1"}} {
		t.Run(name, func(t *testing.T) {
			accumulates(t, "", func(c *cluster) {
				c.filled(3)
				c.asksFor("x1", "g", 3)
				c.isPassed()
				c.release("r2")
				c.expect("release r2 finished", "reservation g1 n1 g")
				c.ask("s2", "y", 1, details)
				c.expect("allocation s2 n1", "unreservation g1 n1 g")
			})
		})
	}
}

func TestAccumulate_AsksBeforeItTakeWhatIsHeld(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x2", "g", 3)
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.ask("s2", "x1", 1)
		c.expect("allocation s2 n1", "unreservation g1 n1 g")
	})
}

func TestAccumulate_HoldsHeadroomOfQueues(t *testing.T) {
	accumulates(t, ", resources: {max: {vcore: 3}}", func(c *cluster) {
		c.filled(3)
		c.node("n2", 3)
		c.asksFor2("x1", "g", 3)
		c.isPassedOn("n2")
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.ask("s2", "y", 1)
		c.expect()
		c.bComesLast()
		c.ask("s3", "z", 2) // of another queue, to which the max does not apply
		c.expect("allocation s3 n2")
	})
}

// spare adds a node that counts in the total, but takes nothing.
func (c *cluster) spare() {
	c.apply(core.Input{Event: &core.AddNode{ID: "spare", Capacity: cores(9), Unschedulable: true}})
	c.skip()
}

// bComesLast makes root.b the queue that uses most.
func (c *cluster) bComesLast() {
	c.apply(core.Input{Event: &core.RestoreAllocation{PlacedOn: "n1", AddAsk: core.AddAsk{ID: "o", App: "z", Resources: set(-1, -1, 1)}}})
	c.skip()
}

// asksFor2 is asksFor after the acceptance of a node.
func (c *cluster) asksFor2(app, gang string, members int) {
	c.skip()
	c.asksFor(app, gang, members)
}

// isPassedOn is isPassed where another node has the room.
func (c *cluster) isPassedOn(node string) {
	c.pass(10 * time.Second)
	c.ask("s1", "y", 1)
	c.release("r1")
	c.expect("release r1 finished", "allocation s1 "+node)
}

func TestAccumulate_HoldsHeadroomOfLimits(t *testing.T) {
	accumulates(t, ", limits: [{users: [u], maxresources: {vcore: 3}}]", func(c *cluster) {
		c.app("v", "root.a", "v")
		c.filled(3)
		c.node("n2", 3)
		c.asksFor2("x1", "g", 3)
		c.isPassedOn("n2")
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.ask("s2", "y", 1)
		c.expect()
		c.ask("s3", "v", 1)
		c.expect("allocation s3 n1") // of a user without a limit
	})
}

func TestAccumulate_EndsInTimeAndPausesForAsLong(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x1", "g", 3)
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.ask("s2", "y", 1)
		c.pass(59 * time.Second)
		c.expect()
		c.pass(time.Second)
		c.expect("unreservation g1 n1 expired g", "allocation s2 n1")
		c.pass(59 * time.Second)
		c.ask("s3", "y", 1)
		c.release("s2")
		c.expect("release s2 finished", "allocation s3 n1")
		c.pass(time.Second)
		c.ask("s4", "y", 1)
		c.release("s3")
		c.expect("release s3 finished", "allocation s4 n1")
		c.release("s4")
		c.expect("release s4 finished", "reservation g1 n1 g")
	})
}

func TestAccumulate_OneGangAtATimeTheFirst(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x1", "g", 3)
		c.asksFor("x2", "h", 2)
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.release("r3")
		c.expect("release r3 finished", "reservation g2 n1 g")
		c.pass(time.Minute) // then h takes what g may no longer hold
		c.expect("unreservation g1 n1 expired g", "unreservation g2 n1 expired g", "allocation h1 n1", "allocation h2 n1")
	})
}

func TestAccumulate_AGangInItsPauseIsPassedOver(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x1", "g", 3)
		c.isPassed()
		c.pass(time.Minute)
		c.asksFor("x2", "h", 3)
		c.pass(10 * time.Second)
		c.ask("s2", "y", 1)
		c.release("r2")
		c.expect("release r2 finished", "allocation s2 n1")
		c.release("r3")
		c.expect("release r3 finished", "reservation h1 n1 h")
	})
}

func TestAccumulate_EndsWithTheGang(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(c *cluster)
		want []string
	}{
		"withdrawn below the min": {func(c *cluster) { c.apply(core.Input{Event: &core.RemoveAsk{ID: "g2"}}) }, []string{"unreservation g1 n1 g"}},
		"removed":                 {func(c *cluster) { c.remove("x1") }, []string{"unreservation g1 n1 g"}},
		"node removed": {func(c *cluster) { c.apply(core.Input{Event: &core.RemoveNode{ID: "n1"}}) },
			[]string{"unreservation g1 n1 g", "release r3 node_removed", "release s1 node_removed"}},
		"node drained": {func(c *cluster) { c.apply(core.Input{Event: &core.DrainNode{ID: "n1"}}) }, []string{"unreservation g1 n1 g"}},
		"switched off": {func(c *cluster) {
			c.config(accumulatingConfig("gang.accumulate-after: 0s, reservation.delay: 0s", ""))
		}, []string{"config.accepted", "unreservation g1 n1 g"}},
		"max lowered": {func(c *cluster) {
			c.config(accumulatingConfig("gang.accumulate-after: 10s, reservation.delay: 0s", ", resources: {max: {vcore: 2}}"))
		}, []string{"config.accepted", "unreservation g1 n1 no-headroom g"}},
		"may not start": {func(c *cluster) {
			c.config(accumulatingConfig("gang.accumulate-after: 10s, reservation.delay: 0s", ", maxapplications: 1"))
		}, []string{"config.accepted", "unreservation g1 n1 not-startable g"}},
	} {
		t.Run(name, func(t *testing.T) {
			accumulates(t, "", func(c *cluster) {
				c.filled(3)
				c.asksFor("x1", "g", 3)
				c.isPassed()
				c.release("r2")
				c.expect("release r2 finished", "reservation g1 n1 g")
				test.end(c)
				c.expect(test.want...)
			})
		})
	}
}

func TestAccumulate_AWithdrawnMemberIsReplacedByAnother(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x1", "g", 3)
		c.ask("g4", "x1", 1, of("g", 3))
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.apply(core.Input{Event: &core.RemoveAsk{ID: "g1"}})
		c.expect("unreservation g1 n1 g", "reservation g2 n1 g")
	})
}

func TestAccumulate_HoldsALargerPartWhole(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(2, 1)
		c.ask("g1", "x1", 1, of("g", 3))
		c.ask("g2", "x1", 2, of("g", 3))
		c.ask("g3", "x1", 2, of("g", 3))
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.release("s1") // g1 fits n1 as the first node in order, and then nobody else fits
		c.expect("release s1 finished")
		c.release("r3") // g2 needs all of n1
		c.expect("release r3 finished", "unreservation g1 n1 g", "reservation g1 n2 g", "reservation g2 n1 g")
	})
}

func TestAccumulate_ReservationsOfAsksBehindItDoNotCount(t *testing.T) {
	accumulatesWith(t, "gang.accumulate-after: 10s, reservation.delay: 1s", "", func(c *cluster) {
		c.filled(3)
		c.spare()
		c.asksFor("x1", "g", 2)
		c.ask("s1", "y", 1)
		c.expect()
		c.pass(10 * time.Second)
		c.release("r1")
		c.expect("reservation s1 n1", "release r1 finished", "allocation s1 n1", "unreservation s1 n1")
		c.ask("s2", "y", 1)
		c.pass(time.Second)
		c.expect("reservation s2 n1") // nothing is held there yet
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.release("r3")
		c.expect("release r3 finished", "allocation g1 n1", "unreservation g1 n1 g", "allocation g2 n1")
	})
}

func TestAccumulate_NoReservationBehindItWhereSomethingIsHeld(t *testing.T) {
	accumulatesWith(t, "gang.accumulate-after: 10s, reservation.delay: 5s", "", func(c *cluster) {
		c.filled(3)
		c.spare()
		c.bComesLast()
		c.asksFor("x1", "g", 3)
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.ask("s2", "z", 1)
		c.pass(5 * time.Second)
		c.expect()
	})
}

func TestAccumulate_NoVictimsBehindItWhereSomethingIsHeld(t *testing.T) {
	for priority, want := range map[int32][]string{0: nil, 1: {"preemption s1 s2 n1", "unreservation g1 n1 g"}} {
		accumulates(t, "", func(c *cluster) {
			c.filled(3)
			c.bComesLast()
			c.asksFor("x1", "g", 3)
			c.isPassed()
			c.release("r2")
			c.expect("release r2 finished", "reservation g1 n1 g")
			c.ask("s2", "z", 2, single(ranked(priority)))
			c.pass(time.Second)
			c.expect(want...)
		})
	}
}

func TestAccumulate_EndsWhenItPreempts(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x1", "g", 3)
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.move("x1", "root.b") // where it is entitled to more
		c.expect("app.moved x1 root.a root.b", "unreservation g1 n1 g", "reservation g1 n1 g",
			"preemption r3 g1 n1", "preemption s1 g1 n1", "unreservation g1 n1 g")
	})
}

func TestAccumulate_LandsWhereItFitsAndNotOnlyWhereItHolds(t *testing.T) {
	accumulates(t, "", func(c *cluster) {
		c.filled(3)
		c.asksFor("x1", "g", 2)
		c.isPassed()
		c.release("r2")
		c.expect("release r2 finished", "reservation g1 n1 g")
		c.node("n2", 2)
		c.expect("node.accepted n2", "allocation g1 n2", "unreservation g1 n1 g", "allocation g2 n2")
	})
}

func TestAccumulate_Never(t *testing.T) {
	accumulatesWith(t, "gang.accumulate-after: 0s", "", func(c *cluster) {
		c.filled(2)
		c.asksFor("x1", "g", 2)
		c.pass(time.Hour)
		c.ask("s1", "y", 1)
		c.release("r1")
		c.release("r2")
		c.expect("release r1 finished", "allocation s1 n1", "release r2 finished")
	})
}

func TestAccumulate_AfterAMinuteByDefault(t *testing.T) {
	for _, property := range []string{"", "gang.accumulate-after: soon", "gang.accumulate-after: -1s, gang.accumulate-for: 0s"} {
		accumulatesWith(t, property, "", func(c *cluster) {
			c.filled(2)
			c.asksFor("x1", "g", 2)
			c.pass(59 * time.Second)
			c.ask("s1", "y", 1)
			c.release("r1")
			c.release("r2")
			c.expect("release r1 finished", "allocation s1 n1", "release r2 finished")
			c.pass(time.Second)
			c.ask("s2", "y", 1)
			c.release("s1")
			c.expect("allocation s2 n1", "release s1 finished", "reservation g1 n1 g")
			c.pass(15*time.Minute - time.Second)
			c.expect()
			c.pass(time.Second)
			c.expect("unreservation g1 n1 expired g")
		})
	}
}
