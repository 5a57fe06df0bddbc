package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
	"github.com/quern-project/quern/internal/await"
)

// faults make a disk fail and dawdle now and then. None of its operations goes well for long.
type faults struct {
	mu      sync.Mutex
	random  *rand.Rand
	off     atomic.Bool
	made    map[string]int // by operation
	well    map[string]int // times that an operation has gone well since it last failed
	delayed int
}

func (f *faults) fault(operation, _ string) error {
	if f.off.Load() || operation == "read" || operation == "list" || operation == "open" {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	const one = 40 // of so many fails
	chance := f.random.IntN(one)
	if f.well[operation]++; f.well[operation] == one {
		chance = 0
	}
	switch chance {
	case 0:
		f.made[operation]++
		f.well[operation] = 0
		return errors.New("injected")
	case 1, 2:
		f.delayed++
		await.Pause(time.Duration(f.random.IntN(1000)) * time.Microsecond)
	}
	return nil
}

// ordeal is a server on a bad disk, with what its clients were told.
type ordeal struct {
	*testing.T
	disk    *simdisk.Disk
	faults  *faults
	keyed   bool
	server  *Server
	record  *store.Log
	sources []*supplicant

	mu       sync.Mutex
	told     map[uint64]string
	inputs   map[uint64]string // whose they are
	answers  atomic.Int64
	half     int64         // so many answers are half of those of a life
	reached  chan struct{} // gets a value when they were given
	removed  bool          // segments were
	snapshot bool          // recovery began with one
}

// supplicant is a client: it sends a request until it is answered.
type supplicant struct {
	*ordeal
	name   string
	random *rand.Rand
	n      int
	last   *Request // that was answered
	answer Answer
	next   *Request
}

func newOrdeal(t *testing.T, seed uint64) *ordeal {
	o := &ordeal{T: t, disk: simdisk.New(seed), keyed: seed%2 == 0, told: map[uint64]string{}, inputs: map[uint64]string{},
		faults: &faults{random: rand.New(rand.NewPCG(seed, 8)), made: map[string]int{}, well: map[string]int{}}}
	o.disk.Fault = o.faults.fault
	for n := range 4 {
		c := &supplicant{ordeal: o, name: fmt.Sprint("c", n), random: rand.New(rand.NewPCG(seed, uint64(n)))}
		c.make()
		o.sources = append(o.sources, c)
	}
	return o
}

// make makes up the next request. What it asks for has ended some requests later.
func (c *supplicant) make() {
	vcores := func(n int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
	}
	id := func(n int) string { return fmt.Sprintf("%s-%d", c.name, n) }
	r := &Request{}
	if c.n == 0 {
		r.Inputs = []core.Input{{Event: &core.AddApp{ID: c.name, Queue: "root.default"}}, {Event: &core.AddNode{ID: c.name + "-node", Capacity: vcores(5)}}}
	}
	r.Inputs = append(r.Inputs, core.Input{Event: &core.AddAsk{ID: id(c.n), App: c.name, Resources: vcores(1 + c.random.Int64N(4))}})
	if late := c.n - 6; late >= 0 {
		r.Inputs = append(r.Inputs, core.Input{Event: &core.ReleaseAllocation{ID: id(late)}}, core.Input{Event: &core.RemoveAsk{ID: id(late)}})
	}
	if c.keyed {
		r.Key = id(c.n)
	}
	c.n++
	c.next = r
}

// run sends until the server takes no more, or there were answers enough.
func (c *supplicant) run(ctx context.Context, enough int64) {
	source := c.server.Source()
	defer source.Close()
	if c.keyed && c.last != nil {
		c.repeat(ctx, source)
	}
	for c.answers.Load() < enough {
		given, err := source.Submit(ctx, copyOf(c.next))
		switch {
		case errors.Is(err, ErrStoreFailed):
			continue
		case err != nil:
			return
		}
		c.hear(&given)
		c.last, c.answer = c.next, given
		c.make()
	}
}

// copyOf is a request as a client sends it: the loop stamps its inputs.
func copyOf(r *Request) *Request {
	sent := *r
	sent.Inputs = slices.Clone(r.Inputs)
	return &sent
}

// repeat sends the last request that was answered once more.
func (c *supplicant) repeat(ctx context.Context, source *Source) {
	again, err := source.Submit(ctx, copyOf(c.last))
	if err != nil {
		return
	}
	if again.First != c.answer.First || !equalLines(again.Decisions, c.answer.Decisions) {
		c.Errorf("%s was answered with %d and\n%s\nand a repeat with %d and\n%s", c.last.Key, c.answer.First, c.answer.Decisions, again.First, again.Decisions)
	}
}

func (c *supplicant) hear(given *Answer) {
	if c.answers.Add(1) == c.half {
		c.reached <- struct{}{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range given.Decisions {
		d := &given.Decisions[i]
		if before, ok := c.told[d.Seq()]; ok && before != d.String() {
			c.Errorf("decision %d was told as\n%s\nand as\n%s", d.Seq(), before, d)
		}
		c.told[d.Seq()] = d.String()
	}
	for n := given.First; n <= given.Last; n++ {
		if by := c.inputs[n]; by != "" {
			c.Errorf("input %d is of %s and of %s", n, by, c.name)
		}
		c.inputs[n] = c.name
	}
}

// live runs the server until some requests were answered, and ends it: in good order, or by a crash.
func (o *ordeal) live(crash bool) {
	o.faults.off.Store(true)
	record, found, err := store.Open(o.disk.Mount(), store.Options{SegmentSize: 16 << 10})
	if err != nil {
		o.Fatal(err)
	}
	o.record, o.snapshot, o.removed = record, o.snapshot || found.Snapshot != nil, o.removed || record.First() > 1
	if o.server, err = New(Options{Store: record, Found: found, Clock: NewSystemClock(0), Log: slog.New(slog.DiscardHandler), SnapshotBatches: 15}); err != nil {
		o.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- o.server.Run(ctx) }()
	o.check(ctx)
	o.faults.off.Store(false)
	var clients sync.WaitGroup
	enough := o.answers.Load() + 100
	o.half, o.reached = enough-50, make(chan struct{}, 1)
	for _, c := range o.sources {
		clients.Go(func() { c.run(ctx, enough) })
	}
	if crash {
		select {
		case <-o.reached:
		case err := <-ended:
			o.Fatalf("the server cannot go on: %v", err)
		}
		o.disk.Crash()
		cancel()
		clients.Wait()
		o.Log("after a crash, which it may have seen: ", <-ended)
		return
	}
	clients.Wait()
	o.faults.off.Store(true)
	cancel()
	if err := <-ended; err != nil && !errors.Is(err, ErrStoreFailed) { // it may end before the store takes batches again
		o.Error(err)
	}
}

// check reads the record as far as it is kept, once all that was open is decided.
func (o *ordeal) check(ctx context.Context) {
	o.Helper()
	source := o.server.Source()
	defer source.Close()
	if _, err := source.Submit(ctx, &Request{Inputs: []core.Input{{Event: &core.Tick{}}}}); err != nil {
		o.Fatal(err)
	}
	from, found, err := uint64(1), 0, error(nil)
	var gone *CompactedError
	for err = o.read(from, &found); errors.As(err, &gone); err = o.read(from, &found) { // a snapshot may be kept meanwhile
		from = gone.First
	}
	if err != nil {
		o.Fatal(err)
	}
	want := 0
	for seq := range o.told {
		if seq >= from {
			want++
		}
	}
	if found != want {
		o.Fatalf("%d decisions were told that are kept, and %d of them are there", want, found)
	}
	o.checkState()
}

// read compares the decisions from a seq on with what clients were told, and counts those that were. The error is a *CompactedError where they
// are kept no longer.
func (o *ordeal) read(from uint64, found *int) error {
	o.Helper()
	*found = 0
	list, err := o.server.Decisions(from)
	if err != nil {
		return err
	}
	defer func() {
		if err := list.Close(); err != nil {
			o.Error(err)
		}
	}()
	for {
		d, err := list.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if told, ok := o.told[d.Seq()]; ok {
			if *found++; told != d.String() {
				o.Fatalf("decision %d was told as\n%s\nand is\n%s", d.Seq(), told, d)
			}
		}
		if v, err := d.Value(); err != nil || o.keyed && (v.Type == core.AskRejected || v.Type == core.AppRejected) {
			o.Fatalf("something was applied twice: %s (%v)", d, err)
		}
	}
}

// checkState checks that no node has more than it can, and nothing twice.
func (o *ordeal) checkState() {
	o.Helper()
	o.server.View().Read(func(s *scheduler.Scheduler) {
		d, placed := s.Dump(), map[string]string{}
		for i := range d.Nodes {
			n := &d.Nodes[i]
			for _, q := range n.Used {
				if q.Value > 5000 {
					o.Errorf("%d thousandths of a vcore of %s are in use", q.Value, n.ID)
				}
			}
			for _, id := range n.Allocations {
				if placed[id] != "" {
					o.Errorf("%s runs on %s and %s", id, placed[id], n.ID)
				}
				placed[id] = n.ID
			}
		}
	})
}

// A whole server, with everything that runs beside its loop, on a disk that writes short, fails, fails to sync, and takes its time: while
// snapshots are written and segments removed, and in crashes.
func TestBadDisk_AcknowledgedInputsStay(t *testing.T) {
	made, delayed, answers, removed, snapshots := map[string]int{}, 0, int64(0), 0, 0
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		o := newOrdeal(t, seed)
		for n := range 5 {
			o.live(n%2 == 0)
		}
		o.live(false)
		for operation, n := range o.faults.made {
			made[operation] += n
		}
		delayed, answers = delayed+o.faults.delayed, answers+o.answers.Load()
		if o.removed {
			removed++
		}
		if o.snapshot {
			snapshots++
		}
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	t.Logf("%d requests answered; injected: %v failures, %d delays; %d lives had segments removed, and %d snapshots to begin with", answers, made, delayed, removed, snapshots)
	if removed == 0 || snapshots == 0 || made["write"] == 0 || made["sync"] == 0 || made["rename"] == 0 || delayed == 0 {
		t.Error("the disk was not as bad as it should be")
	}
}
