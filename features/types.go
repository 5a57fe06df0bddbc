package features

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// types are the resource types of a scenario. A type that asks, queues or weights name and no node has is a slip of the
// pen, unless the scenario says that it is meant.
type types struct {
	onNodes map[string]bool // a node has or had it
	absent  map[string]bool // the scenario says that no node has it
	named   []namedType     // in the order of the steps
}

type namedType struct{ by, typ string }

// note looks at an input for the types that it names.
func (t *types) note(in *core.Input) {
	switch e := in.Event.(type) {
	case *core.AddNode:
		t.offered(e.Capacity, e.Occupied)
		t.offeredDevices(e.Devices)
	case *core.UpdateNode:
		t.offered(e.Capacity, e.Occupied)
		t.offeredDevices(e.Devices)
	case *core.AddAsk:
		t.name("ask "+e.ID, e.Resources)
	case *core.UpdateAsk:
		t.name("ask "+e.ID, e.Resources)
	case *core.RestoreAllocation:
		t.name("ask "+e.ID, e.Resources)
	default:
	}
}

func (t *types) offered(sets ...resource.Set) {
	for _, q := range slices.Concat(sets...) {
		t.onNodes[q.Type] = true
	}
}

func (t *types) offeredDevices(lists []core.Devices) {
	for _, of := range lists {
		t.onNodes[of.Type], t.onNodes[core.DeviceMemory(of.Type)] = true, true
	}
}

func (t *types) name(by string, set resource.Set) {
	for _, q := range set {
		if q.Value == 0 {
			continue // it asks for none
		}
		t.named = append(t.named, namedType{by, q.Type})
	}
}

// nameIn notes the types of amounts as tables have them; amounts that cannot be read are refused elsewhere.
func (t *types) nameIn(by string, cells ...string) {
	for _, cell := range cells {
		list, _ := amountsOf(cell)
		for _, a := range list {
			t.named = append(t.named, namedType{by, a.typ})
		}
	}
}

// check finds the first type that is named and that no node has. Where there are no nodes nothing is placed, and
// types do not matter.
func (t *types) check() error {
	if len(t.onNodes) == 0 {
		return nil
	}
	for _, n := range t.named {
		if t.onNodes[n.typ] || t.absent[n.typ] || slices.Contains(everywhere, n.typ) {
			continue
		}
		known := slices.Sorted(maps.Keys(t.onNodes))
		return fmt.Errorf("resource type: %s names %q, and no node has it, only %s%s\nA scenario that means it says: no node has %q",
			n.by, n.typ, strings.Join(known, ", "), meant(n.typ, known), n.typ)
	}
	return nil
}

// noNodeHas notes types that are meant to be on no node.
func (w *world) noNodeHas(names string) error {
	for _, typ := range namesOf(names) {
		for _, n := range w.driver.Dump().Nodes {
			if amount, _ := n.Capacity.Value(typ); amount > 0 {
				return fmt.Errorf("node %s has %s", n.ID, resource.Quantity{Type: typ, Value: amount}.Readable())
			}
		}
		w.types.absent[typ] = true
	}
	return nil
}

// everywhere are the types that may be named wherever they are missing.
var everywhere = []string{"vcore", "memory"}

// misnamed tells other spellings of those types, and their names in other systems, from types of one's own.
func misnamed(typ string) error {
	for _, known := range everywhere {
		if typ != known && (strings.EqualFold(typ, known) || strings.EqualFold(typ, known+"s") || config.TypeElsewhere(strings.ToLower(typ)) == known) {
			return fmt.Errorf("resource type: expected %s, found %s", known, typ)
		}
	}
	return nil
}
