package config

import "strconv"

// named is a name in a list, with its place.
type named struct {
	name string
	key  string // key of the item, such as users[2]
	at   place
}

// names reads a list of texts. Items are numbered from 1.
func (d *decoder) names(queue, key string, v *value) []named {
	items := d.items(queue, key, v)
	list := make([]named, 0, len(items))
	for i, item := range items {
		key := index(key, i)
		if item.value.kind != scalar {
			d.add(item.value.at, queue, key, "a name", item.value.found())
			continue
		}
		list = append(list, named{item.value.text, key, item.value.at})
	}
	return list
}

// index returns the key of an item of a list.
func index(key string, i int) string { return key + "[" + strconv.Itoa(i+1) + "]" }

// valid drops invalid names, with an error for each.
func (d *decoder) valid(queue string, list []named, valid func(string) bool, syntax string) []named {
	kept := list[:0]
	for _, n := range list {
		if !valid(n.name) {
			d.add(n.at, queue, n.key, syntax, quote(n.name))
			continue
		}
		kept = append(kept, n)
	}
	return kept
}
