package schema

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quern-project/quern/host/policy/registry"
)

// Module is the schema of NAME.toml, the settings of a policy.
func Module() *jsonschema.Schema {
	s := ofType(reflect.TypeFor[registry.Settings]())
	s.Schema, s.Title = draft, "Settings of a policy of quern"
	return s
}

// ofType is the schema of what TOML decodes into a type.
func ofType(t reflect.Type) *jsonschema.Schema {
	switch t.Kind() {
	case reflect.Struct:
		keys := map[string]*jsonschema.Schema{}
		for i := range t.NumField() {
			keys[t.Field(i).Tag.Get("toml")] = ofType(t.Field(i).Type)
		}
		return object(keys)
	case reflect.Map:
		return mapping(ofType(t.Elem()))
	case reflect.Slice:
		return list(ofType(t.Elem()))
	case reflect.String:
		return of(typeText)
	case reflect.Int, reflect.Int64:
		return of(typeInteger)
	case reflect.Bool:
		return of(typeTruth)
	case reflect.Interface:
		return &jsonschema.Schema{}
	}
	panic("schema: no kind of value for " + t.String())
}

// Setting is a key of quern.toml.
type Setting struct {
	Name  string
	Kind  string // of the flag's value
	Doc   string
	Table bool // with keys that people choose
}

// Settings is the schema of quern.toml.
func Settings(all []Setting) *jsonschema.Schema {
	keys := map[string]*jsonschema.Schema{}
	for _, one := range all {
		value := of(typeText)
		switch one.Kind {
		case "bool":
			value = oneOf(typeTruth, typeText)
		case "int", "int32", "int64", "uint", "uint64", "float64":
			value = oneOf(typeNumber, typeText)
		case "stringSlice", "stringArray":
			value = oneOf(typeList, typeText)
		}
		if one.Table {
			value = of(typeObject)
		}
		value.Description = one.Doc
		keys[one.Name] = value
	}
	s := object(keys)
	s.Schema, s.Title = draft, "Settings of quern"
	return s
}
