package config

// TOMLLines returns the lines of the names in a TOML text, including those of tables. The parts of a name are joined with dots. A repeated
// name, as in a list of tables, has its first line. Names may be missing for texts that CheckTOML refuses.
func TOMLLines(text []byte) map[string]int {
	lines := map[string]int{}
	s := scanTOML(string(text), settingsBounds())
	s.top.lines("", lines)
	return lines
}

// lines records the lines of the names in a value, prefixed by the name of the value.
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
