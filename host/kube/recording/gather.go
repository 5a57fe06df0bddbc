package recording

import (
	"context"
	"net"
	"time"
)

// gatherFor is how long what the API server sends gathers in the socket before it is read. Each time that something is read wakes a chain of
// goroutines, which costs more than the versions of a pod do.
const gatherFor = 20 * time.Millisecond

// gathered dials as a client does without it. Where the dialer of a configuration is set already, it is used.
func gathered(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	if dial == nil {
		dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext // as client-go has it
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &gatheringConn{Conn: c}, nil
	}
}

// gatheringConn is read by one goroutine at a time.
type gatheringConn struct {
	net.Conn
	drained bool // the last read has taken all that there was
}

// Read pauses before it reads from a socket that was empty after the last read. A long answer is read without pauses.
func (c *gatheringConn) Read(into []byte) (int, error) {
	if c.drained {
		time.Sleep(gatherFor)
	}
	n, err := c.Conn.Read(into)
	c.drained = n < len(into)
	return n, err
}
