package journal

import (
	"errors"

	"github.com/quern-project/quern/core/resource"
)

// resources reads an object of quantities. Asks repeat the same ones, so recent sets are pooled by their text.
func (d *Decoder) resources() resource.Set {
	s := &d.scan
	start := len(s.line)
	if s.peek() == '{' {
		start = s.pos
	}
	if set, size := d.pool.set(s.line[start:]); size > 0 {
		s.pos += size
		return set
	}
	set := d.quantities()
	if s.fault == nil {
		d.pool.keep(s.line[start:s.pos], set)
	}
	return set
}

// quantities reads an object of Kubernetes quantities, which are strings or numbers.
func (d *Decoder) quantities() resource.Set {
	s := &d.scan
	set := resource.Set{}
	if !s.expect('{', "an object of quantities") {
		return nil
	}
	for first := true; ; first = false {
		name, more := s.member(first)
		if !more {
			break
		}
		typ := d.pool.text(name)
		if typ == "" {
			s.refuse("the name of a resource", `""`)
			break
		}
		if d.crowded(len(set)) {
			break
		}
		q := d.amount(typ)
		if s.fault != nil {
			s.fault.Key = "." + keyText(typ)
			return nil
		}
		set = append(set, q)
	}
	set = resource.NewSet(set...)
	for i := 1; i < len(set); i++ {
		if set[i].Type == set[i-1].Type {
			d.twice(set[i].Type)
			return nil
		}
	}
	return set
}

// longestQuantity is the maximum length of a quantity.
const longestQuantity = 256

func (d *Decoder) quantity(typ string) int64 {
	text, ok := d.quantityText()
	if !ok {
		return 0
	}
	value, err := resource.Parse(typ, text)
	if bad := (*resource.QuantityError)(nil); errors.As(err, &bad) {
		d.scan.refuse(bad.Expected, bad.Found)
	}
	return value
}

// quantityText reads the text of a quantity.
func (d *Decoder) quantityText() (string, bool) {
	const what = "a quantity, a string or a number"
	var text []byte
	if d.scan.peek() == '"' {
		text = d.scan.text(what)
	} else {
		text = d.scan.number(what)
	}
	if d.scan.fault != nil {
		return "", false
	}
	if len(text) > longestQuantity {
		d.scan.refuse(what, excerpt(text))
		return "", false
	}
	return string(text), true
}

func (d *Decoder) twice(name string) {
	d.scan.refuse("the key once", "it twice")
	d.scan.fault.Key = "." + keyText(name)
}
