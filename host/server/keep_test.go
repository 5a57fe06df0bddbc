package server

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// slowDisk waits before the first snapshot is written.
type slowDisk struct {
	store.Disk
	once             sync.Once
	writing, written chan struct{}
}

func (d *slowDisk) Create(name string) (store.File, error) {
	if strings.HasPrefix(name, "snapshot") {
		d.once.Do(func() { close(d.writing); <-d.written })
	}
	return d.Disk.Create(name)
}

// A snapshot that takes its time to be written keeps nobody waiting: inputs are answered, and the view goes on.
func TestView_ContinuesDuringASnapshot(t *testing.T) {
	for name, due := range map[string]func(*View){
		"after some time":  func(v *View) { v.keptAt = time.Now().Add(-time.Hour) },
		"after some bytes": func(v *View) { v.unsaved.Store(snapshotBytes - 10) },
	} {
		t.Run(name, func(t *testing.T) { goesOnWhileWritten(t, due) })
	}
}

func goesOnWhileWritten(t *testing.T, due func(*View)) {
	disk := &slowDisk{Disk: store.NewMemory(), writing: make(chan struct{}), written: make(chan struct{})}
	s, _ := opened(t, disk, 1<<20)
	due(s.view)
	source, end := running(t, s)
	submit := func(id string) {
		answer, err := source.Submit(t.Context(), &Request{Inputs: []core.Input{{Event: &core.AddNode{ID: id}}}})
		if err == nil {
			err = s.View().Await(t.Context(), answer.Batch)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	submit("n0")
	<-disk.writing
	for n := range 5 {
		id := fmt.Sprintf("n%d", n+1)
		submit(id)
		ok := false
		s.View().Read(func(present *scheduler.Scheduler) { _, ok = present.Node(id) })
		if !ok {
			t.Errorf("the view does not have node %s", id)
		}
	}
	close(disk.written)
	end()
	if left := s.view.unsaved.Load(); left >= snapshotBytes/2 {
		t.Errorf("after the snapshot %d bytes are left to be in one", left)
	}
}

func TestRetention_ChangesWithTheNextSnapshot(t *testing.T) {
	s, _ := opened(t, store.NewMemory(), 1<<20, func(o *Options) { o.Retain = time.Hour })
	at := s.view.behind.followed.At
	for _, d := range []time.Duration{time.Hour, 3 * time.Hour, 0} {
		s.SetRetain(d)
		if c, err := s.view.capture(); err != nil || c.keep != at-int64(d) {
			t.Errorf("%s: found %s (%v)", d, time.Duration(at-c.keep), err)
		}
	}
}
