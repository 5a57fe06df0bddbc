package nodes

import (
	"slices"

	"github.com/quern-project/quern/core/internal/device"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// Frozen is an immutable version of the nodes of a partition. Any goroutine may fork it.
type Frozen struct {
	rows        table.Frozen[node]
	slots       int32
	ids         table.FrozenStrings
	byID        table.FrozenIndex
	attributes  frozenAttributeSets
	memberships uint32
	devices     []*device.Node
	now, future table.FrozenVectors
	total       resource.Vec
}

type frozenAttributeSets struct {
	sets  table.Frozen[attributeSet]
	pairs table.Frozen[attribute]
	texts table.FrozenStrings
	byKey table.FrozenIndex
}

// Freeze returns an immutable version, in constant time. It panics if removed nodes were not reclaimed.
func (o *Nodes) Freeze() *Frozen {
	if len(o.removed) > 0 {
		panic("nodes: a removed node may still be read")
	}
	a := &o.attributes
	return &Frozen{
		rows: o.rows.Freeze(), slots: o.slots, ids: o.ids.Freeze(), byID: o.byID.Freeze(),
		attributes:  frozenAttributeSets{a.sets.Freeze(), a.pairs.Freeze(), a.texts.Freeze(), a.byKey.Freeze()},
		memberships: o.memberships, devices: slices.Clone(o.devices), now: o.now.Freeze(), future: o.future.Freeze(), total: slices.Clone(o.total),
	}
}

// Len returns the number of nodes.
func (f *Frozen) Len() int { return f.rows.Len() }

// Fork returns an owner that starts with the nodes of the version, in the same slots.
func (f *Frozen) Fork() *Nodes {
	a := &f.attributes
	return &Nodes{
		rows: f.rows.Fork(), slots: f.slots, ids: f.ids.Fork(), byID: f.byID.Fork(),
		attributes:  attributeSets{a.sets.Fork(), a.pairs.Fork(), a.texts.Fork(), a.byKey.Fork()},
		memberships: f.memberships, devices: slices.Clone(f.devices), now: f.now.Fork(), future: f.future.Fork(), total: slices.Clone(f.total),
	}
}
