package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// The readers of single values. If a value is of a wrong kind, they add an error and return a value that does not cause further errors.

// fields returns the fields of a mapping. A missing value counts as an empty mapping. Call it only once for each mapping.
func (d *decoder) fields(queue, key string, v *value) []field {
	if v.kind != mapping && v.kind != null {
		d.add(v.at, queue, key, "a mapping", v.found())
	}
	for _, f := range v.faults() {
		d.add(f.at, queue, f.key, f.expected, f.found)
	}
	if v.kind != mapping {
		return nil
	}
	return v.fields
}

// items returns the items of a list. A missing value counts as an empty list.
func (d *decoder) items(queue, key string, v *value) []field {
	if v.kind == list {
		return v.fields
	}
	if v.kind != null {
		d.add(v.at, queue, key, "a list", v.found())
	}
	return nil
}

// text returns a scalar of any form, or "" for a missing value.
func (d *decoder) text(queue, key string, v *value) string {
	if v.kind != scalar && v.kind != null {
		d.add(v.at, queue, key, "a text", v.found())
	}
	return v.text
}

// boolean returns a boolean. In YAML, the older words such as yes and on are valid, too.
func (d *decoder) boolean(queue, key string, v *value, unset bool) bool {
	switch {
	case v.kind == null:
		return unset
	case v.form == formTruth:
		return strings.EqualFold(v.text, "true")
	case v.kind == scalar && d.options.Format != TOML:
		switch v.text {
		case "y", "Y", "yes", "on":
			return true
		case "n", "N", "no", "off":
			return false
		}
	}
	d.add(v.at, queue, key, "true or false", v.found())
	return unset
}

// count returns an integer of at least 0. A missing value counts as 0.
func (d *decoder) count(queue, key string, v *value) uint64 {
	n, ok := wholeNumber(v)
	if !ok {
		d.add(v.at, queue, key, "a whole number of zero or more", v.found())
	}
	return n
}

// wholeNumber parses an integer of at least 0. A missing value counts as 0.
func wholeNumber(v *value) (n uint64, ok bool) {
	if v.kind == null {
		return 0, true
	}
	if v.form != formInteger {
		return 0, false
	}
	digits := strings.TrimPrefix(strings.ReplaceAll(v.text, "_", ""), "+")
	n, err := strconv.ParseUint(digits, 0, 64)
	return n, err == nil
}

// unknown reports an unknown key, and suggests known ones. prefix is the key that contains it.
func (d *decoder) unknown(level, queue, prefix string, f field) {
	if d.errorsFull() {
		d.droppedErrors++
		return
	}
	names := d.knownKeys(level, prefix)
	d.add(f.at, queue, prefix+f.name, oneOf(names...), quote(f.name)+nearest.Hint(nearest.Names(f.name, names)))
}

// unknownProperty warns about an unknown property with a reserved name.
func (d *decoder) unknownProperty(queue string, f *field) {
	if d.errorsFull() {
		d.droppedErrors++
		return
	}
	family, _, _ := strings.Cut(f.name, ".")
	names := d.knownKeys(InProperties, family+".")
	search := nearest.For(strings.TrimPrefix(f.name, family+".")) // all names start with the family
	for _, name := range names {
		search.Add(strings.TrimPrefix(name, family+"."))
	}
	meant := search.Found()
	for i := range meant {
		meant[i] = family + "." + meant[i]
	}
	d.add(f.at, queue, f.name, oneOf(names...), quote(f.name)+nearest.Hint(meant))
}

// knownKeys lists the keys of a level that start with a prefix, from Keys.
func (d *decoder) knownKeys(level, prefix string) []string {
	if names, ok := d.known[level+prefix]; ok {
		return names
	}
	var names []string
	for _, k := range Keys() {
		name := k.Key
		if k.Where != level || !strings.HasPrefix(name, prefix) {
			continue
		}
		if level != InProperties {
			name, _, _ = strings.Cut(name[len(prefix):], ".")
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if d.known == nil {
		d.known = map[string][]string{}
	}
	d.known[level+prefix] = names
	return names
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }

func utoa(n uint64) string { return strconv.FormatUint(n, 10) }
