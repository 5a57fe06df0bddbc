package journal

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

func TestDecoder_ReadsWindows(t *testing.T) {
	for line, expected := range map[string]core.Event{
		`{"at":"0s","type":"window.add","id":"w","from":"1h","until":"2h","every":"24h","nodes":["n1","n2"],"partition":"gpu","queues":["root.a"],"users":["ann"],"groups":["ops"]}`: &core.AddWindow{
			ID: "w", From: time.Hour, Until: new(2 * time.Hour), Every: 24 * time.Hour, Nodes: []string{"n1", "n2"}, Partition: "gpu",
			Queues: []string{"root.a"}, Users: []string{"ann"}, Groups: []string{"ops"}},
		`{"at":"0s","type":"window.add","id":"w","from":"-1h","constraints":{"zone":["a"]},"count":3}`: &core.AddWindow{
			ID: "w", From: -time.Hour, Constraints: map[string][]string{"zone": {"a"}}, Count: 3},
		`{"at":"0s","type":"window.remove","id":"w"}`: &core.RemoveWindow{ID: "w"},
	} {
		entry, err := NewDecoder(strings.NewReader(line+"\n"), "j", nil).Next()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !reflect.DeepEqual(entry.Input.Event, expected) || entry.Count != 1 || entry.Numbered {
			t.Errorf("%s: found %+v", line, entry.Input.Event)
		}
		var out strings.Builder
		e := NewEncoder(&out, Relative)
		if err := e.Entry(entry); err != nil || e.Flush() != nil {
			t.Fatal(err)
		}
		again, err := NewDecoder(strings.NewReader(out.String()), "j", nil).Next()
		if err != nil || !reflect.DeepEqual(again.Input.Event, expected) {
			t.Errorf("%s: written as %s, which reads as %+v, %v", line, out.String(), again, err)
		}
	}
}

func TestDecoder_RefusesBadWindows(t *testing.T) {
	for line, expected := range map[string]string{
		`"from":"1h"`:              "j:1: nodes: expected either nodes or constraints, found none",
		`"from":"1h","nodes":[]`:   "j:1: nodes: expected at least one node, found an empty list",
		`"from":"1h","nodes":[""]`: `j:1: nodes: expected a name that is not empty, found ""`,
		`"from":"1h","nodes":["n"],"constraints":{"a":["b"]},"count":1`: "j:1: constraints: expected either nodes or constraints, found both",
		`"from":"1h","constraints":{"a":["b"]}`:                         "j:1: count: expected the key, which constraints of a window needs, found none",
		`"from":"1h","nodes":["n"],"count":1`:                           "j:1: count: expected no count beside nodes, found one",
		`"nodes":["n"]`:                                                 "j:1: from: expected the key, which window.add needs, found none",
		`"from":"soon","nodes":["n"]`:                                   `j:1: from: expected a Go duration such as 1m30s, or an RFC 3339 time, found "soon"`,
		`"from":"2026-03-01T09:00:00Z","nodes":["n"]`:                   `j:1: from: expected a duration since the start as at, found "2026-03-01T09:00:00Z"`,
		`"from":"1h","until":"idle","nodes":["n"]`:                      `j:1: until: expected a Go duration such as 1m30s, or an RFC 3339 time, found "idle"`,
		`"from":"1h","every":"0s","nodes":["n"]`:                        `j:1: every: expected a Go duration above zero, such as 1m30s, found "0s"`,
		`"from":"1h","nodes":["n"],"users":"ann"`:                       `j:1: users: expected a list of strings, found "\"ann\"}"`,
		`"from":"1h","nodes":["n"],"walltime":"1h"`:                     `j:1: walltime: expected a key of window.add, found one that it does not have`,
	} {
		_, err := NewDecoder(strings.NewReader(`{"at":"0s","type":"window.add","id":"w",`+line+"}\n"), "j", nil).Next()
		if err == nil || err.Error() != expected {
			t.Errorf("%s: expected %s, found %v", line, expected, err)
		}
	}
}

func TestInputDecoder_WindowsHaveInstants(t *testing.T) {
	const line = `{"type":"window.add","id":"w","from":"FROM","constraints":{"zone":["a"]},"count":1}`
	read := func(from string) error {
		_, err := NewInputDecoder(strings.NewReader(strings.Replace(line, "FROM", from, 1)), "body").Next()
		return err
	}
	if err := read("2026-03-01T09:00:00Z"); err != nil {
		t.Error(err)
	}
	if err := read("1h"); err == nil || err.Error() != `body:1: from: expected an RFC 3339 time, found "1h"` {
		t.Errorf("found %v", err)
	}
}

func TestEncoder_WritesDecisionsOfWindows(t *testing.T) {
	var out strings.Builder
	e := NewEncoder(&out, Relative)
	for i, d := range []core.Decision{
		{Type: core.WindowAccepted, ID: "w"},
		{Type: core.WindowRejected, ID: "w", Reason: core.ReasonBadWindow, Message: "m", Partition: "gpu"},
		{Type: core.WindowOpened, ID: "w", Nodes: []string{"n1"}},
		{Type: core.WindowClosed, ID: "w"},
	} {
		d.Seq = uint64(i + 1)
		if err := e.Decision(&d); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	const expected = `{"seq":1,"at":"0s","type":"window.accepted","id":"w"}
{"seq":2,"at":"0s","type":"window.rejected","id":"w","reason":"bad-window","message":"m","partition":"gpu"}
{"seq":3,"at":"0s","type":"window.opened","id":"w","nodes":["n1"]}
{"seq":4,"at":"0s","type":"window.closed","id":"w"}
`
	if out.String() != expected {
		t.Errorf("found\n%s", out.String())
	}
}
