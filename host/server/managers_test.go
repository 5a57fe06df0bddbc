package server

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
)

// register has a loop serve a request that registers resource managers.
func (s *simulation) register(list ...Registration) {
	s.Helper()
	w := &waiting{Request: &Request{Inputs: []core.Input{{Event: &core.Tick{}}}, Registers: list}, done: make(chan error, 1)}
	var err error
	if w.lines, err = encode(w.Inputs); err != nil {
		s.Fatal(err)
	}
	for _, requests := range [][]*waiting{{w}, nil} {
		if err := s.loop.round(s.clock, requests); err != nil {
			s.Fatal(err)
		}
	}
	if err := <-w.done; err != nil {
		s.Fatal(err)
	}
}

func TestTheRecordSaysWhoseAResourceManagerIs(t *testing.T) {
	for seed := range uint64(4) { // with snapshots and without
		s := simulate(t, seed)
		expect := func(want string) {
			t.Helper()
			s.follow()
			v := &View{memory: s.view.hostMemory}
			found := ""
			for _, id := range append(v.Managers(), "rm-9") {
				found += fmt.Sprintf("%s: %s; ", id, v.ManagerUser(id))
			}
			if found != want {
				t.Errorf("expected %q, found %q", want, found)
			}
		}
		s.register(Registration{"rm-1", "ann"}, Registration{"rm \"2\"\n", "bob"})
		expect("rm \"2\"\n: bob; rm-1: ann; rm-9: ; ")
		s.disk.Crash()
		s.start()
		expect("rm \"2\"\n: bob; rm-1: ann; rm-9: ; ")
		s.register(Registration{"rm-1", "eve"}, Registration{Manager: "rm \"2\"\n"})
		expect("rm-1: eve; rm-9: ; ")
		for range 3 {
			s.disk.Crash()
			s.start()
			expect("rm-1: eve; rm-9: ; ")
		}
		s.check()
	}
}

func TestACopyOfAFollowerHasResourceManagersOfItsOwn(t *testing.T) {
	s := simulate(t, 1)
	s.register(Registration{"rm-1", "ann"})
	s.follow()
	twin, err := s.view.twin(noPolicies{})
	if err != nil {
		t.Fatal(err)
	}
	twin.managers.register([]Registration{{"rm-1", "eve"}})
	if found := s.view.managers["rm-1"]; found != "ann" {
		t.Errorf("found %q", found)
	}
}
