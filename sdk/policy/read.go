package policy

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// This file reads JSON, which a module is configured with, as encoding/json reads it into an any.

// deepest is how deep lists and objects may be nested. Values of parameters are nested once.
const deepest = 64

// object reads a JSON object with nothing behind it.
func object(text []byte) (map[string]any, error) {
	r := &reader{text: text}
	value := r.value(0)
	r.space()
	switch table, ok := value.(map[string]any); {
	case r.err != nil:
		return nil, r.err
	case r.at < len(text):
		r.fail("nothing more")
		return nil, r.err
	case !ok:
		return nil, errors.New("it is none")
	default:
		return table, nil
	}
}

// reader reads values one behind the other. After an error it reads nothing more.
type reader struct {
	text []byte
	at   int
	err  error
}

func (r *reader) fail(wanted string) {
	if r.err == nil {
		r.err = errfmt.Errorf("byte %d: expected %s", r.at, wanted)
	}
}

// peek is the next byte, 0 at the end and after an error.
func (r *reader) peek() byte {
	if r.err != nil || r.at >= len(r.text) {
		return 0
	}
	return r.text[r.at]
}

func (r *reader) space() {
	for c := r.peek(); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = r.peek() {
		r.at++
	}
}

// take reads a byte if it is the next.
func (r *reader) take(c byte) bool {
	if r.peek() != c || c == 0 {
		return false
	}
	r.at++
	return true
}

func (r *reader) value(depth int) any {
	r.space()
	switch c := r.peek(); {
	case depth > deepest:
		r.fail("lists and objects that are not nested so deep")
	case c == '{':
		return r.table(depth)
	case c == '[':
		return r.list(depth)
	case c == '"':
		return r.string()
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	default:
		return r.word()
	}
	return nil
}

func (r *reader) table(depth int) any {
	r.at++
	out := map[string]any{}
	if r.space(); r.take('}') {
		return out
	}
	for r.err == nil {
		r.space()
		name := r.string()
		if r.space(); !r.take(':') {
			r.fail("a colon")
		}
		out[name] = r.value(depth + 1)
		if r.space(); r.take('}') {
			return out
		}
		if !r.take(',') {
			r.fail("a comma or a closing brace")
		}
	}
	return nil
}

func (r *reader) list(depth int) any {
	r.at++
	out := []any{}
	if r.space(); r.take(']') {
		return out
	}
	for r.err == nil {
		out = append(out, r.value(depth+1))
		if r.space(); r.take(']') {
			return out
		}
		if !r.take(',') {
			r.fail("a comma or a closing bracket")
		}
	}
	return nil
}

func (r *reader) word() any {
	for word, value := range map[string]any{"null": nil, "true": true, "false": false} {
		if rest := r.text[min(r.at, len(r.text)):]; r.err == nil && len(rest) >= len(word) && string(rest[:len(word)]) == word {
			r.at += len(word)
			return value
		}
	}
	r.fail("a value")
	return nil
}

func (r *reader) number() any {
	start := r.at
	r.take('-')
	if !r.take('0') {
		r.digits()
	}
	if r.take('.') {
		r.digits()
	}
	if r.take('e') || r.take('E') {
		if !r.take('+') {
			r.take('-')
		}
		r.digits()
	}
	if r.err != nil {
		return nil
	}
	v, err := strconv.ParseFloat(string(r.text[start:r.at]), 64)
	if err != nil {
		r.at = start
		r.fail("a number that a float64 can be")
	}
	return v
}

// digits reads one at least.
func (r *reader) digits() {
	start := r.at
	for c := r.peek(); c >= '0' && c <= '9'; c = r.peek() {
		r.at++
	}
	if r.at == start {
		r.fail("a digit")
	}
}

func (r *reader) string() string {
	if !r.take('"') {
		r.fail("a text")
		return ""
	}
	var out []byte
	for r.err == nil {
		c := r.peek()
		switch {
		case r.at >= len(r.text) || c < 0x20:
			r.fail("the end of a text")
		case c == '"':
			r.at++
			return string(out)
		case c == '\\':
			r.at++
			out = r.escaped(out)
		default:
			letter, size := utf8.DecodeRune(r.text[r.at:])
			out = utf8.AppendRune(out, letter)
			r.at += size
		}
	}
	return ""
}

// escapes are what stands for itself or something else behind a backslash.
var escapes = [...][2]byte{{'"', '"'}, {'\\', '\\'}, {'/', '/'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}}

// escaped reads what is behind a backslash.
func (r *reader) escaped(out []byte) []byte {
	if r.take('u') {
		return utf8.AppendRune(out, r.escapedLetter())
	}
	for _, e := range escapes {
		if r.take(e[0]) {
			return append(out, e[1])
		}
	}
	r.fail(`one of "\/bfnrtu`)
	return out
}

// escapedLetter reads the digits behind \u, and the other half of a letter that takes two.
func (r *reader) escapedLetter() rune {
	first := r.hex()
	if !utf16.IsSurrogate(first) || r.at+6 > len(r.text) || r.text[r.at] != '\\' || r.text[r.at+1] != 'u' {
		return valid(first)
	}
	at := r.at
	r.at += 2
	both := utf16.DecodeRune(first, r.hex())
	if both == utf8.RuneError {
		r.at = at // the second is a letter of its own
	}
	return both
}

// valid is a letter, or what stands for half of one.
func valid(letter rune) rune {
	if utf16.IsSurrogate(letter) {
		return utf8.RuneError
	}
	return letter
}

func (r *reader) hex() rune {
	var v rune
	for range 4 {
		c := r.peek()
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			v = v<<4 | rune(c|0x20-'a'+10)
		default:
			r.fail("four hexadecimal digits")
			return 0
		}
		r.at++
	}
	return v
}
