package kubelabels

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// Quantity is the text of an amount, which may stand as a text or as a number in JSON.
type Quantity string

// UnmarshalJSON takes any value: reading the amount refuses those that are none.
func (q *Quantity) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	*q = Quantity(text)
	return nil
}

// TypeOf returns the resource type that stands for a resource of Kubernetes: vcore for cpu, and others by their own names.
func TypeOf(name string) string {
	if name == "cpu" {
		return resource.VCore
	}
	return name
}

// amounts reads the quantities of an annotation, rounded up as in Kubernetes. On a problem the amounts are not to be used.
func amounts(key string, quantities map[string]Quantity) (resource.Set, *Problem) {
	all := make(map[string]int64, len(quantities))
	for _, name := range slices.Sorted(maps.Keys(quantities)) {
		value, err := resource.ParseUp(TypeOf(name), string(quantities[name]))
		var bad *resource.QuantityError
		switch {
		case name == "":
			return nil, problem(key, "the name of a resource", name)
		case errors.As(err, &bad):
			return nil, &Problem{Key: key, Resource: name, Expected: bad.Expected, Found: bad.Found}
		}
		if _, twice := all[TypeOf(name)]; twice {
			return nil, problem(key, "either cpu or vcore", "both")
		}
		all[TypeOf(name)] = value
	}
	set := make([]resource.Quantity, 0, len(all))
	for _, typ := range slices.Sorted(maps.Keys(all)) {
		set = append(set, resource.Quantity{Type: typ, Value: all[typ]})
	}
	return resource.NewSet(set...), nil
}
