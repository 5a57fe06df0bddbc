package rest_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// waiting waits until so many inputs wait for a round.
func (l *live) waiting(inputs int) {
	l.Helper()
	for end := time.Now().Add(time.Minute); l.host.Condition().Inputs != inputs; {
		if time.Now().After(end) {
			l.Fatalf("%d inputs wait, expected %d", l.host.Condition().Inputs, inputs)
		}
	}
}

func TestOneClientDoesNotTakeTheRoomOfAnother(t *testing.T) {
	var gate livetest.Gate
	l := guardedWith(t, knows(t, "op=operator", "root=admin"), gate.Gate)
	const tick = `{"type":"tick"}`
	reached, open := gate.Close(t)
	answers := make(chan reply, 3)
	send := func(user string, lines ...string) { go func() { answers <- l.as(user, lines...) }() }
	send("op", tick)
	<-reached
	send("op", slices.Repeat([]string{tick}, server.RequestInputs)...)
	l.waiting(server.RequestInputs)
	if r := l.as("op", tick); r.status != http.StatusTooManyRequests {
		t.Errorf("found %+v", r)
	}
	send("root", tick)
	l.waiting(server.RequestInputs + 1)
	open()
	for range cap(answers) {
		if r := <-answers; r.status != http.StatusOK {
			t.Errorf("found %+v", r)
		}
	}
}
