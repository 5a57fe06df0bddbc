package oracle_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"pgregory.net/rapid"
)

// heldRoom is what decisions say about the gang that accumulates: the node held for each member.
type heldRoom struct {
	gang  string
	nodes map[string]string
}

// follow updates what is held by a decision. It returns what is wrong with the decision, or "".
func (h *heldRoom) follow(d *core.Decision) string {
	switch {
	case d.Gang == "" || d.Type != core.Reservation && d.Type != core.Unreservation:
	case d.Type == core.Unreservation && (h.gang != d.Gang || h.nodes[d.ID] != d.Node):
		return "nothing is held for " + d.ID + " on " + d.Node
	case d.Type == core.Unreservation:
		delete(h.nodes, d.ID)
	case len(h.nodes) > 0 && h.gang != d.Gang:
		return "another gang holds room"
	case h.nodes[d.ID] != "":
		return "room is held for " + d.ID + " already"
	default:
		h.gang, h.nodes[d.ID] = d.Gang, d.Node
	}
	return ""
}

// At most one gang holds room, room that it holds is free once its cycle is over, and all room that is held is freed.
func TestAccumulate_HoldsFreeRoomForOneGang(t *testing.T) {
	reached := map[string]int{}
	defer func() { t.Log(reached) }()
	rapid.Check(t, func(t *rapid.T) {
		m, h := oracle.New(), &heldRoom{nodes: map[string]string{}}
		r := &lockstepRun{t: t, scenario: waitingScenarios().Draw(t, "scenario"), machines: []dumper{m}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				if d.Gang != "" {
					reached[string(d.Type)+" "+string(d.Reason)]++
				}
				if fault := h.follow(&d); fault != "" {
					r.fail("%s: %s", call, fault)
				}
			}
			if strings.HasPrefix(call, "cycle -1") {
				h.fits(r, m.Dump())
			}
		}
		r.run()
	})
}

// fits checks that all for whom room is held are pending, and that their nodes have that room.
func (h *heldRoom) fits(r *lockstepRun, d core.Dump) {
	pending := map[string]core.AskDump{}
	for _, a := range d.Applications {
		for _, k := range a.Asks {
			if k.Node == "" {
				pending[k.ID] = k
			}
		}
	}
	for _, n := range d.Nodes {
		free := amountsOn(n)
		for _, id := range slices.Sorted(maps.Keys(h.nodes)) {
			k, waits := pending[id]
			if !waits {
				r.fail("room is held for %s, which does not wait", id)
			}
			if h.nodes[id] != n.ID {
				continue
			}
			for _, need := range k.Resources {
				if free[need.Type] -= need.Value; free[need.Type] < 0 {
					r.fail("%s has no room for %s", n.ID, id)
				}
			}
		}
	}
}

// amountsOn returns what is free on a node.
func amountsOn(n core.NodeDump) map[string]int64 {
	free := map[string]int64{}
	for _, q := range n.Capacity {
		free[q.Type] = q.Value - valueIn(n.Occupied, q.Type) - valueIn(n.Used, q.Type)
	}
	return free
}
