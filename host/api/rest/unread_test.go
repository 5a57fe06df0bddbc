package rest_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server/livetest"
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

// submitAbsent submits asks of an application that does not exist.
func (l *live) submitAbsent(ids []string) {
	l.Helper()
	var lines []string
	for _, id := range ids {
		lines = append(lines, fmt.Sprintf(`{"type":"ask.add","id":"%s","app":"absent","resources":{"vcore":1}}`, id))
	}
	l.submit(lines...)
}

// Readers of events that never read hold little, hold up nobody, and are left. What they have read says where to go on.
func TestReadersOfEventsThatNeverReadAreLeft(t *testing.T) {
	l := start(t)
	u := livetest.Unread{TB: t, Submit: l.submitAbsent}
	u.Prepare()
	address, ended := l.patient(5 * time.Second)
	u.Begin()
	var unread []net.Conn
	for range livetest.UnreadReaders {
		unread = append(unread, l.follower(address))
	}
	u.Await(func() int { return len(ended) }, 100<<10)
	for _, c := range unread[:1] { // a system sends what it still holds slowly to who has not read for long
		last, err := lastEvent(c)
		if err == nil || last == 0 || last >= livetest.UnreadDecisions {
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
