package journal

// LineKeys holds the keys of a type of line.
type LineKeys struct {
	Type               string
	Required, Optional []string
}

// Lines returns the keys of every type of line in a journal of inputs.
func Lines() []LineKeys {
	var list []LineKeys
	seen := map[string]bool{}
	for i := range shapes {
		s, _ := shapeOf([]byte(shapes[i].typ))
		if seen[string(s.typ)] {
			continue
		}
		seen[string(s.typ)] = true
		list = append(list, LineKeys{string(s.typ), s.required.names(), s.optional.names()})
	}
	return list
}

// names returns the keys of a set in order of declaration.
func (s keySet) names() []string {
	var list []string
	for k := range noKey {
		if s.has(k) {
			list = append(list, k.String())
		}
	}
	return list
}
