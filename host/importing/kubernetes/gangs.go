package kubernetes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// gang is what a pod declares of the gang of its application.
type gang struct {
	groups  []taskGroup
	hard    bool
	timeout time.Duration
}

// taskGroup is tasks that are alike.
type taskGroup struct {
	name  string
	count int
	each  amounts
	like  *pod // what its placeholders demand of nodes
}

// mostMembers bounds the members of a task group.
const mostMembers = 1_000_000

// gang reads the annotations of a gang; nil: the pod declares none.
func (i *item) gang() *gang {
	text := i.annotation(taskGroupsKey)
	if text == "" {
		return nil
	}
	var groups []struct {
		Name         string            `json:"name"`
		MinMember    int               `json:"minMember"`
		MinResource  quantities        `json:"minResource"`
		NodeSelector map[string]string `json:"nodeSelector"`
		Tolerations  []toleration      `json:"tolerations"`
		Affinity     affinity          `json:"affinity"`
	}
	path := []any{"metadata", "annotations", taskGroupsKey}
	if err := json.Unmarshal([]byte(text), &groups); err != nil {
		i.refuse("a list of task groups with name, minMember and minResource", text, path...)
		return nil
	}
	g := &gang{}
	for n, group := range groups {
		if group.Name == "" || group.MinMember < 1 || group.MinMember > mostMembers {
			i.refuse(fmt.Sprintf("a name and a minMember from 1 to %d in task group %d", mostMembers, n+1), fmt.Sprintf("%s, %d", group.Name, group.MinMember), path...)
			continue
		}
		each := i.amounts(group.MinResource, path...)
		each[pods] = 1
		like := &pod{selector: group.NodeSelector, tolerations: group.Tolerations, terms: group.Affinity.NodeAffinity.Required.Terms}
		like.ask = core.Ask{Priority: i.Spec.Priority, TaskGroup: group.Name, Placeholder: true}
		g.groups = append(g.groups, taskGroup{group.Name, group.MinMember, each, like})
	}
	i.policy(g)
	return g
}

// policy reads the style and the timeout of a gang.
func (i *item) policy(g *gang) {
	for _, parameter := range strings.Fields(i.annotation(policyKey)) {
		name, value, _ := strings.Cut(parameter, "=")
		switch name {
		case "gangSchedulingStyle":
			g.hard = strings.EqualFold(value, "Hard")
		case "placeholderTimeoutInSeconds":
			seconds, err := strconv.ParseUint(value, 10, 31)
			if err != nil {
				i.refuse("a number of seconds in placeholderTimeoutInSeconds", value, "metadata", "annotations", policyKey)
			}
			g.timeout = time.Duration(seconds) * time.Second
		}
	}
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
		p.Hard, p.Timeout = a.gang.hard, a.gang.timeout
	}
	return p
}
