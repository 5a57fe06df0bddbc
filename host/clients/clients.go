// Package clients bounds what each client of a host takes: requests a second, requests at a time, and streams.
//
// A client is a name: that of a user or, of those who have none, of a network. The HTTP server and the gRPC interceptors share a Table.
package clients

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds are those of one client. Zero means: none.
type Bounds struct {
	Rate     int // requests a second; twice as many may come at once
	Requests int // at a time, without streams
	Streams  int
}

// Table counts what clients take.
type Table struct {
	now func() time.Time

	mu     sync.Mutex
	bounds Bounds
	all    map[string]*client
}

// client is what one takes.
type client struct {
	rate              *rate.Limiter
	requests, streams int
	last              time.Time
}

// The table forgets those who rest, once it is long.
const (
	longTable = 10_000
	rested    = time.Minute
)

// NewTable returns an empty table.
func NewTable(b Bounds, now func() time.Time) *Table {
	return &Table{bounds: b, now: now, all: map[string]*client{}}
}

// Request is one that a client was granted.
type Request struct {
	table  *Table
	client *client
	stream bool
}

// Begin grants a client a request, which ends with End. A nil table, and a client without a name, has no bounds.
func (t *Table) Begin(name string) (*Request, bool) {
	if t == nil || name == "" {
		return &Request{}, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.find(name)
	if t.bounds.Requests > 0 && c.requests >= t.bounds.Requests || c.rate != nil && !c.rate.AllowN(c.last, 1) {
		return nil, false
	}
	c.requests++
	return &Request{table: t, client: c}, true
}

// Stream makes a request a stream, if its client may have one more.
func (r *Request) Stream() bool {
	if r.client == nil || r.stream {
		return true
	}
	r.table.mu.Lock()
	defer r.table.mu.Unlock()
	if most := r.table.bounds.Streams; most > 0 && r.client.streams >= most {
		return false
	}
	r.client.requests--
	r.client.streams++
	r.stream = true
	return true
}

// End ends a request.
func (r *Request) End() {
	if r.client == nil {
		return
	}
	r.table.mu.Lock()
	defer r.table.mu.Unlock()
	if r.stream {
		r.client.streams--
	} else {
		r.client.requests--
	}
	r.client = nil
}

// find returns the client of a name, at its present time.
func (t *Table) find(name string) *client {
	now := t.now()
	c := t.all[name]
	if c == nil {
		if len(t.all) >= longTable {
			t.sweep(now)
		}
		c = &client{rate: t.limiter()}
		t.all[name] = c
	}
	c.last = now
	return c
}

// limiter bounds the rate of one client; nil: any rate.
func (t *Table) limiter() *rate.Limiter {
	if t.bounds.Rate <= 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(t.bounds.Rate), 2*t.bounds.Rate)
}

// SetBounds has other bounds hold from now on. What is under way goes on, and counts. Where the rate changes, what clients sent until
// now is forgotten.
func (t *Table) SetBounds(b Bounds) {
	t.mu.Lock()
	defer t.mu.Unlock()
	renewed := b.Rate != t.bounds.Rate
	t.bounds = b
	if !renewed {
		return
	}
	for _, c := range t.all {
		c.rate = t.limiter()
	}
}

// sweep forgets clients that have nothing under way and have rested. Where that are too few, all of them that have nothing under way
// begin again.
func (t *Table) sweep(now time.Time) {
	for _, rest := range []time.Duration{rested, 0} {
		for name, c := range t.all {
			if c.requests == 0 && c.streams == 0 && now.Sub(c.last) >= rest {
				delete(t.all, name)
			}
		}
		if len(t.all) < longTable {
			return
		}
	}
}

// Network names the network that an address is taken to belong to: itself, or in IPv6 the 64 bits that one client has to itself. This
// machine has no name.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	switch {
	case ip.IsLoopback():
		return ""
	case ip.Is6():
		p, _ := ip.Prefix(64) // 64 is in range
		return p.String()
	}
	return ip.String()
}
