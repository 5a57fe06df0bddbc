package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// moves are the decisions of a journal after a time, without their numbers.
func moves(after time.Duration, lines []byte, t *testing.T) (list []string) {
	t.Helper()
	for line := range bytes.Lines(lines) {
		var d struct{ At time.Time }
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if time.Duration(d.At.UnixNano()) > after {
			_, unnumbered, _ := bytes.Cut(line, []byte(","))
			list = append(list, string(unnumbered))
		}
	}
	return list
}

// decisionsIn are the decisions that a record keeps.
func decisionsIn(t *testing.T, record Record) []byte {
	t.Helper()
	r, err := record.ReadFrom(record.First())
	if err != nil {
		t.Fatal(err)
	}
	var all decodedBatch
	var lines []byte
	for {
		p, payload, err := r.Next()
		if err == io.EOF {
			return lines
		}
		if err = errors.Join(err, all.decode(p.Batch, payload)); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, all.decisions...)
	}
}

// decisionsOf are the decisions of a replay.
func decisionsOf(t *testing.T, text string, o core.Options) []byte {
	t.Helper()
	d := newDecided()
	_, err := journal.Replay(scheduler.New(o), journal.NewDecoder(strings.NewReader(text), "export", nil), journal.Options{Decisions: func(list []core.Decision) {
		for i := range list {
			if _, err := d.decision(&list[i]); err != nil {
				t.Error(err)
			}
		}
	}})
	lines, flushing := d.lines()
	if err = errors.Join(err, flushing); err != nil {
		t.Fatal(err)
	}
	return lines
}

// busy is the record of a busy host, from whose beginning some was removed: asks of several sizes and priorities come and go in two queues,
// many wait, some reserve nodes, and some preempt others.
func busy(t *testing.T, seed uint64) *simulation {
	t.Helper()
	s := simulate(t, seed)
	vcores := func(n int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
	}
	const queues = "partitions: [{name: default, queues: [{name: root, properties: {reservation.delay: 2s, preemption.delay: 3s}, queues: [{name: a, resources: {guaranteed: {vcore: 40}}}, {name: b, properties: {application.sort.policy: fair}}]}]}]"
	inputs := []core.Input{{Event: &core.SetConfig{Format: "yaml", Config: queues}}}
	for n := range 6 {
		inputs = append(inputs, core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", n), Capacity: vcores(16)}},
			core.Input{Event: &core.AddApp{ID: fmt.Sprint("app", n), Queue: []string{"root.a", "root.b"}[n%2], User: "ann"}})
	}
	var running []string
	for n := range 400 {
		s.clock += time.Duration(s.random.Int64N(int64(time.Second)))
		for range s.random.IntN(3) {
			id := fmt.Sprint("ask", n, "-", len(inputs))
			inputs = append(inputs, core.Input{Event: &core.AddAsk{ID: id, App: fmt.Sprint("app", s.random.IntN(6)), Resources: vcores(1 + s.random.Int64N(4)),
				Ask: core.Ask{Priority: int32(s.random.IntN(3))}}})
			running = append(running, id)
		}
		for len(running) > 45 {
			i := s.random.IntN(len(running))
			inputs = append(inputs, core.Input{Event: &core.ReleaseAllocation{ID: running[i]}})
			running = slices.Delete(running, i, i+1)
		}
		if n == 300 { // a queue drains from now on
			inputs = append(inputs, core.Input{Event: &core.SetConfig{Format: "yaml", Config: strings.Replace(queues, "{name: a,", "{name: c,", 1)}})
		}
		s.serve(inputs)
		inputs = nil
		if n%50 == 49 {
			s.keep()
		}
	}
	return s
}

// serve has the loop serve inputs.
func (s *simulation) serve(inputs []core.Input) {
	s.Helper()
	w := &waiting{Request: &Request{Inputs: inputs}, done: make(chan error, 1)}
	err := w.prepare()
	if err == nil {
		err = s.loop.round(s.clock, []*waiting{w})
	}
	if err != nil {
		s.Fatal(err)
	}
}

// keep keeps a snapshot, and removes what recovery does not need.
func (s *simulation) keep() {
	s.Helper()
	s.follow()
	err := s.store.StreamSnapshot(s.view.at, s.view.write)
	if err == nil {
		_, err = s.store.Compact(s.view.at.At)
	}
	if err != nil {
		s.Fatal(err)
	}
}

func TestAnExportOfACompactedRecordDecidesAsTheHostDid(t *testing.T) {
	for seed := range uint64(6) {
		s := busy(t, seed)
		if s.store.First() == 1 {
			t.Fatal("nothing was removed")
		}
		middle := s.store.End().Decision - 20
		for _, from := range []Begin{{}, {Decision: middle}, {Time: time.Duration(s.store.End().At) - 20*time.Second}} {
			var out strings.Builder
			x, err := Export(s.store, unpolitical, from, &out)
			if err != nil {
				t.Fatal(err)
			}
			again := decisionsOf(t, out.String(), core.Options{})
			if bytes.Contains(again, []byte(`"input":"state.set"`)) || !bytes.Contains(again, []byte(`"to":"draining"`)) {
				t.Errorf("seed %d, from %v: expected the state to be taken over, with a queue that drains", seed, from)
			}
			want, found := moves(x.State, decisionsIn(t, s.store), t), moves(x.State, again, t)
			same := 0
			for same < len(want) && same < len(found) && want[same] == found[same] {
				same++
			}
			if same == 0 || same < len(want) {
				t.Errorf("seed %d, from %v: after %d of %d decisions, expected\n%sfound\n%s", seed, from, same, len(want), want[same:], found[same:])
			}
		}
	}
}
