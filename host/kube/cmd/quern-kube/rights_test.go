package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/quern-project/quern/host/kube/clustertest"
)

// right is one that a role gives.
type right struct {
	verb, group, resource string
	name                  string // empty: of all objects
	namespace             string // empty: of all namespaces
}

func (r right) String() string {
	text := r.verb + " " + r.resource
	if r.group != "" {
		text += "." + r.group
	}
	if r.name != "" {
		text += " " + r.name
	}
	if r.namespace != "" {
		text += " in " + r.namespace
	}
	return text
}

func rightsOf(namespace string, rules []rbacv1.PolicyRule) (all []right) {
	for _, rule := range rules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					for _, name := range names {
						all = append(all, right{verb, group, resource, name, namespace})
					}
				}
			}
		}
	}
	return all
}

// usedBy reports whether a request needs the right. The namespace of the installation does not need one for all namespaces.
func (r right) usedBy(q *clustertest.Request) bool {
	if r.verb != q.Verb || r.group != q.Group || r.resource != q.Resource || r.name != "" && r.name != q.Name {
		return false
	}
	return r.namespace == q.Namespace || r.namespace == "" && q.Namespace != "quern"
}

// complaints says which requests were refused, and which rights no request has needed, except those that are excused: by their texts, with reasons.
// An excuse that is not needed is a complaint, too.
func complaints(granted []right, requests []clustertest.Request, excused map[string]string) (all []string) {
	for _, q := range requests {
		if q.Forbidden {
			all = append(all, fmt.Sprintf("refused: %s", right{q.Verb, q.Group, q.Resource, q.Name, q.Namespace}))
		}
	}
	known := map[string]bool{}
	for _, r := range granted {
		known[r.String()] = true
		used := slices.ContainsFunc(requests, func(q clustertest.Request) bool { return !q.Forbidden && r.usedBy(&q) })
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

func TestRightsThatAreLackingOrIdleAreFound(t *testing.T) {
	granted := rightsOf("", []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods", "events"}, Verbs: []string{"get"}},
		{APIGroups: []string{"resource.k8s.io"}, Resources: []string{"resourceclaims"}, Verbs: []string{"get", "patch"}},
	})
	granted = append(granted, rightsOf("quern", []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"a", "b"}, Verbs: []string{"update"}}})...)
	requests := []clustertest.Request{
		{Verb: "get", Resource: "pods", Namespace: "default", Name: "p"},
		{Verb: "get", Resource: "events", Namespace: "quern", Name: "e"}, // a role of the namespace would do
		{Verb: "update", Resource: "secrets", Namespace: "quern", Name: "a"},
		{Verb: "delete", Resource: "pods", Namespace: "default", Name: "p", Forbidden: true},
		{Verb: "patch", Group: "resource.k8s.io", Resource: "resourceclaims", Namespace: "default"},
	}
	excused := map[string]string{"get resourceclaims.resource.k8s.io": "rare", "patch resourceclaims.resource.k8s.io": "rare", "get nodes": "rare"}
	want := []string{"excused, but not granted: get nodes", "never used: get events", "never used: update secrets b in quern",
		"refused: delete pods p in default", "used although it is excused: patch resourceclaims.resource.k8s.io"}
	if found := complaints(granted, requests, excused); !slices.Equal(found, want) {
		t.Errorf("expected\n%s\nfound\n%s", strings.Join(want, "\n"), strings.Join(found, "\n"))
	}
}
