package quernapi_test

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/host/server/livetest"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func TestDurableInputsAreAnsweredBeforeTheyAreDecided(t *testing.T) {
	var gate livetest.Gate
	l := startWith(t, nil, gate.Gate)
	l.submit(node("n1", 4000), app("a1"))
	reached, open := gate.Close(t)
	request := &quernv1.SubmitRequest{Inputs: []*quernv1.Input{ask("k1", "a1", 1000)}, IdempotencyKey: "once", DurableOnly: true}
	durable := func() {
		t.Helper()
		if r, err := l.Submit(t.Context(), request); err != nil || r.GetFirst() != 3 || r.GetLast() != 3 || len(r.GetDecisions()) > 0 {
			t.Errorf("found %v (%v)", r, err)
		}
	}
	durable()
	<-reached
	open()
	durable()
	request.DurableOnly = false
	if r, err := l.Submit(t.Context(), request); err != nil || !slices.Contains(types(r.GetDecisions()), "allocation k1") {
		t.Errorf("found %v (%v)", r, err)
	}
}
