package csvfile

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/core/resource"
)

// field says where a value comes from: a column, or the same text for all rows.
type field struct {
	key     string // in the mapping
	column  string
	value   string
	missing string // the value where the column is empty
	prefix  string
	pattern *regexp.Regexp    // what to take of the text of the column: its group, or nothing
	values  map[string]string // from the texts of the column to others
	split   string            // between the items of a list
	unit    string            // what 1 stands for
	times   string            // a column to multiply with
	per     string            // a column to divide by
	binary  bool              // K, M, G, T and P are powers of 1024

	typ    string // of an amount
	factor *big.Rat
}

// UnmarshalTOML reads the name of a column, or a table.
func (f *field) UnmarshalTOML(data any) error {
	switch data := data.(type) {
	case string:
		f.column = data
		return nil
	case map[string]any:
		return f.table(data)
	}
	return fmt.Errorf("expected the name of a column in quotes, or a table, found %v", data)
}

func (f *field) table(data map[string]any) error {
	for _, t := range []struct {
		key string
		to  *string
	}{
		{"column", &f.column}, {"default", &f.missing}, {"prefix", &f.prefix}, {"split", &f.split}, {"times", &f.times}, {"per", &f.per},
		{"unit", &f.unit}, {"value", &f.value},
	} {
		value, ok := data[t.key]
		if !ok {
			continue
		}
		text, ok := scalar(value)
		if !ok {
			return fmt.Errorf("%s: expected a text or a number, found %v", t.key, value)
		}
		*t.to = text
		delete(data, t.key)
	}
	if value, ok := data["binary"]; ok {
		if f.binary, ok = value.(bool); !ok {
			return fmt.Errorf("binary: expected true or false, found %v", value)
		}
		delete(data, "binary")
	}
	if value, ok := data["pattern"]; ok {
		if err := f.takesPattern(value); err != nil {
			return err
		}
		delete(data, "pattern")
	}
	if value, ok := data["map"]; ok {
		if err := f.mapping(value); err != nil {
			return err
		}
		delete(data, "map")
	}
	for _, key := range slices.Sorted(maps.Keys(data)) {
		return fmt.Errorf("%s: expected %s or %s, found an unknown key%s", key, strings.Join(fieldKeys[:len(fieldKeys)-1], ", "), fieldKeys[len(fieldKeys)-1],
			nearest.Hint(nearest.Names(key, fieldKeys)))
	}
	return nil
}

// fieldKeys are the keys of a field.
var fieldKeys = []string{"column", "value", "default", "pattern", "map", "prefix", "split", "unit", "times", "per", "binary"}

// longestPattern bounds a pattern in bytes.
const longestPattern = 1000

func (f *field) takesPattern(value any) error {
	text, ok := value.(string)
	if !ok || len(text) > longestPattern {
		return fmt.Errorf("pattern: expected a text of at most %d bytes, found %v", longestPattern, value)
	}
	pattern, err := regexp.Compile(text)
	switch {
	case err != nil:
		return fmt.Errorf("pattern: expected a regular expression of RE2, found %q: %w", text, err)
	case pattern.NumSubexp() != 1:
		return fmt.Errorf("pattern: expected a regular expression with one group in parentheses, found %q", text)
	}
	f.pattern = pattern
	return nil
}

func (f *field) mapping(value any) error {
	table, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("map: expected a table, found %v", value)
	}
	f.values = make(map[string]string, len(table))
	for from, to := range table {
		text, ok := scalar(to)
		if !ok {
			return fmt.Errorf("map: %s: expected a text or a number, found %v", from, to)
		}
		f.values[from] = text
	}
	return nil
}

// scalar is the text of a value that is no list and no table.
func scalar(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case int64:
		return strconv.FormatInt(value, 10), true
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64), true
	}
	return "", false
}

// kind is what is read from a field.
type kind uint8

const (
	asText kind = iota
	asList
	asAmount
	asDuration
)

// field checks a field, which may be missing.
func (c *checker) field(key string, f *field, as kind) {
	if f == nil {
		return
	}
	f.key, c.fields[key] = key, true
	if (f.column == "") == (f.value == "") {
		c.add(key, "either column or value", "both or none")
	}
	for _, no := range []struct {
		key   string
		given bool
		fits  bool
	}{
		{"split", f.split != "", as == asList}, {"unit", f.unit != "", as == asAmount || as == asDuration}, {"times", f.times != "", as == asAmount},
		{"per", f.per != "", as == asAmount}, {"binary", f.binary, as == asAmount},
	} {
		if no.given && !no.fits {
			c.add(key+"."+no.key, "no such key for this field", "one")
		}
	}
	switch {
	case as == asAmount && f.unit != "":
		c.amountUnit(f)
	case as == asDuration:
		c.durationUnit(f)
	}
}

func (c *checker) amountUnit(f *field) {
	if f.binary {
		c.add(f.key, "either unit or binary", "both")
	}
	stored, err := resource.Parse(f.typ, f.unit)
	if err != nil || stored == 0 {
		c.add(f.key+".unit", "a quantity such as 1, 1m or 1Mi: what 1 in the column stands for", fmt.Sprintf("%q", f.unit))
		return
	}
	f.factor = new(big.Rat).SetInt64(stored)
}

func (c *checker) durationUnit(f *field) {
	if f.unit == "" {
		f.unit = "s"
	}
	if _, ok := units[f.unit]; !ok {
		c.add(f.key+".unit", "one of ns, us, ms, s, m, h and d", fmt.Sprintf("%q", f.unit))
	}
}
