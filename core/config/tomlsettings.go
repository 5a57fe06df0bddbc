package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
)

// DecodeTOML decodes a TOML text of settings into a value, like toml.Decode, after CheckTOML. All files in TOML except queue configurations
// are read with it. Errors have file, line and column as far as known.
func DecodeTOML(file string, text []byte, into any) (meta toml.MetaData, err error) {
	defer func() {
		if bug := recover(); bug != nil { // the library panics on bugs of its own
			err = fmt.Errorf("%s: expected TOML, found %v", file, bug)
		}
	}()
	if err := CheckTOML(file, text, into); err != nil {
		return meta, err
	}
	if meta, err = toml.Decode(string(text), into); err != nil {
		return meta, TOMLError(file, err)
	}
	return meta, nil
}

// CheckTOML refuses a TOML text of settings that would be expensive to decode: too long, too deep, or with too many values or too long
// names. It also refuses texts that a decoder accepts with an arbitrary result: with a name that is set twice, or two names in a table that
// differ only in case. into is the target of the decoding; names in a map are data, and may differ only in case.
func CheckTOML(file string, text []byte, into any) error {
	if len(text) > MostSettings {
		return fmt.Errorf("%s: expected at most %d bytes, found %d", file, MostSettings, len(text))
	}
	s := scanTOML(string(text), settingsBounds())
	bad := s.full
	if bad == nil && !s.plain {
		bad = s.tooCostly
	}
	if bad == nil {
		bad = s.duplicate
	}
	if bad == nil {
		bad = s.top.sameName("", reflect.TypeOf(into))
	}
	if bad == nil {
		return nil
	}
	place := fmt.Sprintf("%s:%d:%d: ", file, bad.at.line, bad.at.column)
	if bad.key != sizeKey {
		place += bad.key + ": "
	}
	return fmt.Errorf("%sexpected %s, found %s", place, bad.expected, bad.found)
}

// sameName finds two names in a table that the library would assign to the same field, since it ignores case.
func (v *value) sameName(path string, into reflect.Type) *fault {
	into = target(into)
	if v.kind == list {
		for _, item := range v.fields {
			if bad := item.value.sameName(path, element(into)); bad != nil {
				return bad
			}
		}
		return nil
	}
	merges := into != nil && into.Kind() == reflect.Struct
	first := map[string]*field{}
	for i := range v.fields {
		f := &v.fields[i]
		if other := first[strings.ToLower(f.name)]; other != nil && merges {
			return &fault{f.at, path + f.name, "each key once, in any case", fmt.Sprintf("%s after %s in line %d, column %d", f.name, other.name, other.at.line, other.at.column)}
		}
		first[strings.ToLower(f.name)] = f
		if bad := f.value.sameName(path+f.name+".", below(into, f.name)); bad != nil {
			return bad
		}
	}
	return nil
}

// target returns the type behind pointers, or nil for a type that parses its own text.
func target(t reflect.Type) reflect.Type {
	for t != nil {
		if t.Implements(reflect.TypeFor[toml.Unmarshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[toml.Unmarshaler]()) {
			return nil
		}
		if t.Kind() != reflect.Pointer {
			return t
		}
		t = t.Elem()
	}
	return nil
}

// element returns the type of the items of a list, or the type itself if it is not a list.
func element(t reflect.Type) reflect.Type {
	if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		return t.Elem()
	}
	return t
}

// below returns the type of a name in a table, or nil if it is unknown.
func below(t reflect.Type, name string) reflect.Type {
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Map:
		return t.Elem()
	case reflect.Struct:
		for i := range t.NumField() {
			known, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ",")
			if strings.EqualFold(known, name) {
				return t.Field(i).Type
			}
		}
	}
	return nil
}
