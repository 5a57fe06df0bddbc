package features

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/policy"
)

// Columns of the queue table that are keys of a queue. All others are properties.
var (
	resourceKeys = []string{"guaranteed", "max"}
	plainKeys    = []string{"parent", "maxapplications"}
	textKeys     = []string{"submitacl", "adminacl"}
	templateKeys = []string{templateColumn + "guaranteed", templateColumn + "max", templateColumn + "maxapplications", templateColumn + "properties"}
	queueKeys    = slices.Concat([]string{"queue"}, resourceKeys, plainKeys, textKeys, templateKeys)
)

// templateColumn begins the columns of a queue's childtemplate.
const templateColumn = "template "

// propertyColumn begins the column of a property, whatever its name. Those that are known can do without.
const propertyColumn = "property "

// queueColumn tells what a column of the queue table sets. Names that nothing reads are slips.
func (w *world) queueColumn(name string) (string, error) {
	own, marked := strings.CutPrefix(name, propertyColumn)
	switch {
	case marked && strings.TrimSpace(own) != "":
		return name, nil
	case slices.Contains(queueKeys, name):
		return name, nil
	case slices.Contains(propertyNames(), name), slices.Contains(w.read, name):
		return propertyColumn + name, nil
	}
	hint := meant(name, slices.Concat(queueKeys, propertyNames(), w.read))
	if hint == "" {
		hint = fmt.Sprintf("; one that nothing here reads is written %q", propertyColumn+"NAME")
	}
	return "", fmt.Errorf("expected a key of a queue (%s), a property that has a meaning or one that an announced policy reads, found %q%s",
		strings.Join(queueKeys, ", "), name, hint)
}

// propertyNames are the properties that have a meaning for the scheduler.
func propertyNames() []string {
	var list []string
	for _, k := range config.Keys() {
		if k.Where == config.InProperties {
			list = append(list, k.Key)
		}
	}
	return list
}

// announcer is a driver whose scheduler has known policy modules from the start.
type announcer interface{ announced() []core.PolicyModule }

// reads notes the properties that a module reads. A manifest that cannot be used is the scheduler's to refuse.
func (w *world) reads(m *core.PolicyModule) {
	var manifest policy.Manifest
	if m == nil || json.Unmarshal([]byte(m.Manifest), &manifest) != nil {
		return
	}
	for _, point := range manifest.Points {
		for _, c := range point.Columns {
			if c.Kind == policy.Property || c.Kind == policy.PropertyCode {
				w.read = append(w.read, c.Arg)
			}
		}
	}
	slices.Sort(w.read)
	w.read = slices.Compact(w.read)
}
