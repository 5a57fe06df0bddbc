package server

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
)

func request(inputs int) *waiting {
	return &waiting{Request: &Request{Inputs: make([]core.Input, inputs)}, done: make(chan error, 1)}
}

func TestSourcesAreServedInTurn(t *testing.T) {
	i := newIntake(Unobserved{})
	loud, quiet := i.source(nil), i.source(nil)
	names := map[*waiting]string{}
	put := func(s *Source, name string, inputs int) {
		w := request(inputs)
		names[w] = name
		if err := i.put(s, w); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 8 {
		put(loud, fmt.Sprint("loud", n), 2000)
	}
	put(quiet, "quiet0", 1)
	put(quiet, "quiet1", 1)
	var rounds []string
	for more := true; more; {
		var list []*waiting
		list, more = i.take()
		var round []string
		for _, w := range list {
			round = append(round, names[w])
		}
		rounds = append(rounds, strings.Join(round, " "))
	}
	if got, want := strings.Join(rounds, "; "), "loud0 quiet0 loud1 quiet1 loud2; loud3 loud4 loud5; loud6 loud7"; got != want {
		t.Errorf("found  %s\nwanted %s", got, want)
	}
}

func TestAFullQueueRefusesAndDropsNothing(t *testing.T) {
	i := newIntake(Unobserved{})
	s, other := i.source(nil), i.source(nil)
	for range waitingInputs / 1000 {
		if err := i.put(s, request(1000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := i.put(s, request(1)); !errors.Is(err, ErrBusy) {
		t.Errorf("found %v", err)
	}
	if err := i.put(other, request(1)); err != nil {
		t.Errorf("another source is refused: %v", err)
	}
	if err := i.put(other, request(RequestInputs+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("found %v", err)
	}
	s.Close()
	i.close()
	if err := i.put(other, request(1)); !errors.Is(err, ErrStopping) {
		t.Errorf("found %v", err)
	}
	taken := 0
	for more := true; more; {
		var list []*waiting
		list, more = i.take()
		taken += len(list)
	}
	if want := waitingInputs/1000 + 1; taken != want {
		t.Errorf("%d requests were taken, expected %d", taken, want)
	}
}

func TestLargeInputsWaitInBoundedMemory(t *testing.T) {
	i := newIntake(Unobserved{})
	s := i.source(nil)
	line := make([]byte, 10<<20)
	put := func() error {
		w := request(1)
		w.lines = line
		return i.put(s, w)
	}
	n := 0
	for ; n < 100; n++ {
		if err := put(); errors.Is(err, ErrBusy) {
			break
		}
	}
	if n != 6 {
		t.Errorf("%d requests of 10 MiB wait", n)
	}
	list, more := i.take()
	if len(list) != 2 || !more {
		t.Errorf("a round takes %d of them, more is %t", len(list), more)
	}
	if err := put(); err != nil {
		t.Errorf("room that was made is not given: %v", err)
	}
}
