package manager

import "testing"

func TestHeadroom_Admit(t *testing.T) {
	var h headroom
	small := bound{queue: "root.small", typ: "vcore"}
	cores := func(n int64) []share { return []share{{bound: small, amount: n, left: 1000}} }
	a, b := newPod("a"), newPod("b")
	if lacking := h.admit(a, cores(600)); lacking != nil {
		t.Errorf("the first pod lacks %v", lacking)
	}
	if lacking := h.admit(b, cores(600)); lacking == nil || lacking.String() != "vcore in root.small" {
		t.Errorf("both pods are told to wait for nodes: %v", lacking)
	}
	if lacking := h.admit(a, cores(700)); lacking != nil {
		t.Errorf("a pod lacks what it has itself: %v", lacking)
	}
	h.release(a)
	if lacking := h.admit(b, cores(600)); lacking != nil {
		t.Errorf("the first pod waits no more, the second lacks %v", lacking)
	}
	h.release(b)
	if len(h.amounts) > 0 {
		t.Errorf("no pod waits, and %v are taken", h.amounts)
	}
}

func TestHeadroom_ApplicationsCountOnce(t *testing.T) {
	var h headroom
	running := bound{queue: "root.small"}
	starts := func(app string) []share { return []share{{bound: running, amount: 1, app: app, left: 1}} }
	a, b, c := newPod("a"), newPod("b"), newPod("c")
	if h.admit(a, starts("x")) != nil || h.admit(b, starts("x")) != nil {
		t.Error("two pods of one application take two places")
	}
	if lacking := h.admit(c, starts("y")); lacking == nil || lacking.String() != "applications in root.small" {
		t.Errorf("two applications take one place: %v", lacking)
	}
	h.release(a)
	if h.admit(c, starts("y")) == nil {
		t.Error("the first application has no pod left")
	}
}
