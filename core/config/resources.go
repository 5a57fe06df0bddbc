package config

import (
	"errors"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// written are the resources of a queue or a template, with their places.
type written struct {
	Guaranteed, Max       resource.Set
	guaranteedAt, maximum *value
}

// resources reads guaranteed and max, and compares them with each other and with the max of queues above.
func (d *decoder) resources(s *scope, v *value) written {
	if v == nil {
		return written{}
	}
	q := s.queue
	own := d.readResources(q.Path, v)
	if q.isRoot() && len(own.Guaranteed)+len(own.Max) > 0 {
		d.add(v.at, q.Path, "resources", "none: the max of root is the sum of its nodes' capacities", "some")
		return written{}
	}
	q.Guaranteed, q.Max = own.Guaranteed, own.Max
	d.checkGuaranteed(q.Path, own)
	for _, m := range q.Max {
		if most, path, ok := s.nearestMax(m.Type); ok && m.Value > most {
			d.tooMuch(q.Path, "resources.max", own.maximum, m, most, "the max of "+d.shown(path))
		}
	}
	return own
}

// readResources reads guaranteed and max.
func (d *decoder) readResources(queue string, v *value) written {
	var w written
	for _, f := range d.fields(queue, "resources", v) {
		switch f.name {
		case "guaranteed":
			w.guaranteedAt, w.Guaranteed = f.value, d.quantities(queue, "resources.guaranteed", f.value)
		case "max":
			w.maximum, w.Max = f.value, d.quantities(queue, "resources.max", f.value)
		default:
			d.unknown(InQueue, queue, "resources.", f)
		}
	}
	return w
}

// checkGuaranteed compares guaranteed with the max of the same queue.
func (d *decoder) checkGuaranteed(queue string, w written) {
	for _, g := range w.Guaranteed {
		if most, ok := amount(w.Max, g.Type); ok && g.Value > most {
			d.tooMuch(queue, "resources.guaranteed", w.guaranteedAt, g, most, "the max of the queue")
		}
	}
}

// nearestMax returns the max of a type in the nearest queue above that sets it.
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
		"at most "+resource.Quantity{Type: q.Type, Value: most, Milli: q.Milli}.Readable()+", "+whose, q.Readable())
}

// quantities reads a mapping of types to quantities. It leaves out invalid ones.
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
		q, err := d.parse(f.name, f.value.text)
		if err != nil {
			d.badQuantity(f.value.at, queue, key+"."+f.name, err)
			continue
		}
		if !d.admitType(f.at, queue, key+"."+f.name, f.name) {
			continue
		}
		set = append(set, q)
		d.warnAmount(queue, key+"."+f.name, f, set[len(set)-1])
	}
	return resource.NewSet(set...)
}

func (d *decoder) badQuantity(at place, queue, key string, err error) {
	var bad *resource.QuantityError
	if errors.As(err, &bad) {
		d.add(at, queue, key, bad.Expected, bad.Found)
	}
}

// nested reports keys that TOML has split at their dots: it parses a.b = 1 as a table a.
func (d *decoder) nested(queue, key, name string, f *field) {
	name += f.name
	switch {
	case d.options.Format != TOML || f.value.kind == list || f.value.kind == mapping && len(f.value.fields) == 0:
		d.add(f.at, queue, key+name, "a single value", f.value.found())
		return
	case f.value.kind == scalar:
		d.add(f.at, queue, key+name, "the key in quotes, "+quote(name)+", since it contains dots", name+" without quotes")
		return
	}
	for _, below := range f.value.fields {
		if below.at.line == f.at.line {
			below.at = f.at // the place of the whole dotted name
		}
		d.nested(queue, key, name+".", &below)
	}
}

// amount is Set.Value for sets of any size.
func amount(set resource.Set, typ string) (int64, bool) {
	i, ok := slices.BinarySearchFunc(set, typ, func(q resource.Quantity, typ string) int {
		return strings.Compare(q.Type, typ)
	})
	if !ok {
		return 0, false
	}
	return set[i].Value, true
}
