package config

import "strconv"

// A value is a part of a YAML or TOML text with its place. Both formats are parsed into values, so that there is a single validator.
type value struct {
	kind   kind
	form   form
	at     place
	text   string   // of a scalar: a string without its quotes, others as written
	fields []field  // of a mapping, in the order of the text; of a list, its items, without names
	more   *details // of some mappings
}

// details are separate, so that the many small values stay small.
type details struct {
	index  map[string]int32 // of a large mapping: the indices of fields by name
	faults []fault          // syntax errors in it
}

// A fault is an error in a mapping. The validator reports it, since it knows the queue.
type fault struct {
	at                   place
	key, expected, found string
}

type field struct {
	name  string
	at    place
	value *value
}

type place struct{ line, column int32 }

type kind uint8

const (
	null kind = iota
	scalar
	mapping
	list
)

// A form is the way in which a value was written.
type form uint8

const (
	formText form = iota
	formInteger
	formDecimal
	formTruth
	formDate
	formOpened // a TOML table opened by a header
)

// Bounds of a text, so that the cost of a hostile one is about proportional to its length.
const (
	maxText   = 32 << 20 // bytes
	maxDepth  = 200      // nesting of mappings and lists; a queue takes two
	maxValues = 2 << 20  // values of a tree
	maxFields = 10_000   // fields of one mapping; queues, limits and users are in lists

	// maxLibraryValues bounds a text that a library has to read, which takes twenty times the time and memory of our own readers.
	maxLibraryValues = 250_000
)

const sizeKey = "size" // key of errors about a bound

const (
	fieldBound   = "at most 10000 keys in a mapping"
	sizeBound    = "at most 2097152 values, and 200 levels of them"
	libraryBound = "at most 250000 values, and 200 levels of them, since the text is not plain (a key and a value in each line, nothing that needs interpretation)"
)

const indexFrom = 12 // number of fields from which a mapping has an index; a scan is faster below

// field returns a field of a mapping by name, or nil.
func (v *value) field(name string) *field {
	if v.more != nil && v.more.index != nil {
		if i, ok := v.more.index[name]; ok {
			return &v.fields[i]
		}
		return nil
	}
	for i := range v.fields {
		if v.fields[i].name == name {
			return &v.fields[i]
		}
	}
	return nil
}

// add appends a field with a new name.
func (v *value) add(f field) {
	v.fields = append(v.fields, f)
	switch {
	case v.more != nil && v.more.index != nil:
		v.more.index[f.name] = int32(len(v.fields) - 1)
	case len(v.fields) == indexFrom:
		index := make(map[string]int32, 2*indexFrom)
		for i := range v.fields {
			index[v.fields[i].name] = int32(i)
		}
		v.detailed().index = index
	}
}

// fail records a fault in a mapping.
func (v *value) fail(f fault) { v.detailed().faults = append(v.detailed().faults, f) }

func (v *value) detailed() *details {
	if v.more == nil {
		v.more = &details{}
	}
	return v.more
}

// faults returns the recorded faults.
func (v *value) faults() []fault {
	if v.more == nil {
		return nil
	}
	return v.more.faults
}

// found describes a value, for the end of an error.
func (v *value) found() string {
	switch v.kind {
	case scalar:
		return quote(v.text)
	case mapping:
		return "a mapping"
	case list:
		return "a list"
	}
	return "nothing"
}

const longestQuote = 80 // maximum bytes of a text that an error quotes

func quote(s string) string {
	if len(s) > longestQuote {
		return strconv.Quote(s[:longestQuote]) + "…"
	}
	return strconv.Quote(s)
}

// An arena allocates values in chunks.
type arena struct{ free []value }

const arenaSize = 256

func (a *arena) value(k kind, at place) *value {
	if len(a.free) == 0 {
		a.free = make([]value, arenaSize)
	}
	v := &a.free[0]
	a.free = a.free[1:]
	v.kind, v.at = k, at
	return v
}
