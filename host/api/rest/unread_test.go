package rest_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/api/web"
)

// patient serves the API to readers whom it waits for as long, on connections as a host has them. It tells of streams that have ended.
func (l *live) patient(write time.Duration) (address string, ended <-chan struct{}) {
	l.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.Fatal(err)
	}
	over := make(chan struct{}, 100)
	handler := web.Watch(new(web.Guard).Handler(l.routes...), func(r *http.Request, _ web.Seen) {
		if r.URL.Query().Has("follow") {
			over <- struct{}{}
		}
	})
	s := web.NewServer(handler, web.Times{Header: time.Minute, Body: time.Minute, Write: write, Idle: time.Minute})
	go func() { _ = s.Serve(web.Bound(listener, func() int { return 1000 })) }() // until Close
	l.Cleanup(func() { _ = s.Close() })
	return listener.Addr().String(), over
}

// follower is a connection that asks for decisions and does not read them.
func (l *live) follower(address string) net.Conn {
	l.Helper()
	c, err := net.Dial("tcp", address)
	if err == nil {
		l.Cleanup(func() { _ = c.Close() })
		_, err = io.WriteString(c, "GET /v1/decisions?follow=true HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
	}
	if err != nil {
		l.Fatal(err)
	}
	return c
}

func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// rejected are inputs that bring a decision of half a kilobyte each.
func rejected(name string, n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf(`{"type":"ask.add","id":"%s%d%s","app":"absent","resources":{"vcore":1}}`, name, i, strings.Repeat("-", 200)))
	}
	return lines
}

// Readers of events that never read hold little, hold up nobody, and are left. What they have read says where to go on.
func TestReadersOfEventsThatNeverReadAreLeft(t *testing.T) {
	const readers, decisions = 40, 8_000 // 4 MB for each reader
	l := start(t)
	for i := range decisions / 2_000 {
		l.submit(rejected(fmt.Sprint("before", i, "-"), 2_000)...)
	}
	address, ended := l.patient(time.Second)
	before := held()
	var unread []net.Conn
	for range readers {
		unread = append(unread, l.follower(address))
	}
	for i := range 20 { // the loop goes on
		began := time.Now()
		l.submit(rejected(fmt.Sprint("meanwhile", i, "-"), 1)...)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("an input took %s", took)
		}
	}
	for late := time.After(time.Minute); len(ended) < readers; {
		select {
		case <-late:
			t.Fatalf("%d of %d were left", len(ended), readers)
		case <-time.After(10 * time.Millisecond):
		}
	}
	if grown := held() - before; grown > readers*100<<10 {
		t.Errorf("%d KiB are held for each reader", grown>>10/readers)
	}
	for _, c := range unread[:1] { // a system sends what it still holds slowly to who has not read for long
		last, err := lastEvent(c)
		if err == nil || last == 0 || last >= decisions {
			t.Fatalf("it has read up to %d, %v", last, err)
		}
		r := l.do("GET", "/v1/decisions?limit=1", "", "Accept", "text/event-stream", "Last-Event-ID", fmt.Sprint(last))
		if !strings.HasPrefix(r.body, fmt.Sprintf("id: %d\n", last+1)) {
			t.Errorf("it goes on behind %d with %.100s", last, r.body)
		}
	}
}

// lastEvent reads to the end of a connection. It returns the ID of the last whole event, and how the answer ended: in good order, or not.
func lastEvent(c net.Conn) (last uint64, err error) {
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		return 0, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, err
	}
	var id uint64
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if _, err := fmt.Sscanf(lines.Text(), "id: %d", &id); err != nil && lines.Text() == "" {
			last = id
		}
	}
	return last, errors.Join(lines.Err(), answer.Body.Close())
}
