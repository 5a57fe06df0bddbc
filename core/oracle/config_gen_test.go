package oracle_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// queueText is a queue of a generated configuration.
type queueText struct {
	name            string
	children        []*queueText
	parent          bool // says `parent: true`
	guaranteed, max map[string]int64
	maxApplications int64
	limits          []drawnLimit
	properties      map[string]string
}

// shape is the tree of names from which the configurations of one scenario are drawn, so that reloads concern queues that exist, are in use
// or draining.
type shape struct {
	name     string
	children []*shape
}

var types = []string{"vcore", "memory", "gpu"}

func pick[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

// roll draws a number from 0 to n-1, uniformly. Smaller ones are simpler.
func roll(t *rapid.T, label string, n int) int {
	faces := make([]int, n)
	for i := range faces {
		faces[i] = i
	}
	return pick(t, label, faces...)
}

// chance is true once in n times, and never in the simplest example.
func chance(t *rapid.T, label string, n int) bool { return roll(t, label, n) == n-1 }

// drawShape draws a tree in which root has at least a number of children.
func drawShape(t *rapid.T, name string, depth, least int) *shape {
	s := &shape{name: name}
	if depth == 0 || name != "root" && chance(t, "leaf", 2) {
		return s
	}
	names := []string{"a", "b", "A-b", "c"}
	for _, child := range names[:least+roll(t, "children", len(names)+1-least)] {
		s.children = append(s.children, drawShape(t, child, depth-1, 1))
	}
	return s
}

// budget bounds the limits of a queue: by the nearest max above, and by the rest of the nearest guarantee.
type budget struct {
	max, guaranteed map[string]int64
	limits          limitedBy
}

const unlimited = 1 << 40

// drawConfig draws a configuration of the whole tree, or of a part of it.
func (w *world) drawConfig(t *rapid.T, s *shape, whole bool) string {
	b := budget{max: map[string]int64{}, guaranteed: map[string]int64{}}
	for _, typ := range types {
		b.max[typ], b.guaranteed[typ] = unlimited, unlimited
	}
	root := w.drawQueueText(t, s, b, 0, whole)
	if chance(t, "reservation delay", 3) {
		root.properties["reservation.delay"] = pick(t, "delay", "0s", "1s", "5s", "31s", "never", "-1s", "2562047h", "9999999h")
	}
	if w.preemptive > 0 && roll(t, "patience", 3) > 0 {
		root.properties["preemption.patience"] = pick(t, "patience of", "0s", "0s", "1s", "1s", "3s", "10s", "soon", "2562047h")
	}
	var text strings.Builder
	text.WriteString("partitions:\n- name: default\n")
	writeNodeSort(t, &text)
	w.writePreemption(t, &text)
	text.WriteString("  queues:\n")
	root.write(&text, "  ")
	return text.String()
}

func writeNodeSort(t *rapid.T, text *strings.Builder) {
	if chance(t, "node sort", 2) {
		weights := pick(t, "weights", "", "{vcore: 4}", "{gpu: 1}", "{vcore: 1, memory: 2.5, gpu: 0}")
		fmt.Fprintf(text, "  nodesortpolicy:\n    type: %s\n", pick(t, "node order", "binpacking", "fair"))
		if weights != "" {
			fmt.Fprintf(text, "    resourceweights: %s\n", weights)
		}
	}
}

func (w *world) drawQueueText(t *rapid.T, s *shape, b budget, boundAbove int64, whole bool) *queueText {
	q := &queueText{name: s.name, properties: map[string]string{}}
	if s.name != "root" {
		w.drawLimits(t, q, b)
	}
	if chance(t, "max applications", w.maxApplicationsOdds()) {
		q.maxApplications = pick(t, "bound", int64(1), 2, 3)
		if boundAbove > 0 {
			q.maxApplications = min(q.maxApplications, boundAbove)
		}
	}
	if q.maxApplications > 0 {
		boundAbove = q.maxApplications
	}
	w.drawProperties(t, q)
	w.drawPreemption(t, q)
	w.drawAging(t, q)
	w.drawChildren(t, q, s, b, boundAbove, whole)
	return q
}

func (w *world) drawLimits(t *rapid.T, q *queueText, b budget) {
	q.max, q.guaranteed = map[string]int64{}, map[string]int64{}
	for _, typ := range types {
		if chance(t, "max", w.maxOdds()) {
			q.max[typ] = min(pick(t, "max of "+typ, int64(4), 2, 3, 8, 0), b.max[typ])
		}
		if chance(t, "guaranteed", w.limitOdds) {
			room := min(b.guaranteed[typ], b.max[typ])
			if limit, set := q.max[typ]; set {
				room = min(room, limit)
			}
			q.guaranteed[typ] = min(pick(t, "guaranteed of "+typ, w.promises...), room)
		}
	}
}

func (w *world) drawProperties(t *rapid.T, q *queueText) {
	draw := func(key string, n int, values ...string) {
		if chance(t, key, n) {
			q.properties[key] = pick(t, "value", values...)
		}
	}
	draw("application.sort.policy", 2, w.appSorts...)
	draw("application.sort.priority", 5, "disabled", "enabled", "Disabled")
	draw("priority.policy", 5+w.fill/4, "fence", "default")
	draw("priority.offset", 3+w.fill/3, "5", "-10", "1", "2147483647", "-2147483648", "", "many")
	draw("team", 8, "red", "blue")
}

func (w *world) drawChildren(t *rapid.T, q *queueText, s *shape, b budget, bound int64, whole bool) {
	inner := budget{max: maps.Clone(b.max), guaranteed: maps.Clone(b.guaranteed), limits: w.drawLimitsOf(t, q, b)}
	for _, typ := range types {
		if limit, set := q.max[typ]; set {
			inner.max[typ] = limit
			inner.guaranteed[typ] = min(inner.guaranteed[typ], limit)
		}
		if promise, set := q.guaranteed[typ]; set {
			inner.guaranteed[typ] = promise
			b.guaranteed[typ] -= promise
		}
	}
	before := maps.Clone(inner.guaranteed)
	for i, child := range s.children {
		if !whole && (s.name != "root" || i > 0) && chance(t, "left out", 3) {
			q.parent = true
			continue
		}
		q.children = append(q.children, w.drawQueueText(t, child, inner, bound, whole))
	}
	for _, typ := range types {
		if _, set := q.guaranteed[typ]; !set {
			b.guaranteed[typ] -= before[typ] - inner.guaranteed[typ]
		}
	}
	if len(q.children) == 0 && q.parent && chance(t, "turned leaf", 3) {
		q.parent = false
	}
}

func (q *queueText) write(text *strings.Builder, indent string) {
	fmt.Fprintf(text, "%s- name: %s\n", indent, q.name)
	indent += "  "
	if q.parent {
		fmt.Fprintf(text, "%sparent: true\n", indent)
	}
	if q.maxApplications > 0 {
		fmt.Fprintf(text, "%smaxapplications: %d\n", indent, q.maxApplications)
	}
	if len(q.guaranteed)+len(q.max) > 0 {
		fmt.Fprintf(text, "%sresources:\n", indent)
		writeMap(text, indent+"  ", "guaranteed", q.guaranteed, func(v int64) string { return strconv.FormatInt(v, 10) })
		writeMap(text, indent+"  ", "max", q.max, func(v int64) string { return strconv.FormatInt(v, 10) })
	}
	writeLimits(text, indent, q.limits)
	writeMap(text, indent, "properties", q.properties, strconv.Quote)
	if len(q.children) == 0 {
		return
	}
	fmt.Fprintf(text, "%squeues:\n", indent)
	for _, child := range q.children {
		child.write(text, indent)
	}
}

func writeMap[V any](text *strings.Builder, indent, key string, values map[string]V, format func(V) string) {
	if len(values) == 0 {
		return
	}
	fmt.Fprintf(text, "%s%s:\n", indent, key)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(text, "%s  %s: %s\n", indent, name, format(values[name]))
	}
}

// invalidConfigs are always refused by the decoder.
var invalidConfigs = []string{
	"partitions: [",
	"partitions:\n- name: default\n  queues:\n  - name: root\n    resources: {max: {vcore: 1}}\n",
	"partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: a\n    - name: A\n",
}
