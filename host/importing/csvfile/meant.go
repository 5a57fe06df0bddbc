package csvfile

import (
	"reflect"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/nearest"
)

// meant proposes, in words that follow an error, the keys that an unknown one may have been meant to be: those of its table.
func meant(key toml.Key) string {
	table := reflect.TypeFor[Mapping]()
	for _, name := range key[:len(key)-1] {
		table = tableIn(table, name)
	}
	if table == nil || table.Kind() != reflect.Struct {
		return ""
	}
	search := nearest.For(key[len(key)-1])
	for _, f := range reflect.VisibleFields(table) {
		if known := f.Tag.Get("toml"); known != "" {
			search.Add(known)
		}
	}
	return nearest.Hint(search.Found())
}

// tableIn returns the type of the table of a name in another one; nil: there is none.
func tableIn(table reflect.Type, name string) reflect.Type {
	if table == nil || table.Kind() != reflect.Struct {
		return nil
	}
	for i := range table.NumField() {
		f := table.Field(i)
		if f.Tag.Get("toml") != name {
			continue
		}
		if f.Type.Kind() == reflect.Slice {
			return f.Type.Elem()
		}
		return f.Type
	}
	return nil
}
