package config

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Bounds of the expansion of aliases. Otherwise a few hundred bytes could expand to gigabytes.
const (
	aliasFactor    = 10
	aliasAllowance = 10_000
	bytesPerValue  = 64 // each so many bytes of a text count as one more value
	mostExpanded   = 1 << 40
)

// aliasChecker counts the values of a document with aliases expanded, before they are made. It takes time proportional to the text, since
// the value of an anchor precedes its aliases and is counted once.
type aliasChecker struct {
	sizes   map[*yaml.Node]int // sizes of the values of anchors
	written int
	first   *yaml.Node // the alias at which the expansion becomes too large
	cyclic  *yaml.Node // an alias inside the value of its own anchor
}

// checkAliases refuses a document whose expansion is too large or infinite.
func checkAliases(document *yaml.Node) *fault {
	c := &aliasChecker{sizes: map[*yaml.Node]int{}}
	c.count(document)
	most := aliasAllowance + aliasFactor*c.written
	total := c.expanded(document, most)
	switch {
	case c.cyclic != nil:
		return &fault{yamlPlace(c.cyclic), sizeKey, "an alias outside what its anchor names", "*" + c.cyclic.Value + " within it"}
	case c.first != nil:
		return &fault{yamlPlace(c.first), sizeKey, "at most " + strconv.Itoa(most) + " values with aliases expanded (" + strconv.Itoa(aliasAllowance) +
			", and " + strconv.Itoa(aliasFactor) + " for each value that is written)", expandedText(total)}
	}
	return nil
}

func expandedText(n int) string {
	if n >= mostExpanded {
		return "more than " + strconv.Itoa(mostExpanded)
	}
	return strconv.Itoa(n)
}

// weight returns the size of a node, without those below it.
func weight(n *yaml.Node) int { return 1 + len(n.Value)/bytesPerValue }

// count counts the written values, and records the sizes of anchors.
func (c *aliasChecker) count(n *yaml.Node) int {
	c.written += weight(n)
	if n.Kind == yaml.AliasNode {
		size, complete := c.sizes[n.Alias]
		if !complete && c.cyclic == nil {
			c.cyclic = n
		}
		return size
	}
	size := weight(n)
	for _, below := range n.Content {
		size = min(size+c.count(below), mostExpanded)
	}
	if n.Anchor != "" {
		c.sizes[n] = size
	}
	return size
}

// expanded adds up sizes in the order of the text, to find the alias at which the bound is exceeded.
func (c *aliasChecker) expanded(top *yaml.Node, most int) (total int) {
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		size := weight(n)
		if n.Kind == yaml.AliasNode {
			size = c.sizes[n.Alias]
		}
		if total = min(total+size, mostExpanded); total > most && c.first == nil && n.Kind == yaml.AliasNode {
			c.first = n
		}
		for _, below := range n.Content {
			walk(below)
		}
	}
	walk(top)
	return total
}
