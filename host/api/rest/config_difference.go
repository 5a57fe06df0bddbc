package rest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/core/config"
)

// Changes of a Difference.
const (
	isAdded   = "added"
	isRemoved = "removed"
	isChanged = "changed"
)

// Difference is a queue, or a key of a queue, that is not the same in both configurations.
type Difference struct {
	Queue  string `json:"queue,omitempty"` // as the API shows it; empty: a key of a partition
	Key    string `json:"key,omitempty"`   // such as resources.max.vcore; empty: the queue as a whole
	Change string `json:"change"`          // isAdded, isRemoved or isChanged
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
}

// differences lists how two configurations differ, by queue and key. Formatting, order, defaults that are written out and other spellings of an amount
// are none.
func differences(before, after *config.Config) ([]Difference, error) {
	was, err := flatten(before)
	if err != nil {
		return nil, err
	}
	is, err := flatten(after)
	if err != nil {
		return nil, err
	}
	list := []Difference{}
	for _, queue := range names(was, is) {
		_, existed := was[queue]
		_, exists := is[queue]
		switch {
		case !existed:
			list = append(list, Difference{Queue: queue, Change: isAdded})
		case !exists:
			list = append(list, Difference{Queue: queue, Change: isRemoved})
			continue
		}
		list = append(list, compareKeys(queue, was[queue], is[queue])...)
	}
	return list, nil
}

// compareKeys lists the keys of a queue that differ.
func compareKeys(queue string, was, is map[string]string) (list []Difference) {
	for _, key := range names(was, is) {
		from, had := was[key]
		to, has := is[key]
		d := Difference{Queue: queue, Key: key, Change: isChanged, From: from, To: to}
		switch {
		case !had:
			d.Change = isAdded
		case !has:
			d.Change = isRemoved
		case from == to:
			continue
		}
		list = append(list, d)
	}
	return list
}

// names are the keys of two maps, sorted.
func names[T any](a, b map[string]T) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.SortFunc(all, cmp.Compare[string])
	return slices.Compact(all)
}

// flat is a configuration as texts, by queue and key. Keys of partitions stand under the name of the partition.
type flat map[string]map[string]string

// flatten takes the normal form of a configuration apart, which has every key that matters, in one spelling.
func flatten(c *config.Config) (flat, error) {
	var file struct {
		Partitions []map[string]any `yaml:"partitions"`
	}
	if err := yaml.Unmarshal(c.Print(), &file); err != nil {
		return nil, fmt.Errorf("the normal form of a configuration: %w", err)
	}
	out := flat{}
	for i, p := range file.Partitions {
		name := strings.ToLower(fmt.Sprint(p["name"]))
		label := "" // of the queues: those of the first partition go without
		if i > 0 {
			label = "[" + name + "]"
		}
		keys := map[string]string{}
		for key, value := range p {
			if key != "queues" && key != "name" {
				text(keys, key, value)
			}
		}
		for key, value := range keys {
			out.set("", strings.TrimSpace(label+" "+key), value)
		}
		out.queues(label, "", p["queues"])
	}
	return out, nil
}

func (f flat) set(queue, key, value string) {
	if f[queue] == nil {
		f[queue] = map[string]string{}
	}
	f[queue][key] = value
}

// queues takes queues in, and those below them.
func (f flat) queues(label, parent string, list any) {
	items, _ := list.([]any)
	for _, item := range items {
		q, _ := item.(map[string]any)
		path := fmt.Sprint(q["name"])
		if parent != "" {
			path = parent + "." + path
		}
		f[label+path] = map[string]string{}
		for key, value := range q {
			if key != "queues" && key != "name" {
				text(f[label+path], key, value)
			}
		}
		f.queues(label, path, q["queues"])
	}
}

// text writes a value under a key: maps key by key, lists in one text.
func text(into map[string]string, key string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			text(into, key+"."+name, inner)
		}
	case []any:
		into[key] = listText(v)
	case nil:
	default:
		into[key] = fmt.Sprint(v)
	}
}

func listText(list []any) string {
	items := make([]string, len(list))
	for i, item := range list {
		if m, ok := item.(map[string]any); ok {
			flat := map[string]string{}
			for key, value := range m {
				text(flat, key, value)
			}
			var pairs []string
			for _, key := range slices.Sorted(maps.Keys(flat)) {
				if flat[key] == "" {
					continue
				}
				pairs = append(pairs, key+"="+flat[key])
			}
			items[i] = "{" + strings.Join(pairs, " ") + "}"
			continue
		}
		items[i] = fmt.Sprint(item)
	}
	return strings.Join(items, ", ")
}
