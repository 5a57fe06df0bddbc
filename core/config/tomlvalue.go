package config

import (
	"strconv"
	"strings"
)

// name parses a dotted name in a table at some level.
func (s *tomlScanner) name(level int) []tomlPart {
	var name []tomlPart
	own := 0
	for {
		s.skip(" \t")
		part := tomlPart{at: s.here()}
		switch c := s.next(); c {
		case '"', '\'':
			part.name = s.quoted()
		default:
			part.name = s.bare()
		}
		name = append(name, part)
		if 2*(level+len(name)) > s.bounds.depth {
			s.tooLarge(part.at)
			return name
		}
		own += len(part.name) + costOfPart
		s.spend(s.within+own, part.at)
		s.skip(" \t")
		if !s.accept('.') {
			return name
		}
	}
}

// bare parses a name without quotes. The library reports invalid characters.
func (s *tomlScanner) bare() string {
	end := s.at
	for end < len(s.text) && bareCharacter(s.text[end]) {
		end++
	}
	if end < len(s.text) && strings.IndexByte(tomlEnds, s.text[end]) < 0 {
		s.plain = false
		for end < len(s.text) && strings.IndexByte(tomlEnds, s.text[end]) < 0 {
			end++
		}
	}
	name := s.text[s.at:end]
	s.broken = s.broken || name == ""
	s.at = end
	return name
}

const tomlEnds = " \t\r\n.=[]{}#\"'," // characters that end a name without quotes

func bareCharacter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// quoted parses a name in quotes.
func (s *tomlScanner) quoted() string {
	start := s.at
	s.str()
	if s.broken {
		return ""
	}
	raw := s.text[start+1 : s.at-1]
	if s.text[start] == '\'' || !strings.Contains(raw, `\`) {
		return raw
	}
	return unescape(raw)
}

// str consumes a string of any of the four kinds.
func (s *tomlScanner) str() {
	quote := s.text[s.at : s.at+1]
	triple := strings.Repeat(quote, 3)
	long := strings.HasPrefix(s.text[s.at:], triple)
	end := s.at + 1
	if long {
		end, quote = s.at+3, triple
		s.plain = false
	}
	for end < len(s.text) && !strings.HasPrefix(s.text[end:], quote) {
		if s.text[end] == '\n' && !long {
			break
		}
		if s.text[end] == '\\' && quote[0] == '"' {
			s.plain = false
			end++
		}
		end++
	}
	if end >= len(s.text) || s.text[end] == '\n' {
		s.broken = true
		return
	}
	end += len(quote)
	for extra := 0; long && extra < 2 && end < len(s.text) && s.text[end] == quote[0]; extra++ {
		end++ // quotes just before the closing ones belong to the string
	}
	s.advanceTo(end)
}

// read parses a value. The library decodes strings.
func (s *tomlScanner) read(level, depth int) *value {
	s.skip(" \t")
	v := s.newValue(scalar, s.here())
	if depth++; depth+2*level > s.bounds.depth {
		s.tooLarge(v.at)
	}
	switch s.next() {
	case 0:
		s.broken = true
	case '"', '\'':
		start := s.at
		s.str()
		v.text = s.text[min(start+1, s.at):max(start+1, s.at-1)]
	case '[':
		v.kind = list
		s.each(']', func() { v.fields = append(v.fields, field{value: s.read(level, depth)}) })
	case '{':
		v.kind = mapping
		s.each('}', func() { s.pair(v, level, depth) })
	default:
		end := s.at
		for end < len(s.text) && strings.IndexByte(",]}#\r\n", s.text[end]) < 0 {
			end++
		}
		v.text = strings.TrimRight(s.text[s.at:end], " \t")
		s.broken = s.broken || v.text == ""
		s.at = end
		var known bool
		v.form, known = plainForm(v.text)
		s.plain = s.plain && known
	}
	return v
}

// plainForm returns the form of a number or boolean if it is written in a way that is valid in both YAML and TOML.
func plainForm(text string) (form, bool) {
	if text == "true" || text == "false" {
		return formTruth, true
	}
	digits := strings.TrimPrefix(text, "-")
	whole := len(digits)
	for i := 0; i < len(digits); i++ {
		switch c := digits[i]; {
		case c == '.' && whole == len(digits):
			whole = i
		case c < '0' || c > '9':
			return formText, false
		}
	}
	if whole == 0 || len(digits) > 18 || whole == len(digits)-1 || digits[0] == '0' && whole > 1 {
		return formText, false
	}
	if whole < len(digits) {
		return formDecimal, true
	}
	return formInteger, true
}

// each parses the items between brackets. The text stays plain if there is one comma between items, and no line end.
func (s *tomlScanner) each(closing byte, item func()) {
	s.at++
	line, commas, items := s.line, 0, 0
	for s.skip(" \t\r\n"); s.next() != 0; s.skip(" \t\r\n") {
		s.plain = s.plain && s.line == line
		switch {
		case s.accept(closing):
			s.plain = s.plain && commas == max(items-1, 0)
			return
		case s.accept(','):
			commas++
			s.plain = s.plain && commas == items
		default:
			item()
			items++
			s.plain = s.plain && commas == items-1
		}
	}
	s.broken = true
}

// unescape resolves the escapes of a name in double quotes.
func unescape(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		length := 0
		switch raw[i] {
		case 'b':
			b.WriteByte('\b')
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'f':
			b.WriteByte('\f')
		case 'r':
			b.WriteByte('\r')
		case 'e':
			b.WriteByte(0x1b)
		case 'x':
			length = 2
		case 'u':
			length = 4
		case 'U':
			length = 8
		default:
			b.WriteByte(raw[i])
		}
		if i+length >= len(raw) {
			length = 0
		}
		if length > 0 {
			code, _ := strconv.ParseUint(raw[i+1:i+1+length], 16, 32)
			b.WriteRune(rune(code))
			i += length
		}
	}
	return b.String()
}
