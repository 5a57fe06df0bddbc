package config

import (
	"strings"
	"unicode/utf8"
)

// tomlScanner walks through a TOML text and notes where everything stands. It takes well-formed TOML for granted and
// lets the library complain; where it cannot go on it stops, and the library stops no later. While it has met nothing
// but the plainest TOML, of which it knows all the rules, there is nothing left for the library to say. The library
// takes 45 us a queue, so that 10,000 of them would not be read in time (BenchmarkDecode).
type tomlScanner struct {
	text   string
	at     int // offset of what comes next
	broken bool
	plain  bool // well-formed for certain, and every value complete

	again *fault // a name was set twice

	line, column int32 // of mark
	mark         int

	arena
	top, table *value // table: where pairs belong now
	level      int    // parts in the name of the table
	bounds     tomlBounds
	within     int    // what the name of the table costs, or of the inline table inside it
	names      int    // what all names so far cost, each written out in full
	made       int    // values
	costly     *fault // where they first cost too much for the library
	full       *fault // a bound was passed
}

// tomlPart is one part of a dotted name.
type tomlPart struct {
	name string
	at   place
}

func scanTOML(text string, bounds tomlBounds) *tomlScanner {
	s := &tomlScanner{text: text, line: 1, column: 1, plain: printable(text), bounds: bounds}
	s.top = s.value(mapping, place{1, 1})
	s.table = s.top
	if strings.HasPrefix(text, "\uFEFF") {
		s.at, s.mark = len("\uFEFF"), len("\uFEFF")
	}
	for s.skip(" \t\r\n"); s.next() != 0; s.skip(" \t\r\n") {
		if s.next() == '[' {
			s.header()
		} else {
			s.pair(s.table, s.level, 0)
		}
		s.skip(" \t")
		if c := s.next(); c != 0 && c != '\n' && c != '#' {
			s.plain = false
		}
	}
	s.plain = s.plain && !s.broken
	return s
}

// printable reports whether a text is UTF-8 without control characters other than tabs and ends of lines.
func printable(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(text) && !strings.HasPrefix(text, "\uFEFF")
}

// next is the next byte, 0 at the end.
func (s *tomlScanner) next() byte {
	if s.at >= len(s.text) || s.broken || s.full != nil {
		return 0
	}
	return s.text[s.at]
}

// take steps over a byte, if it is the next one.
func (s *tomlScanner) take(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

// here is the place of what comes next.
func (s *tomlScanner) here() place {
	s.column += int32(utf8.RuneCountInString(s.text[s.mark:s.at]))
	s.mark = s.at
	return place{s.line, s.column}
}

// to steps over a piece of text, lines included.
func (s *tomlScanner) to(end int) {
	piece := s.text[s.at:end]
	if lines := strings.Count(piece, "\n"); lines > 0 {
		s.line += int32(lines)
		s.column = 1
		s.mark = s.at + strings.LastIndexByte(piece, '\n') + 1
	}
	s.at = end
}

// skip steps over blanks and, where lines may end, comments.
func (s *tomlScanner) skip(blanks string) {
	for {
		end := s.at
		for end < len(s.text) && strings.IndexByte(blanks, s.text[end]) >= 0 {
			end++
		}
		s.to(end)
		if s.next() != '#' || blanks == " \t" {
			return
		}
		comment := strings.IndexByte(s.text[s.at:], '\n')
		if comment < 0 {
			comment = len(s.text) - s.at
		}
		s.to(s.at + comment)
	}
}

// header reads `[name]`, which opens a table, or `[[name]]`, which adds one to a list. Plain is a table that is opened
// once, below tables and lists that were opened likewise.
func (s *tomlScanner) header() {
	at := s.here()
	s.at++
	double := s.take('[')
	s.within = 0
	name := s.name(0)
	s.within = cost(name)
	if !s.take(']') || double && !s.take(']') {
		s.broken = true
	}
	if s.broken || s.full != nil {
		return
	}
	s.level = len(name)
	within := s.descend(s.top, name[:len(name)-1])
	last := name[len(name)-1]
	known := within.field(last.name)
	switch {
	case known == nil && double:
		known = &field{last.name, last.at, s.opened(list, at)}
		s.put(within, *known)
	case known == nil:
		known = &field{last.name, last.at, s.opened(mapping, at)}
		s.put(within, *known)
	case !double || known.value.kind != list:
		s.plain = false
	}
	s.plain = s.plain && known.value.form == formOpened
	s.table = known.value
	if double {
		s.table = s.opened(mapping, at)
		known.value.fields = append(known.value.fields, field{value: s.table})
	}
}

// opened makes a table, or a list of them, for a header. Others stand in a pair and are closed at its end.
func (s *tomlScanner) opened(k kind, at place) *value {
	v := s.counted(k, at)
	v.form = formOpened
	return v
}

// descend follows a name from a table to the one it means, making those that are missing. In a list that is the last.
func (s *tomlScanner) descend(v *value, name []tomlPart) *value {
	for _, part := range name {
		f := v.field(part.name)
		if f == nil {
			s.put(v, field{part.name, part.at, s.opened(mapping, part.at)})
			f = &v.fields[len(v.fields)-1]
		}
		v = f.value
		s.plain = s.plain && v.form == formOpened
		if v.kind == list && len(v.fields) > 0 {
			v = v.fields[len(v.fields)-1].value
		}
	}
	return v
}

// pair reads `name = value` into a table.
func (s *tomlScanner) pair(table *value, level, depth int) {
	name := s.name(level)
	if !s.take('=') {
		s.broken = true
		return
	}
	s.plain = s.plain && len(name) == 1
	own := cost(name)
	s.within += own
	v := s.read(level+len(name), depth)
	s.within -= own
	within := s.descend(table, name[:len(name)-1])
	last := name[len(name)-1]
	if first := within.field(last.name); first != nil {
		s.plain = false
		s.setAgain(name, first) // some of this the library takes, and reads on
		return
	}
	s.put(within, field{last.name, last.at, v})
}

// setAgain notes the first name that is set twice: as a value both times, or as a table and as a value.
func (s *tomlScanner) setAgain(name []tomlPart, first *field) {
	if s.again != nil {
		return
	}
	parts := make([]string, len(name))
	for i, part := range name {
		parts[i] = part.name
	}
	s.again = &fault{name[0].at, strings.Join(parts, "."), "each key once", "it again, after line " + itoa(first.at.line)}
}
