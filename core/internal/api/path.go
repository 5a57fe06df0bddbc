package api

import "strings"

// ShownPath is a queue's path as texts and summaries show it: with its partition before it, as in [gpu]root.a. No partition,
// which is the first, is not shown.
func ShownPath(partition, path string) string {
	if partition == "" {
		return path
	}
	return "[" + partition + "]" + path
}

// SplitPath takes a shown path apart.
func SplitPath(shown string) (partition, path string) {
	if rest, in := strings.CutPrefix(shown, "["); in {
		if name, path, ends := strings.Cut(rest, "]"); ends {
			return name, path
		}
	}
	return "", shown
}
