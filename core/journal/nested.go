package journal

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/resource"
)

// quantities reads an object of Kubernetes quantities, strings or numbers.
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
		value := d.quantity(typ)
		if s.fault != nil {
			s.fault.Key = "." + keyText(typ)
			return nil
		}
		set = append(set, resource.Quantity{Type: typ, Value: value})
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

// longestQuantity bounds the digits that are looked at.
const longestQuantity = 256

func (d *Decoder) quantity(typ string) int64 {
	const what = "a quantity, a string or a number"
	var text []byte
	if d.scan.peek() == '"' {
		text = d.scan.text(what)
	} else {
		text = d.scan.number(what)
	}
	if d.scan.fault != nil {
		return 0
	}
	if len(text) > longestQuantity {
		d.scan.refuse(what, excerpt(text))
		return 0
	}
	value, err := resource.Parse(typ, string(text))
	if bad := (*resource.QuantityError)(nil); errors.As(err, &bad) {
		d.scan.refuse(bad.Expected, bad.Found)
	}
	return value
}

func (d *Decoder) twice(name string) {
	d.scan.refuse("the key once", "it twice")
	d.scan.fault.Key = "." + keyText(name)
}

// textMap reads an object of strings.
func (d *Decoder) textMap() map[string]string {
	return object(d, "an object of strings", func() string { return d.repeated() })
}

// constraints reads an object of lists of strings.
func (d *Decoder) constraints() map[string][]string {
	return object(d, "an object of lists of strings", d.textList)
}

// object reads an object whose keys are free.
func object[V any](d *Decoder, what string, value func() V) map[string]V {
	s := &d.scan
	if !s.expect('{', what) {
		return nil
	}
	m := map[string]V{}
	for first := true; ; first = false {
		text, more := s.member(first)
		if !more {
			break
		}
		name := d.pool.text(text)
		if _, ok := m[name]; ok {
			d.twice(name)
			break
		}
		m[name] = value()
		if s.fault != nil {
			s.fault.Key = "." + keyText(name)
			return nil
		}
	}
	return m
}

func (d *Decoder) textList() []string {
	return array(d, "a list of strings", func() string { return d.repeated() })
}

// floats reads the keys that a policy answered. JSON has no infinities: they are the strings "+Inf" and "-Inf".
func (d *Decoder) floats() []float64 {
	return array(d, "a list of numbers", func() float64 {
		const what = `a number, "+Inf" or "-Inf"`
		if d.scan.peek() != '"' {
			literal := d.scan.number(what)
			value, err := strconv.ParseFloat(string(literal), 64)
			if d.scan.fault == nil && err != nil {
				d.scan.refuse("a number of 64 bits", excerpt(literal))
			}
			return value
		}
		switch text := d.scan.text(what); string(text) {
		case "+Inf":
			return math.Inf(1)
		case "-Inf":
			return math.Inf(-1)
		default:
			d.scan.refuse(what, excerpt(text))
			return 0
		}
	})
}

func array[V any](d *Decoder, what string, value func() V) []V {
	if !d.scan.expect('[', what) {
		return nil
	}
	list := []V{}
	for first := true; d.scan.next(first, ']'); first = false {
		list = append(list, value())
	}
	return list
}

// manifest reads a policy's manifest: JSON in a string, or an object, which is kept as it was written.
func (d *Decoder) manifest() string {
	s := &d.scan
	if s.peek() != '{' {
		return string(s.text("a manifest, an object or a string"))
	}
	start := s.pos
	s.anything(0)
	return string(s.line[start:s.pos])
}

// deepest bounds how deep values may be nested.
const deepest = 64

// anything passes over one value of any kind, checking its form and that no object has a key twice.
func (s *scanner) anything(depth int) {
	switch c := s.peek(); {
	case depth > deepest:
		s.fail("no deeper nesting")
	case c == '{':
		s.anyObject(depth)
	case c == '[':
		s.pos++
		for first := true; s.next(first, ']'); first = false {
			s.anything(depth + 1)
		}
	case c == '"':
		s.text("text")
	case c == 't' || c == 'f':
		s.boolean()
	case c == 'n':
		s.word("null")
	default:
		s.number("a value")
	}
}

func (s *scanner) anyObject(depth int) {
	s.pos++
	var names []string
	for first := true; ; first = false {
		name, more := s.member(first)
		if !more {
			break
		}
		names = append(names, string(name))
		s.anything(depth + 1)
	}
	slices.Sort(names)
	for i := 1; i < len(names) && s.fault == nil; i++ {
		if names[i-1] == names[i] {
			s.refuse("the key once", "it twice")
			s.fault.Key = "." + keyText(names[i])
		}
	}
}
