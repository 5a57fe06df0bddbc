package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// The readers of single values. Each adds an error where the value is of another kind, and answers with what then does
// the least harm to the rest of the validation.

// fields are those of a mapping; nothing stands for an empty one. It is asked once for each mapping.
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

// items are those of a list; nothing stands for an empty one.
func (d *decoder) items(queue, key string, v *value) []field {
	if v.kind == list {
		return v.fields
	}
	if v.kind != null {
		d.add(v.at, queue, key, "a list", v.found())
	}
	return nil
}

// text is a scalar of any form, or nothing.
func (d *decoder) text(queue, key string, v *value) string {
	if v.kind != scalar && v.kind != null {
		d.add(v.at, queue, key, "a text", v.found())
	}
	return v.text
}

// truth is true or false. YAML files may use the older words too, as they may elsewhere.
func (d *decoder) truth(queue, key string, v *value, unset bool) bool {
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

// count is a whole number of zero or more; nothing stands for zero.
func (d *decoder) count(queue, key string, v *value) uint64 {
	if v.kind == null {
		return 0
	}
	if v.form == formInteger {
		digits := strings.TrimPrefix(strings.ReplaceAll(v.text, "_", ""), "+")
		if n, err := strconv.ParseUint(digits, 0, 64); err == nil {
			return n
		}
	}
	d.add(v.at, queue, key, "a whole number of zero or more", v.found())
	return 0
}

// unknown names an unknown key, and the keys that could have been meant. Prefix is the key it stands in.
func (d *decoder) unknown(level, queue, prefix string, f field) {
	if d.crowded() {
		d.unkept++
		return
	}
	names := d.knownKeys(level, prefix)
	d.add(f.at, queue, prefix+f.name, oneOf(names...), quote(f.name)+nearest.Hint(nearest.Names(f.name, names)))
}

// unknownProperty names a property that looks as if it meant something here.
func (d *decoder) unknownProperty(queue string, f *field) {
	if d.crowded() {
		d.unkept++
		return
	}
	family, _, _ := strings.Cut(f.name, ".")
	names := d.knownKeys(InProperties, family+".")
	search := nearest.For(strings.TrimPrefix(f.name, family+".")) // all of them begin alike
	for _, name := range names {
		search.Look(strings.TrimPrefix(name, family+"."))
	}
	meant := search.Found()
	for i := range meant {
		meant[i] = family + "." + meant[i]
	}
	d.add(f.at, queue, f.name, oneOf(names...), quote(f.name)+nearest.Hint(meant))
}

// knownKeys lists the keys of a level that begin with a prefix, from the table that documents them.
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
