package journal

// LineKeys are the keys of a type of line.
type LineKeys struct {
	Type               string
	Required, Optional []string
}

// Lines lists the keys of every type of line that a journal of inputs has, as the decoder knows them.
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

// names lists the keys of a set in the order in which they are declared.
func (s keySet) names() []string {
	var list []string
	for k := range noKey {
		if s.has(k) {
			list = append(list, k.String())
		}
	}
	return list
}
