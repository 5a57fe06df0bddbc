package config

import (
	"maps"
	"slices"
)

// Dynamic returns the settings of a queue below q that a placement rule creates. Its name must be in lower case. A leaf gets the settings of
// the template, which may be nil. A parent has no settings of its own.
func (q *Queue) Dynamic(name string, leaf bool, t *Template) *Queue {
	made := newQueue(name, q)
	made.Leaf = leaf
	if leaf && t != nil {
		made.Guaranteed, made.Max, made.MaxApplications = t.Guaranteed, t.Max, t.MaxApplications
		everyPolicy := func(string, string) bool { return true } // policies were checked when the template was read
		d := decoder{options: Options{Policies: everyPolicy}}
		d.readProperties(made, "", t.propertyValues())
	}
	made.inherit(&scope{queue: made, above: &scope{queue: q, inheritable: inheritableFrom(q)}})
	return made
}

// propertyValues returns the properties in the form of a parsed text.
func (t *Template) propertyValues() *value {
	v := &value{kind: mapping}
	for _, name := range slices.Sorted(maps.Keys(t.Properties)) {
		v.add(field{name: name, value: &value{kind: scalar, text: t.Properties[name]}})
	}
	return v
}
