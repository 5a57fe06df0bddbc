package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/server/livetest"
)

func TestDurableInputsAreAnsweredBeforeTheyAreDecided(t *testing.T) {
	var gate livetest.Gate
	l := start(t, gate.Gate)
	l.submit(node, app)
	reached, open := gate.Close(t)
	durable := func() {
		t.Helper()
		r := l.do("POST", "/v1/inputs?wait=durable", ask, "Idempotency-Key", "once")
		if r.status != http.StatusOK || strings.TrimSpace(r.body) != `{"first":3,"last":3}` {
			t.Errorf("found %+v", r)
		}
	}
	durable()
	<-reached
	open()
	if r := l.do("POST", "/v1/inputs", ask, "Idempotency-Key", "once"); r.status != http.StatusOK || !strings.Contains(r.body, `"type":"allocation","id":"k1"`) {
		t.Errorf("found %+v", r)
	}
	durable()
}
