package oracle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// topologyTest runs a test with blocks of racks. root.a preempts root.b.
func topologyTest(t *testing.T, test func(c *cluster)) {
	t.Helper()
	unitTestOf(t, topologyConfig("[{level: block, attribute: block}, {level: rack, attribute: rack}]"), func(c *cluster) {
		c.app("p", "root.a", "u")
		c.app("x", "root.b", "u")
		c.app("y", "root.b", "u")
		c.skip()
		test(c)
	})
}

func topologyConfig(levels string) string {
	return fmt.Sprintf(`
  topology: %s
  queues:
  - name: root
    properties: {gang.accumulate-after: 10s, reservation.delay: 0s}
    queues:
    - {name: a, resources: {guaranteed: {vcore: 50}}, properties: {preemption.delay: 1s}}
    - {name: b}
`, levels)
}

// in adds nodes, each as "name vcores block/rack". Either of the last two may be empty.
func (c *cluster) in(nodes ...string) {
	for _, node := range nodes {
		var id, place string
		var vcores int64
		if _, err := fmt.Sscanf(node, "%s %d %s", &id, &vcores, &place); err != nil {
			c.t.Fatal(err)
		}
		c.apply(core.Input{Event: &core.AddNode{ID: id, Capacity: cores(vcores), Attributes: attributesOf(place)}})
	}
	c.skip()
}

func attributesOf(place string) map[string]string {
	attributes := map[string]string{}
	block, rack, _ := strings.Cut(place, "/")
	for name, value := range map[string]string{"block": block, "rack": rack} {
		if value != "" {
			attributes[name] = value
		}
	}
	return attributes
}

func required(level string) func(*core.Ask) {
	return func(k *core.Ask) { k.Topology.Required = level }
}

func preferred(level string) func(*core.Ask) {
	return func(k *core.Ask) { k.Topology.Preferred = level }
}

// together adds the members g1, g2 and so on of a gang of x, one in each instant, and expects the decisions after the last.
func (c *cluster) together(members, least int, set func(*core.Ask), want ...string) {
	c.t.Helper()
	for i := range members {
		c.m.Apply(&core.Input{At: c.m.Now(), Event: &core.AddAsk{ID: fmt.Sprint("g", i+1), App: "x", Resources: cores(1), Ask: of("g", least, set)}})
	}
	c.m.Cycle(-1)
	c.expect(want...)
}

func TestTopology_RequiredLandsInOneDomain(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r2", "n3 1 b1/r2", "n4 9 /r3", "n5 9 b1/")
		c.together(2, 2, required("rack"), "allocation g1 n2", "allocation g2 n3")
	})
}

func TestTopology_ADomainIsOfAllValuesDownToItsLevel(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b2/r1")
		c.together(2, 2, required("rack"))
	})
}

func TestTopology_TheDomainThatTakesMost(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1", "n3 1 b1/r2", "n4 1 b1/r2", "n5 1 b1/r2")
		c.together(3, 2, required("rack"), "allocation g1 n3", "allocation g2 n4", "allocation g3 n5")
	})
}

func TestTopology_OfThoseTheOneWithTheLeastRoom(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 3 b1/r1", "n2 2 b1/r2", "n3 2 b2/r1")
		c.together(2, 2, required("rack"), "allocation g1 n2", "allocation g2 n2")
	})
}

func TestTopology_RoomIsThatOfTheLargestMember(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1", "n3 1 b1/r1", "n4 2 b1/r1", "n5 2 b1/r2", "n6 2 b1/r2")
		c.ask("g1", "x", 1, of("g", 2, required("rack")))
		c.ask("g2", "x", 2, of("g", 2, required("rack")))
		c.expect("allocation g1 n1", "allocation g2 n4") // r1 has room for one of 2 vcores, r2 for two
	})
}

func TestTopology_LevelNode(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1", "n3 3 /", "n4 2 /")
		c.together(2, 2, required("node"), "allocation g1 n4", "allocation g2 n4")
	})
}

func TestTopology_ChoosesAlikeOneLevelDown(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 9 b1/r1", "n2 1 b2/r2", "n3 3 b2/r1", "n4 2 b2/r3", "n5 2 b2/")
		c.together(2, 2, required("block"), "allocation g1 n4", "allocation g2 n4")
	})
}

func TestTopology_DealsOutMostRoomFirstAndTheLastTight(t *testing.T) {
	for members, want := range map[int][]string{
		4: {"allocation g1 n3", "allocation g2 n3", "allocation g3 n3", "allocation g4 n1"},
		5: {"allocation g1 n3", "allocation g2 n3", "allocation g3 n3", "allocation g4 n2", "allocation g5 n2"},
		6: {"allocation g1 n3", "allocation g2 n3", "allocation g3 n3", "allocation g4 n2", "allocation g5 n2", "allocation g6 n1"},
		7: {"allocation g1 n3", "allocation g2 n3", "allocation g3 n3", "allocation g4 n2", "allocation g5 n2", "allocation g6 n1", "allocation g7 n4"},
	} {
		topologyTest(t, func(c *cluster) {
			c.in("n1 1 b1/r1", "n2 2 b1/r2", "n3 3 b1/r3", "n4 1 b1/", "n5 9 b2/")
			c.m.Apply(&core.Input{At: c.m.Now(), Event: &core.DrainNode{ID: "n5"}})
			c.together(members, members, required("block"), want...)
		})
	}
}

func TestTopology_NodesOutsideTheNextLevelComeLast(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r2", "n3 2 b1/")
		c.together(2, 2, required("block"), "allocation g1 n3", "allocation g2 n3") // no rack takes both
	})
}

func TestTopology_SurplusAndRepairsWaitForTheDomain(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 2 b1/r1", "n2 1 b1/r2")
		c.together(3, 2, required("rack"), "allocation g1 n1", "allocation g2 n1")
		c.fails("g1")
		c.expect("release g1 finished", "gang.broken x g 1/2 failed", "allocation g3 n1", "gang.repaired x g 2/2")
		c.fails("g3")
		c.runs("s", "y", "n1", single())
		c.skip()
		c.ask("g4", "x", 1, of("g", 2, required("rack")))
		c.expect()
		c.release("s")
		c.expect("release s finished", "allocation g4 n1", "gang.repaired x g 2/2")
	})
}

func TestTopology_TheDomainIsThatOfTheOldestMember(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r2", "n3 1 b1/r2")
		c.runs("g1", "x", "n1", of("g", 2, required("rack")))
		c.runs("g2", "x", "n2", of("g", 2, required("rack")))
		c.ask("g3", "x", 1, of("g", 2, required("rack")))
		c.expect()
		c.release("g1")
		c.expect("release g1 finished", "allocation g3 n3")
	})
}

func TestTopology_WithNoMemberLeftThereIsNoDomain(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r2")
		c.runs("g1", "x", "n1", of("g", 2, required("rack")))
		c.release("g1")
		c.skip()
		c.ask("g2", "x", 1, of("g", 2, required("rack"))) // one has succeeded
		c.expect("allocation g2 n1")
	})
}

func TestTopology_PreferredTheLevelThenWiderThenAll(t *testing.T) {
	for name, test := range map[string]struct {
		nodes []string
		want  []string
	}{
		"rack":                    {[]string{"n1 1 b1/r1", "n2 1 b1/r2", "n3 1 b1/r2", "n4 2 /"}, []string{"allocation g1 n2", "allocation g2 n3"}},
		"block":                   {[]string{"n1 1 b1/r1", "n2 1 b2/r1", "n3 1 b2/r2", "n4 2 /"}, []string{"allocation g1 n2", "allocation g2 n3"}},
		"all":                     {[]string{"n1 1 b1/r1", "n2 1 b2/r1"}, []string{"allocation g1 n1", "allocation g2 n2"}},
		"nodes in no domain last": {[]string{"n1 1 /", "n2 1 b2/r1"}, []string{"allocation g1 n2", "allocation g2 n1"}},
	} {
		t.Run(name, func(t *testing.T) {
			topologyTest(t, func(c *cluster) {
				c.in(test.nodes...)
				c.together(2, 2, preferred("rack"), test.want...)
			})
		})
	}
}

func TestTopology_PreferredMembersAreNotDrawnToTheirGang(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 2 b1/r1", "n2 1 b1/r2", "n3 9 /")
		c.together(3, 2, preferred("rack"), "allocation g1 n1", "allocation g2 n1", "allocation g3 n2")
	})
}

func TestTopology_SingleAsks(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 /r1", "n2 1 b1/", "n3 1 b1/r1")
		c.ask("s1", "x", 1, single(required("rack")))
		c.ask("s2", "x", 1, single(required("rack")))
		c.expect("allocation s1 n3")
		c.ask("s3", "x", 1, single(preferred("rack")))
		c.ask("s4", "x", 1, single(preferred("rack")))
		c.expect("allocation s3 n2", "allocation s4 n1")
	})
}

func TestTopology_LevelsMustExistAndMembersAgree(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.ask("s1", "x", 1, single(required("row")))
		c.ask("s2", "x", 1, single(preferred("Rack")))
		c.ask("g1", "x", 1, of("g", 2, required("rack")))
		c.ask("g2", "x", 1, of("g", 2, required("block")))
		c.ask("g3", "x", 1, of("g", 2))
		c.ask("g4", "x", 1, of("g", 2, required("row")))
		c.ask("s3", "x", 0, single(required("row")))
		c.expect("ask.rejected s1 unknown-level", "ask.rejected s2 unknown-level", "ask.rejected g2 gang-mismatch", "ask.rejected g3 gang-mismatch",
			"ask.rejected g4 gang-mismatch", "ask.rejected s3 unknown-level")
	})
}

func TestTopology_VictimsOfTheLeastHarmfulDomain(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1", "n3 1 b1/r2", "n4 1 b1/r2")
		c.runs("s1", "y", "n1", single())
		c.runs("s2", "y", "n2", single(ranked(2)))
		c.runs("s3", "y", "n3", single(ranked(1)))
		c.runs("s4", "y", "n4", single(ranked(1)))
		c.ask("k1", "p", 1, of("k", 2, required("rack"), ranked(5)))
		c.ask("k2", "p", 1, of("k", 2, required("rack"), ranked(5)))
		c.pass(time.Second)
		c.expect("preemption s3 k1 n3", "preemption s4 k2 n4") // s1 and s3 would be less, in two racks
	})
}

func TestTopology_FreeRoomOfADomainIsUsed(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1", "n3 1 b1/r2", "n4 1 b1/r2")
		c.runs("s1", "y", "n1", single())
		c.runs("s2", "y", "n2", single())
		c.runs("s3", "y", "n3", single())
		c.ask("k1", "p", 1, of("k", 2, required("rack")))
		c.ask("k2", "p", 1, of("k", 2, required("rack")))
		c.pass(time.Second)
		c.expect("preemption s3 k1 n3")
	})
}

func TestTopology_HarmIsBeforeTheNumberOfVictims(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1", "n3 1 b1/r2", "n4 1 b1/r2")
		c.runs("s1", "y", "n1", single(ranked(1)))
		c.runs("s3", "y", "n3", single())
		c.runs("s4", "y", "n4", single())
		c.ask("k1", "p", 1, of("k", 2, required("rack"), ranked(5)))
		c.ask("k2", "p", 1, of("k", 2, required("rack"), ranked(5)))
		c.pass(time.Second)
		c.expect("preemption s3 k1 n3", "preemption s4 k2 n4") // s1 alone would do
	})
}

func TestTopology_PreferredPreemptsInTheLevelFirst(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1", "n3 2 /")
		c.runs("s1", "y", "n1", single(ranked(1)))
		c.runs("s2", "y", "n2", single(ranked(1)))
		c.runsWith("s3", "y", "n3", 2, single())
		c.ask("k1", "p", 1, of("k", 2, preferred("rack"), ranked(5)))
		c.ask("k2", "p", 1, of("k", 2, preferred("rack"), ranked(5)))
		c.pass(time.Second)
		c.expect("preemption s1 k1 n1", "preemption s2 k2 n2")
	})
}

func TestTopology_PreferredSinglePreemptsInTheLevelFirst(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/", "n3 1 /")
		c.runs("s1", "y", "n1", single(ranked(9)))
		c.runs("s2", "y", "n2", single(ranked(1)))
		c.runs("s3", "y", "n3", single())
		c.needs(1, single(preferred("rack"), ranked(5)))
		c.expect("preemption s2 k n2")
	})
}

func TestTopology_RequiredSinglePreemptsInADomain(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/")
		c.runs("s1", "y", "n1", single(ranked(1)))
		c.runs("s2", "y", "n2", single())
		c.needs(1, single(required("rack"), ranked(5)))
		c.expect("preemption s1 k n1")
	})
}

func TestTopology_KeptNodesLapseOnceTheyAreInTwoDomains(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r1")
		c.runs("s1", "y", "n1", single())
		c.runs("s2", "y", "n2", single())
		c.ask("k1", "p", 1, of("k", 2, required("rack")))
		c.ask("k2", "p", 1, of("k", 2, required("rack")))
		c.pass(time.Second)
		c.expect("preemption s1 k1 n1", "preemption s2 k2 n2")
		c.apply(core.Input{Event: &core.UpdateNode{ID: "n2", Attributes: attributesOf("b1/r2")}})
		c.expect("preemption.lapsed k1 n1 no-longer-fits", "preemption.lapsed k2 n2 no-longer-fits")
	})
}

func TestTopology_AccumulatesInTheDomainThatHoldsMost(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.app("z", "root.b", "u")
		c.in("n1 2 b1/r1", "n2 3 b1/r2")
		for i, node := range []string{"n1", "n1", "n2", "n2", "n2"} {
			c.runs(fmt.Sprint("s", i+1), "y", node, single())
		}
		c.together(2, 2, required("rack"))
		c.pass(10 * time.Second)
		c.ask("t1", "z", 1)
		c.release("s1")
		c.expect("release s1 finished", "allocation t1 n1")
		c.release("s3")
		c.expect("release s3 finished", "reservation g1 n2 g")
		c.ask("t2", "z", 1)
		c.release("s2")
		c.expect("release s2 finished", "allocation t2 n1")
		c.release("s4")
		c.expect("release s4 finished", "allocation g1 n2", "unreservation g1 n2 g", "allocation g2 n2")
	})
}

func TestTopology_AReloadFilesNodesAnew(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		c.in("n1 1 b1/r1", "n2 1 b1/r2")
		c.together(2, 2, required("rack"))
		c.config(topologyConfig("[{level: rack, attribute: block}]"))
		c.expect("config.accepted", "allocation g1 n1", "allocation g2 n2")
		c.config(topologyConfig("[{level: block, attribute: block}]"))
		c.ask("g3", "x", 1, of("g", 2, required("rack")))
		c.expect("config.accepted", "ask.rejected g3 unknown-level")
	})
}

func TestTopology_MostLevelsThatAreMade(t *testing.T) {
	topologyTest(t, func(c *cluster) {
		attribute := func(n int) string { return fmt.Sprint("attribute:", n) }
		for n := range 64 {
			c.ask(fmt.Sprint("k", n), "x", 1, single(required(attribute(n))))
		}
		c.ask("over", "x", 1, single(required(attribute(64))))
		c.expect("ask.rejected over unknown-level")
		c.ask("known", "x", 1, single(preferred(attribute(63))))
		c.ask("configured", "x", 1, single(required("attribute:rack")))
		c.apply(core.Input{Event: &core.RemoveAsk{ID: "k0"}})
		c.skip()
		c.ask("later", "x", 1, single(required(attribute(64))))
		c.expect()
		c.apply(core.Input{Event: &core.AddNode{ID: "n", Capacity: cores(1), Attributes: map[string]string{"64": ""}}})
		c.expect("node.accepted n", "allocation known n")
	})
}
