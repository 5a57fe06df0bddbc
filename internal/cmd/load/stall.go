package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
)

// stall follows all decisions and stops reading, until the context ends. When the host ends the stream shows in the host alone: what it sent
// before still waits to be read.
func (r *readers) stall(ctx context.Context) {
	address := strings.TrimPrefix(r.host.http, "http://")
	c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err == nil {
		defer func() { _ = c.Close() }() // nothing was written that matters
		_ = c.(*net.TCPConn).SetReadBuffer(4096)
		_, err = fmt.Fprintf(c, "GET /v1/decisions?follow=true HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n", address)
	}
	if err == nil {
		_, err = io.ReadFull(c, make([]byte, 1024))
	}
	if err != nil {
		if ctx.Err() == nil {
			r.fail("one that stops reading: %v", err)
		}
		return
	}
	<-ctx.Done()
}
