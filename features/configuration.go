package features

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"
	"github.com/quern-project/quern/core"
)

// queueText is a queue as its row of the table has it.
type queueText struct {
	name     string
	row      row
	limits   []string // as items of a list in YAML
	children []*queueText
}

func (w *world) queues(partition string, table *godog.Table) error {
	rows, err := rowsBy(table, w.queueColumn)
	if err != nil {
		return err
	}
	root := &queueText{name: "root"}
	for _, r := range rows {
		path := r["queue"]
		if path == "" {
			return errors.New("table: expected a column queue with a path in every line")
		}
		delete(r, "queue")
		w.met[thing{"queue", strings.ToLower(path)}] = true
		w.types.nameIn("queue "+path, r["guaranteed"], r["max"], r[templateColumn+"guaranteed"], r[templateColumn+"max"])
		if err := root.put(strings.Split(path, "."), r); err != nil {
			return fmt.Errorf("queue %s: %w", path, err)
		}
	}
	w.config.partition(partition).root = root
	return w.configure()
}

// put hangs a row into the tree; queues on the way that have no row of their own have no settings.
func (q *queueText) put(path []string, r row) error {
	if !strings.EqualFold(path[0], q.name) {
		return errors.New("a path begins with root")
	}
	if len(path) == 1 {
		if q.row != nil {
			return errors.New("it appears twice")
		}
		q.row = r
		return nil
	}
	for _, child := range q.children {
		if strings.EqualFold(child.name, path[1]) {
			return child.put(path[1:], r)
		}
	}
	child := &queueText{name: path[1]}
	q.children = append(q.children, child)
	return child.put(path[1:], r)
}

func (w *world) nodeOrder(policy, weights, partition string) error {
	list, err := amountsOf(weights)
	if err != nil {
		return err
	}
	w.types.nameIn("the weights", weights)
	p := w.config.partition(partition)
	p.nodeSort, p.weights = policy, list
	return w.configure()
}

// preemption switches it for the whole partition.
func (w *world) preemption(state, partition string) error {
	w.config.partition(partition).preempts = map[string]string{"on": "enabled: true", "off": "enabled: false", "observed": "observe: true"}[state]
	return w.configure()
}

// configure sends the configuration that the tables have built.
func (w *world) configure() error {
	text, err := w.config.yaml()
	if err != nil {
		return err
	}
	return w.set(text, "yaml", "queues.yaml")
}

// set sends a configuration. What a scenario takes as given must be good.
func (w *world) set(text, format, file string) error {
	refused := w.apply(core.Input{Event: &core.SetConfig{Config: text, Format: format, File: file}})
	if w.group == messages.PickleStepType_CONTEXT && refused != core.Accepted {
		last := w.log[len(w.log)-1]
		return fmt.Errorf("the configuration is refused:\n%s", strings.Join(last.Errors, "\n"))
	}
	return nil
}

func (q *queueText) yaml(b *strings.Builder, indent string) error {
	fmt.Fprintf(b, "%s- name: %s\n", indent, strconv.Quote(q.name))
	indent += "  "
	if err := q.keys(b, indent); err != nil {
		return err
	}
	section(b, indent, "limits", q.limits)
	if len(q.children) == 0 {
		return nil
	}
	fmt.Fprintf(b, "%squeues:\n", indent)
	for _, child := range q.children {
		if err := child.yaml(b, indent); err != nil {
			return err
		}
	}
	return nil
}

// keys writes the settings of a queue; an empty cell is no setting, and "" is an empty value.
func (q *queueText) keys(b *strings.Builder, indent string) error {
	var resources, keys, properties []string
	for name, cell := range q.row {
		value := strings.Trim(cell, `"`)
		switch {
		case cell == "" || strings.HasPrefix(name, templateColumn):
		case name == "guaranteed" || name == "max":
			amounts, err := amountsOf(cell)
			if err != nil {
				return err
			}
			resources = append(resources, name+": "+flow(amounts))
		case slices.Contains(plainKeys, name):
			keys = append(keys, name+": "+value)
		case slices.Contains(textKeys, name):
			keys = append(keys, name+": "+strconv.Quote(value))
		default:
			name = strings.TrimPrefix(name, propertyColumn)
			properties = append(properties, strconv.Quote(name)+": "+strconv.Quote(value))
		}
	}
	section(b, indent, "", keys)
	section(b, indent, "resources", resources)
	section(b, indent, "properties", properties)
	template, err := q.template()
	if template != "" {
		section(b, indent, "", []string{"childtemplate: " + template})
	}
	return err
}

// template writes what dynamic queues get; empty: the row says nothing of them.
func (q *queueText) template() (string, error) {
	var resources, parts []string
	for _, key := range resourceKeys {
		amounts, err := amountsOf(q.row[templateColumn+key])
		if err != nil {
			return "", err
		}
		if len(amounts) > 0 {
			resources = append(resources, key+": "+flow(amounts))
		}
	}
	if len(resources) > 0 {
		parts = append(parts, "resources: {"+strings.Join(resources, ", ")+"}")
	}
	if most := q.row[templateColumn+"maxapplications"]; most != "" {
		parts = append(parts, "maxapplications: "+most)
	}
	properties, err := pairsOf(q.row[templateColumn+"properties"])
	if len(properties) > 0 {
		parts = append(parts, "properties: "+flowPairs(properties))
	}
	if len(parts) == 0 {
		return "", err
	}
	return "{" + strings.Join(parts, ", ") + "}", err
}

// find is the queue of a path in any case; nil: the table has none.
func (q *queueText) find(path []string) *queueText {
	if !strings.EqualFold(path[0], q.name) {
		return nil
	}
	if len(path) == 1 {
		return q
	}
	for _, child := range q.children {
		if found := child.find(path[1:]); found != nil {
			return found
		}
	}
	return nil
}

// section writes lines below a title in their order, those of a list, or sorted, those of a mapping.
func section(b *strings.Builder, indent, title string, lines []string) {
	if len(lines) > 0 && !strings.HasPrefix(lines[0], "- ") {
		slices.Sort(lines)
	}
	if title != "" && len(lines) > 0 {
		fmt.Fprintf(b, "%s%s:\n", indent, title)
		indent += "  "
	}
	for _, line := range lines {
		fmt.Fprintf(b, "%s%s\n", indent, line)
	}
}

func flow(amounts []amount) string {
	parts := make([]string, len(amounts))
	for i, a := range amounts {
		parts[i] = strconv.Quote(a.typ) + ": " + a.quantity
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// backfill says which blocked asks of a partition get planned starts.
func (w *world) backfill(depth, horizon, partition string) error {
	p := w.config.partition(partition)
	p.backfill = []string{"depth: " + depth}
	if horizon != "" {
		p.backfill = append(p.backfill, "horizon: "+horizon)
	}
	return w.configure()
}
