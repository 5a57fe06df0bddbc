package kubernetes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/quern-project/quern/host/importing"
)

// listing reads a file of objects and lists of objects, with one object in memory at a time.
type listing struct {
	file   string
	bytes  countedLines
	decode *json.Decoder
	sink   *importing.Sink
	take   func(*item) error
}

// item is an object with its place.
type item struct {
	object
	raw  []byte
	file string
	line int // where it begins
	errs []*importing.Error
}

// longestObject bounds an object in bytes.
const longestObject = 16 << 20

// itemsKey is the key of a list that has its objects.
const itemsKey = "items"

// objects reads all of the file.
func (l *listing) objects() error {
	l.decode = json.NewDecoder(&l.bytes)
	for {
		err := l.value()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return l.broken(err)
		}
	}
}

// value reads an object, a list of objects as kubectl writes it, or a plain one.
func (l *listing) value() error {
	l.bytes.left = longestObject
	switch token, err := l.decode.Token(); {
	case err != nil: // io.EOF: there is no other
		return err
	case token == json.Delim('['):
		return inside(l.items(""))
	case token != json.Delim('{'):
		return &importing.Error{Expected: "an object, or a list of objects", Found: importing.Quote(fmt.Sprint(token))}
	}
	return inside(l.object())
}

// inside makes the end of the file an error: it came within a value.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// object reads the members of an object whose brace was read. Those of a list are read one by one, those of anything else are
// put together again.
func (l *listing) object() error {
	start := l.decode.InputOffset() - 1
	members := map[string]json.RawMessage{}
	listed := false
	for l.decode.More() {
		token, err := l.decode.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // the decoder refuses any other
		if key == itemsKey {
			listed = true
			if err := l.itemsOf(members["kind"]); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := l.decode.Decode(&value); err != nil {
			return err
		}
		members[key] = value
	}
	if _, err := l.decode.Token(); err != nil || listed {
		return err
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return l.one(raw, l.bytes.lineAt(start), "")
}

// itemsOf reads the objects of a list of a kind such as PodList.
func (l *listing) itemsOf(kind json.RawMessage) error {
	token, err := l.decode.Token()
	switch {
	case err != nil:
		return err
	case token == nil: // an empty list
		return nil
	case token != json.Delim('['):
		return &importing.Error{Key: itemsKey, Expected: "a list of objects", Found: importing.Quote(fmt.Sprint(token))}
	}
	var name string
	if json.Unmarshal(kind, &name) != nil {
		name = "" // the objects say their own
	}
	return l.items(strings.TrimSuffix(name, "List"))
}

// items reads the objects of a list whose bracket was read. Kind is what they are where they do not say.
func (l *listing) items(kind string) error {
	for l.decode.More() {
		l.bytes.left = longestObject
		var raw json.RawMessage
		if err := l.decode.Decode(&raw); err != nil {
			return err
		}
		line := l.bytes.lineAt(l.decode.InputOffset() - int64(len(raw)))
		if err := l.one(raw, line, kind); err != nil {
			return err
		}
	}
	_, err := l.decode.Token()
	return err
}

// one takes one object.
func (l *listing) one(raw []byte, line int, kind string) error {
	i := &item{raw: raw, file: l.file, line: line}
	err := json.Unmarshal(raw, &i.object)
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typ):
		line += strings.Count(string(raw[:min(int(typ.Offset), len(raw))]), "\n")
		return l.sink.Bad(&importing.Error{File: l.file, Line: line, Key: typ.Field, Expected: "a value of type " + typ.Type.String(), Found: "a " + typ.Value})
	case err != nil:
		return l.sink.Bad(&importing.Error{File: l.file, Line: line, Expected: "an object of Kubernetes", Found: err.Error()})
	}
	if i.Kind == "" {
		i.Kind = kind
	}
	if err := l.take(i); err != nil {
		return err
	}
	if i.errs != nil {
		return l.sink.Bad(i.errs...)
	}
	return nil
}

// broken tells what is no JSON, which ends the reading.
func (l *listing) broken(err error) error {
	e := &importing.Error{Expected: "JSON", Found: "the end of the file within a value"}
	offset := l.decode.InputOffset()
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, importing.ErrGivenUp):
		return err
	case errors.As(err, &syntax):
		e.Found = syntax.Error()
		if missing, ok := strings.CutPrefix(e.Found, "expected "); ok {
			e.Found = "no " + missing
		}
		offset = max(offset, syntax.Offset-1)
	case errors.Is(err, errLongObject):
		e.Expected, e.Found = "objects of at most 16 MiB", "a longer one"
	case errors.As(err, &e), errors.Is(err, io.ErrUnexpectedEOF):
	default:
		return err
	}
	e.File, e.Line = l.file, l.bytes.lineAt(offset)
	return l.sink.GiveUp(e)
}
