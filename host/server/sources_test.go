package server

import (
	"errors"
	"fmt"
	"testing"

	"github.com/quern-project/quern/host/store"
)

func TestOneClientDoesNotTakeTheRoomOfAnother(t *testing.T) {
	s, _ := opened(t, store.NewMemory(), 1<<20)
	sources := s.Sources()
	put := func(client string, inputs, bytes int) error {
		source, done := sources.Of(client)
		defer done()
		w := request(inputs)
		w.lines = make([]byte, bytes)
		return s.intake.put(source, w)
	}
	if err := put("loud", waitingInputs, 1); err != nil {
		t.Fatal(err)
	}
	if err := put("loud", 1, 1); !errors.Is(err, ErrBusy) {
		t.Errorf("found %v", err)
	}
	if err := put("quiet", 1, 1); err != nil {
		t.Errorf("another client is refused: %v", err)
	}
	for n := 0; n < clientBytes/waitingBytes; n++ {
		if err := put(fmt.Sprint("heavy", n), 1, waitingBytes); err != nil {
			t.Fatal(err)
		}
	}
	if err := put("quiet", 1, 1); !errors.Is(err, ErrBusy) {
		t.Errorf("more waits than all clients may send: %v", err)
	}
	if err := put("first", 1, 1); err != nil {
		t.Errorf("a client of whom nothing waits is refused: %v", err)
	}
	for more := true; more; {
		_, more = s.intake.take()
	}
	if sources.shared.bytes != 0 {
		t.Errorf("%d bytes wait", sources.shared.bytes)
	}
}

func TestTheClientThatHasRestedForLongestLosesItsSource(t *testing.T) {
	s, _ := opened(t, store.NewMemory(), 1<<20)
	sources := s.Sources()
	first, done := sources.Of("first")
	second, doneToo := sources.Of("second")
	doneToo()
	for n := range clientSources - 2 {
		_, end := sources.Of(fmt.Sprint(n))
		end()
	}
	if again, end := sources.Of("second"); again != second {
		t.Error("a client got another source although there was room")
	} else {
		end()
	}
	_, end := sources.Of("more")
	end()
	if again, end := sources.Of("first"); again != first {
		t.Error("a source ended that was in use")
	} else {
		end()
	}
	if again, end := sources.Of("second"); again != second {
		t.Error("a source ended that was used lately")
	} else {
		end()
	}
	if sources.all["0"] != nil || len(sources.all) != clientSources {
		t.Errorf("there are %d sources", len(sources.all))
	}
	done()
	for n := range clientSources + 5 { // all of them in use
		source, _ := sources.Of(fmt.Sprint("busy", n))
		if full := n >= clientSources; full != (source == sources.others) {
			t.Fatalf("client %d has the source of others: %v", n, !full)
		}
	}
}
