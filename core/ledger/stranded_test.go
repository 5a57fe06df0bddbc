package ledger

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

func amount(typ string, value int64) resource.Quantity {
	return resource.Quantity{Type: typ, Value: value}
}

// halves returns a ledger with two nodes of 4 a each, 3 of them used on n1, and a drained node with 9.
func halves() *Ledger {
	l := New()
	for id, capacity := range map[string]int64{"n1": 4, "n2": 4, "drained": 9} {
		in := core.Input{Event: &core.AddNode{ID: id, Capacity: resource.NewSet(amount("a", capacity)), Unschedulable: id == "drained"}}
		l.Applied(&in, core.Accepted, nil)
	}
	l.Applied(&core.Input{Event: &core.AddApp{ID: "x", Queue: "root.x"}}, core.Accepted, []core.Decision{{Type: core.AppAccepted, ID: "x", Queue: "root.x"}})
	l.Applied(&core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "v", App: "x", Resources: resource.NewSet(amount("a", 3))}, PlacedOn: "n1"}}, core.Accepted, nil)
	return l
}

func TestStrandedRoom_OnlyForAsksThatFitAnEmptyNode(t *testing.T) {
	for name, c := range map[string]struct {
		asks     []core.AddAsk
		stranded int64
		tooLarge int
	}{
		"none waits":                       {},
		"one that a node takes":            {asks: []core.AddAsk{{Resources: resource.NewSet(amount("a", 2))}}, stranded: 1},
		"one that no node takes now":       {asks: []core.AddAsk{{Resources: resource.NewSet(amount("a", 4)), Ask: core.Ask{Node: "n1"}}}, stranded: 5},
		"one larger than schedulable ones": {asks: []core.AddAsk{{Resources: resource.NewSet(amount("a", 5))}}, tooLarge: 1},
		"one that no node is allowed to":   {asks: []core.AddAsk{{Resources: resource.NewSet(amount("a", 1)), Ask: core.Ask{Constraints: map[string][]string{"zone": {"z"}}}}}, tooLarge: 1},
		"a large one beside another": {asks: []core.AddAsk{
			{Resources: resource.NewSet(amount("a", 5))}, {Resources: resource.NewSet(amount("a", 5))}, {Resources: resource.NewSet(amount("a", 2))},
		}, stranded: 1, tooLarge: 2},
	} {
		l := halves()
		for i := range c.asks {
			ask := c.asks[i]
			ask.App, ask.ID = "x", string(rune('a'+i))
			l.Applied(&core.Input{Event: &ask}, core.Accepted, nil)
		}
		room, approximate := l.Stranded()
		if !slices.Equal(room, []int64{c.stranded}) || approximate || l.TooLarge() != c.tooLarge {
			t.Errorf("%s: expected %d stranded, %d too large, found %v, %d", name, c.stranded, c.tooLarge, room, l.TooLarge())
		}
	}
}

func TestRoomOfAnotherPartitionIsNotStranded(t *testing.T) {
	l := halves()
	for _, partition := range []string{"gpu", ""} {
		id := "in" + partition
		l.Applied(&core.Input{Event: &core.AddNode{ID: id, Partition: partition, Capacity: resource.NewSet(amount("a", 2))}}, core.Accepted,
			[]core.Decision{{Type: core.NodeAccepted, ID: id, Partition: partition}})
	}
	l.Applied(&core.Input{Event: &core.AddApp{ID: "y"}}, core.Accepted, []core.Decision{{Type: core.AppAccepted, ID: "y", Queue: "root.x", Partition: "gpu"}})
	for id, size := range map[string]int64{"a": 3, "b": 2} { // no pending ask in gpu would fit there
		app := "y"
		if id == "b" {
			app = "x"
		}
		l.Applied(&core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: resource.NewSet(amount("a", size))}}, core.Accepted, nil)
	}
	if room, _ := l.Stranded(); !slices.Equal(room, []int64{1}) || l.TooLarge() != 1 {
		t.Errorf("expected the 1 free on n1 and one ask too large, found %v, %d", room, l.TooLarge())
	}
}
