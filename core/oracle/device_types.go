package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// deviceRefusals lists the device types that come or go although a node, ask or allocation has them.
func (o *Oracle) deviceRefusals(types []config.DeviceType) (list []string) {
	for _, t := range slices.Concat(o.deviceTypes, types) {
		named := func(other config.DeviceType) bool { return other.Name == t.Name }
		if slices.ContainsFunc(o.deviceTypes, named) != slices.ContainsFunc(types, named) && o.hasType(t.Name) {
			list = append(list, "devices."+t.Name+": in use, cannot come or go")
		}
	}
	return list
}

// hasType reports whether a node, ask or allocation has the type, or memory of its devices.
func (o *Oracle) hasType(typ string) bool {
	has := func(s resource.Set) bool {
		return slices.ContainsFunc(s, func(q resource.Quantity) bool { return q.Type == typ || q.Type == core.DeviceMemory(typ) })
	}
	for _, p := range o.partitions {
		for _, n := range p.nodes {
			if has(n.plain) || has(n.plainOccupied) || slices.ContainsFunc(n.devices, func(d *device) bool { return d.typ == typ }) {
				return true
			}
		}
	}
	for _, a := range o.apps {
		if _, named := a.gangAsk()[typ]; named {
			return true
		}
	}
	return slices.ContainsFunc(o.everyAsk(), func(k *ask) bool { return has(k.resources) })
}
