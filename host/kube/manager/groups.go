package manager

import (
	"fmt"

	"github.com/quern-project/quern/host/kube/podgroup"
)

// group returns the pod group of a pod; nil: it belongs to none, or the group is not there.
func (c *cluster) group(key string) *podgroup.Group {
	if key == "" {
		return nil
	}
	return c.groups.Get(key)
}

// ancestors returns the composite group that a pod group belongs to and the outermost one; nil: none. wrong says, as part of a sentence, why the pods of
// the group cannot be scheduled: a composite group is not there, or means what gangs and sets of gangs cannot express.
func (c *cluster) ancestors(g *podgroup.Group) (parent, root *podgroup.Group, wrong string) {
	for names := map[string]bool{}; g.Parent != ""; g = root {
		key := g.Namespace + "/" + g.Parent
		if names[key] {
			return parent, root, "the composite pod group " + key + " is its own ancestor"
		}
		names[key] = true
		next := c.composites.Get(key)
		if next == nil {
			return parent, root, "the composite pod group " + key + " is not there"
		}
		if root = next; parent == nil {
			parent = next
		}
		switch {
		case root.Topology != "" || root.WrongTopology != "":
			return parent, root, "the composite pod group " + key + " has a topology constraint, which only groups of pods may have here"
		case root.Gang && root != parent:
			return parent, root, fmt.Sprintf("the composite pod group %s has %d of its composite groups start together, which only groups of pods can here", key, root.MinCount)
		}
	}
	return parent, root, ""
}

// descends reports whether a pod group belongs to one of some composite groups, directly or through others.
func (c *cluster) descends(g *podgroup.Group, from map[string]bool) bool {
	for names := map[string]bool{}; g != nil && g.Parent != ""; {
		key := g.Namespace + "/" + g.Parent
		if from[key] || names[key] {
			return from[key]
		}
		names[key] = true
		g = c.composites.Get(key)
	}
	return false
}
