package server

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
	"github.com/quern-project/quern/internal/await"
)

// snapshot is the state that readers see, and its time.
func (v *View) snapshot() (text []byte, now time.Duration) {
	v.Read(func(s *scheduler.Scheduler) { text, now = s.Snapshot(), s.Now() })
	return text, now
}

// awaitEnd waits until the view has all of the record.
func awaitEnd(t *testing.T, s *Server) {
	t.Helper()
	if err := s.view.Await(t.Context(), s.o.Store.End().Batch); err != nil {
		t.Fatal(err)
	}
}

// recordedState is the state to which the record leads, after the quiet period that the view knows of.
func recordedState(t *testing.T, s *Server) []byte {
	t.Helper()
	return recordedFollower(t, s).scheduler.Snapshot()
}

func recordedFollower(t *testing.T, s *Server) *follower {
	t.Helper()
	f, err := newFollower(nil, store.Position{}, noPolicies{})
	if err == nil {
		err = f.catchUp(s.o.Store)
	}
	if err == nil {
		s.view.mu.Lock()
		err = f.DecideIdle(s.view.quiet)
		s.view.mu.Unlock()
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// waves are requests of asks that come and go.
func waves(t *testing.T, source *Source, from, n int) {
	t.Helper()
	for i := from; i < from+n; i++ {
		list := []core.Input{{Event: &core.AddAsk{ID: fmt.Sprint("k", i), App: "a000", Resources: vcores(1)}}}
		if i >= 10 {
			list = append(list, core.Input{Event: &core.ReleaseAllocation{ID: fmt.Sprint("k", i-10)}})
		}
		submit(t, source, list...)
	}
}

// Readers see what the record says, whether the view replays batches, takes versions, or does both in turn.
func TestReplica_EqualsTheRecord(t *testing.T) {
	for _, most := range []int{0, 7, 40, view.MostBacklog} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			s, _ := opened(t, simdisk.New(1), 1<<20)
			s.view.replica.Most, s.loop.versionPeriod = most, 0
			source, end := running(t, s)
			submit(t, source, cluster(4, 20)...)
			for n := range 6 {
				waves(t, source, n*12, 12)
				awaitEnd(t, s)
				shown, now := s.view.snapshot()
				if want := recordedState(t, s); !bytes.Equal(shown, want) {
					t.Fatalf("after wave %d, readers see another state than that of the record", n)
				}
				if v := s.view.Version(); v.Now < now {
					t.Fatalf("readers see the state of %s, and the version says %s", now, v.Now)
				}
			}
			end()
		})
	}
}

// Readers in quiet periods begin shrink epochs that the record does not have. They see the same state, and later decisions are the same.
func TestReplica_ReadersInQuietPeriods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := opened(t, simdisk.New(1), 1<<20, func(o *Options) { o.Clock = bubbleClock{} })
		s.view.replica.Most, s.loop.versionPeriod = 40, 0
		source, end := running(t, s)
		submit(t, source, cluster(4, 20)...)
		epochs := false
		for n := range 6 {
			waves(t, source, n*12, 12)
			awaitEnd(t, s)
			for range 3 {
				await.Virtual(time.Second)
				s.Refresh(t.Context())
			}
			shown, now := s.view.snapshot()
			want := recordedFollower(t, s).scheduler
			if seen := s.view.dump(); !reflect.DeepEqual(seen, want.Dump()) || now != want.Now() {
				t.Fatalf("after wave %d, readers see at %s\n%+v\nand the record says at %s\n%+v", n, now, seen, want.Now(), want.Dump())
			}
			epochs = epochs || !bytes.Equal(shown, want.Snapshot())
		}
		if !epochs {
			t.Error("no reader has begun an epoch: this test shows nothing")
		}
		end()
	})
}

func (v *View) dump() (d core.Dump) {
	v.Read(func(s *scheduler.Scheduler) { d = s.Dump() })
	return d
}

// While nobody reads, the view decides nothing: versions take the place of what it lacks, and a reader sees them.
func TestReplica_DecidesNothingUnread(t *testing.T) {
	s, _ := opened(t, simdisk.New(1), 1<<20)
	s.view.replica.Most, s.loop.versionPeriod = 50, 0
	source, end := running(t, s)
	submit(t, source, cluster(4, 20)...)
	waves(t, source, 0, 100)
	awaitEnd(t, s)
	waves(t, source, 100, 1) // comes with a version
	awaitEnd(t, s)
	s.view.mu.Lock()
	work := s.view.replica.Lacks()
	s.view.mu.Unlock()
	if work > 60 {
		t.Errorf("the view lacks %d inputs and decisions", work)
	}
	var d core.Dump
	s.view.Read(func(present *scheduler.Scheduler) { d = present.Dump() })
	if len(d.Nodes) != 4 {
		t.Errorf("found %d nodes", len(d.Nodes))
	}
	end()
}
