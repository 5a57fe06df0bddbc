package core

import "strings"

// ShownPath is a queue's path as texts and summaries show it: with its partition before it, as in [gpu]root.a. No partition,
// which is the first, is not shown.
func ShownPath(partition, path string) string {
	if partition == "" {
		return path
	}
	return "[" + partition + "]" + path
}

// SplitPath takes a shown path apart. No queue has a bracket in its name; partitions may.
func SplitPath(shown string) (partition, path string) {
	end := strings.LastIndexByte(shown, ']')
	if end < 0 || shown[0] != '[' {
		return "", shown
	}
	return shown[1:end], shown[end+1:]
}
