package core

import "strings"

// ShownPath returns a queue's path as texts and summaries show it, with its partition as a prefix: [gpu]root.a. The first partition,
// which has the empty name, has no prefix.
func ShownPath(partition, path string) string {
	if partition == "" {
		return path
	}
	return "[" + partition + "]" + path
}

// SplitPath splits a shown path into partition and path. Partitions may have brackets in their names; queues never do.
func SplitPath(shown string) (partition, path string) {
	end := strings.LastIndexByte(shown, ']')
	if end < 0 || shown[0] != '[' {
		return "", shown
	}
	return shown[1:end], shown[end+1:]
}
