package journal

import (
	"unicode/utf8"
)

// scanner reads the bytes of a line once. After its first fault, every method returns a zero value and does not advance, so callers
// need not check for a fault after each call.
type scanner struct {
	line  []byte
	pos   int
	plain []byte // the last string with escapes, decoded
	fault *Error // without file and line
}

func (s *scanner) reset(line []byte) {
	s.line, s.pos, s.fault = line, 0, nil
}

// fail records a fault at the current position.
func (s *scanner) fail(expected string) {
	s.refuse(expected, s.found())
}

func (s *scanner) refuse(expected, found string) {
	if s.fault == nil {
		s.fault = &Error{Expected: expected, Found: found}
	}
}

func (s *scanner) found() string {
	s.space()
	if s.pos >= len(s.line) {
		return "the end of the line"
	}
	return excerpt(s.line[s.pos:])
}

func (s *scanner) space() {
	for s.pos < len(s.line) {
		switch s.line[s.pos] {
		case ' ', '\t', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the first byte of the next token, or 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos >= len(s.line) || s.fault != nil {
		return 0
	}
	return s.line[s.pos]
}

func (s *scanner) expect(c byte, what string) bool {
	if s.fault != nil {
		return false
	}
	if s.pos < len(s.line) && s.line[s.pos] == c { // most lines have no space between tokens
		s.pos++
		return true
	}
	if s.peek() != c {
		s.fail(what)
		return false
	}
	s.pos++
	return true
}

// next advances to the next item of an object or array, after its opening bracket (first) or its previous item. It returns false after
// the closing bracket or on a fault.
func (s *scanner) next(first bool, closing byte) bool {
	c := s.peek()
	switch {
	case s.fault != nil:
		return false
	case c == closing:
		s.pos++
		return false
	case first:
		return true
	case c == ',':
		s.pos++
		return true
	}
	s.fail(`"," or "` + string(rune(closing)) + `"`)
	return false
}

// member advances to the next member of an object and returns its key, which is valid until the next string.
func (s *scanner) member(first bool) ([]byte, bool) {
	if !s.next(first, '}') {
		return nil, false
	}
	name := s.text("a key in quotes")
	return name, s.expect(':', `":" after the key`)
}

// text returns a string with its escapes decoded, valid until the next string.
func (s *scanner) text(what string) []byte {
	if !s.expect('"', what) {
		return nil
	}
	start := s.pos
	for i, c := range s.line[start:] {
		if c > '\\' || c > '"' && c < '\\' {
			continue // letters and digits are the most frequent
		}
		i += start
		switch {
		case c == '"':
			s.pos = i + 1
			return s.line[start:i]
		case c == '\\':
			return s.escaped(start, i)
		case c < ' ':
			s.pos = i
			s.fail("no control character in a string")
			return nil
		}
	}
	s.pos = len(s.line)
	s.fail(`'"' at the end of a string`)
	return nil
}

// number returns the text of a number, which must follow the grammar of JSON.
func (s *scanner) number(what string) []byte {
	c := s.peek()
	if s.fault != nil {
		return nil
	}
	if c != '-' && !isDigit(c) {
		s.fail(what)
		return nil
	}
	start, i := s.pos, s.pos
	if c == '-' {
		i++
	}
	whole := i
	i = s.digits(i)
	ok := i > whole && (s.line[whole] != '0' || i == whole+1)
	if ok && i < len(s.line) && s.line[i] == '.' {
		fraction := i + 1
		i = s.digits(fraction)
		ok = i > fraction
	}
	if ok && i < len(s.line) && (s.line[i] == 'e' || s.line[i] == 'E') {
		i++
		if i < len(s.line) && (s.line[i] == '+' || s.line[i] == '-') {
			i++
		}
		exponent := i
		i = s.digits(i)
		ok = i > exponent
	}
	if !ok {
		s.fail(what)
		return nil
	}
	s.pos = i
	return s.line[start:i]
}

func (s *scanner) digits(i int) int {
	for i < len(s.line) && isDigit(s.line[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *scanner) boolean() bool {
	switch s.peek() {
	case 't':
		return s.word("true")
	case 'f':
		return !s.word("false")
	}
	s.fail("true or false")
	return false
}

func (s *scanner) word(word string) bool {
	end := s.pos + len(word)
	if end > len(s.line) || string(s.line[s.pos:end]) != word {
		s.fail(word)
		return false
	}
	s.pos = end
	return true
}

// end checks that the line has no more tokens.
func (s *scanner) end() {
	if s.fault == nil && s.peek() != 0 || s.fault == nil && s.pos < len(s.line) {
		s.fail("nothing after the object")
	}
}

// validUTF8 checks the whole line at once, so that strings need not be checked individually.
func (s *scanner) validUTF8() {
	if !utf8.Valid(s.line) {
		s.refuse("UTF-8", excerpt(s.line))
	}
}
