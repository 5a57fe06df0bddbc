package config

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// readTOML parses a TOML text into a tree, or returns a fault. The library validates the text and decodes the values. Our own scanner finds
// the places and the order of keys, since the library stores places by path, which all items of a list of tables share. The scanner
// runs first, and bounds the cost of the library.
func readTOML(text string) (*value, *fault) {
	s := scanTOML(text, queueBounds())
	switch {
	case s.full != nil:
		return nil, s.full
	case s.plain:
		return s.top, nil
	case s.tooCostly != nil:
		return nil, s.tooCostly
	}
	decoded, bad := decodeTOML(text)
	if bad != nil && (s.duplicate == nil || s.duplicate.at.line != bad.at.line) {
		return nil, bad
	}
	if s.duplicate != nil {
		return nil, s.duplicate
	}
	if other := s.top.fill(decoded); other != nil {
		return nil, &fault{other.at, "syntax", "TOML whose keys can be located", "something else"}
	}
	return s.top, nil
}

// decodeTOML calls the library, and turns its panics into faults.
func decodeTOML(text string) (decoded map[string]any, bad *fault) {
	defer func() {
		if bug := recover(); bug != nil {
			bad = &fault{place{1, 1}, "syntax", "TOML", strings.TrimSpace(fmt.Sprint(bug))}
		}
	}()
	_, err := toml.Decode(text, &decoded)
	if err == nil {
		return decoded, nil
	}
	bad = &fault{place{1, 1}, "syntax", "TOML", err.Error()}
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		bad.at = place{int32(max(syntax.Position.Line, 1)), int32(max(syntax.Position.Col, 1))}
		bad.expected, bad.found = tomlComplaint(syntax.Message)
	}
	return nil, bad
}

// fill sets the kinds and texts of scanned values from the decoded ones. It returns the first value that differs, or nil.
func (v *value) fill(decoded any) (other *value) {
	switch decoded := decoded.(type) {
	case map[string]any:
		if v.kind != mapping || len(v.fields) != len(decoded) {
			return v
		}
		for i := range v.fields {
			below, ok := decoded[v.fields[i].name]
			if !ok {
				return v.fields[i].value
			}
			if other := v.fields[i].value.fill(below); other != nil {
				return other
			}
		}
		return nil
	case []map[string]any:
		return fillItems(v, decoded)
	case []any:
		return fillItems(v, decoded)
	}
	if v.kind != scalar {
		return v
	}
	v.text = strings.ReplaceAll(v.text, "_", "")
	switch decoded := decoded.(type) {
	case string:
		v.text = decoded
	case int64:
		v.form = formInteger
	case float64:
		v.form = formDecimal
	case bool:
		v.form = formTruth
	case time.Time:
		v.form = formDate
	}
	return nil
}

func fillItems[T any](v *value, decoded []T) (other *value) {
	if v.kind != list || len(v.fields) != len(decoded) {
		return v
	}
	for i, item := range v.fields {
		if other := item.value.fill(decoded[i]); other != nil {
			return other
		}
	}
	return nil
}
