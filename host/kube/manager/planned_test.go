package manager

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// The condition of a blocked pod begins with when and where it starts.
func TestMessage_PlannedStart(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 4000))
	first, second := waiting("first", "first", 3000), waiting("second", "second", 3000)
	first.Annotations = map[string]string{"quern.dev/walltime": "1h"}
	second.Annotations = map[string]string{"quern.dev/walltime": "1h"}
	a.putAll(first)
	start(t, a.client(t), strings.Replace(rules, "- name: default", "- name: default\n  backfill: {depth: 1}", 1))
	until(t, isBound(a, "default/first"))
	a.putAll(second)
	until(t, saysFirst(a, "default/second", corev1.PodReasonUnschedulable, "It starts at "))
	for _, c := range a.pod("default/second").Status.Conditions {
		if !strings.Contains(c.Message, " on n1, when default/first has left at the latest.") {
			t.Errorf("found %s", c.Message)
		}
	}
}
