package clustertest

import (
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

func TestRightsThatAreLackingOrIdleAreFound(t *testing.T) {
	granted := RightsOf("", []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods", "events"}, Verbs: []string{"get"}},
		{APIGroups: []string{"resource.k8s.io"}, Resources: []string{"resourceclaims"}, Verbs: []string{"get", "patch"}},
	})
	granted = append(granted, RightsOf("quern", []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"a", "b"}, Verbs: []string{"update"}}})...)
	requests := []Request{
		{Verb: "get", Resource: "pods", Namespace: "default", Name: "p"},
		{Verb: "get", Resource: "events", Namespace: "quern", Name: "e"}, // a role of the namespace would do
		{Verb: "update", Resource: "secrets", Namespace: "quern", Name: "a"},
		{Verb: "delete", Resource: "pods", Namespace: "default", Name: "p", Forbidden: true},
		{Verb: "patch", Group: "resource.k8s.io", Resource: "resourceclaims", Namespace: "default"},
	}
	excused := map[string]string{"get resourceclaims.resource.k8s.io": "rare", "patch resourceclaims.resource.k8s.io": "rare", "get nodes": "rare"}
	want := []string{"excused, but not granted: get nodes", "never used: get events", "never used: update secrets b in quern",
		"refused: delete pods p in default", "used although it is excused: patch resourceclaims.resource.k8s.io"}
	if found := Complaints(granted, requests, excused); !slices.Equal(found, want) {
		t.Errorf("expected\n%s\nfound\n%s", strings.Join(want, "\n"), strings.Join(found, "\n"))
	}
}
