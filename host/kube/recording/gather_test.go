package recording

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"
)

// scripted answers reads with so many bytes each.
type scripted struct {
	net.Conn
	sizes []int
	at    []time.Time // of the reads
}

func (s *scripted) Read([]byte) (int, error) {
	s.at = append(s.at, time.Now())
	return s.sizes[len(s.at)-1], nil
}

func TestASocketThatWasEmptyGathersBeforeItIsReadAgain(t *testing.T) {
	inner := &scripted{sizes: []int{4, 1, 4}}
	dial := gathered(func(context.Context, string, string) (net.Conn, error) { return inner, nil })
	c, err := dial(t.Context(), "tcp", "anywhere")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range inner.sizes {
		if n, err := c.Read(make([]byte, 4)); n != want || err != nil {
			t.Errorf("read %d: expected %d bytes, found %d, %v", i, want, n, err)
		}
		if drained := c.(*gatheringConn).drained; drained != (want < 4) {
			t.Errorf("read %d of %d bytes: the next one pauses: %v", i, want, drained)
		}
	}
	if pause := inner.at[2].Sub(inner.at[1]); pause < gatherFor {
		t.Errorf("after a read that emptied the socket: expected a pause of %v, found %v", gatherFor, pause)
	}
}

func TestAConnectionThatCannotBeMadeIsTheErrorOfTheDialer(t *testing.T) {
	refused := errors.New("refused")
	dial := gathered(func(context.Context, string, string) (net.Conn, error) { return nil, refused })
	if c, err := dial(t.Context(), "tcp", "anywhere"); c != nil || !errors.Is(err, refused) {
		t.Errorf("found %v, %v", c, err)
	}
}
