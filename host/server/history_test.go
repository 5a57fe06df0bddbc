package server

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

func configured(t *testing.T, text, tag string) *waiting {
	t.Helper()
	w := &waiting{Request: &Request{Inputs: []core.Input{{Event: &core.SetConfig{Config: text, Format: formatYAML}}}, IfConfig: tag}, done: make(chan error, 1)}
	var err error
	if w.lines, err = encode(w.Inputs); err != nil {
		t.Fatal(err)
	}
	return w
}

func leaf(name string) string {
	return "partitions: [{name: default, queues: [{name: root, queues: [{name: " + name + "}]}]}]"
}

// Requests of one round were made for the same configuration: the first changes it, so the second must not be applied, although it
// came when the first was not decided yet. A refused first one changes nothing.
func TestAPreconditionIsJudgedInTheOrderOfTheLoop(t *testing.T) {
	for name, c := range map[string]struct {
		first string
		want  error
	}{
		"the first is accepted": {leaf("a"), ErrConfigChanged},
		"the first is refused":  {"partitions: 3", nil},
	} {
		s := simulate(t, 1)
		none := noConfig()
		first, second := configured(t, c.first, none.Tag()), configured(t, leaf("b"), none.Tag())
		other := configured(t, leaf("c"), "7-0123")
		for requests := []*waiting{first, second, other}; len(requests) > 0 || s.loop.pending(); requests = nil {
			s.clock += time.Second
			if err := s.loop.round(s.clock, requests); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-first.done; err != nil {
			t.Errorf("%s: found %v", name, err)
		}
		if err := <-second.done; !errors.Is(err, c.want) {
			t.Errorf("%s: found %v", name, err)
		}
		if err := <-other.done; !errors.Is(err, ErrConfigChanged) {
			t.Errorf("%s: found %v", name, err)
		}
	}
}

func TestTheHistoryOfConfigurationsSurvivesSnapshots(t *testing.T) {
	s := simulate(t, 3)
	for n := range historyEntries + 5 {
		w := configured(t, leaf(fmt.Sprint("q", n)), "")
		w.By = Actor{User: fmt.Sprint("user", n)}
		if n%2 == 0 {
			w.Applied = Applied{File: "queues.yaml", SHA256: SumOf(w.Inputs[0].Event.(*core.SetConfig).Config)}
		}
		for requests := []*waiting{w}; len(requests) > 0 || s.loop.pending(); requests = nil {
			s.clock += time.Second
			if err := s.loop.round(s.clock, requests); err != nil {
				t.Fatal(err)
			}
		}
		if n%30 == 0 {
			s.start() // from a snapshot, in half of the cases, and its record
		}
	}
	s.start()
	list := s.view.history.list
	if len(list) != historyEntries || list[0].N != 6 || s.view.history.last().N != historyEntries+5 {
		t.Fatalf("found %d from %d on", len(list), list[0].N)
	}
	for _, c := range list {
		want := FromAPI
		if c.N%2 == 1 {
			want = FromFile
		}
		if c.Text != leaf(fmt.Sprint("q", c.N-1)) || c.Source != want || (c.File != "") != (want == FromFile) || c.At == 0 || c.By != fmt.Sprint("user", c.N-1) {
			t.Errorf("found %+v", c)
		}
	}
	if last := s.view.history.last(); s.loop.config.tag != last.Tag() {
		t.Errorf("the loop has %v, the view %s", s.loop.config, last.Tag())
	}
}

func TestTheHistoryIsBoundedInBytes(t *testing.T) {
	var h history
	for n := range 5 {
		h.add(0, "ann", &core.SetConfig{Config: strings.Repeat(fmt.Sprint(n), historyBytes/2)})
	}
	if len(h.list) != 2 || h.bytes != historyBytes || h.last().N != 5 || h.last().By != "ann" {
		t.Errorf("found %d of %d bytes, the last %d", len(h.list), h.bytes, h.last().N)
	}
	var huge history
	huge.add(0, "", &core.SetConfig{Config: strings.Repeat("x", 2*historyBytes)})
	if len(huge.list) != 1 {
		t.Error("the one in force went")
	}
}

func TestSnapshot_ContradictoryHistoryRefused(t *testing.T) {
	text := "partitions: []"
	good := Configuration{N: 1, SHA256: SumOf(text), Text: text}
	for name, list := range map[string][]Configuration{
		"a gap":            {good, {N: 3, SHA256: SumOf(text), Text: text}},
		"a wrong sum":      {{N: 1, SHA256: SumOf("other"), Text: text}},
		"another in force": {{N: 1, SHA256: SumOf("other"), Text: "other"}},
	} {
		var h history
		if err := h.recall(list, &core.ConfigSource{Text: text}, 0); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	var h history
	if err := h.recall(nil, &core.ConfigSource{Text: text}, time.Hour); err != nil || h.last().N != 1 || h.last().At != time.Hour {
		t.Errorf("a snapshot of before there was a history: %v, %+v", err, h)
	}
}
