package server

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// simulatedServer is a whole server on a bad disk, driven by one goroutine: clients and their sources, the loop, the view with its readers
// and snapshots, the end in good order, kills, crashes and the next start. Time and chance come from a seed, so that a run can be
// repeated.
type simulatedServer struct {
	*testing.T
	random *rand.Rand
	disk   *simdisk.Disk
	clock  simulatedClock
	keeps  bool // the record is never cut off

	verifies bool // the view decides everything again
	policy   simulatedPolicy

	server  *Server
	record  *store.Log
	clients []*simulatedClient
	readers []*simulatedReader

	told   map[uint64]string // decisions, by seq
	inputs map[uint64]string // lines of acknowledged inputs, without their time, by number
	last   uint64            // acknowledged input
	count  map[string]int    // what it came through

	acknowledged acknowledgments
}

// roundsOfARun is how many rounds one seed has.
const roundsOfARun = 400

// simulatedRun goes through the run of a seed.
func simulatedRun(t *testing.T, seed uint64) *simulatedServer {
	s := &simulatedServer{T: t, random: rand.New(rand.NewPCG(seed, 3)), disk: simdisk.New(seed), keeps: seed%2 == 0, verifies: seed%3 == 0,
		told: map[uint64]string{}, inputs: map[uint64]string{}, count: map[string]int{}}
	s.clock.now = 1000 * time.Hour
	s.acknowledged.random = rand.New(rand.NewPCG(seed, 9))
	s.policy = simulatedPolicy{simulatedServer: s, steps: []int{1, 0, 5}[seed%3]}
	for range 3 {
		s.clients = append(s.clients, &simulatedClient{simulatedServer: s})
	}
	s.readers = []*simulatedReader{{simulatedServer: s, next: 1}, {simulatedServer: s, next: 1, holds: true}, {simulatedServer: s, next: 1}}
	s.start()
	burst := s.random.IntN(8 * roundsOfARun) // in one of eight runs
	for n := range roundsOfARun {
		if n == burst {
			s.clients[0].burst()
		}
		s.upset()
		s.step()
	}
	s.end()
	s.start()
	s.check()
	return s
}

// chance is true once in n times.
func (s *simulatedServer) chance(n int) bool { return s.random.IntN(n) == 0 }

// start opens the store and goes on from there.
func (s *simulatedServer) start() {
	s.disk.Fault = nil
	record, found, err := store.Open(s.disk, store.Options{SegmentSize: 16 << 10})
	if err != nil {
		s.Fatal(err)
	}
	if found.Snapshot != nil {
		s.count["starts from a snapshot"]++
	}
	o := Options{Store: record, Found: found, Clock: &s.clock, Log: slog.New(slog.DiscardHandler), SnapshotBatches: 30,
		Policies: s.policy.of, VerifyView: s.verifies}
	if s.keeps {
		o.Retain = 1 << 62
	}
	s.record = record
	s.acknowledged.marked, s.acknowledged.failed = record.End().Batch, false // which is durable
	if s.server, err = New(o); err != nil {
		s.Fatal(err)
	}
	s.server.loop.versionPeriod, s.server.view.replica.Most = 0, 1+s.random.IntN(10)
	s.server.view.inbox.Most = 1 + s.random.IntN(10)
	for _, c := range s.clients {
		c.connect()
	}
	for _, r := range s.readers {
		r.open()
	}
}

// upset has something go wrong, or the server end, now and then.
func (s *simulatedServer) upset() {
	switch s.random.IntN(120) {
	case 0, 1:
		s.disk.Crash()
		s.count["crashes"]++
		s.damageSome(afterCrash)
		s.start()
	case 2, 3:
		s.count["kills"]++
		s.damageSome(afterKill)
		s.start()
	case 4:
		s.end()
		s.damageSome(afterEnd)
		s.start()
	case 5, 6, 7, 8, 9:
		n := s.random.IntN(8)
		s.disk.Fault = func(operation, name string) error {
			if operation == "read" || operation == "list" || operation == "open" {
				return nil
			}
			if n--; n >= 0 {
				return nil
			}
			s.disk.Fault = nil
			s.acknowledged.failed = s.acknowledged.failed || name == "acknowledged"
			s.count["failures of the disk"]++
			return errors.New("injected")
		}
	}
}

// step is a round, with what comes before and after it.
func (s *simulatedServer) step() {
	s.count["rounds"]++
	s.clock.pass(s.random)
	for _, c := range s.clients {
		c.act()
	}
	if s.chance(50) {
		s.server.RefreshShadows()
	}
	requests, _ := s.server.intake.take()
	mended, err := s.server.serve(s.Context(), requests)
	if mended {
		s.count["stores mended"]++
	}
	if err != nil {
		s.restart(err)
		return
	}
	s.hear()
	if s.chance(3) {
		s.follow()
		s.maintain()
	}
	for _, r := range s.readers {
		if s.chance(5) {
			r.act()
		}
	}
}

// restart goes on after an error that ends the server: what was acknowledged cannot be read back, which only a failure makes so.
func (s *simulatedServer) restart(err error) {
	var damage *store.DamageError
	if !errors.As(err, &damage) {
		s.Fatal(err)
	}
	s.start()
}

// end ends the server in good order, as far as the disk lets it, and says what it could not do.
func (s *simulatedServer) end() {
	faults := s.count["failures of the disk"]
	stopped, stop := context.WithCancel(s.Context())
	stop()
	s.server.intake.close()
	err := s.server.drive(stopped)
	s.hear()
	if err == nil {
		s.follow()
		err = s.server.view.keepSnapshot()
	}
	if err != nil && s.count["failures of the disk"] == faults {
		s.Fatal(err)
	}
	if err != nil {
		return
	}
	s.count["ends in good order"]++
	for _, c := range s.clients {
		if len(c.waits) > 0 {
			s.Fatalf("%d requests were not answered before the end", len(c.waits))
		}
	}
	if kept, end := s.server.view.kept, s.record.End(); kept != end {
		s.Fatalf("the last snapshot is of %v, the end of the record is %v", kept, end)
	}
	s.server.loop.policies.Close()
	if err := s.record.Close(); err != nil {
		s.Fatal(err)
	}
}

// follow has the view go on to what the loop has handed over.
func (s *simulatedServer) follow() {
	if err := s.server.view.receive(); err != nil {
		s.Fatal(err)
	}
}

// maintain keeps a snapshot when it is due, and makes a segment ready. The disk may not let it.
func (s *simulatedServer) maintain() {
	faults, first := s.count["failures of the disk"], s.record.First()
	marked := s.record.SyncAcknowledged()
	if marked == nil {
		s.acknowledged.marked, s.acknowledged.failed = s.record.End().Batch, false
	}
	err := errors.Join(s.server.view.keepWhenDue(), s.record.Prepare(), marked)
	if err != nil && s.count["failures of the disk"] == faults {
		s.Fatal(err)
	}
	if s.record.First() > first {
		s.count["compactions"]++
	}
}

// simulatedClock is a time that goes on when somebody waits for it.
type simulatedClock struct{ now time.Duration }

// Now implements Clock.
func (c *simulatedClock) Now() time.Duration { return c.now }

// Wake implements Clock.
func (c *simulatedClock) Wake(at time.Duration) (<-chan time.Time, func()) {
	c.now = max(c.now, at)
	wake := make(chan time.Time, 1)
	wake <- time.Unix(0, int64(c.now))
	return wake, func() {}
}

// pass goes on by some time. Now and then it is a long one, so that parts of the record are removed, or the clock is set back.
func (c *simulatedClock) pass(random *rand.Rand) {
	switch random.IntN(200) {
	case 0, 5, 6, 7:
		c.now += time.Duration(random.Int64N(int64(40 * time.Hour)))
	case 1:
		c.now -= time.Duration(random.Int64N(int64(time.Minute)))
	case 2, 3, 4:
		c.now += time.Duration(random.Int64N(int64(time.Hour)))
	default:
		c.now += time.Duration(random.Int64N(int64(3 * time.Second)))
	}
}
