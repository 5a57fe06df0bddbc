// Package predicates has clients of a live host say which nodes an ask may go to: the host predicates of the core, which asks name.
//
// A predicate is named OWNER/NAME. Hub asks the client that answers for the owner, and only for the scheduler that decides: what it
// answers is recorded, and whoever follows the record is served from there. The loop waits for an answer, so there is a deadline. A client
// that lets it pass is not asked for a while, each time for twice as long. Without an answer no node is taken to fit.
package predicates

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/server"
)

// DefaultTimeout is how long an answer about few nodes may take: as that of a policy that is a process.
const DefaultTimeout = 10 * time.Millisecond

// nodesATimeout is how many nodes a client may take one timeout more for.
const nodesATimeout = 1_000

// A client that has let a deadline pass is asked again after firstPause, and each time that it does so again after twice as long.
const (
	firstPause = time.Second
	lastPause  = time.Minute
)

// Hub knows the clients that answer.
type Hub struct {
	timeout time.Duration

	mu      sync.Mutex
	clients map[string]*Client // by owner
	asked   uint64             // questions so far
}

// New makes a hub without clients. The timeout bounds the time of a question about few nodes.
func New(timeout time.Duration) *Hub {
	return &Hub{timeout: timeout, clients: map[string]*Client{}}
}

// Name is that of an owner's predicate, as asks have it.
func Name(owner, name string) string { return owner + "/" + name }

// Parts takes a predicate's name apart. That of an owner may have a slash, what stands behind it has none. A predicate without a slash has no owner.
func Parts(predicate string) (owner, name string) {
	at := strings.LastIndexByte(predicate, '/')
	if at < 0 {
		return "", predicate
	}
	return predicate[:at], predicate[at+1:]
}

// Policies has predicates answered for, beside what answers for policy modules.
func (h *Hub) Policies(each func(decides bool) server.Policies) func(decides bool) server.Policies {
	return func(decides bool) server.Policies {
		p := each(decides)
		if !decides {
			return p
		}
		return &answering{Policies: p, hub: h}
	}
}

// answering answers for the scheduler that decides, once it has recovered.
type answering struct {
	server.Policies
	hub    *Hub
	serves bool
}

// Serve implements server.Policies.
func (a *answering) Serve() {
	a.serves = true
	a.Policies.Serve()
}

// Options implements server.Policies.
func (a *answering) Options() core.Options {
	o := a.Policies.Options()
	modules := o.Evaluator
	o.Evaluator = func(m core.Announcement) policy.Evaluator {
		switch {
		case m.SHA256 == "":
			return &predicate{a, m.Name}
		case modules == nil:
			return nil
		}
		return modules(m)
	}
	return o
}

// predicate is one that asks have named.
type predicate struct {
	*answering
	name string
}

// errRecorded is why no client is asked while the scheduler recovers.
var errRecorded = errors.New("the record has no answer of the predicate")

// Eval implements policy.Evaluator.
func (p *predicate) Eval(b *policy.Batch) error {
	if !p.serves {
		return errRecorded
	}
	nodes := make([]string, len(b.Rows))
	for i, row := range b.Rows {
		nodes[i] = b.Items.Name(row)
	}
	codes, err := p.hub.ask(p.name, nodes)
	if err != nil {
		return err
	}
	for i, row := range b.Rows {
		b.Out[int(row)*b.Keys] = float64(codes[i])
	}
	return nil
}

// ask has the owner's client judge nodes.
func (h *Hub) ask(name string, nodes []string) ([]uint32, error) {
	h.mu.Lock()
	h.asked++
	q := Question{Number: h.asked, Predicate: name, Nodes: nodes, Timeout: h.timeout * time.Duration(1+len(nodes)/nodesATimeout)}
	owner, _ := Parts(name)
	c := h.clients[owner]
	if c == nil {
		h.mu.Unlock()
		return nil, fmt.Errorf("no client answers the predicates of %q", owner)
	}
	if time.Now().Before(c.until) {
		h.mu.Unlock()
		return nil, fmt.Errorf("the client of %q has not answered in time, and is not called for %v", c.owner, c.pause)
	}
	h.mu.Unlock()
	codes, err := c.ask(&q)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case errors.Is(err, errLate):
		c.pause = min(max(2*c.pause, firstPause), lastPause)
		c.until = time.Now().Add(c.pause)
	case err == nil:
		c.pause = 0
	}
	return codes, err
}
