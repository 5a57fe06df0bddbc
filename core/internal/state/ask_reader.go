package state

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// askReader reads the asks of a snapshot as json.Unmarshal would, in a quarter of the time: most asks have the same few members in the order in
// which they are written, and share amounts and constraints with many others. Any other ask is left to the JSON decoder.
type askReader struct {
	data      []byte
	at        int
	resources map[string]resource.Set // by their text
	settings  map[string]core.Ask     // likewise
	app       string                  // of the last ask: those of an application often follow each other
}

// cutAsks reads the asks of the first partition, and returns the content without them. ok is false if the content has another form than that
// which is written; then the JSON decoder must read all of it.
func cutAsks(body []byte) (rest []byte, list []askMemory, ok bool) {
	r := askReader{data: body, resources: map[string]resource.Set{}, settings: map[string]core.Ask{}}
	for before := byte('{'); r.is(before); before = ',' {
		from := r.at
		key, ok := r.text()
		if !ok || !r.is(':') {
			return nil, nil, false
		}
		if string(key) == "Asks" && list == nil {
			if list, ok = r.list(make([]askMemory, 0, asksIn(body))); !ok {
				return nil, nil, false
			}
			continue
		}
		if _, ok = r.value(); !ok {
			return nil, nil, false
		}
		rest = append(append(rest, ','), body[from:r.at]...)
	}
	if len(rest) == 0 || !r.is('}') || r.at != len(body) {
		return nil, nil, false
	}
	rest[0] = '{'
	return append(rest, '}'), list, true
}

// list reads a list of asks.
func (r *askReader) list(list []askMemory) ([]askMemory, bool) {
	if !r.is('[') {
		return nil, false
	}
	for {
		from := r.at
		list = append(list, askMemory{})
		m := &list[len(list)-1]
		if !r.usual(m) {
			r.at, *m = from, askMemory{}
			text, ok := r.value()
			if !ok || decodeStrict(text, m) != nil {
				return nil, false
			}
		}
		if r.is(']') {
			return list, true
		}
		if !r.is(',') {
			return nil, false
		}
	}
}

// usual reads an ask that has only usual members, each once, in their order.
func (r *askReader) usual(m *askMemory) bool {
	last := 0
	for r.is('{') && last == 0 || last > 0 && r.is(',') {
		key, ok := r.text()
		if !ok || !r.is(':') {
			return false
		}
		rank := r.member(m, string(key))
		if rank <= last {
			return false
		}
		last = rank
	}
	return last > 0 && r.is('}')
}

// member reads the value of a usual member, and returns its place in their order; 0: it is not usual.
func (r *askReader) member(m *askMemory, key string) (rank int) {
	ok := false
	switch key {
	case "ID":
		rank, ok = 1, r.string(&m.ID)
	case "App":
		rank, ok = 2, r.string(&r.app)
		m.App = r.app
	case "Seq":
		rank, ok = 3, number(r, &m.Seq)
	case "Created":
		rank, ok = 4, number(r, &m.Created)
	case "Resources":
		rank, ok = 5, repeated(r, r.resources, &m.Resources)
	case "Ask":
		rank, ok = 6, repeated(r, r.settings, &m.Ask)
	case "PlacedOn":
		rank, ok = 7, r.string(&m.PlacedOn)
	case "Placed":
		rank, ok = 8, number(r, &m.Placed)
	case "PlacedAt":
		rank, ok = 9, number(r, &m.PlacedAt)
	}
	if !ok {
		return 0
	}
	return rank
}

// is reads a byte if it comes next.
func (r *askReader) is(b byte) bool {
	if r.at == len(r.data) || r.data[r.at] != b {
		return false
	}
	r.at++
	return true
}

// text reads a string that needs no decoding.
func (r *askReader) text() ([]byte, bool) {
	if !r.is('"') {
		return nil, false
	}
	for i, b := range r.data[r.at:] {
		switch {
		case b == '"':
			text := r.data[r.at : r.at+i]
			r.at += i + 1
			return text, true
		case b < ' ' || b > '~' || b == '\\':
			return nil, false
		}
	}
	return nil, false
}

// string is text for a string that may be there already.
func (r *askReader) string(to *string) bool {
	text, ok := r.text()
	if ok && string(text) != *to {
		*to = string(text)
	}
	return ok
}

// number reads a whole number of at most 19 digits, which the times of a live host have.
func number[T ~uint64 | ~int64](r *askReader, to *T) bool {
	from, n := r.at, uint64(0)
	for ; r.at < len(r.data) && r.data[r.at] >= '0' && r.data[r.at] <= '9'; r.at++ {
		n = n*10 + uint64(r.data[r.at]-'0')
	}
	*to = T(n)
	digits := r.at - from
	return *to >= 0 && (digits == 1 || digits > 1 && digits <= 19 && r.data[from] != '0')
}

// repeated reads a value that other asks may have too.
func repeated[T any](r *askReader, known map[string]T, to *T) bool {
	text, ok := r.value()
	if !ok {
		return false
	}
	if *to, ok = known[string(text)]; ok {
		return true
	}
	if decodeStrict(text, to) != nil {
		return false
	}
	known[string(text)] = *to
	return true
}

// value returns the text of an object, a list, a string or a number. Whether that is valid JSON is left to the decoder.
func (r *askReader) value() ([]byte, bool) {
	from, depth := r.at, 0
	for r.at < len(r.data) {
		switch b := r.data[r.at]; b {
		case '"':
			if !r.pastString() {
				return nil, false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				return r.data[from:r.at], r.at > from
			}
			if b != ',' {
				depth--
			}
		}
		r.at++
	}
	return nil, false
}

// pastString goes behind a string.
func (r *askReader) pastString() bool {
	for r.at++; r.at < len(r.data); r.at++ {
		switch r.data[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return true
		}
	}
	return false
}

// decodeStrict decodes a JSON value that has no unknown members.
func decodeStrict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if d.InputOffset() != int64(len(text)) {
		return errors.New("expected one JSON value and nothing after it")
	}
	return nil
}
