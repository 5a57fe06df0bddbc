package server

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// simulation is a loop on a bad disk, under a clock that the test sets, with clients that remember what they were told.
type simulation struct {
	*testing.T
	random *rand.Rand
	disk   *simdisk.Disk
	store  *store.Log
	loop   *loop
	view   *follower
	clock  time.Duration

	sent     []*waiting
	told     map[uint64]string // decisions that were told, by seq
	answered map[string]Answer // by key
	inputs   uint64            // acknowledged
	rounds   int
}

func simulate(t *testing.T, seed uint64) *simulation {
	s := &simulation{T: t, random: rand.New(rand.NewPCG(seed, 2)), disk: simdisk.New(seed), clock: time.Hour,
		told: map[uint64]string{}, answered: map[string]Answer{}}
	s.start()
	return s
}

// start opens the store and recovers.
func (s *simulation) start() {
	s.disk.Fault = nil
	log, found, err := store.Open(s.disk, store.Options{SegmentSize: 32 << 10})
	if err != nil {
		s.Fatal(err)
	}
	if s.random.IntN(2) == 0 {
		if _, err := snapshotEnd(log, &found, noPolicies{}); err != nil {
			s.Fatal(err)
		}
		if log, found, err = store.Open(s.disk, store.Options{SegmentSize: 32 << 10}); err != nil {
			s.Fatal(err)
		}
		if log.End().Batch > 0 && found.Snapshot == nil {
			s.Fatal("the snapshot of the end is not there")
		}
	}
	s.store = log
	if s.loop, s.view, err = recoverLoop(log, &found, func(bool) Policies { return noPolicies{} }, nil); err != nil {
		s.Fatal(err)
	}
	s.follow()
	s.sent = nil
}

// request makes inputs that a client may send, good ones and bad ones.
func (s *simulation) request() *waiting {
	amount := func(most int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1 + s.random.Int64N(most)})
	}
	id := func(kind string, n int) string { return fmt.Sprint(kind, s.random.IntN(n)) }
	r := &Request{Durable: s.random.IntN(8) == 0}
	if s.random.IntN(3) == 0 {
		r.Key = id("key", 40)
	}
	if s.random.IntN(3) == 0 {
		r.By = Actor{User: id("user", 3), From: "127.0.0.1"}
		if r.Key != "" {
			r.Key = r.By.key(r.Key)
		}
	}
	for range 1 + s.random.IntN(4) {
		var in core.Input
		switch s.random.IntN(9) {
		case 0:
			in = core.Input{Event: &core.AddNode{ID: id("n", 6), Capacity: amount(40)}}
		case 1:
			in = core.Input{Event: &core.RemoveNode{ID: id("n", 6)}}
		case 2, 3:
			in = core.Input{Event: &core.AddApp{ID: id("a", 6), Queue: "root.default", User: "ann"}}
		case 4:
			in = core.Input{Event: &core.RemoveApp{ID: id("a", 20)}}
		case 5:
			in = core.Input{Event: &core.ReleaseAllocation{ID: id("k", 30)}}
		default:
			in = core.Input{Event: &core.AddAsk{ID: id("k", 30), App: id("a", 6), Resources: amount(20)}}
		}
		r.Inputs = append(r.Inputs, in)
	}
	w := &waiting{Request: r, done: make(chan error, 1)}
	var err error
	if w.lines, err = encode(r.Inputs); err != nil {
		s.Fatal(err)
	}
	w.digest = digestOf(w.lines)
	return w
}

// step is a round with some requests. It returns the store's error.
func (s *simulation) step() error {
	s.rounds++
	s.clock += time.Duration(s.random.Int64N(int64(3 * time.Second)))
	var requests []*waiting
	for range s.random.IntN(4) {
		requests = append(requests, s.request())
	}
	s.sent = append(s.sent, requests...)
	err := s.loop.round(s.clock, requests)
	s.hear()
	if s.random.IntN(3) == 0 {
		s.follow()
	}
	return err
}

// follow has the view of readers go on with the record.
func (s *simulation) follow() {
	fault := s.disk.Fault
	s.disk.Fault = nil
	if err := s.view.catchUp(s.store); err != nil {
		s.Fatal(err)
	}
	s.disk.Fault = fault
}

// hear reads the answers that came.
func (s *simulation) hear() {
	rest := s.sent[:0]
	for _, w := range s.sent {
		select {
		case err := <-w.done:
			s.answer(w, err)
		default:
			rest = append(rest, w)
		}
	}
	s.sent = rest
}

func (s *simulation) answer(w *waiting, err error) {
	switch {
	case errors.Is(err, ErrStoreFailed), errors.Is(err, ErrKeyReused):
		return
	case err != nil:
		s.Fatal(err)
	}
	fault := s.disk.Fault
	s.disk.Fault = nil
	if err := w.complete(s.store); err != nil {
		s.Fatal(err)
	}
	s.disk.Fault = fault
	for i := range w.answer.Decisions {
		s.tell(w.answer.Decisions[i].Seq(), w.answer.Decisions[i].String())
	}
	s.inputs = max(s.inputs, w.answer.Last)
	if w.answer.Last-w.answer.First+1 != uint64(len(w.Inputs)) {
		s.Fatalf("%d inputs have the numbers %d to %d", len(w.Inputs), w.answer.First, w.answer.Last)
	}
	if w.Key == "" {
		return
	}
	if before, ok := s.answered[w.Key]; ok && before.At+keyLife > w.answer.At {
		if before.First != w.answer.First || before.At != w.answer.At {
			s.Fatalf("a repeat of %s was answered with %d at %s, first with %d at %s", w.Key, w.answer.First, w.answer.At, before.First, before.At)
		}
		if !w.Durable && before.Decisions != nil && !equalLines(before.Decisions, w.answer.Decisions) {
			s.Fatalf("a repeat of %s was answered differently:\n%s\n%s", w.Key, before.Decisions, w.answer.Decisions)
		}
	}
	if before, ok := s.answered[w.Key]; !ok || before.Decisions == nil {
		s.answered[w.Key] = w.answer
	}
}

// tell notes that a client knows of a decision.
func (s *simulation) tell(seq uint64, line string) {
	if before, ok := s.told[seq]; ok && before != line {
		s.Fatalf("decision %d was told as\n%s\nand now as\n%s", seq, before, line)
	}
	s.told[seq] = line
}

// check reads the whole record, as an export would.
func (s *simulation) check() {
	f, err := newFollower(nil, store.Position{}, noPolicies{})
	if err != nil {
		s.Fatal(err)
	}
	r, err := s.store.ReadFrom(1)
	if err != nil {
		s.Fatal(err)
	}
	found := 0
	for {
		p, payload, err := r.Next()
		if err != nil {
			break
		}
		for line := range bytes.Lines(payload) {
			line = bytes.TrimSuffix(line, []byte{'\n'})
			if told, ok := s.told[SeqOf(line)]; ok {
				if found++; told != string(line) {
					s.Fatalf("decision %d was told as\n%s\nand stands in the record as\n%s", SeqOf(line), told, line)
				}
			}
		}
		if err := f.read(p, payload); err != nil {
			s.Fatal(err)
		}
	}
	if found != len(s.told) {
		s.Fatalf("%d decisions were told, %d of them stand in the record", len(s.told), found)
	}
	if f.numbers < s.inputs {
		s.Fatalf("input %d was acknowledged, and the record has %d", s.inputs, f.numbers)
	}
}

func TestWhatWasAcknowledgedOutlivesFaultsAndCrashes(t *testing.T) {
	rounds, told := 0, 0
	for seed := range uint64(25) {
		s := simulate(t, seed)
		for range 150 {
			switch s.random.IntN(30) {
			case 0:
				s.disk.Crash()
				s.start()
			case 1:
				n := s.random.IntN(6)
				s.disk.Fault = func(operation, _ string) error {
					if n--; n < 0 && (operation == "write" || operation == "sync" || operation == "rename") {
						s.disk.Fault = nil
						return errors.New("injected")
					}
					return nil
				}
			}
			if err := s.step(); err != nil {
				if err := s.store.Reopen(); err != nil && s.disk.Fault != nil {
					s.Fatal(err)
				}
			}
		}
		s.start()
		s.check()
		rounds, told = rounds+s.rounds, told+len(s.told)
	}
	t.Logf("%d rounds, %d decisions told", rounds, told)
}

// A key is remembered for a day, whether other requests with keys come or not.
func TestAKeyIsForgottenAfterADay(t *testing.T) {
	s := simulate(t, 1)
	ask := func(key string) Answer {
		w := s.request()
		w.Key, w.Durable = key, false
		w.Inputs = []core.Input{{Event: &core.AddNode{ID: "n", Capacity: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1})}}}
		lines, err := encode(w.Inputs)
		if err != nil {
			t.Fatal(err)
		}
		w.lines, w.digest = lines, digestOf(lines)
		for _, requests := range [][]*waiting{{w}, nil} { // the second round makes the decisions of the first durable
			if err := s.loop.round(s.clock, requests); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-w.done; err != nil {
			t.Fatal(err)
		}
		return w.answer
	}
	first := ask("k")
	s.clock += keyLife - time.Second
	if again := ask("k"); again.First != first.First {
		t.Errorf("within a day the request was taken again, as input %d", again.First)
	}
	s.clock += 2 * time.Second
	if later := ask("k"); later.First == first.First {
		t.Error("after a day the first answer was given")
	}
	s.follow() // which knows the key again, too
	if s.view.keys.byKey["k"] == nil {
		t.Error("readers have forgotten it")
	}
}

// read decodes a batch and goes on with it.
func (f *follower) read(p store.Position, payload []byte) error {
	if err := f.decoded.decode(p.Batch, payload); err != nil {
		return err
	}
	return f.follow(p, &f.decoded)
}
