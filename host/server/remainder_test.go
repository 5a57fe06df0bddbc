package server

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store/simdisk"
)

// While a reader holds the view, the loop goes on, and only so many batches are kept in memory. Afterwards readers and watchers see all.
func TestView_ReadsTheRestFromTheRecord(t *testing.T) {
	for _, verifies := range []bool{false, true} {
		t.Run(fmt.Sprint("verifies-", verifies), func(t *testing.T) { readsTheRest(t, verifies) })
	}
}

func readsTheRest(t *testing.T, verifies bool) {
	disk, seen := simdisk.New(1), &witness{}
	s, record := opened(t, disk, 1<<20, func(o *Options) { o.Watcher, o.VerifyView = seen, verifies })
	s.view.inbox.Most = 2
	source, end := running(t, s)
	submit(t, source, cluster(4, 20)...)
	for n := range 3 {
		held, release, read := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			s.view.Read(func(*scheduler.Scheduler) { close(held); <-release })
			close(read)
		}()
		<-held
		waves(t, source, n*30, 30)
		if c := s.Condition(); c.Gathered > 2 {
			t.Errorf("%d handovers are kept", c.Gathered)
		}
		close(release)
		<-read
		awaitEnd(t, s)
		var shown core.Dump
		s.view.Read(func(present *scheduler.Scheduler) { shown = present.Dump() })
		if want := recordedFollower(t, s).scheduler.Dump(); !reflect.DeepEqual(shown, want) {
			t.Fatalf("after wave %d, readers see another state than that of the record", n)
		}
	}
	again := &witness{}
	found := s.o.Found
	if _, err := recovered(record, &found, noPolicies{}, again); err != nil {
		t.Fatal(err)
	}
	s.view.Read(func(*scheduler.Scheduler) {
		if len(again.seen) < 200 || !slices.Equal(seen.seen, again.seen) {
			t.Errorf("watchers have seen %d steps and decisions, a start sees %d: %q", len(seen.seen), len(again.seen), firstOther(seen.seen, again.seen))
		}
	})
	d, err := s.Decisions(1)
	if err != nil {
		t.Fatal(err)
	}
	for seq := uint64(1); seq <= record.End().Decision; seq++ {
		if next, err := d.Next(); err != nil || SeqOf(next.Line) != seq {
			t.Fatalf("decision %d: found %v, %v", seq, next, err)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	end()
}

// firstOther returns what two lists have first that differs.
func firstOther(a, b []string) []string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return []string{a[i], b[i]}
		}
	}
	return nil
}
