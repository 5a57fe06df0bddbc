package server

import (
	"io"
	"sync"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// heldDisk is a disk whose syncs of files wait while it is held.
type heldDisk struct {
	store.Disk
	mu      sync.Mutex
	waiting chan struct{} // gets a value for each sync that waits
	release chan struct{} // nil: none has to
}

func (d *heldDisk) Create(name string) (store.File, error) {
	f, err := d.Disk.Create(name)
	return &heldFile{f, d}, err
}

func (d *heldDisk) hold() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting, d.release = make(chan struct{}, 10), make(chan struct{})
}

func (d *heldDisk) let() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.release != nil {
		close(d.release)
		d.release = nil
	}
}

type heldFile struct {
	store.File
	disk *heldDisk
}

func (f *heldFile) Sync() error {
	f.disk.mu.Lock()
	waiting, release := f.disk.waiting, f.disk.release
	f.disk.mu.Unlock()
	if release != nil {
		waiting <- struct{}{}
		<-release
	}
	return f.File.Sync()
}

// While a batch is being synced nobody is told of it, and what comes meanwhile is gathered for the next one.
func TestSlowDisk_PublishesNothing(t *testing.T) {
	disk := &heldDisk{Disk: store.NewMemory()}
	s, record := opened(t, disk, 1<<20)
	source, end := running(t, s)
	hand := func(id string) *Ticket {
		ticket, err := source.Enqueue(t.Context(), &Request{Inputs: []core.Input{{Event: &core.AddNode{ID: id}}}})
		if err != nil {
			t.Fatal(err)
		}
		return ticket
	}
	wait := func(ticket *Ticket) Answer {
		answer, err := ticket.Wait(t.Context())
		if err != nil || len(answer.Decisions) != 1 {
			t.Fatalf("found %+v (%v)", answer, err)
		}
		return answer
	}
	first := wait(hand("before"))
	if err := s.View().Await(t.Context(), first.Batch); err != nil {
		t.Fatal(err)
	}
	list, err := s.Decisions(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := record.Prepare(); err != nil { // so that no sync but that of the batch is waited for
		t.Fatal(err)
	}
	disk.hold()
	slow := hand("slow")
	<-disk.waiting
	later := []*Ticket{hand("b"), hand("c"), hand("d")}
	select {
	case err := <-slow.request.done:
		t.Errorf("the request was answered (%v)", err)
	default:
	}
	if line, err := list.Next(); err != io.EOF {
		t.Errorf("%s was published (%v)", line, err)
	}
	s.View().Read(func(present *scheduler.Scheduler) {
		if nodes := len(present.Dump().Nodes); nodes != 1 {
			t.Errorf("readers see %d nodes", nodes)
		}
	})
	disk.let()
	at := wait(slow).Batch
	for _, ticket := range later {
		if answer := wait(ticket); answer.Batch != at+1 {
			t.Errorf("inputs %d are in batch %d; those before them in %d", answer.First, answer.Batch, at)
		}
	}
	if err := s.View().Await(t.Context(), at); err != nil { // readers see what the view has followed
		t.Fatal(err)
	}
	if _, err := list.Next(); err != nil {
		t.Error(err)
	}
	if err := list.Close(); err != nil {
		t.Error(err)
	}
	end()
}
