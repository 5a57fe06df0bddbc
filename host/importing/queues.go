package importing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// root is the queue that every other is below.
const root = "root"

// Queues are the queues that jobs name, as a tree.
type Queues struct {
	Recorded string         // a configuration in YAML that what is imported has itself, and that stands in for the tree; empty: none
	Topology []config.Level // of the nodes, from the widest level to the narrowest

	top   queue
	known map[string]*queue // by path as given
}

type queue struct {
	path     string
	name     string
	children []*queue
	byName   map[string]*queue
	used     bool // jobs name it
	amounts  QueueAmounts
}

// QueueAmounts are what a queue is entitled to and may use, as far as that is known.
type QueueAmounts struct {
	Guaranteed, Max resource.Set
	MaxApplications uint64
}

// QueueSyntax is what messages say of the names of queues.
const QueueSyntax = "the full name of a queue such as root.team, of 1 to 64 of the characters a-z A-Z 0-9 _ : # / @ - between dots"

// Use notes that jobs are submitted to a queue, and reports whether that is a full name that a leaf can have.
func (q *Queues) Use(path string) bool {
	if _, ok := q.known[path]; ok {
		return true
	}
	labels := strings.Split(path, ".")
	invalid := func(label string) bool { return !validLabel(label) }
	if len(labels) < 2 || !strings.EqualFold(labels[0], root) || slices.ContainsFunc(labels, invalid) {
		return false
	}
	at := &q.top
	for i, label := range labels[1:] {
		at = at.child(label, strings.Join(labels[:i+2], "."))
	}
	at.used = true
	if q.known == nil {
		q.known = map[string]*queue{}
	}
	q.known[path] = at
	return true
}

// Label makes a text that a queue's name can be of any text, by writing _ in the place of what it cannot have.
func Label(text string) string {
	label := []byte(strings.ReplaceAll(text, ".", "_dot_"))
	for i, c := range label {
		if !validCharacter(c) {
			label[i] = '_'
		}
	}
	return string(label[:min(len(label), mostLabel)])
}

// Amounts sets what a queue that is used is entitled to and may use.
func (q *Queues) Amounts(path string, a QueueAmounts) { q.known[path].amounts = a }

func (q *queue) child(name, path string) *queue {
	key := strings.ToLower(name)
	if found := q.byName[key]; found != nil {
		return found
	}
	if q.byName == nil {
		q.byName = map[string]*queue{}
	}
	made := &queue{name: name, path: path}
	q.byName[key] = made
	q.children = append(q.children, made)
	return made
}

// mostLabel bounds the name of a queue.
const mostLabel = 64

func validLabel(name string) bool {
	for i := range len(name) {
		if !validCharacter(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= mostLabel
}

func validCharacter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_:#/@-", c) >= 0
}

// Config returns a queue configuration with the queues, in YAML; empty where there are none.
func (q *Queues) Config() (string, error) {
	if q.Recorded != "" {
		return q.Recorded, nil
	}
	if len(q.top.children) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString("partitions:\n- name: default\n")
	q.levels(&b)
	b.WriteString("  queues:\n  - name: root\n")
	if err := q.top.print(&b, "    "); err != nil {
		return "", err
	}
	if _, err := config.Decode([]byte(b.String()), config.Options{File: "the queues of the import", Format: config.YAML}); err != nil {
		return "", err
	}
	return b.String(), nil
}

func (q *Queues) levels(b *strings.Builder) {
	if len(q.Topology) > 0 {
		b.WriteString("  topology:\n")
	}
	for _, l := range q.Topology {
		b.WriteString("  - {level: " + strconv.Quote(l.Name) + ", attribute: " + strconv.Quote(l.Attribute) + "}\n")
	}
}

// print writes the queues below one, by name.
func (q *queue) print(b *strings.Builder, indent string) error {
	if q.used && len(q.children) > 0 {
		return fmt.Errorf("%s: expected jobs in queues without others below them, found jobs here and the queue %s", q.path, q.children[0].path)
	}
	if len(q.children) == 0 {
		return nil
	}
	slices.SortFunc(q.children, func(a, b *queue) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	b.WriteString(indent + "queues:\n")
	for _, child := range q.children {
		b.WriteString(indent + "- name: " + strconv.Quote(child.name) + "\n")
		child.amounts.print(b, indent+"  ")
		if err := child.print(b, indent+"  "); err != nil {
			return err
		}
	}
	return nil
}

func (a *QueueAmounts) print(b *strings.Builder, indent string) {
	if a.MaxApplications > 0 {
		fmt.Fprintf(b, "%smaxapplications: %d\n", indent, a.MaxApplications)
	}
	if len(a.Guaranteed) == 0 && len(a.Max) == 0 {
		return
	}
	b.WriteString(indent + "resources:\n")
	printSet(b, indent+"  ", "guaranteed", a.Guaranteed)
	printSet(b, indent+"  ", "max", a.Max)
}

func printSet(b *strings.Builder, indent, key string, set resource.Set) {
	if len(set) == 0 {
		return
	}
	var items []string
	for _, q := range set {
		items = append(items, strconv.Quote(q.Type)+": "+strconv.Quote(resource.Format(q.Type, q.Value)))
	}
	b.WriteString(indent + key + ": {" + strings.Join(items, ", ") + "}\n")
}
