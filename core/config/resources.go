package config

import (
	"errors"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// limits are the resources of a queue with their places.
type limits struct{ guaranteed, max *value }

// resources reads what is guaranteed and what is the most, and holds each against the other and against what is above.
func (d *decoder) resources(s *scope, v *value) limits {
	var l limits
	if v == nil {
		return l
	}
	q := s.queue
	for _, f := range d.fields(q.Path, "resources", v) {
		switch f.name {
		case "guaranteed":
			l.guaranteed = f.value
			q.Guaranteed = d.quantities(q.Path, "resources.guaranteed", f.value)
		case "max":
			l.max = f.value
			q.Max = d.quantities(q.Path, "resources.max", f.value)
		default:
			d.unknown(InQueue, q.Path, "resources.", f)
		}
	}
	if q.isRoot() && len(q.Guaranteed)+len(q.Max) > 0 {
		d.add(v.at, q.Path, "resources", "none: the max of root is the sum of its nodes' capacities", "some")
		q.Guaranteed, q.Max = nil, nil
		return limits{}
	}
	for _, g := range q.Guaranteed {
		if most, ok := amount(q.Max, g.Type); ok && g.Value > most {
			d.tooMuch(q.Path, "resources.guaranteed", l.guaranteed, g, most, "the max of the queue")
		}
	}
	for _, m := range q.Max {
		if most, path, ok := s.nearestMax(m.Type); ok && m.Value > most {
			d.tooMuch(q.Path, "resources.max", l.max, m, most, "the max of "+path)
		}
	}
	return l
}

// nearestMax is the max of a type on the nearest queue above that sets it.
func (s *scope) nearestMax(typ string) (most int64, path string, ok bool) {
	for a := s.above; a != nil; a = a.above {
		if most, ok := amount(a.queue.Max, typ); ok {
			return most, a.queue.Path, true
		}
	}
	return 0, "", false
}

func (d *decoder) tooMuch(queue, key string, v *value, q resource.Quantity, most int64, whose string) {
	d.add(v.field(q.Type).value.at, queue, key+"."+q.Type,
		"at most "+resource.Format(q.Type, most)+", "+whose, resource.Format(q.Type, q.Value))
}

// quantities reads a mapping of types to quantities. Those that are wrong are left out.
func (d *decoder) quantities(queue, key string, v *value) resource.Set {
	fields := d.fields(queue, key, v)
	if len(fields) == 0 {
		return nil
	}
	set := make([]resource.Quantity, 0, len(fields))
	for i := range fields {
		f := &fields[i]
		if f.value.kind == mapping {
			d.nested(queue, key+".", "", f)
			continue
		}
		if f.value.kind != scalar || f.name == "" {
			d.add(f.value.at, queue, key+"."+f.name, "a quantity of a type such as vcore", f.value.found())
			continue
		}
		stored, err := resource.Parse(f.name, f.value.text)
		if err != nil {
			d.badQuantity(f.value.at, queue, key+"."+f.name, err)
			continue
		}
		set = append(set, resource.Quantity{Type: f.name, Value: stored})
	}
	return resource.NewSet(set...)
}

func (d *decoder) badQuantity(at place, queue, key string, err error) {
	var bad *resource.QuantityError
	if errors.As(err, &bad) {
		d.add(at, queue, key, bad.Expected, bad.Found)
	}
}

// nested names the keys that came apart at their dots, each where it stands: TOML reads a.b = 1 as a table a.
func (d *decoder) nested(queue, key, name string, f *field) {
	name += f.name
	switch {
	case d.options.Format != TOML || f.value.kind == list || f.value.kind == mapping && len(f.value.fields) == 0:
		d.add(f.at, queue, key+name, "a single value", f.value.found())
		return
	case f.value.kind == scalar:
		d.add(f.at, queue, key+name, "the key in quotes, "+quote(name)+", since it holds dots", name+" without quotes")
		return
	}
	for _, below := range f.value.fields {
		if below.at.line == f.at.line {
			below.at = f.at // the whole of a dotted name
		}
		d.nested(queue, key, name+".", &below)
	}
}

// amount is Set.Value for a set of any size.
func amount(set resource.Set, typ string) (int64, bool) {
	i, ok := slices.BinarySearchFunc(set, typ, func(q resource.Quantity, typ string) int {
		return strings.Compare(q.Type, typ)
	})
	if !ok {
		return 0, false
	}
	return set[i].Value, true
}
