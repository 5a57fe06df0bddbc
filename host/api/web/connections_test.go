package web_test

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/host/api/web"
)

// Both ends of a connection are in this process: it may open half as many as it may open files.
func TestConnectionsWithoutEndDoNotEndTheHost(t *testing.T) {
	most := min(10_000, web.Connections(20_000)/2)
	if testing.Short() {
		most = min(most, 500)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := web.NewServer(new(web.Guard).Handler(routes()...), web.Times{})
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	go func() { _ = server.Serve(web.Bound(listener, func() int { return most / 2 })) }() // until Close
	t.Cleanup(func() { _ = server.Close() })
	s := &site{t, listener.Addr().String()}
	before := s.dial()
	ask := func(c net.Conn) int {
		if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			return 0
		}
		return outcome(t, c)
	}
	if status := ask(before); status != http.StatusOK {
		t.Fatalf("found %d", status)
	}
	open := make([]net.Conn, 0, most)
	for range most {
		c, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
	}
	if status := ask(before); status != http.StatusOK {
		t.Errorf("a connection of before: found %d", status)
	}
	refused := 0
	for _, c := range open[most/2:] {
		if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err != nil {
			refused++
		}
	}
	if refused != len(open)-most/2 {
		t.Errorf("%d of %d connections beyond the bound were refused", refused, len(open)-most/2)
	}
	for _, c := range open {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(20 * time.Second); ask(s.dial()) != http.StatusOK; {
		if time.Now().After(deadline) {
			t.Fatal("no connection is taken any more")
		}
	}
	t.Logf("%d connections", most)
}

func TestTheBoundOfConnectionsMayChange(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var most atomic.Int64
	most.Store(1)
	server := web.NewServer(new(web.Guard).Handler(routes()...), web.Times{})
	go func() { _ = server.Serve(web.Bound(listener, func() int { return int(most.Load()) })) }() // until Close
	t.Cleanup(func() { _ = server.Close() })
	s := &site{t, listener.Addr().String()}
	ask := func(c net.Conn) int {
		if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			return 0
		}
		return outcome(t, c)
	}
	first := s.dial()
	if one, two := ask(first), ask(s.dial()); one != http.StatusOK || two != 0 {
		t.Errorf("found %d, and %d beyond the bound", one, two)
	}
	most.Store(2)
	if one, two := ask(first), ask(s.dial()); one != http.StatusOK || two != http.StatusOK {
		t.Errorf("with a larger bound: found %d and %d", one, two)
	}
	most.Store(1)
	if one, two := ask(first), ask(s.dial()); one != http.StatusOK || two != 0 {
		t.Errorf("with a smaller bound: found %d of a connection of before, and %d of a new one", one, two)
	}
}

// What a client does not read waits in the system's memory: that is bounded, too.
func TestLittleIsHeldForAClientThatDoesNotRead(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	written, ended := 0, make(chan struct{})
	server := web.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer close(ended)
		for piece := make([]byte, 64<<10); ; {
			n, err := w.Write(piece)
			if written += n; err != nil {
				return
			}
		}
	}), web.Times{Header: time.Minute, Write: 500 * time.Millisecond})
	go func() { _ = server.Serve(web.Bound(listener, func() int { return 10 })) }() // until Close
	t.Cleanup(func() { _ = server.Close() })
	c, err := net.Dial("tcp", listener.Addr().String())
	if err == nil {
		t.Cleanup(func() { _ = c.Close() })
		err = c.(*net.TCPConn).SetReadBuffer(4096)
	}
	if err == nil {
		_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	<-ended
	if written > 1<<20 {
		t.Errorf("%d bytes were taken", written)
	}
}
