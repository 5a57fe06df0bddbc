package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// follower reads all decisions about a queue. It gets each allocation of the asks that are sent while it reads, and each once.
type follower struct {
	queue int
	first int // message whose asks it is to see

	last uint64       // decision
	seen atomic.Int64 // allocations of those asks
}

// event is what a follower looks at in a decision.
type event struct {
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"`
	Type string    `json:"type"`
	ID   string    `json:"id"`
}

// take takes in a decision. The error says that it is none, or not behind the one before.
func (f *follower) take(data string) (e event, err error) {
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		return e, fmt.Errorf("the event %s: %w", data, err)
	}
	if e.Seq <= f.last {
		return e, fmt.Errorf("the event %s came after %d", data, f.last)
	}
	f.last = e.Seq
	message, _, _ := strings.Cut(strings.TrimPrefix(e.ID, "k"), "-")
	if n, err := strconv.Atoi(message); err == nil && e.Type == "allocation" && n >= f.first {
		f.seen.Add(1)
	}
	return e, nil
}

// expected is how many allocations the messages up to another one brought to its queue.
func (f *follower) expected(end int) int64 {
	first := f.first + (f.queue-f.first%readerQueues+readerQueues)%readerQueues
	if first >= end {
		return 0
	}
	return int64((end-1-first)/readerQueues+1) * asksMessage
}

// Patience with readers.
const (
	connectTime = 30 * time.Second // until the host knows of all
	catchUpTime = 30 * time.Second // until they have what was decided
)

// connected waits until so many follow decisions.
func (r *readers) connected(ctx context.Context, enough float64) error {
	for end := time.Now().Add(connectTime); ; {
		m, err := r.host.readMetrics(ctx)
		if err != nil || m[streamReaders] >= enough {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("of %.0f readers, %.0f were connected after %s", enough, m[streamReaders], connectTime)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// complete waits until followers have all that the messages up to another one brought, and fails those that have missed something.
func (r *readers) complete(ctx context.Context, all []*follower, end int) {
	for late := time.Now().Add(catchUpTime); ; time.Sleep(50 * time.Millisecond) {
		missing := 0
		for _, f := range all {
			if f.seen.Load() < f.expected(end) {
				missing++
			}
		}
		if missing == 0 || time.Now().After(late) || ctx.Err() != nil {
			break
		}
	}
	for _, f := range all {
		seen, expected := f.seen.Load(), f.expected(end)
		if seen != expected {
			r.fail("the one of queue %d saw %d allocations, and %d were made", f.queue, seen, expected)
		}
		r.checked += expected
	}
	r.followers += len(all)
}
