package config

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Aliases may make a text larger than it is written by this much: a few hundred bytes could otherwise stand for gigabytes.
const (
	aliasFactor    = 10
	aliasAllowance = 10_000
	bytesPerValue  = 64 // a text counts as one value more for each of these
	mostExpanded   = 1 << 40
)

// aliasChecker counts the values of a document before they are made, with aliases expanded. It takes time proportional to the text:
// what an anchor names is counted once, and it stands above each of its aliases.
type aliasChecker struct {
	sizes   map[*yaml.Node]int // of what an anchor names
	written int
	first   *yaml.Node // the alias with which the expansion became too large
	cyclic  *yaml.Node // an alias within what it names
}

// checkAliases refuses a document that aliases expand too far, or forever.
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

// weight is what a node counts for, without those below it.
func weight(n *yaml.Node) int { return 1 + len(n.Value)/bytesPerValue }

// count counts what is written, and the sizes of what anchors name.
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

// expanded adds up the sizes in the order of the text, to find the alias that passes the bound.
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
