package workload

import (
	"fmt"
	"math"
	"strings"
)

// tree is a configuration of three levels: root, about as many parents as each has leaves, and the leaves.
type tree struct {
	leaves     int
	parents    int
	nodeSort   string // of nodes; empty: the default
	guaranteed int    // vcore of each leaf; 0: none
	limit      int    // max vcore of each leaf; 0: none
	properties string // of root, as lines of YAML
	limited    int    // vcore that each user and each group may use in each queue; 0: no limits
}

func newTree(leaves int) tree {
	return tree{leaves: leaves, parents: ceil(leaves, int(math.Ceil(math.Sqrt(float64(leaves)))))}
}

// paths returns the full names of the leaves.
func (t tree) paths() []string {
	paths := make([]string, t.leaves)
	for i := range paths {
		paths[i] = fmt.Sprintf("root.p%d.q%d", i%t.parents, i)
	}
	return paths
}

// text returns the configuration. Offsets go from 0 to 2 over the leaves.
func (t tree) text() string {
	var b strings.Builder
	b.WriteString("partitions:\n- name: default\n")
	if t.nodeSort != "" {
		fmt.Fprintf(&b, "  nodesortpolicy: {type: %s}\n", t.nodeSort)
	}
	b.WriteString("  queues:\n  - name: root\n")
	if t.properties != "" {
		fmt.Fprintf(&b, "    properties: {%s}\n", t.properties)
	}
	b.WriteString(t.limits("    ", true))
	b.WriteString("    queues:\n")
	for p := range t.parents {
		fmt.Fprintf(&b, "    - name: p%d\n%s      queues:\n", p, t.limits("      ", false))
		for leaf := p; leaf < t.leaves; leaf += t.parents {
			t.leaf(&b, leaf)
		}
	}
	return b.String()
}

func (t tree) leaf(b *strings.Builder, leaf int) {
	fmt.Fprintf(b, "      - name: q%d\n        properties: {priority.offset: \"%d\"}\n", leaf, leaf%3)
	b.WriteString(t.limits("        ", false))
	if t.guaranteed == 0 && t.limit == 0 {
		return
	}
	b.WriteString("        resources:\n")
	if t.guaranteed > 0 {
		fmt.Fprintf(b, "          guaranteed: {vcore: %d, memory: %d}\n", t.guaranteed, t.guaranteed*memoryPerCore)
	}
	if t.limit > 0 {
		fmt.Fprintf(b, "          max: {vcore: %d}\n", t.limit)
	}
}

// limits returns the limits of a queue: of the users, by name or all of them, and of the groups by name.
func (t tree) limits(indent string, named bool) string {
	if t.limited == 0 {
		return ""
	}
	users := []string{"*"}
	if named {
		users = nil
		for i := range limitUsers {
			users = append(users, userName(i))
		}
	}
	var groups []string
	for i := range limitGroups {
		groups = append(groups, groupName(i))
	}
	amount := fmt.Sprintf("{vcore: %d, memory: %d}", t.limited, t.limited*memoryPerCore)
	return fmt.Sprintf("%slimits: [{users: [\"%s\"], maxresources: %s}, {groups: [%s], maxresources: %s}]\n",
		indent, strings.Join(users, "\", \""), amount, strings.Join(groups, ", "), amount)
}
