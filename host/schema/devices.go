package schema

import "github.com/google/jsonschema-go/jsonschema"

// device is one device of a node in a journal.
func device() *jsonschema.Schema {
	s := object(map[string]*jsonschema.Schema{"id": of(typeText), "capacity": mapping(oneOf(typeText, typeNumber)), "attributes": mapping(of(typeText)), "unhealthy": of(typeTruth)})
	s.Required = []string{"id"}
	return s
}

// askedDevices is what an ask says of its devices, or the short form of a node's devices.
func askedDevices() *jsonschema.Schema {
	amount := oneOf(typeText, typeNumber)
	return object(map[string]*jsonschema.Schema{
		"count": of(typeInteger), "share": amount, "memory": amount, "where": mapping(list(of(typeText))), "equal": of(typeText),
		"capacity": mapping(amount), "attributes": mapping(of(typeText)),
	})
}
