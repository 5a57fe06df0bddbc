package config

// topology reads the levels of the topology, from the widest to the narrowest.
func (d *decoder) topology(v *value) []Level {
	var levels []Level
	for i, item := range d.items(InPartition, "topology", v) {
		d.below(index("topology", i)+".", func() {
			l := d.level(item.value)
			if l.Name == "" {
				return
			}
			for before, other := range levels {
				if other.Name == l.Name {
					d.add(item.value.field("level").value.at, InPartition, "level", "each level once", quote(l.Name)+" again, after "+index("topology", before))
				}
			}
			levels = append(levels, l)
		})
	}
	return levels
}

// level reads one level. Its name is empty if it is not valid.
func (d *decoder) level(v *value) (l Level) {
	errors := len(d.errors)
	for _, f := range d.fields(InPartition, "", v) {
		switch f.name {
		case "level":
			if l.Name = d.levelText(&f, "the name of the level"); l.Name == NodeLevel {
				d.add(f.value.at, InPartition, f.name, "a name other than node, the level of single nodes", quote(l.Name))
			}
		case "attribute":
			l.Attribute = d.levelText(&f, "an attribute of nodes")
		default:
			d.unknown(InLevel, InPartition, "", f)
		}
	}
	if v.kind == mapping || v.kind == null {
		if v.field("level") == nil {
			d.add(v.at, InPartition, "level", "the name of the level", "none")
		}
		if v.field("attribute") == nil {
			d.add(v.at, InPartition, "attribute", "an attribute of nodes", "none")
		}
	}
	if len(d.errors) > errors {
		return Level{}
	}
	return l
}

// levelText reads a text that must not be empty.
func (d *decoder) levelText(f *field, expected string) string {
	text := d.text(InPartition, f.name, f.value)
	if text == "" && (f.value.kind == scalar || f.value.kind == null) {
		d.add(f.value.at, InPartition, f.name, expected, f.value.found())
	}
	return text
}
