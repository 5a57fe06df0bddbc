package schema

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quern-project/quern/core/config"
)

// levels are where the keys of a level are defined, by config's name of it.
var levels = map[string]string{
	config.InPartition: "partition", config.InQueue: "queue", config.InProperties: "properties", config.InRule: "rule", config.InLimit: "limit",
	config.InLevel: "level", config.InWindow: "window", config.InDevices: "deviceType",
}

// Queues is the schema of a queue configuration, in YAML or TOML.
func Queues() *jsonschema.Schema {
	s := level(config.InFile)
	s.Schema, s.Title = draft, "Queue configuration of quern"
	s.Definitions = map[string]*jsonschema.Schema{}
	for where, name := range levels {
		s.Definitions[name] = level(where)
	}
	s.Definitions["properties"].AdditionalProperties = scalar() // those of other names are handed to policies
	return s
}

// level is a mapping with the keys of a level.
func level(where string) *jsonschema.Schema {
	keys := map[string]*jsonschema.Schema{}
	for _, doc := range config.Keys() {
		if doc.Where != where {
			continue
		}
		value := valueOf(doc)
		value.Description = describe(doc)
		if where == config.InProperties {
			keys[doc.Key] = value // their dots are part of the name
			continue
		}
		place(keys, strings.Split(doc.Key, "."), value)
	}
	s := object(keys)
	s.Type, s.Types = "", []string{typeObject, typeNull}
	return s
}

// place puts the schema of a key such as resources.max into the mappings on the way to it.
func place(keys map[string]*jsonschema.Schema, path []string, value *jsonschema.Schema) {
	if len(path) == 1 {
		keys[path[0]] = value
		return
	}
	inner := keys[path[0]]
	if inner == nil {
		inner = object(map[string]*jsonschema.Schema{})
		inner.Type, inner.Types = "", []string{typeObject, typeNull}
		keys[path[0]] = inner
	}
	place(inner.Properties, path[1:], value)
}

// valueOf is the schema of what the reference says of a value. Nothing may stand for any of them.
func valueOf(doc config.KeyDoc) *jsonschema.Schema {
	switch doc.Type {
	case "list of partitions":
		return refs("partition")
	case "list of queues":
		return refs("queue")
	case "list of rules":
		return refs("rule")
	case "list of limits":
		return refs("limit")
	case "list of levels":
		return refs("level")
	case "list of windows":
		return refs("window")
	case "a rule":
		return ref("rule")
	case "texts by name":
		return ref("properties")
	case "list of users", "list of groups", "list of IDs", "list of full names":
		l := list(scalar())
		l.Type, l.Types = "", []string{typeList, typeNull}
		return l
	case "device types by name":
		m := mapping(ref("deviceType"))
		m.Type, m.Types = "", []string{typeObject, typeNull}
		return m
	case "lists of values by attribute":
		m := mapping(list(scalar()))
		m.Type, m.Types = "", []string{typeObject, typeNull}
		return m
	case "quantities by resource type", "decimals by resource type":
		m := mapping(oneOf(typeText, typeNumber))
		m.Type, m.Types = "", []string{typeObject, typeNull}
		return m
	case "whole number", "whole number from 1":
		return oneOf(typeInteger, typeNull)
	case "true or false":
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{oneOf(typeTruth, typeNull), {Enum: []any{"yes", "no", "on", "off", "y", "n", "Y", "N"}}}}
	}
	if names := choice(doc.Type); names != nil {
		return words(names...)
	}
	return scalar()
}

// choice are the words of a type such as `fair, binpacking or a policy`; nil: it is none.
func choice(typ string) []string {
	before, last, ok := strings.Cut(typ, " or ")
	if !ok || strings.HasPrefix(typ, "*") {
		return nil
	}
	names := strings.Split(before, ", ")
	if !strings.Contains(last, " ") && last != "empty" {
		names = append(names, last)
	}
	return names
}

func ref(name string) *jsonschema.Schema {
	// What stands beside a reference is not read, so that it is wrapped.
	return &jsonschema.Schema{AllOf: []*jsonschema.Schema{{Ref: "#/definitions/" + name}}}
}

func refs(name string) *jsonschema.Schema {
	l := list(&jsonschema.Schema{Ref: "#/definitions/" + name})
	l.Type, l.Types = "", []string{typeList, typeNull}
	return l
}

// scalar is text, which need not have quotes.
func scalar() *jsonschema.Schema { return oneOf(typeText, typeNumber, typeTruth, typeNull) }

func describe(doc config.KeyDoc) string {
	text := doc.Effect
	if doc.Type != "" {
		text += "\n\nValue: " + doc.Type + "."
	}
	if doc.Default != "" {
		text += " Default: " + doc.Default + "."
	}
	if doc.Inherited != "" {
		text += " Inherited: " + doc.Inherited + "."
	}
	if doc.Status != config.Works {
		text += " This key is " + string(doc.Status) + "."
	}
	return text
}
