package rpc

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quern-project/quern/core/resource"
)

// writer writes answers as JSON. Names are those of the Go fields with a small first letter (ID is id). In types of the
// scheduler what is zero is left out; in those of this package only what is tagged omitempty. Sets are objects.
type writer struct {
	plans plans
}

// plans are how to write the types that were met.
type plans map[reflect.Type]plan

type plan func(b []byte, v reflect.Value) []byte

// appendLine writes a value and a line's end.
func (w *writer) appendLine(b []byte, v any) []byte {
	value := reflect.ValueOf(v)
	return append(w.plans.of(value.Type())(b, value), '\n')
}

// of returns the plan of a type. A type that holds itself is looked up when it is met again.
func (p plans) of(t reflect.Type) plan {
	if made := p[t]; made != nil {
		return made
	}
	p[t] = func(b []byte, v reflect.Value) []byte { return p[t](b, v) }
	p[t] = p.make(t)
	return p[t]
}

func (p plans) make(t reflect.Type) plan {
	switch {
	case t == reflect.TypeFor[resource.Set]():
		return func(b []byte, v reflect.Value) []byte { return appendSet(b, v.Interface().(resource.Set)) }
	case t == reflect.TypeFor[json.RawMessage]():
		return func(b []byte, v reflect.Value) []byte { return append(b, v.Bytes()...) }
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendBool(b, v.Bool()) }
	case reflect.String:
		return func(b []byte, v reflect.Value) []byte { return appendText(b, v.String()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendInt(b, v.Int(), 10) }
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendUint(b, v.Uint(), 10) }
	case reflect.Float64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendFloat(b, v.Float(), 'g', -1, 64) }
	case reflect.Pointer, reflect.Interface:
		return p.pointer()
	case reflect.Slice:
		return p.list(t)
	case reflect.Map:
		return p.texts(t)
	case reflect.Struct:
		return p.object(t)
	}
	panic("rpc: an answer holds a " + t.String()) // our bug
}

func (p plans) pointer() plan {
	return func(b []byte, v reflect.Value) []byte {
		if v.IsNil() {
			return append(b, "null"...)
		}
		return p.of(v.Elem().Type())(b, v.Elem())
	}
}

func (p plans) list(t reflect.Type) plan {
	element := p.of(t.Elem())
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = element(b, v.Index(i))
		}
		return append(b, ']')
	}
}

// texts writes maps from text to text, or to a list of texts; encoding/json sorts their keys.
func (p plans) texts(t reflect.Type) plan {
	return func(b []byte, v reflect.Value) []byte {
		text, err := json.Marshal(v.Interface())
		if err != nil {
			panic("rpc: a " + t.String() + " cannot be written: " + err.Error()) // our bug
		}
		return append(b, text...)
	}
}

// member is one field of an object.
type member struct {
	index int
	name  string // with quotes and colon
	bare  func(v reflect.Value) bool
	plan  plan
}

func (p plans) object(t reflect.Type) plan {
	var members []member
	for f := range fieldsOf(t) {
		members = append(members, member{f.Index[0], string(append(appendText(nil, keyOf(f)), ':')), leaver(t, f), p.of(f.Type)})
	}
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '{')
		first := true
		for i := range members {
			m := &members[i]
			field := v.Field(m.index)
			if m.bare != nil && m.bare(field) {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = m.plan(append(b, m.name...), field)
		}
		return append(b, '}')
	}
}

// fieldsOf yields the fields of a struct, except those that JSON leaves out; those of embedded ones are written in their place.
func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" && !yield(f) {
				return
			}
		}
	}
}

// leaver returns what says that a field is left out; nil: it never is.
func leaver(t reflect.Type, f reflect.StructField) func(reflect.Value) bool {
	switch {
	case t.PkgPath() != reflect.TypeFor[Error]().PkgPath():
		return func(v reflect.Value) bool {
			return v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
		}
	case strings.Contains(f.Tag.Get("json"), "omitempty"):
		return reflect.Value.IsZero
	}
	return nil
}

// keyOf is the key of a field: the name in its json tag, or else its own as jsonName writes it.
func keyOf(f reflect.StructField) string {
	if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" {
		return key
	}
	return jsonName(f.Name)
}

// jsonName is a field's name with its first word in small letters: ID is id, AppSort appSort, SHA256 sha256.
func jsonName(name string) string {
	head := 0
	for head < len(name) && !unicode.IsLower(rune(name[head])) {
		head++
	}
	if head > 1 && head < len(name) {
		head-- // the last capital begins the next word
	}
	return strings.ToLower(name[:head]) + name[head:]
}

func appendSet(b []byte, set resource.Set) []byte {
	b = append(b, '{')
	for i, q := range set {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(appendText(b, q.Type), ':'), q.Value, 10)
	}
	return append(b, '}')
}

// appendText writes a JSON string; plain ones, which nearly all are, without looking twice.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := json.Marshal(text)
			if err != nil {
				panic("rpc: a text cannot be written: " + err.Error()) // our bug
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}
