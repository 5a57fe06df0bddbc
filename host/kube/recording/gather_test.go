package recording

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// scripted answers reads with so many bytes each, which are the number of the read.
type scripted struct {
	net.Conn
	sizes []int
	at    []time.Time // of the reads
}

func (s *scripted) Read(into []byte) (int, error) {
	s.at = append(s.at, time.Now())
	if len(s.at) > len(s.sizes) {
		return 0, io.EOF
	}
	n := min(s.sizes[len(s.at)-1], len(into))
	copy(into, bytes.Repeat([]byte{byte('0' + len(s.at))}, n))
	return n, nil
}

func TestASocketThatWasEmptyGathersBeforeItIsReadAgain(t *testing.T) {
	inner := &scripted{sizes: []int{gatherBytes, 1, gatherBytes}}
	dial := gathered(func(context.Context, string, string) (net.Conn, error) { return inner, nil })
	c, err := dial(t.Context(), "tcp", "anywhere")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(c)
	want := strings.Repeat("1", gatherBytes) + "2" + strings.Repeat("3", gatherBytes)
	if err != nil || string(text) != want {
		t.Errorf("read %d bytes, or others than the %d that there are: %v", len(text), len(want), err)
	}
	if pause := inner.at[2].Sub(inner.at[1]); pause < gatherFor {
		t.Errorf("after a read that emptied the socket: expected a pause of %v, found %v", gatherFor, pause)
	}
}

// Packets that come while the socket gathers are read together. One that comes later is read, too, however short it is.
func TestWhatASocketHasGatheredIsReadAtOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := gathered(nil)(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	say := func(text string) {
		t.Helper()
		if _, err := io.WriteString(peer, text); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want string) {
		t.Helper()
		into := make([]byte, 100)
		if n, err := c.Read(into); string(into[:n]) != want || err != nil {
			t.Errorf("read %q, expected %q: %v", into[:n], want, err)
		}
	}
	say("a")
	expect("a")
	say("b")
	say("c")
	say("d")
	expect("bcd")
	time.AfterFunc(2*gatherFor, func() { _, _ = io.WriteString(peer, "late") }) // the reader waits by then
	expect("late")
	if err := peer.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("read %d bytes, %v, expected the end", n, err)
	}
}

func TestConnect_ReturnsTheDialersError(t *testing.T) {
	refused := errors.New("refused")
	dial := gathered(func(context.Context, string, string) (net.Conn, error) { return nil, refused })
	if c, err := dial(t.Context(), "tcp", "anywhere"); c != nil || !errors.Is(err, refused) {
		t.Errorf("found %v, %v", c, err)
	}
}
