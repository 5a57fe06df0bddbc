package recording

import (
	"context"
	"net"
	"time"
)

// gatherFor is how long bytes of the API server gather in the socket before they are read. Each read wakes threads and a chain of goroutines, which
// costs more than decoding the versions of a pod.
const gatherFor = 200 * time.Millisecond

// gatherBytes is how much is read at once, and gathers without waking a thread.
const gatherBytes = 256 << 10

// alive notices a dead connection as soon as client-go does with the pings of HTTP/2.
var alive = net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second, Interval: 5 * time.Second, Count: 3}

// gathered dials as a client does without it. Where the dialer of a configuration is set already, it is used.
func gathered(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	if dial == nil {
		dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAliveConfig: alive}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &gatheringConn{Conn: c, buffer: make([]byte, gatherBytes)}, nil
	}
}

// gatheringConn is read by one goroutine at a time.
type gatheringConn struct {
	net.Conn
	buffer  []byte
	unread  []byte // of the buffer
	drained bool   // the last read of the socket has taken all that there was
}

// Read implements net.Conn.
func (c *gatheringConn) Read(into []byte) (int, error) {
	if len(c.unread) == 0 {
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(into, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}

// fill pauses before it reads from a socket that was empty after the last read. A long answer is read without pauses.
func (c *gatheringConn) fill() error {
	if c.drained {
		wakeAt(c.Conn, gatherBytes)
		time.Sleep(gatherFor)
		wakeAt(c.Conn, 1)
	}
	n, err := c.Conn.Read(c.buffer)
	c.unread, c.drained = c.buffer[:n], n < len(c.buffer)
	if n > 0 {
		return nil // an error comes again
	}
	return err
}
