package journal

import "slices"

// manifest returns a policy's manifest, which is JSON in a string or an object. An object is returned as written.
func (d *Decoder) manifest() string {
	s := &d.scan
	if s.peek() != '{' {
		return string(s.text("a manifest, an object or a string"))
	}
	start := s.pos
	s.anything(0)
	return string(s.line[start:s.pos])
}

// deepest is the maximum nesting of values.
const deepest = 64

// anything skips a value of any kind. It checks the syntax, and that no object has a key twice.
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
