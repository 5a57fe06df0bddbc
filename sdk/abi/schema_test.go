package abi_test

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

// object is as much of a JSON schema as is compared.
type object struct {
	Properties map[string]object
	Items      *object                 `json:"additionalProperties"`
	Names      struct{ Enum []string } `json:"propertyNames"`
	Enum       []string
}

// UnmarshalJSON takes additionalProperties: false for nothing.
func (o *object) UnmarshalJSON(text []byte) error {
	if string(text) == "false" {
		return nil
	}
	type plain object
	return json.Unmarshal(text, (*plain)(o))
}

func TestTheSchemaHasTheKeysThatAreRead(t *testing.T) {
	text, err := os.ReadFile("manifest.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema object
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	parameter, point := schema.Properties["parameters"].Items, schema.Properties["points"].Items
	for name, c := range map[string]struct {
		schema *object
		read   any
	}{"manifest": {&schema, abi.Manifest{}}, "parameter": {parameter, abi.Parameter{}}, "point": {point, abi.Spec{}}} {
		var read []string
		for i := range reflect.TypeOf(c.read).NumField() {
			key, _, _ := strings.Cut(reflect.TypeOf(c.read).Field(i).Tag.Get("json"), ",")
			if key != "-" { // no part of the text
				read = append(read, key)
			}
		}
		slices.Sort(read)
		if found := slices.Sorted(maps.Keys(c.schema.Properties)); !slices.Equal(found, read) {
			t.Errorf("%s: expected %v, found %v", name, read, found)
		}
	}
	var points []string
	for _, p := range abi.Points {
		points = append(points, p.Name)
	}
	if found := schema.Properties["points"].Names.Enum; !slices.Equal(found, points) {
		t.Errorf("points: expected %v, found %v", points, found)
	}
	types := []string{abi.Number, abi.Integer, abi.Boolean, abi.Text, abi.Numbers, abi.Weights}
	if found := parameter.Properties["type"].Enum; !slices.Equal(found, types) {
		t.Errorf("types of parameters: expected %v, found %v", types, found)
	}
}
