package config

import (
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/internal/placement"
)

// checkFixedRules checks the queues that fixed rules yield. They are known if all parent rules are fixed, too.
func (d *decoder) checkFixedRules(root *Queue, rules []*writtenRule) {
	if len(rules) == 0 {
		return
	}
	byPath := map[string]*Queue{}
	addPaths(byPath, root)
	for _, r := range rules {
		d.checkFixed(byPath, r, false)
	}
}

func addPaths(byPath map[string]*Queue, q *Queue) {
	byPath[q.Path] = q
	for _, child := range q.Children {
		addPaths(byPath, child)
	}
}

// checkFixed checks a rule after its parents, and returns the queue that it yields, or "" if that is unknown or wrong.
func (d *decoder) checkFixed(byPath map[string]*Queue, r *writtenRule, isParent bool) string {
	above := placement.Root
	if r.parent != nil {
		above = d.checkFixed(byPath, r.parent, true)
	}
	if r.invalid || r.Kind != placement.Fixed || above == "" {
		return ""
	}
	path := above + "." + r.Value
	if r.FullName() {
		path = r.Value
	}
	expected, found := wrongTarget(byPath, path, r.Create, isParent)
	if expected == "" {
		return path
	}
	d.add(r.at, InPartition, r.key, expected, found)
	return ""
}

// wrongTarget returns the two halves of the error for a fixed rule whose queue is not valid: what was expected, and what was found. Both
// are "" if the queue is valid.
func wrongTarget(byPath map[string]*Queue, path string, create, isParent bool) (expected, found string) {
	kind := "leaf"
	if isParent {
		kind = "parent"
	}
	target := byPath[path]
	switch labels := strings.Count(path, ".") + 1; {
	case labels > placement.MostLabels:
		return "at most " + strconv.Itoa(placement.MostLabels) + " labels, root included", strconv.Itoa(labels)
	case path == placement.Root+"."+placement.Recovery, strings.HasPrefix(path, placement.Root+"."+placement.Recovery+"."):
		return "a queue other than root." + placement.Recovery, path
	case target != nil && target.Leaf == isParent:
		return "a " + kind, path + ", which is a " + kindOf(target)
	case target == nil && !create:
		return "a configured " + kind + ", or create: true", path + ", which is not configured"
	}
	for end := len(path); target == nil && end > 0; end = strings.LastIndexByte(path[:end], '.') {
		if above := byPath[path[:end]]; above != nil && above.Leaf {
			return "no leaf above the queue", above.Path + ", which is a leaf"
		}
	}
	return "", ""
}

func kindOf(q *Queue) string {
	if q.Leaf {
		return "leaf"
	}
	return "parent"
}
