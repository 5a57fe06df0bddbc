package predicates

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// Question asks which nodes an ask with a predicate may go to.
type Question struct {
	Number    uint64
	Predicate string
	Nodes     []string
	Timeout   time.Duration
}

// Name is that of the predicate, without its owner.
func (q *Question) Name() string {
	_, name := Parts(q.Predicate)
	return name
}

// Answer answers a question.
type Answer struct {
	Number uint64
	Codes  []uint32 // of the nodes, in their order: 0 fits
	Fault  string   // why there is no answer; empty: there is
}

var (
	errLate = errors.New("the client did not answer in time")
	errGone = errors.New("the client has gone")
)

// Client answers for an owner.
type Client struct {
	hub       *Hub
	owner     string
	questions chan *Question
	gone      chan struct{}

	mu      sync.Mutex
	waiting uint64 // the number of the question that is under way; 0: none
	answer  chan *Answer

	pause time.Duration // the last one, under the lock of the hub
	until time.Time     // it is not asked
}

// Attach has a client answer for an owner, in place of the one before.
func (h *Hub) Attach(owner string) *Client {
	c := &Client{hub: h, owner: owner, questions: make(chan *Question), gone: make(chan struct{})}
	h.mu.Lock()
	defer h.mu.Unlock()
	if before := h.clients[owner]; before != nil {
		close(before.gone)
	}
	h.clients[owner] = c
	return c
}

// Detach ends its answering, unless another has taken its place.
func (c *Client) Detach() {
	h := c.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients[c.owner] == c {
		delete(h.clients, c.owner)
		close(c.gone)
	}
}

// Drop ends the answering of an owner's client, since the owner has changed.
func (h *Hub) Drop(owner string) {
	h.mu.Lock()
	c := h.clients[owner]
	h.mu.Unlock()
	if c != nil {
		c.Detach()
	}
}

// Questions are those that the client is to answer.
func (c *Client) Questions() <-chan *Question { return c.questions }

// Gone is closed when another client has taken its place, or Detach was called.
func (c *Client) Gone() <-chan struct{} { return c.gone }

// Answer takes an answer. One that is no longer awaited is dropped.
func (c *Client) Answer(a *Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.Number == c.waiting && c.waiting != 0 {
		c.waiting = 0
		c.answer <- a
	}
}

// ask waits for the answer to a question. Only one is asked at a time.
func (c *Client) ask(q *Question) ([]uint32, error) {
	answer := make(chan *Answer, 1)
	c.mu.Lock()
	c.waiting, c.answer = q.Number, answer
	c.mu.Unlock()
	late := time.NewTimer(q.Timeout)
	defer late.Stop()
	select {
	case c.questions <- q:
	case <-late.C:
		return nil, errLate
	case <-c.gone:
		return nil, errGone
	}
	select {
	case a := <-answer:
		return a.codes(q)
	case <-late.C:
		return nil, errLate
	case <-c.gone:
		return nil, errGone
	}
}

// codes are those of the nodes of a question.
func (a *Answer) codes(q *Question) ([]uint32, error) {
	switch {
	case a.Fault != "":
		return nil, fmt.Errorf("the client cannot answer: %.200s", a.Fault)
	case len(a.Codes) != len(q.Nodes):
		return nil, fmt.Errorf("the client answered with %d codes for %d nodes", len(a.Codes), len(q.Nodes))
	}
	return a.Codes, nil
}
