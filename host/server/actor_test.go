package server

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
)

// sendAs makes a request of a user with one node.
func sendAs(t *testing.T, by Actor, key, node string) *waiting {
	t.Helper()
	r := &Request{Key: by.key(key), By: by, Inputs: []core.Input{
		{Event: &core.AddNode{ID: node, Capacity: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1})}}}}
	lines, err := encode(r.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	return &waiting{Request: r, lines: lines, digest: digestOf(lines), done: make(chan error, 1)}
}

func TestTheRecordNamesWhoSentInputs(t *testing.T) {
	s := simulate(t, 1)
	ann, bob := Actor{User: "ann", Groups: []string{"vision"}, From: "10.0.0.1"}, Actor{User: "bob"}
	requests := []*waiting{sendAs(t, ann, "", "n1"), sendAs(t, ann, "k", "n2"), sendAs(t, Actor{}, "", "n3"), sendAs(t, bob, "", "n4")}
	if err := s.loop.round(s.clock, requests); err != nil {
		t.Fatal(err)
	}
	r, err := s.store.ReadFrom(1)
	if err != nil {
		t.Fatal(err)
	}
	_, payload, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	const line1, line2 = `{"by":"ann","groups":["vision"],"from":"10.0.0.1","first":1,"last":2}` + "\n", `{"by":"bob","first":4,"last":4}` + "\n"
	text := string(payload)
	if !strings.HasPrefix(text, line1) || !strings.Contains(text, line2) || strings.Count(text, actorPrefix) != 2 {
		t.Errorf("found\n%s", text)
	}
	var out strings.Builder
	if _, err := Export(s.store, unpolitical, Begin{}, &out); err != nil {
		t.Fatal(err)
	}
	d, users := journal.NewDecoder(strings.NewReader(out.String()), "export", nil), ""
	for e, err := d.Next(); err == nil; e, err = d.Next() {
		users += e.Input.ID() + " " + e.Input.By + "; "
	}
	if want := "n1 ann; n2 ann; n3 ; n4 bob; "; users != want {
		t.Errorf("the export names %q, expected %q", users, want)
	}
	s.disk.Crash()
	s.start() // follows the record
	s.check()
}

func TestTheKeyOfOneUserIsNotThatOfAnother(t *testing.T) {
	s := simulate(t, 1)
	ann, bob := sendAs(t, Actor{User: "ann"}, "k", "n1"), sendAs(t, Actor{User: "bob"}, "k", "n2")
	for _, requests := range [][]*waiting{{ann, bob}, nil} {
		if err := s.loop.round(s.clock, requests); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range []*waiting{ann, bob} {
		if err := <-w.done; err != nil {
			t.Errorf("%s: %v", w.By.User, err)
		}
	}
	if ann.answer.First == bob.answer.First {
		t.Error("one answer was given to both")
	}
}

func TestALineOfAUserWhoSentNothingIsRefused(t *testing.T) {
	for _, line := range []string{`{"by":"ann","first":2,"last":2}`, `{"by":"ann","first":1,"last":0}`, `{"by":"","first":1,"last":1}`, `{"by":"ann","first":0,"last":1}`, `{"by":3}`} {
		s := simulate(t, 1)
		if _, err := s.store.Append(0, int64(s.clock), []byte(line+"\n"+`{"at":"1970-01-01T01:00:00Z","type":"tick"}`+"\n")); err != nil {
			t.Fatal(err)
		}
		if err := s.view.catchUp(s.store); err == nil || !strings.Contains(err.Error(), "batch 1") {
			t.Errorf("%s: found %v", line, err)
		}
	}
}
