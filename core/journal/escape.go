package journal

import (
	"unicode/utf16"
	"unicode/utf8"
)

// escaped reads the rest of a string from its first backslash at i, and returns the whole string without its escapes.
func (s *scanner) escaped(start, i int) []byte {
	s.plain = append(s.plain[:0], s.line[start:i]...)
	for i < len(s.line) {
		c := s.line[i]
		switch {
		case c == '"':
			s.pos = i + 1
			return s.plain
		case c < ' ':
			s.pos = i
			s.fail("no control character in a string")
			return nil
		case c != '\\':
			s.plain = append(s.plain, c)
			i++
		default:
			size := s.escape(i)
			if size == 0 {
				s.pos = i
				s.fail("an escape that JSON knows")
				return nil
			}
			i += size
		}
	}
	s.pos = len(s.line)
	s.fail(`'"' at the end of a string`)
	return nil
}

// escape appends the character of the escape at i, and returns the length of the escape, or 0 if it is not valid.
func (s *scanner) escape(i int) int {
	if i+1 >= len(s.line) {
		return 0
	}
	c := s.line[i+1]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return s.unicodeEscape(i)
	default:
		return 0
	}
	s.plain = append(s.plain, c)
	return 2
}

// unicodeEscape handles one \uXXXX, or two for a surrogate pair. Half of a pair is not valid.
func (s *scanner) unicodeEscape(i int) int {
	r, size := s.hex(i), 6
	if utf16.IsSurrogate(r) {
		r, size = utf16.DecodeRune(r, s.hex(i+6)), 12
		if r == utf8.RuneError {
			return 0
		}
	}
	if r < 0 {
		return 0
	}
	s.plain = utf8.AppendRune(s.plain, r)
	return size
}

// hex returns the value of the \uXXXX at i, or -1 if there is none.
func (s *scanner) hex(i int) rune {
	if i+6 > len(s.line) || s.line[i] != '\\' || s.line[i+1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range s.line[i+2 : i+6] {
		switch {
		case isDigit(c):
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
