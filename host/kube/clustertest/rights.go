package clustertest

import (
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Right is one that a role gives.
type Right struct {
	Verb, Group, Resource string
	Name                  string // empty: of all objects
	Namespace             string // empty: of all namespaces
}

func (r Right) String() string {
	text := r.Verb + " " + r.Resource
	if r.Group != "" {
		text += "." + r.Group
	}
	if r.Name != "" {
		text += " " + r.Name
	}
	if r.Namespace != "" {
		text += " in " + r.Namespace
	}
	return text
}

// RightsOf lists the rights that rules give; an empty namespace stands for all.
func RightsOf(namespace string, rules []rbacv1.PolicyRule) (all []Right) {
	for _, rule := range rules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					for _, name := range names {
						all = append(all, Right{verb, group, resource, name, namespace})
					}
				}
			}
		}
	}
	return all
}

// UsedBy reports whether a request needs the right. The namespace of the installation does not need one for all namespaces.
func (r Right) UsedBy(q *Request) bool {
	if r.Verb != q.Verb || r.Group != q.Group || r.Resource != q.Resource || r.Name != "" && r.Name != q.Name {
		return false
	}
	return r.Namespace == q.Namespace || r.Namespace == "" && q.Namespace != "quern"
}

// Complaints says which requests were refused, and which rights no request has needed, except those that are excused: by their texts, with reasons.
// An excuse that is not needed is a complaint, too.
func Complaints(granted []Right, requests []Request, excused map[string]string) (all []string) {
	for _, q := range requests {
		if q.Forbidden {
			all = append(all, fmt.Sprintf("refused: %s", Right{q.Verb, q.Group, q.Resource, q.Name, q.Namespace}))
		}
	}
	known := map[string]bool{}
	for _, r := range granted {
		known[r.String()] = true
		used := slices.ContainsFunc(requests, func(q Request) bool { return !q.Forbidden && r.UsedBy(&q) })
		switch {
		case !used && excused[r.String()] == "":
			all = append(all, "never used: "+r.String())
		case used && excused[r.String()] != "":
			all = append(all, "used although it is excused: "+r.String())
		}
	}
	for text := range excused {
		if !known[text] {
			all = append(all, "excused, but not granted: "+text)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
