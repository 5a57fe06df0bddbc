package kubernetes

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kubelabels"
)

// gang is what a pod declares of the gang of its application.
type gang struct {
	groups []taskGroup
	policy kubelabels.GangPolicy
}

// taskGroup is tasks that are alike.
type taskGroup struct {
	name  string
	count int
	each  amounts
	like  *pod // what its placeholders demand of nodes
}

// placement is what a task group says of the nodes for its placeholders.
type placement struct {
	NodeSelector map[string]string `json:"nodeSelector"`
	Tolerations  []toleration      `json:"tolerations"`
	Affinity     affinity          `json:"affinity"`
}

// gang reads the annotations of a gang; nil: the pod declares none.
func (i *item) gang() *gang {
	m := i.metadata()
	groups, bad := kubelabels.TaskGroups[placement](m)
	i.unreadable(bad...)
	groups = slices.DeleteFunc(groups, func(g kubelabels.TaskGroup[placement]) bool { return g.MinMember == 0 }) // nothing waits for its members
	if len(groups) == 0 {
		return nil
	}
	g := &gang{policy: i.gangPolicy()}
	for _, group := range groups {
		each := amounts{pods: 1}
		for _, q := range group.Each {
			each.add(amounts{q.Type: q.Value})
		}
		p := group.Placement
		like := &pod{selector: p.NodeSelector, tolerations: p.Tolerations, terms: p.Affinity.NodeAffinity.Required.Terms}
		like.ask = core.Ask{Priority: i.priority(), TaskGroup: group.Name, Placeholder: true}
		g.groups = append(g.groups, taskGroup{group.Name, group.MinMember, each, like})
	}
	return g
}

// gangPolicy reads the parameters of a gang.
func (i *item) gangPolicy() kubelabels.GangPolicy {
	policy, bad := i.metadata().GangPolicy()
	i.unreadable(bad...)
	return policy
}

// total is what all members of the gang need.
func (g *gang) total() amounts {
	sum := amounts{}
	for _, group := range g.groups {
		for typ, value := range group.each {
			if value > 0 && int64(group.count) > (1<<63-1)/value {
				value = (1<<63 - 1) / int64(group.count)
			}
			sum.add(amounts{typ: value * int64(group.count)})
		}
	}
	return sum
}

// placeholders says what room an application's gang holds, and makes its placeholders where the listing has none. Once a task
// runs, the gang was formed, and only the placeholders that are left count.
func (r *Reader) placeholders(a *application) *core.Placeholders {
	runs := slices.ContainsFunc(a.pods, func(p *pod) bool { return p.node != "" && !p.ask.Placeholder })
	a.runs = runs
	held := amounts{}
	has := false
	for _, p := range a.pods {
		if p.ask.Placeholder && (p.node != "" || !runs) {
			has = true
			for _, q := range p.resources {
				held.add(amounts{q.Type: q.Value})
			}
		}
	}
	switch {
	case !has && (runs || a.gang == nil):
		return nil
	case !runs && a.gang != nil:
		held = a.gang.total()
		if !has {
			a.made = a.gang.groups
		}
	}
	p := &core.Placeholders{Ask: held.set()}
	if a.gang != nil {
		policy := &a.gang.policy
		p.Hard, p.Timeout, p.Unit = policy.Hard, policy.Timeout, policy.Disruption == "unit"
	}
	return p
}
