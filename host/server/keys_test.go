package server

import (
	"testing"

	"github.com/quern-project/quern/core"
)

func TestRepeat_AnsweredOnceTheFirstIsDurable(t *testing.T) {
	request := func(durable bool) *waiting {
		return &waiting{Request: &Request{Key: "k", Durable: durable, Inputs: []core.Input{{Event: &core.Tick{}}}}, done: make(chan error, 1)}
	}
	answered := func(w *waiting) bool { return len(w.done) > 0 }
	k := newKeys()
	first, early, patient, late := request(false), request(true), request(false), request(true)
	if fresh := k.settle(1, []*waiting{first, early, patient}); len(fresh) != 1 || answered(early) {
		t.Fatalf("%d requests are new; the repeat is answered: %v", len(fresh), answered(early))
	}
	first.answer = Answer{First: 1, Last: 1, At: 1, Batch: 7}
	k.taken(first)
	k.settle(2, []*waiting{late})
	for name, w := range map[string]*waiting{"early": early, "late": late} {
		if !answered(w) || w.answer.Last != 1 || w.answer.Batch != 7 {
			t.Errorf("%s: found %+v", name, w.answer)
		}
	}
	if answered(patient) {
		t.Error("a repeat that waits for decisions was answered before there were any")
	}
	k.decided(first)
	if k.done(first); !answered(patient) {
		t.Error("a repeat was not answered")
	}
}

func TestAKeyThatIsUsedAgainAfterItsDayIsKnown(t *testing.T) {
	k, again := newKeys(), &keyed{Key: "k", At: keyLife + 2}
	k.byKey["k"], k.order = again, []*keyed{{Key: "k", At: 1}, again}
	if k.expire(keyLife + 2); k.byKey["k"] != again || len(k.order) != 1 {
		t.Errorf("found %v", k.order)
	}
}
