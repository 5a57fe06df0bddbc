package clients

import (
	"fmt"
	"testing"
	"time"
)

func TestAClientIsBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	table := NewTable(Bounds{Rate: 2, Requests: 3, Streams: 1}, func() time.Time { return now })
	begin := func(name string, want bool) *Request {
		t.Helper()
		r, ok := table.Begin(name)
		if ok != want {
			t.Errorf("%s: granted %v, expected %v", name, ok, want)
		}
		return r
	}
	first, second := begin("ann", true), begin("ann", true)
	begin("ann", true)
	begin("bob", true)
	begin("ann", false) // three are under way
	if !first.Stream() || second.Stream() {
		t.Error("expected one stream")
	}
	begin("ann", true)
	second.End()
	begin("ann", false) // four came at once
	now = now.Add(500 * time.Millisecond)
	begin("ann", true).End()
	begin("ann", false)
	first.End()
	first.End() // again: nothing
	now = now.Add(time.Second)
	third := begin("ann", true)
	for range 2 { // the second time it is one already
		if !third.Stream() {
			t.Error("expected a stream after the other one ended")
		}
	}
	for range 100 {
		begin("", true)
	}
}

func TestOtherBoundsHoldForWhoIsKnownAlready(t *testing.T) {
	now := time.Unix(1000, 0)
	table := NewTable(Bounds{Rate: 1, Requests: 3, Streams: 1}, func() time.Time { return now })
	granted := func() (n int) {
		for range 100 {
			if r, ok := table.Begin("ann"); ok {
				n++
				r.End()
			}
		}
		return n
	}
	first, _ := table.Begin("ann")
	if !first.Stream() || granted() != 1 {
		t.Error("expected two requests at once")
	}
	table.SetBounds(Bounds{Rate: 1, Requests: 3, Streams: 2})
	if n := granted(); n != 0 {
		t.Errorf("the rate stayed the same, and %d requests more were granted", n)
	}
	table.SetBounds(Bounds{Rate: 5, Requests: 1, Streams: 2})
	second, ok := table.Begin("ann")
	if _, more := table.Begin("ann"); !ok || more || !second.Stream() {
		t.Error("expected one request at a time, and two streams")
	}
	if n := granted(); n != 9 {
		t.Errorf("found %d requests at once, and one before", n)
	}
	table.SetBounds(Bounds{})
	if n := granted(); n != 100 {
		t.Errorf("without bounds: found %d requests", n)
	}
	first.End()
	second.End()
	if c := table.all["ann"]; c.requests != 0 || c.streams != 0 {
		t.Errorf("found %+v at the end", c)
	}
}

func TestTheTableForgetsThoseWhoRest(t *testing.T) {
	now := time.Unix(1000, 0)
	table := NewTable(Bounds{Rate: 1}, func() time.Time { return now })
	busy, _ := table.Begin("busy")
	for n := range 3 * longTable {
		r, ok := table.Begin(fmt.Sprint(n))
		if !ok {
			t.Fatalf("client %d was refused", n)
		}
		r.End()
	}
	if len(table.all) > longTable || table.all["busy"] == nil {
		t.Errorf("found %d clients", len(table.all))
	}
	busy.End()
	var none *Table
	if r, ok := none.Begin("ann"); !ok || !r.Stream() {
		t.Error("without a table there are no bounds")
	}
}

func TestANetworkIsAClient(t *testing.T) {
	for address, want := range map[string]string{"127.0.0.1": "", "::1": "", "::ffff:127.0.0.1": "", "10.1.2.3": "10.1.2.3", "::ffff:10.1.2.3": "10.1.2.3",
		"2001:db8:1:2:3::4": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "@": "@"} {
		if found := Network(address); found != want {
			t.Errorf("%s: found %q, expected %q", address, found, want)
		}
	}
}
