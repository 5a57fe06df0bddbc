package server

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store/simdisk"
)

// explaining has an explanation wait until release is closed. explained has a value when it has ended: whether it saw node n1.
func explaining(s *Server) (release chan<- struct{}, explained <-chan bool) {
	entered, waits, found := make(chan struct{}), make(chan struct{}), make(chan bool, 1)
	go func() {
		var ok bool
		err := s.View().Explain("", func(present *scheduler.Scheduler) {
			close(entered)
			<-waits
			_, ok = present.Node("n1")
		})
		found <- ok && err == nil
	}()
	<-entered
	return waits, found
}

func TestExplanation_DelaysNoOtherReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in which a reader's patience takes no time
		s, _ := opened(t, simdisk.New(1), 1<<20, func(o *Options) { o.Clock = bubbleClock{} })
		source, end := running(t, s)
		submit(t, source, cluster(4, 20)...)
		awaitEnd(t, s)
		release, explained := explaining(s)
		submit(t, source, core.Input{Event: &core.AddNode{ID: "n1"}})
		awaitEnd(t, s)
		for patience := loanPatience; patience >= 0; patience -= loanPatience { // the first waits, and then there is a fork
			began := time.Now()
			s.View().Read(func(present *scheduler.Scheduler) {
				if _, ok := present.Node("n1"); !ok {
					t.Error("a reader lacks the node that came during an explanation")
				}
			})
			if waited := time.Since(began); waited != patience {
				t.Errorf("a reader waited %s, expected %s", waited, patience)
			}
		}
		if c := s.Condition(); c.Versions != 1 || c.VersionBytes == 0 {
			t.Errorf("meanwhile %d versions of %d bytes are held", c.Versions, c.VersionBytes)
		}
		close(release)
		if <-explained {
			t.Error("the explanation is of a later state than that at its beginning")
		}
		if c := s.Condition(); c.Versions != 0 {
			t.Errorf("afterwards %d versions are held", c.Versions)
		}
		end()
	})
}

// Without other readers, an explanation costs no fork: the view goes on with the scheduler that it has used.
func TestExplanation_ReturnsTheScheduler(t *testing.T) {
	s, _ := opened(t, simdisk.New(1), 1<<20)
	source, end := running(t, s)
	submit(t, source, cluster(4, 20)...)
	awaitEnd(t, s)
	var before, during *scheduler.Scheduler
	s.View().Read(func(present *scheduler.Scheduler) { before = present })
	if err := s.View().Explain("", func(present *scheduler.Scheduler) { during = present }); err != nil {
		t.Fatal(err)
	}
	release, explained := explaining(s)
	submit(t, source, core.Input{Event: &core.AddNode{ID: "n1"}}) // is decided when a reader comes
	awaitEnd(t, s)
	close(release)
	<-explained
	s.View().Read(func(present *scheduler.Scheduler) {
		if _, ok := present.Node("n1"); !ok || present != before || present != during {
			t.Errorf("readers have used the schedulers %p, %p and %p, and the node is there: %t", before, during, present, ok)
		}
	})
	end()
}

// Readers of one state share its version, so that many explanations cost one freeze.
func TestVersion_IsFrozenOnceForEachState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := opened(t, simdisk.New(1), 1<<20, func(o *Options) { o.Clock = bubbleClock{} })
		source, end := running(t, s)
		submit(t, source, cluster(4, 20)...)
		version := func() *scheduler.Frozen {
			synctest.Wait()
			held, err := s.view.freeze(func(*follower) {})
			if err != nil {
				t.Fatal(err)
			}
			held.Release()
			return held.Frozen
		}
		first := version()
		if err := s.View().Explain("", func(*scheduler.Scheduler) {}); err != nil {
			t.Fatal(err)
		}
		if version() != first {
			t.Error("one state was frozen twice")
		}
		submit(t, source, core.Input{Event: &core.AddNode{ID: "n1"}})
		if _, ok := version().Fork(core.Options{}).Node("n1"); !ok {
			t.Error("a version lacks the last batch")
		}
		end()
	})
}
