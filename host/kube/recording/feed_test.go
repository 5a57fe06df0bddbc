package recording

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// What a list lacks is deleted before what it has comes, so that nodes have the room.
func TestAListReplacesThePodsThatAreKnown(t *testing.T) {
	d := newDriver(t)
	d.node(nodeObject("n1"), false)
	f := &podFeed{Recorder: d.Recorder}
	if f.listed.Load() {
		t.Error("listed before there was a list")
	}
	pod := func(name string) *corev1.Pod { return d.stripped(podObject(name, "n1")).(*corev1.Pod) }
	replace := func(pods ...*corev1.Pod) {
		t.Helper()
		list := make([]any, len(pods))
		for i := range pods {
			list[i] = pods[i]
		}
		if err := f.Replace(list, "7"); err != nil {
			t.Fatal(err)
		}
	}
	replace(pod("stays"), pod("goes"))
	if d.part(); !f.listed.Load() {
		t.Error("not listed after a list")
	}
	replace(pod("stays"), pod("comes"))
	if err := f.Add(pod("added")); err != nil {
		t.Fatal(err)
	}
	if err := f.Delete(pod("stays")); err != nil {
		t.Fatal(err)
	}
	if err := d.end(); err != nil {
		t.Fatal(err)
	}
	s, _ := replayed(t, d.written[0])
	n, _ := s.Node("n1")
	if len(n.Allocations) != 2 || n.Allocations[0] != "default/comes" || n.Allocations[1] != "default/added" {
		t.Errorf("expected default/comes and default/added on n1, found %v", n.Allocations)
	}
}
