package clientcmd

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

// watched is what is known of a host that is watched.
type watched struct {
	host     remote.Host
	overview listing.Overview

	mu      sync.Mutex
	seq     uint64
	counts  [len(counted)]int // of decisions so far
	before  [len(counted)]int // at the last look
	looked  time.Time         // zero: not yet
	failure error             // why decisions do not come any more
}

// counted are the decisions of which the rates are shown.
var counted = [...]struct{ kind, name string }{
	{"allocation", "allocations"}, {"release", "releases"}, {"preemption", "preemptions"}, {"app.accepted", "new applications"},
}

// mostWaiting is how many asks that wait are read.
const mostWaiting = 1000

// watchHost counts the decisions of a host until the context ends.
func watchHost(ctx context.Context, host remote.Host, server string) *watched {
	w := &watched{host: host}
	w.overview.Server = server
	go func() {
		first := true
		for object, err := range host.Decisions(ctx, remote.Wanted{Last: 1, Follow: true}) {
			w.decided(object, err, first)
			first = false
		}
	}()
	return w
}

// decided counts a decision. The first is an old one.
func (w *watched) decided(object json.RawMessage, err error, first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var d struct {
		Seq  uint64
		Type string
	}
	if err != nil || json.Unmarshal(object, &d) != nil {
		w.failure = err
		return
	}
	w.seq = d.Seq
	for i, c := range counted {
		if c.kind == d.Type && !first {
			w.counts[i]++
		}
	}
}

// look reads how the host stands.
func (w *watched) look(ctx context.Context) error {
	o := listing.Overview{Server: w.overview.Server}
	var err error
	if o.Queues, err = w.host.List(ctx, remote.Queues, nil, 0); err != nil {
		return err
	}
	if o.Nodes, err = w.host.List(ctx, remote.Nodes, nil, 0); err != nil {
		return err
	}
	if o.Waiting, err = w.host.List(ctx, remote.Asks, map[string]string{"state": "pending"}, mostWaiting); err != nil {
		return err
	}
	o.Demo = listing.Simulated(o.Nodes)
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if span := now.Sub(w.looked).Seconds(); !w.looked.IsZero() && span > 0 {
		for i, c := range counted {
			o.Rates = append(o.Rates, listing.Rate{Name: c.name, Rate: float64(w.counts[i]-w.before[i]) / span})
		}
	}
	w.before, w.looked, o.Seq = w.counts, now, w.seq
	w.overview = o
	return w.failure
}
