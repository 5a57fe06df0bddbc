package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/internal/await"
)

// dial opens a connection to a site, which may not last longer than the test has patience.
func (s *site) dial() net.Conn {
	s.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		s.Fatal(err)
	}
	return c
}

// outcome is how a site answers the bytes of a connection: a status, or 0 where it ends the connection without a word.
func outcome(t *testing.T, c net.Conn) int {
	t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	var slow net.Error
	switch {
	case errors.As(err, &slow) && slow.Timeout():
		t.Fatal("the site still waits")
	case err != nil:
		return 0
	}
	_ = answer.Body.Close() // the status is all that counts
	return answer.StatusCode
}

var short = web.Times{Header: 100 * time.Millisecond, Body: 200 * time.Millisecond, Write: 200 * time.Millisecond, Idle: 100 * time.Millisecond}

// trickle sends a text over and over, a piece every few milliseconds, until nobody listens any more.
func trickle(c net.Conn, piece string) {
	for range await.Each(context.Background(), 5*time.Millisecond) { // it is slow
		if _, err := io.WriteString(c, piece); err != nil {
			return
		}
	}
}

func TestSlowClientsAreLeft(t *testing.T) {
	s := serve(t, &web.Guard{}, short)
	for name, c := range map[string]struct{ first, piece string }{
		"a header without end":           {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", "X-A: b\r\n"},
		"a first line without end":       {"GET /", "a"},
		"nothing":                        {"", ""},
		"a body that comes byte by byte": {"POST /v1/write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", "a"},
		"a body in chunks":               {"POST /v1/write HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"},
	} {
		conn := s.dial()
		if _, err := io.WriteString(conn, c.first); err != nil {
			t.Fatal(err)
		}
		go trickle(conn, c.piece)
		began := time.Now()
		if status := outcome(t, conn); status != 0 && status < http.StatusBadRequest {
			t.Errorf("%s: it was answered with %d", name, status)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: it took %s", name, took)
		}
	}
}

// piped is a listener to which a test connects in this process, once. Its connections keep the deadlines of all writes, as those of a network do.
type piped struct {
	conn   chan net.Conn
	closed chan struct{}
	close  func()
}

func (p *piped) Accept() (net.Conn, error) {
	select {
	case c := <-p.conn:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *piped) Close() error { p.close(); return nil }

func (*piped) Addr() net.Addr { return &net.TCPAddr{} }

// A stream that has nothing to say for long outlasts the times of requests, and tells what comes then. They pass in a bubble, and only once neither
// end can go on: a client that is held up by its machine is not one that is slow.
func TestAStreamOutlastsTheTimesOfRequests(t *testing.T) { synctest.Test(t, streamOutlastsTimes) }

func streamOutlastsTimes(t *testing.T) {
	later := web.Route{Pattern: "GET /v1/later", Needs: auth.Viewer, Handler: web.Handler(func(w http.ResponseWriter, r *http.Request) error {
		s, err := web.NewStream(w, r)
		for i, piece := range []string{"first\n", "second\n"} {
			await.Virtual(time.Duration(i) * 3 * short.Write)
			if err == nil {
				_, err = io.WriteString(s, piece)
			}
			if err == nil {
				err = s.Flush()
			}
		}
		return errors.Join(err, r.Context().Err())
	})}
	closed := make(chan struct{})
	listener := &piped{conn: make(chan net.Conn, 1), closed: closed, close: sync.OnceFunc(func() { close(closed) })}
	server := web.NewServer(new(web.Guard).Handler(later), short)
	go func() { _ = server.Serve(listener) }() // until Close
	defer func() { _ = server.Close() }()
	c, served := net.Pipe()
	listener.conn <- served
	if _, err := io.WriteString(c, "GET /v1/later HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("found %v, %v", answer, err)
	}
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "first\nsecond\n" {
		t.Errorf("found %q, %v", text, err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
}

func TestBodiesAndHeadersHaveAnEnd(t *testing.T) {
	s := serve(t, &web.Guard{}, web.Times{})
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"a long header":             {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 200<<10) + "\r\n\r\n", 431},
		"many headers":              {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: b\r\n", 40_000) + "\r\n", 431},
		"a long path":               {"GET /" + strings.Repeat("x", 200<<10) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 431},
		"a long body":               {fmt.Sprintf("POST /v1/write HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", 17<<20) + strings.Repeat("x", 17<<20), 413},
		"two lengths":               {"POST /v1/write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400},
		"no Host":                   {"GET /healthz HTTP/1.1\r\n\r\n", 400},
		"two Hosts":                 {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere.example\r\n\r\n", 400},
		"no HTTP":                   {"\x16\x03\x01\x00\r\n\r\n", 400},
		"a whole address":           {"GET http://elsewhere.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 421},
		"a tunnel":                  {"CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n", 421},
		"a header with a line feed": {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\nb\r\n\r\n", 400},
	} {
		conn := s.dial()
		go func() { _, _ = io.WriteString(conn, c.text) }() // the site may not read all of it
		if status := outcome(t, conn); status != c.want {
			t.Errorf("%s: found %d, expected %d", name, status, c.want)
		}
	}
}
