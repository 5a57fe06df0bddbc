package config

import (
	"maps"
	"slices"
)

// Dynamic returns the settings of a queue below q that a placement rule has made; its name is in lower case. The own settings
// of a leaf are those of the template, nil for none. A parent has none.
func (q *Queue) Dynamic(name string, leaf bool, t *Template) *Queue {
	made := newQueue(name, q)
	made.Leaf = leaf
	if leaf && t != nil {
		made.Guaranteed, made.Max, made.MaxApplications = t.Guaranteed, t.Max, t.MaxApplications
		everyPolicy := func(string, string) bool { return true } // they were checked when the template was read
		d := decoder{options: Options{Policies: everyPolicy}}
		d.readProperties(made, "", t.propertyValues())
	}
	made.inherit(&scope{queue: made, above: &scope{queue: q, handed: handed(q)}})
	return made
}

// propertyValues are the properties as they are read from a text.
func (t *Template) propertyValues() *value {
	v := &value{kind: mapping}
	for _, name := range slices.Sorted(maps.Keys(t.Properties)) {
		v.add(field{name: name, value: &value{kind: scalar, text: t.Properties[name]}})
	}
	return v
}
