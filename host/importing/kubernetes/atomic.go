package kubernetes

import (
	"slices"
	"time"

	"github.com/quern-project/quern/host/kubelabels"
)

// atomic makes the tasks of an application one gang if all of them are in the listing, as the scheduler of a cluster does: nothing has to
// hold room for tasks that come later. It reports whether it did.
func (a *application) atomic() bool {
	if a.gang == nil || slices.ContainsFunc(a.pods, func(p *pod) bool { return p.ask.Placeholder }) {
		return false
	}
	members := 0
	for _, g := range a.gang.groups {
		if a.count(g.name) < g.count {
			return false
		}
		members += g.count
	}
	of := a.gang.policy.OfTaskGroups(members)
	for _, p := range a.pods {
		if a.gang.has(p.ask.TaskGroup) && p.group == "" {
			p.ask.Gang = of
		}
		p.ask.Originator = p == a.pods[0]
	}
	return true
}

// count is how many tasks of a group are there, or have succeeded.
func (a *application) count(group string) int {
	n := 0
	for _, list := range [][]*pod{a.pods, a.ended} {
		for _, p := range list {
			if p.ask.TaskGroup == group && !p.gated {
				n++
			}
		}
	}
	return n
}

func (g *gang) has(group string) bool {
	return slices.ContainsFunc(g.groups, func(t taskGroup) bool { return t.name == group })
}

// succeeded says how many members of each gang have succeeded, of gangs that have other members.
func (r *Reader) succeeded(a *application, atomic bool) {
	for _, p := range a.ended {
		id := ""
		switch g := r.groups[p.group]; {
		case g != nil && g.atomic():
			id = kubelabels.PodGroupID(g.name)
		case p.group == "" && atomic && a.gang.has(p.ask.TaskGroup):
			id = kubelabels.TaskGroupsID
		}
		if !slices.ContainsFunc(a.pods, func(p *pod) bool { return p.ask.Gang != nil && p.ask.Gang.ID == id }) {
			continue
		}
		if a.Succeeded == nil {
			a.Succeeded = map[string]int{}
		}
		a.Succeeded[id]++
	}
}

// gangKey names a gang.
type gangKey struct{ app, id string }

func keyOfGang(p *pod) gangKey { return gangKey{p.app, p.ask.Gang.ID} }

// landed says when the last running member of each gang was created. All of them are restored at that time, so that no gang seems broken before.
func (r *Reader) landed() map[gangKey]time.Duration {
	at := map[gangKey]time.Duration{}
	for _, p := range r.pods {
		if p.ask.Gang != nil && p.node != "" {
			at[keyOfGang(p)] = p.at // pods are in the order of their creation
		}
	}
	return at
}
