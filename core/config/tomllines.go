package config

// TOMLLines returns the lines of the names in a TOML text, those of tables included: the parts of a name are joined with dots. A name
// that comes again, as in a list of tables, has its first line. Of a text that CheckTOML refuses some names may be missing.
func TOMLLines(text []byte) map[string]int {
	lines := map[string]int{}
	s := scanTOML(string(text), settingsBounds())
	s.top.lines("", lines)
	return lines
}

// lines notes the lines of the names in a value, whose own name stands in front of them.
func (v *value) lines(prefix string, of map[string]int) {
	for i := range v.fields {
		f := &v.fields[i]
		name := prefix
		if v.kind == mapping {
			name += f.name
			if _, known := of[name]; !known {
				of[name] = int(f.at.line)
			}
			name += "."
		}
		f.value.lines(name, of)
	}
}
