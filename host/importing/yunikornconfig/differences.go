package yunikornconfig

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/core/config"
)

// Difference is something in a configuration that works otherwise here.
type Difference struct {
	File         string
	Line, Column int
	Queue        string // its path, or where else the key stands, as in errors of a configuration
	Key          string
	There, Here  string
}

// String is one line: `file:line:column: queue: key: in YuniKorn …; here …`.
func (d Difference) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s: in YuniKorn %s; here %s", d.File, d.Line, d.Column, d.Queue, d.Key, d.There, d.Here)
}

// Differences lists what works otherwise here, of a text that is a valid configuration, in the order of the file.
func (s *Source) Differences() []Difference {
	w := &walk{source: s, keys: map[string]Key{}}
	for _, k := range Keys() {
		w.keys[k.Where+" "+k.Key] = k
	}
	for _, setting := range s.Settings {
		w.found = append(w.found, Difference{s.File, setting.Line, setting.Column, "settings", setting.Name,
			"it is a setting of the scheduler process", "it is not read and has no effect on queues"})
	}
	var document yaml.Node
	if yaml.NewDecoder(bytes.NewReader(s.Text)).Decode(&document) == nil && len(document.Content) > 0 {
		w.file(document.Content[0])
	}
	slices.SortStableFunc(w.found, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return w.found
}

// use is one use of a key.
type use struct {
	value   *yaml.Node // resolved
	limited *yaml.Node // of a key of a limit: the list of limits
}

type walk struct {
	source *Source
	keys   map[string]Key
	found  []Difference
	listed bool // a queue of the partition has an access list
}

func always(*use) bool { return true }

func isTrue(u *use) bool { return strings.EqualFold(u.value.Value, "true") }

func valueIs(word string) telling {
	return func(u *use) bool { return strings.EqualFold(u.value.Value, word) }
}

// severalRules reports whether there is a rule after the first.
func severalRules(u *use) bool { return len(u.value.Content) > 1 }

// severalGroups reports whether a user may be in two groups that the limits of the queue name.
func severalGroups(u *use) bool {
	names := 0
	for _, limit := range u.limited.Content {
		if groups := entry(resolved(limit), "groups"); groups != nil {
			names += len(resolved(groups).Content)
		}
	}
	return names > 1
}

// resolved follows an alias.
func resolved(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// each calls yield with the keys and values of a mapping.
func each(mapping *yaml.Node, yield func(key, value *yaml.Node)) {
	mapping = resolved(mapping)
	if mapping.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		yield(mapping.Content[i], resolved(mapping.Content[i+1]))
	}
}

// tell notes a use of a key where it works otherwise.
func (w *walk) tell(where, queue, key string, at *yaml.Node, u use) {
	k, ok := w.keys[where+" "+key]
	if !ok || k.tell == nil || u.value.Tag == "!!null" {
		return
	}
	if k.tell(&u) {
		w.found = append(w.found, Difference{w.source.File, at.Line, at.Column, queue, key, k.There, k.Here})
	}
}

func (w *walk) file(top *yaml.Node) {
	each(top, func(key, value *yaml.Node) {
		if key.Value == "partitions" {
			for _, item := range value.Content {
				w.partition(resolved(item))
			}
		}
	})
}

func (w *walk) partition(v *yaml.Node) {
	w.listed = false
	var queues *yaml.Node
	where := config.InPartition
	each(v, func(key, value *yaml.Node) {
		w.tell(where, where, key.Value, key, use{value: value})
		switch key.Value {
		case "preemption":
			each(value, func(own, value *yaml.Node) { w.tell(where, where, "preemption."+own.Value, own, use{value: value}) })
		case "limits":
			w.limits(where, value)
		case "queues":
			queues = key
			w.queues("", value)
		}
	})
	if queues != nil && !w.listed {
		k := w.keys[config.InQueue+" submitacl"]
		w.found = append(w.found, Difference{w.source.File, queues.Line, queues.Column, where, "submitacl", k.There, k.Here})
	}
}

func (w *walk) queues(parent string, list *yaml.Node) {
	for _, item := range list.Content {
		item = resolved(item)
		path := "root"
		if name := entry(item, "name"); name != nil && (parent != "" || !strings.EqualFold(name.Value, "root")) {
			path = cmp.Or(parent, "root") + "." + strings.ToLower(name.Value)
		}
		w.queue(path, item)
	}
}

func (w *walk) queue(path string, v *yaml.Node) {
	each(v, func(key, value *yaml.Node) {
		w.tell(config.InQueue, path, key.Value, key, use{value: value})
		switch key.Value {
		case "submitacl", "adminacl":
			w.listed = w.listed || value.Tag != "!!null"
		case "properties":
			w.properties(path, "", value)
		case "childtemplate":
			each(value, func(own, value *yaml.Node) {
				if own.Value == "properties" {
					w.properties(path, "childtemplate.properties.", value)
				}
			})
		case "limits":
			w.limits(path, value)
		case "queues":
			w.queues(path, value)
		}
	})
}

func (w *walk) properties(path, prefix string, v *yaml.Node) {
	each(v, func(key, value *yaml.Node) {
		before := len(w.found)
		w.tell(config.InProperties, path, key.Value, key, use{value: value})
		if len(w.found) > before {
			w.found[before].Key = prefix + w.found[before].Key
		}
	})
}

func (w *walk) limits(queue string, list *yaml.Node) {
	told := map[string]bool{}
	for _, item := range list.Content {
		each(item, func(key, value *yaml.Node) {
			if !told[key.Value] { // what holds of one holds of all limits of the queue
				w.tell(config.InLimit, queue, key.Value, key, use{value: value, limited: list})
				told[key.Value] = true
			}
		})
	}
}
