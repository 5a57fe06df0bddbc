package manager

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/podgroup"
	"github.com/quern-project/quern/host/kube/translate"
)

// group returns the pod group of a pod; nil: it belongs to none, or the group is not there.
func (c *cluster) group(key string) *podgroup.Group {
	if key == "" {
		return nil
	}
	return c.groups.Get(key)
}

// lineage is the composite groups that a pod group belongs to.
type lineage struct {
	groups  []*podgroup.Group // the innermost first
	wrong   string            // why the pods cannot be scheduled, as part of a sentence; empty: nothing keeps them
	invalid bool              // that is so whatever the scheduler
}

// mostLevels is how many levels pod groups and composite groups may form, as for kube-scheduler.
const mostLevels = 4

// above returns the composite groups that a pod group belongs to, up to one that is not there, or means what gangs and sets of gangs cannot express.
func (c *cluster) above(g *podgroup.Group) (l lineage) {
	for g.Parent != "" {
		key := g.Namespace + "/" + g.Parent
		if slices.ContainsFunc(l.groups, func(o *podgroup.Group) bool { return o.Name == g.Parent }) {
			l.wrong, l.invalid = "the composite pod group "+key+" is its own ancestor", true
			return l
		}
		if g = c.composites.Get(key); g == nil {
			l.wrong = "the composite pod group " + key + " is not there"
			return l
		}
		l.groups = append(l.groups, g)
		switch {
		case len(l.groups) == mostLevels:
			l.wrong, l.invalid = fmt.Sprintf("the composite pod group %s is on level %d of its groups, and %d are the most", key, mostLevels+1, mostLevels), true
		case g.Topology != "" || g.WrongTopology != "":
			l.wrong = "the composite pod group " + key + " has a topology constraint, which only groups of pods may have here"
		case g.Gang && len(l.groups) > 1:
			l.wrong = fmt.Sprintf("the composite pod group %s has %d of its composite groups start together, which only groups of pods can here", key, g.MinCount)
		default:
			continue
		}
		return l
	}
	return l
}

// aboveOf returns the composite groups that the group of a pod belongs to.
func (c *cluster) aboveOf(pod *corev1.Pod) lineage {
	if g := c.group(translate.PodGroupKey(pod)); g != nil {
		return c.above(g)
	}
	return lineage{}
}

// disrupted names the outermost composite group of a pod whose pods are preempted together, as NAMESPACE/NAME; empty: none.
func (c *cluster) disrupted(pod *corev1.Pod) string {
	if l := c.aboveOf(pod); len(l.groups) > 0 {
		if g := translate.Disrupted(l.groups); g != nil {
			return g.Namespace + "/" + g.Name
		}
	}
	return ""
}

// statusOf returns the status of a group; nil: it is not there.
func (c *cluster) statusOf(id groupID) *podgroup.Status {
	if id.composite {
		return c.composites.Status(id.key)
	}
	return c.groups.Status(id.key)
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
