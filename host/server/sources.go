package server

import "sync"

// Bounds of the sources of the clients of one protocol.
const (
	clientSources = 100       // that are open at a time
	clientBytes   = 256 << 20 // of what waits of all of them; a client with no waiting request may send one request beyond that
)

// Sources has a source for each client, so that none of them takes the room of another. The one that has not been used for longest ends
// where there are too many.
type Sources struct {
	server *Server
	shared *share  // by all of them
	others *Source // of clients without a source of their own, since all are in use

	mu   sync.Mutex
	all  map[string]*clientSource
	uses uint64 // so far
}

// share is what waits of several sources. The intake's lock guards it.
type share struct{ bytes int }

// clientSource is the source of one client.
type clientSource struct {
	*Source
	users int    // requests that use it now
	last  uint64 // the use that was the last one
}

// Sources makes sources for the clients of a protocol.
func (s *Server) Sources() *Sources {
	c := &Sources{server: s, shared: &share{}, all: map[string]*clientSource{}}
	c.others = c.open()
	return c
}

func (c *Sources) open() *Source {
	s := c.server.Source()
	s.shared = c.shared
	return s
}

// Of returns the source of a client, to be used until done is called.
func (c *Sources) Of(client string) (s *Source, done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.all[client]
	if known == nil {
		if len(c.all) >= clientSources && !c.closeOldest() {
			return c.others, func() {}
		}
		known = &clientSource{Source: c.open()}
		c.all[client] = known
	}
	c.uses++
	known.users, known.last = known.users+1, c.uses
	return known.Source, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		known.users--
	}
}

// closeOldest closes the source that has not been used for longest, if there is one that is not in use.
func (c *Sources) closeOldest() bool {
	var oldest *clientSource
	of := ""
	for client, s := range c.all {
		if s.users == 0 && (oldest == nil || s.last < oldest.last) {
			oldest, of = s, client
		}
	}
	if oldest == nil {
		return false
	}
	delete(c.all, of)
	oldest.Close()
	return true
}
