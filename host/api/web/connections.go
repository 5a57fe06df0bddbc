package web

import (
	"net"
	"sync"

	"github.com/quern-project/quern/host/clients"
)

// ownFiles is how many files a host needs beside its connections.
const ownFiles = 256

// Connections returns how many connections a host may have open: as many as are wanted, if the process may open so many files.
func Connections(want int) int {
	if files := openFiles(); files > 2*ownFiles && want > files-ownFiles {
		return files - ownFiles
	}
	return want
}

// mostUnread is how much the system may hold, in bytes, of what a client does not read; it takes up to twice as much. Else that may be some
// megabytes for each stream whose reader sleeps.
const mostUnread = 256 << 10

// Bound returns a listener that has at most so many connections open, of one network at most half of them. What comes beyond is closed
// at once: it would take files that the record needs. The bound may change: it is asked for with each connection that comes.
func Bound(l net.Listener, most func() int) net.Listener {
	return &bounded{Listener: l, most: most, networks: map[string]int{}}
}

type bounded struct {
	net.Listener
	most func() int

	mu       sync.Mutex
	open     int
	networks map[string]int // that are not this machine
}

// Accept implements net.Listener.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		network := clients.Network(host)
		if b.take(network) {
			if t, ok := c.(*net.TCPConn); ok {
				_ = t.SetWriteBuffer(mostUnread) // else the system's bound holds
			}
			return &counted{Conn: c, release: func() { b.release(network) }}, nil
		}
		_ = c.Close() // nothing was written
	}
}

func (b *bounded) take(network string) bool {
	most := b.most()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open >= most || network != "" && b.networks[network] >= (most+1)/2 {
		return false
	}
	b.open++
	b.networks[network]++
	return true
}

func (b *bounded) release(network string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	if b.networks[network]--; b.networks[network] == 0 {
		delete(b.networks, network)
	}
}

// counted is a connection that counts until it is closed.
type counted struct {
	net.Conn
	once    sync.Once
	release func()
}

// Close implements net.Conn.
func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.release)
	return err
}
