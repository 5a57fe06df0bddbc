// Package schema describes the files that people write for quern as JSON Schema, so that editors complete and check them:
// queue configurations, journals, the settings of policies, and quern.toml.
//
// The schemas are made from the tables by which the files are read. They never refuse what quern takes; quern itself
// checks more than they can say. Command quern prints them.
package schema

import (
	"encoding/json"
	"io"

	"github.com/google/jsonschema-go/jsonschema"
)

// draft is the version of JSON Schema that all editors know.
const draft = "http://json-schema.org/draft-07/schema#"

// Types of values.
const (
	typeText    = "string"
	typeNumber  = "number"
	typeInteger = "integer"
	typeTruth   = "boolean"
	typeObject  = "object"
	typeList    = "array"
	typeNull    = "null"
)

// Write writes a schema.
func Write(w io.Writer, s *jsonschema.Schema) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// object is a mapping that has these keys and no others.
func object(keys map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: typeObject, Properties: keys, AdditionalProperties: nothing()}
}

// mapping is one by names that people choose.
func mapping(of *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: typeObject, AdditionalProperties: of}
}

func list(of *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: typeList, Items: of}
}

func oneOf(types ...string) *jsonschema.Schema { return &jsonschema.Schema{Types: types} }

func of(typ string) *jsonschema.Schema { return &jsonschema.Schema{Type: typ} }

// nothing is what no value is.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// words are the values that an editor proposes. Others may be right, too: words in capitals, or the names of policies.
func words(names ...string) *jsonschema.Schema {
	proposed := &jsonschema.Schema{}
	for _, name := range names {
		proposed.Enum = append(proposed.Enum, name)
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{proposed, oneOf(typeText, typeNull)}}
}
