package livetest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
)

// Gate stops the loop of a scheduler before it decides: what it is about to decide is durable by then.
type Gate struct {
	closed atomic.Pointer[closing] // nil: it is open
}

// closing is a time in which the gate is closed.
type closing struct {
	reached chan struct{} // closed once the loop waits
	once    sync.Once
	opened  chan struct{}
}

// Gate has the loop of a scheduler pass a gate, which is open at first.
func (g *Gate) Gate(o *server.Options) {
	o.Policies = func(decides bool) server.Policies { return gated{g, decides} }
}

// Close has the loop stop before its next decision, until the gate is opened or the test ends. Reached is closed once it has stopped.
func (g *Gate) Close(t *testing.T) (reached <-chan struct{}, open func()) {
	c := &closing{reached: make(chan struct{}), opened: make(chan struct{})}
	g.closed.Store(c)
	open = sync.OnceFunc(func() { g.closed.Store(nil); close(c.opened) })
	t.Cleanup(open)
	return c.reached, open
}

// gated are no policies at all, whose scheduler passes a gate.
type gated struct {
	gate    *Gate
	decides bool
}

func (gated) Options() core.Options { return core.Options{} }
func (gated) Serve()                {}
func (gated) Missing() error        { return nil }
func (gated) Close()                {}

// SetTime implements server.Policies. The loop calls it before it decides.
func (p gated) SetTime(time.Duration) {
	if c := p.gate.closed.Load(); p.decides && c != nil {
		c.once.Do(func() { close(c.reached) })
		<-c.opened
	}
}
