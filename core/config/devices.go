package config

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// The policies that choose the devices of a node.
const (
	Tightest = "tightest"
	Loosest  = "loosest"
	First    = "first"
)

// DeviceType is a type of resources of which nodes have particular devices. Its amounts are thousandths of a device.
type DeviceType struct {
	Name   string
	Policy string // Tightest, Loosest or First
}

// memoryDimension ends the names of the types that count the memory of devices.
const memoryDimension = ".memory"

// DeviceTypesIn returns the names of the device types in a configuration, bytewise, whether the rest of it is valid or not.
func DeviceTypesIn(text []byte, format Format) []string {
	if !strings.Contains(string(text), "devices") {
		return nil
	}
	d := &decoder{options: Options{Format: format}}
	tree := d.tree(withoutChecksum(text))
	if tree == nil || tree.kind != mapping {
		return nil
	}
	var names []string
	if f := tree.field("devices"); f != nil {
		for _, of := range d.deviceTypes(f.value) {
			names = append(names, of.Name)
		}
	}
	return names
}

// deviceTypes reads the device types, and sorts them bytewise.
func (d *decoder) deviceTypes(v *value) []DeviceType {
	var types []DeviceType
	for _, f := range d.fields(InFile, "devices", v) {
		d.below("devices.", func() {
			if t := d.deviceType(f); t.Name != "" {
				types = append(types, t)
			}
		})
	}
	slices.SortFunc(types, func(a, b DeviceType) int { return strings.Compare(a.Name, b.Name) })
	return types
}

// deviceType reads one device type. Its name is empty if it is not valid.
func (d *decoder) deviceType(f field) DeviceType {
	t := DeviceType{Name: f.name, Policy: Tightest}
	switch {
	case f.name == "" || strings.ContainsAny(f.name, ":="):
		d.add(f.at, InFile, f.name, "the name of a type of devices, without : and =", quote(f.name))
		return DeviceType{}
	case f.name == resource.VCore || f.name == memory || strings.HasSuffix(f.name, memoryDimension):
		d.add(f.at, InFile, f.name, "a type that nodes have as devices, such as gpu", quote(f.name))
		return DeviceType{}
	case !d.admitType(f.at, InFile, f.name, f.name) || !d.admitType(f.at, InFile, f.name, f.name+memoryDimension):
		return DeviceType{}
	}
	d.below(f.name+".", func() {
		for _, own := range d.fields(InFile, "", f.value) {
			if own.name != "policy" {
				d.unknown(InDevices, InFile, "", own)
				continue
			}
			switch text := d.text(InFile, own.name, own.value); text {
			case Tightest, Loosest, First:
				t.Policy = text
			default:
				d.add(own.value.at, InFile, own.name, oneOf(Tightest, Loosest, First), own.value.found())
			}
		}
	})
	return t
}

// parse reads a quantity of a type, in thousandths if it is a type of devices.
func (d *decoder) parse(typ, text string) (resource.Quantity, error) {
	q := resource.Quantity{Type: typ, Milli: slices.ContainsFunc(d.devices, func(t DeviceType) bool { return t.Name == typ })}
	var err error
	if q.Milli {
		q.Value, err = resource.ParseMilli(typ, text)
	} else {
		q.Value, err = resource.Parse(typ, text)
	}
	return q, err
}

// devices writes the device types.
func (p *printer) devices(types []DeviceType) {
	if len(types) == 0 {
		return
	}
	p.line(0, "devices:")
	for _, t := range types {
		p.line(1, plain(t.Name)+":")
		p.line(2, "policy: "+t.Policy)
	}
}
