package policy

import (
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// This file writes manifests as JSON, and makes the defaults that authors write in Go what JSON would make of them.

// plainValue is a value as JSON knows it, of the Go types that a default may have.
func plainValue(value any) (any, error) {
	switch v := value.(type) {
	case nil, bool, string, float64:
		return v, nil
	case int:
		return float64(v), nil
	case int64:
		return float64(v), nil
	case []float64:
		return plainList(v)
	case []int:
		return plainList(v)
	case []any:
		return plainList(v)
	case map[string]float64:
		return plainTable(v)
	case map[string]int:
		return plainTable(v)
	case map[string]any:
		return plainTable(v)
	}
	return nil, errors.New("expected an int, an int64, a float64, a bool, a string, or a slice or a map by string of these numbers")
}

func plainList[T any](list []T) (any, error) {
	out := make([]any, len(list))
	for i, v := range list {
		var err error
		if out[i], err = plainValue(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func plainTable[T any](table map[string]T) (any, error) {
	out := make(map[string]any, len(table))
	for name, v := range table {
		var err error
		if out[name], err = plainValue(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// encode writes a manifest whose defaults are plain.
func encode(m *abi.Manifest) ([]byte, error) {
	var w writer
	w.open('{')
	w.text("name", m.Name)
	w.text("version", m.Version)
	w.text("abi", m.ABI)
	w.optional("description", m.Description)
	if len(m.Parameters) > 0 {
		w.key("parameters").open('{')
		for _, name := range sorted(m.Parameters) {
			p := m.Parameters[name]
			w.key(name).parameter(&p)
		}
		w.close('}')
	}
	w.key("points").open('{')
	for _, name := range sorted(m.Points) {
		s := m.Points[name]
		w.key(name).spec(&s)
	}
	w.close('}')
	w.close('}')
	return w.out, w.err
}

// writer writes JSON; a value follows its key.
type writer struct {
	out   []byte
	comma bool // something precedes in the list or object that is open
	err   error
}

func (w *writer) open(bracket byte) {
	w.next()
	w.out, w.comma = append(w.out, bracket), false
}

func (w *writer) close(bracket byte) { w.out, w.comma = append(w.out, bracket), true }

// next separates a value from the one before, where one is.
func (w *writer) next() {
	if w.comma {
		w.out = append(w.out, ',')
	}
	w.comma = true
}

func (w *writer) key(name string) *writer {
	w.next()
	w.out, w.comma = append(appendText(w.out, name), ':'), false
	return w
}

func (w *writer) text(key, value string) {
	w.key(key).value(value)
}

func (w *writer) optional(key, value string) {
	if value != "" {
		w.text(key, value)
	}
}

func (w *writer) value(value any) {
	w.next()
	switch v := value.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case string:
		w.out = appendText(w.out, v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			w.err = errfmt.Errorf("expected numbers that are finite, found %v", v)
		}
		w.out = strconv.AppendFloat(w.out, v, 'g', -1, 64)
	case []any:
		w.comma = false
		w.open('[')
		for _, item := range v {
			w.value(item)
		}
		w.close(']')
	case map[string]any:
		w.comma = false
		w.open('{')
		for _, name := range sorted(v) {
			w.key(name).value(v[name])
		}
		w.close('}')
	}
}

func (w *writer) texts(key string, list []string) {
	w.key(key).open('[')
	for _, t := range list {
		w.value(t)
	}
	w.close(']')
}

func (w *writer) parameter(p *abi.Parameter) {
	w.open('{')
	w.text("type", p.Type)
	w.key("default").value(p.Default)
	if p.Min != nil {
		w.key("min").value(*p.Min)
	}
	if p.Max != nil {
		w.key("max").value(*p.Max)
	}
	if len(p.Values) > 0 {
		w.texts("values", p.Values)
	}
	w.optional("description", p.Description)
	w.close('}')
}

func (w *writer) spec(s *abi.Spec) {
	w.open('{')
	w.texts("columns", s.Columns)
	w.key("keys").value(float64(s.Keys))
	w.text("depends", s.Depends)
	w.optional("fallback", s.Fallback)
	w.close('}')
}

// appendText writes a text in quotes. What is no UTF-8 becomes U+FFFD.
func appendText(out []byte, text string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < 0x20:
			out = append(out, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}
