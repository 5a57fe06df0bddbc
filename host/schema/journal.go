package schema

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quern-project/quern/core/journal"
)

// Journal is the schema of a line of a journal.
func Journal() *jsonschema.Schema {
	s := &jsonschema.Schema{Schema: draft, Title: "A line of a journal of quern", Type: typeObject, Required: []string{"type"}, Properties: map[string]*jsonschema.Schema{}}
	var types []any
	for _, line := range journal.Lines() {
		types = append(types, line.Type)
		var names []any
		for _, key := range append(line.Required, line.Optional...) {
			names = append(names, key)
			s.Properties[key] = journalValue(key)
		}
		var typ any = line.Type
		s.AllOf = append(s.AllOf, &jsonschema.Schema{
			If:   &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"type": {Const: &typ}}},
			Then: &jsonschema.Schema{Required: line.Required, PropertyNames: &jsonschema.Schema{Enum: names}},
		})
	}
	s.Properties["type"] = &jsonschema.Schema{Enum: types}
	return s
}

// journalValue is the value of a key, which is of one kind in every type of line.
func journalValue(key string) *jsonschema.Schema {
	quantities := mapping(oneOf(typeText, typeNumber))
	switch key {
	case "capacity", "occupied", "resources", "placeholder_ask":
		return quantities
	case "devices":
		return mapping(&jsonschema.Schema{AnyOf: []*jsonschema.Schema{oneOf(typeText, typeNumber), list(device()), askedDevices()}})
	case "occupied_devices":
		return mapping(oneOf(typeText, typeNumber, typeObject))
	case "placed_devices":
		return mapping(list(of(typeText)))
	case "attributes", "tags":
		return mapping(of(typeText))
	case "constraints":
		return mapping(list(of(typeText)))
	case "groups", "nodes", "queues", "users":
		return list(of(typeText))
	case "keys":
		return list(of(typeNumber))
	case "schedulable", "originator", "preempt_others", "preemptable", "leaving", "placeholder", "movable", "failed":
		return of(typeTruth)
	case "succeeded":
		return mapping(of(typeInteger))
	case "gang_fallback":
		return &jsonschema.Schema{Enum: []any{"members"}}
	case "gang_disruption":
		return &jsonschema.Schema{Enum: []any{"unit", "whole", "member"}}
	case "priority", "count", "gang_min", "gang_max", "gang_set_min", "call", "part", "parts", "version":
		return of(typeInteger)
	case "walltime_overrun":
		return &jsonschema.Schema{Enum: []any{"end", "allow"}}
	case "gang_style":
		return &jsonschema.Schema{Enum: []any{"Soft", "Hard"}}
	case "topology_slice":
		slice := object(map[string]*jsonschema.Schema{"level": of(typeText), "size": of(typeInteger)})
		slice.Required = []string{"level", "size"}
		return slice
	case "manifest":
		return &jsonschema.Schema{}
	case "at", "type", "id", "queue", "user", "partition", "placeholder_timeout", "app", "node", "predicate", "task_group", "gang", "gang_set", "gang_timeout", "gang_repair",
		"topology_required", "topology_preferred", "placed_on", "since", "walltime", "min_runtime",
		"run", "config", "format", "file", "name", "sha256", "policy", "point", "digest", "fault", "snapshot", "by", "grace", "from", "until", "every", "end":
		return of(typeText)
	}
	panic(fmt.Sprintf("schema: the kind of the journal's key %q is unknown", key))
}
