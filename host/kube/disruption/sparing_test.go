package disruption

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func victims(unprotected bool, pods ...*corev1.Pod) (list []Victim) {
	for _, pod := range pods {
		list = append(list, Victim{pod, unprotected})
	}
	return list
}

func TestExcessive_SetWithMorePodsThanDisruptions(t *testing.T) {
	b := newBudgeted()
	pods := b.ready(3)
	b.counts(1, 10)
	if b.Check().Excessive(victims(true, pods[0])) {
		t.Error("a set of one pod is excessive")
	}
	if b.Protect(pods[1]) {
		t.Error("a set that is not excessive protects")
	}
	if !b.Check().Excessive(victims(true, pods[0], pods[1])) {
		t.Error("a set of two pods is not excessive")
	}
	if b.Protect(pods[0]) || !b.Protect(pods[1]) || !b.Protect(pods[2]) {
		t.Error("only the pod for which a disruption is left may be preempted")
	}
	b.named = nil
	b.Relax()
	b.recheckedAre(t, "relaxed", "default/p0", "default/p1", "default/p2")
	if b.Protect(pods[1]) {
		t.Error("the pod is still protected")
	}
}

func TestExcessive_CountsEarlierSets(t *testing.T) {
	b := newBudgeted()
	pods := b.ready(2)
	b.counts(1, 10)
	c := b.Check()
	if c.Excessive(victims(true, pods[0])) {
		t.Error("the first set is excessive")
	}
	if !c.Excessive(victims(true, pods[1])) {
		t.Error("the second set takes a disruption that the first has taken")
	}
}

// The scheduler has chosen the pods although it knew that no disruption is left: nothing else is enough.
func TestExcessive_ProtectedPodsChosenNevertheless(t *testing.T) {
	b := newBudgeted()
	pods := b.ready(2)
	b.counts(0, 10)
	if b.Check().Excessive(victims(false, pods...)) {
		t.Error("a set of protected pods is excessive")
	}
}
