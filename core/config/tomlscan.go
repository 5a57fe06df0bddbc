package config

import (
	"strings"
	"unicode/utf8"
)

// tomlScanner scans a TOML text and records the places of keys and values. It assumes well-formed TOML and leaves errors to the library. If
// it cannot continue, it stops; the library reports an error there, or earlier. While a text contains only plain TOML, of which the
// scanner checks all rules, the library is not needed. It takes 45 us for each queue, too slow for 10,000 queues (BenchmarkDecode).
type tomlScanner struct {
	text   string
	at     int // offset of the next byte
	broken bool
	plain  bool // certain to be well-formed, with all values complete

	duplicate *fault // the first name that is set twice

	line, column int32 // line and column of mark
	mark         int

	arena
	top, table *value // table is the one that pairs are added to
	level      int    // number of parts in the name of the table
	bounds     tomlBounds
	within     int    // cost of the name of the table, or of the inline table inside it
	names      int    // cost of all full names so far
	valueCount int    // number of values so far
	tooCostly  *fault // the place from which the text is too expensive for the library
	full       *fault // a bound was exceeded
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

// printable reports whether a text is UTF-8 without control characters, except tabs and line ends.
func printable(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(text) && !strings.HasPrefix(text, "\uFEFF")
}

// next returns the next byte, or 0 at the end.
func (s *tomlScanner) next() byte {
	if s.at >= len(s.text) || s.broken || s.full != nil {
		return 0
	}
	return s.text[s.at]
}

// accept consumes a byte if it is the next one.
func (s *tomlScanner) accept(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

// here returns the place of the next byte.
func (s *tomlScanner) here() place {
	s.column += int32(utf8.RuneCountInString(s.text[s.mark:s.at]))
	s.mark = s.at
	return place{s.line, s.column}
}

// advanceTo moves to an offset, and counts lines.
func (s *tomlScanner) advanceTo(end int) {
	piece := s.text[s.at:end]
	if lines := strings.Count(piece, "\n"); lines > 0 {
		s.line += int32(lines)
		s.column = 1
		s.mark = s.at + strings.LastIndexByte(piece, '\n') + 1
	}
	s.at = end
}

// skip consumes blanks and, if they include line ends, comments.
func (s *tomlScanner) skip(blanks string) {
	for {
		end := s.at
		for end < len(s.text) && strings.IndexByte(blanks, s.text[end]) >= 0 {
			end++
		}
		s.advanceTo(end)
		if s.next() != '#' || blanks == " \t" {
			return
		}
		comment := strings.IndexByte(s.text[s.at:], '\n')
		if comment < 0 {
			comment = len(s.text) - s.at
		}
		s.advanceTo(s.at + comment)
	}
}

// header parses `[name]`, which opens a table, or `[[name]]`, which adds one to a list. The text stays plain if the table is opened only
// once, below tables and lists that were opened by headers.
func (s *tomlScanner) header() {
	at := s.here()
	s.at++
	double := s.accept('[')
	s.within = 0
	name := s.name(0)
	s.within = cost(name)
	if !s.accept(']') || double && !s.accept(']') {
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

// opened makes a table, or a list of tables, for a header. Other tables and lists are values of pairs.
func (s *tomlScanner) opened(k kind, at place) *value {
	v := s.newValue(k, at)
	v.form = formOpened
	return v
}

// descend follows a name from a table to the table that it denotes, and makes missing ones. In a list, that is the last table.
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

// pair parses `name = value` into a table.
func (s *tomlScanner) pair(table *value, level, depth int) {
	name := s.name(level)
	if !s.accept('=') {
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
		s.recordDuplicate(name, first) // the library accepts some of these
		return
	}
	s.put(within, field{last.name, last.at, v})
}

// recordDuplicate records the first name that is set twice: as two values, or as a table and a value.
func (s *tomlScanner) recordDuplicate(name []tomlPart, first *field) {
	if s.duplicate != nil {
		return
	}
	parts := make([]string, len(name))
	for i, part := range name {
		parts[i] = part.name
	}
	s.duplicate = &fault{name[0].at, strings.Join(parts, "."), "each key once", "it again, after line " + itoa(first.at.line)}
}
