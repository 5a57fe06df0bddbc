package features

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// configuration is what the steps have said so far; each step that changes it sends the whole of it.
type configuration struct {
	devices    []string         // as fields of a mapping in YAML
	partitions []*partitionText // default first, then the others in the order in which steps name them
}

// partitionText is a partition as the steps have it.
type partitionText struct {
	name     string
	root     *queueText // nil: not said
	limits   []row
	rules    []string // as items of a list in YAML
	nodeSort string   // the policy; empty: not said
	weights  []amount
	preempts string   // a line of the section preemption; empty: not said
	quotas   string   // the key quotapreemptionenabled of that section; empty: not said
	backfill []string // the keys of that section
}

// partition is the one of that name, new if it has not been named before; without a name the first one.
func (c *configuration) partition(name string) *partitionText {
	if len(c.partitions) == 0 {
		c.partitions = []*partitionText{{name: "default"}}
	}
	if name == "" {
		return c.partitions[0]
	}
	for _, p := range c.partitions {
		if strings.EqualFold(p.name, name) {
			return p
		}
	}
	p := &partitionText{name: name}
	c.partitions = append(c.partitions, p)
	return p
}

func (c *configuration) yaml() (string, error) {
	var b strings.Builder
	section(&b, "", "devices", slices.Clone(c.devices))
	b.WriteString("partitions:\n")
	for _, p := range c.partitions {
		if err := p.yaml(&b); err != nil {
			return "", fmt.Errorf("partition %s: %w", p.name, err)
		}
	}
	return b.String(), nil
}

func (p *partitionText) yaml(b *strings.Builder) error {
	fmt.Fprintf(b, "- name: %s\n", strconv.Quote(p.name))
	if p.nodeSort != "" {
		fmt.Fprintf(b, "  nodesortpolicy:\n    type: %s\n", strconv.Quote(p.nodeSort))
		if len(p.weights) > 0 {
			fmt.Fprintf(b, "    resourceweights: %s\n", flow(p.weights))
		}
	}
	var preemption []string
	if p.preempts != "" {
		preemption = append(preemption, p.preempts)
	}
	if p.quotas != "" {
		preemption = append(preemption, "quotapreemptionenabled: "+p.quotas)
	}
	section(b, "  ", "preemption", preemption)
	section(b, "  ", "backfill", p.backfill)
	section(b, "  ", "placementrules", p.rules)
	root := p.root
	if root == nil {
		root = &queueText{name: "root", children: []*queueText{{name: "default"}}}
	}
	if err := root.limit(p.limits); err != nil {
		return err
	}
	b.WriteString("  queues:\n")
	return root.yaml(b, "  ")
}

// limits replaces those of all queues of a partition.
func (w *world) limits(partition string, table *godog.Table) error {
	rows, err := itemsOf(table, []string{"queue"}, "users", "groups", "max", "maxapplications")
	if err != nil {
		return err
	}
	for _, r := range rows {
		w.types.nameIn("the limit of queue "+r["queue"], r["max"])
	}
	w.config.partition(partition).limits = rows
	return w.configure()
}

// limit hangs limits into the tree instead of those that it has.
func (q *queueText) limit(rows []row) error {
	q.unlimit()
	for _, r := range rows {
		at := q.find(strings.Split(r["queue"], "."))
		if at == nil {
			return fmt.Errorf("limits: expected a queue of the table of queues, found %q", r["queue"])
		}
		amounts, err := amountsOf(r["max"])
		if err != nil {
			return err
		}
		parts := []string{"maxresources: " + flow(amounts)}
		for _, key := range []string{"users", "groups"} {
			parts = append(parts, key+": "+flowList(listOf(r[key])))
		}
		if most := r["maxapplications"]; most != "" {
			parts = append(parts, "maxapplications: "+most)
		}
		at.limits = append(at.limits, "- {"+strings.Join(parts, ", ")+"}")
	}
	return nil
}

func (q *queueText) unlimit() {
	q.limits = nil
	for _, child := range q.children {
		child.unlimit()
	}
}

// parentRule begins the name of a rule that is the parent of the one in the line before.
const parentRule = "parent "

// placementRules replaces those of a partition. A table without lines leaves none.
func (w *world) placementRules(partition string, table *godog.Table) error {
	rows, err := rowsOf(table, "rule", "value", "create", "filter", "users", "groups")
	if err != nil {
		return err
	}
	var rules []string
	for i := 0; i < len(rows); {
		end := i + 1
		for end < len(rows) && strings.HasPrefix(rows[end]["rule"], parentRule) {
			end++
		}
		text, err := ruleText(rows[i:end])
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		rules = append(rules, "- "+text)
		i = end
	}
	w.config.partition(partition).rules = rules
	return w.configure()
}

// ruleText writes the first of the rows as a rule, and each row after it as the parent of the one before.
func ruleText(rows []row) (string, error) {
	r := rows[0]
	parts := []string{"name: " + strconv.Quote(strings.TrimPrefix(r["rule"], parentRule))}
	if value := r["value"]; value != "" {
		parts = append(parts, "value: "+strconv.Quote(strings.Trim(value, `"`)))
	}
	if r["create"] != "" {
		create, err := boolOf(r["create"])
		if err != nil {
			return "", fmt.Errorf("create: %w", err)
		}
		parts = append(parts, "create: "+strconv.FormatBool(create))
	}
	if r["filter"] != "" {
		parts = append(parts, fmt.Sprintf("filter: {type: %s, users: %s, groups: %s}",
			strconv.Quote(r["filter"]), flowList(listOf(r["users"])), flowList(listOf(r["groups"]))))
	}
	if len(rows) > 1 {
		above, err := ruleText(rows[1:])
		if err != nil {
			return "", err
		}
		parts = append(parts, "parent: "+above)
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

func flowList(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = strconv.Quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func flowPairs(pairs map[string]string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		parts = append(parts, strconv.Quote(key)+": "+strconv.Quote(pairs[key]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
