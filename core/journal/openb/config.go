package openb

import (
	"slices"
	"strconv"
	"strings"
)

// configuration returns a queue configuration with the leaves that the classes name and their ancestors.
func configuration(classes map[string]Class) string {
	var b strings.Builder
	b.WriteString("partitions:\n- name: default\n  queues:\n  - name: root\n")
	var tree queue
	for _, path := range queuesOf(classes) {
		tree.add(strings.Split(path, ".")[1:])
	}
	tree.print(&b, "    ")
	return b.String()
}

// queue is a queue with its child queues.
type queue struct {
	name     string
	children []*queue
}

func (q *queue) add(names []string) {
	if len(names) == 0 {
		return
	}
	i := slices.IndexFunc(q.children, func(child *queue) bool { return strings.EqualFold(child.name, names[0]) })
	if i < 0 {
		i = len(q.children)
		q.children = append(q.children, &queue{name: names[0]})
	}
	q.children[i].add(names[1:])
}

func (q *queue) print(b *strings.Builder, indent string) {
	if len(q.children) == 0 {
		return
	}
	b.WriteString(indent + "queues:\n")
	for _, child := range q.children {
		b.WriteString(indent + "- name: " + strconv.Quote(child.name) + "\n")
		child.print(b, indent+"  ")
	}
}
