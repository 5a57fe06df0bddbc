package journal

import (
	"math"
	"strconv"

	"github.com/quern-project/quern/core"
)

// mostMembers is the maximum number of members of an object or list of any keys. With more, its texts would exceed the limit of an
// input.
const mostMembers = core.MostTexts / 2

// textMap reads an object of strings.
func (d *Decoder) textMap() map[string]string {
	return object(d, "an object of strings", func() string { return d.repeated() })
}

// counts reads an object of counts.
func (d *Decoder) counts() map[string]int {
	return object(d, "an object of integers", func() int { return int(d.integer(fromOne, 1, math.MaxInt32)) })
}

// constraints reads an object of lists of strings.
func (d *Decoder) constraints() map[string][]string {
	return object(d, "an object of lists of strings", d.textList)
}

// object reads an object with any keys.
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
		if d.crowded(len(m)) {
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

// slice reads an object with the level and the size of slices.
func (d *Decoder) slice() (of core.Slice) {
	s := &d.scan
	if !s.expect('{', "an object with level and size") {
		return of
	}
	for first := true; ; first = false {
		name, more := s.member(first)
		if !more {
			break
		}
		key := d.pool.text(name)
		switch {
		case key == "level" && of.Level == "":
			of.Level = d.pool.text(d.name())
		case key == "size" && of.Size == 0:
			of.Size = int(d.integer(fromOne, 1, math.MaxInt32))
		case key == "level", key == "size":
			d.twice(key)
			return of
		default:
			s.refuse("level or size", keyText(key))
			return of
		}
		if s.fault != nil {
			s.fault.Key = "." + key
			return of
		}
	}
	switch {
	case s.fault != nil:
	case of.Level == "":
		s.fault = &Error{Key: ".level", Expected: "the key, which a slice needs", Found: "none"}
	case of.Size == 0:
		s.fault = &Error{Key: ".size", Expected: "the key, which a slice needs", Found: "none"}
	}
	return of
}

func (d *Decoder) textList() []string {
	n := 0
	return array(d, "a list of strings", func() string {
		n++
		d.crowded(n - 1)
		return d.repeated()
	})
}

// crowded sets a fault if there are already n members and n is the maximum. It reports whether there is a fault.
func (d *Decoder) crowded(n int) bool {
	if n >= mostMembers {
		d.scan.refuse("at most "+strconv.Itoa(mostMembers)+" members", "more")
	}
	return d.scan.fault != nil
}

// floats reads the keys of a policy's answer. JSON has no infinities, so they are the strings "+Inf" and "-Inf".
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
