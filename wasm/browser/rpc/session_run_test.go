package rpc

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// busyJournal is a cluster on which so many asks run for a while, a few at a time.
func busyJournal(asks int) string {
	var b strings.Builder
	b.WriteString(`{"at":"0s","type":"config.set","config":"partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"}` + "\n")
	b.WriteString(`{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":16}}` + "\n")
	b.WriteString(`{"at":"0s","type":"app.add","id":"web","queue":"root.a"}` + "\n")
	for i := range asks {
		fmt.Fprintf(&b, `{"at":"%ds","type":"ask.add","id":"w%d","app":"web","resources":{"vcore":1},"run":"3s"}`+"\n", i/4+1, i)
	}
	return b.String()
}

// In a page the collector has no thread of its own, and memory that was asked for is never given back.
func TestRun_AllocatesLittleBesidesItsOutput(t *testing.T) {
	server := New(nil)
	call(t, server, object{"op": "session.new"}, "")
	call(t, server, object{"op": "session.feed", "id": 1}, busyJournal(20_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	told, calls := 0, 0
	request := []byte(`{"op":"session.run","id":1,"to":{"idle":true},"most":2000}`)
	for done := false; !done; calls++ {
		answer := server.Append(nil, request)
		told += len(answer)
		line, _, _ := strings.Cut(string(answer[:min(len(answer), 2000)]), "\n")
		done = strings.Contains(line, `"done":true`)
	}
	runtime.ReadMemStats(&after)
	allocated := int(after.TotalAlloc - before.TotalAlloc)
	if calls < 10 || told < 5<<20 {
		t.Fatalf("expected a long run, found %d calls that tell %d bytes", calls, told)
	}
	// Each byte of a decision is written into the log and into one answer.
	if 2*allocated > 5*told {
		t.Errorf("expected at most 2.5 bytes for each of the %d bytes that were told, found %d", told, allocated)
	}
}

func TestAnAnswerIsAppendedToWhatIsThere(t *testing.T) {
	server := New(nil)
	for _, request := range []string{`{"op":"session.new"}`, `{"op":"session.status","id":1}`, `{"op":"session.run","id":1,"to":{"idle":true}}`, `{"op":"none"}`} {
		want := string(New(nil).Call([]byte(request)))
		if strings.Contains(request, `"id":1`) {
			want = string(server.Call([]byte(request)))
		}
		if found := string(server.Append([]byte("size"), []byte(request))); found != "size"+want {
			t.Errorf("%s: expected %q, found %q", request, "size"+want, found)
		}
	}
}
