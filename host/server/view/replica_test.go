package view

import (
	"errors"
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// notes is a decider that notes what it is asked.
type notes struct {
	scheduler *scheduler.Scheduler
	decided   []uint64 // batches; 0: a quiet period
	failure   error
}

func (n *notes) Scheduler() *scheduler.Scheduler { return n.scheduler }

func (n *notes) Decide(b *Batch) error {
	n.decided = append(n.decided, b.At.Batch)
	return n.failure
}

func (n *notes) DecideIdle(Quiet) error {
	n.decided = append(n.decided, 0)
	return nil
}

func (n *notes) Freeze() (Start, error) {
	frozen, err := n.scheduler.Freeze()
	return Start{Version: frozen}, err
}

// replicaOf makes a replica that wants a version beyond a work of ten, and returns the deciders that it makes.
func replicaOf(first *notes) (r *Replica[*notes], forks *[]*notes) {
	forks = new([]*notes)
	r = NewReplica(first, func(s Start) *notes {
		n := &notes{scheduler: s.Version.Fork(core.Options{})}
		*forks = append(*forks, n)
		return n
	})
	r.Most = 10
	return r, forks
}

// batch is one with four inputs and decisions.
func batch(n uint64) Batch { return Batch{At: store.Position{Batch: n}, Work: 4} }

func added(t *testing.T, r *Replica[*notes], b Batch, version *scheduler.Frozen, unversioned bool) {
	t.Helper()
	if err := r.Add(b, version, unversioned); err != nil {
		t.Fatal(err)
	}
}

func version(t *testing.T) *scheduler.Frozen {
	t.Helper()
	frozen, err := scheduler.New(core.Options{}).Freeze()
	if err != nil {
		t.Fatal(err)
	}
	return frozen
}

func TestReplica_DecidesWhenAReaderComes(t *testing.T) {
	first := &notes{scheduler: scheduler.New(core.Options{})}
	r, _ := replicaOf(first)
	added(t, r, batch(1), nil, false)
	added(t, r, batch(2), nil, false)
	if len(first.decided) != 0 || r.Lacks() != 8 {
		t.Errorf("before a reader came, %v were decided, and %d inputs and decisions lack", first.decided, r.Lacks())
	}
	if d, err := r.Present(Quiet{}); d != first || err != nil || !slices.Equal(first.decided, []uint64{1, 2, 0}) || r.Lacks() != 0 {
		t.Errorf("a reader gets %p, %v; decided: %v", d, err, first.decided)
	}
}

func TestReplica_VersionReplacesALongBacklog(t *testing.T) {
	first := &notes{scheduler: scheduler.New(core.Options{})}
	r, forks := replicaOf(first)
	added(t, r, batch(1), version(t), false) // not wanted
	added(t, r, batch(2), nil, false)
	if r.WantsVersion() {
		t.Error("a short backlog wants a version")
	}
	added(t, r, batch(3), nil, false)
	if !r.WantsVersion() {
		t.Error("a long backlog wants no version")
	}
	added(t, r, batch(4), version(t), false)
	added(t, r, batch(5), nil, false)
	if r.Lacks() != 4 || len(*forks) != 0 || r.Interrupted() != "" {
		t.Errorf("after a version, %d inputs and decisions lack, and there are %d forks", r.Lacks(), len(*forks))
	}
	d, err := r.Present(Quiet{})
	if err != nil || len(*forks) != 1 || d != (*forks)[0] || !slices.Equal(d.decided, []uint64{5, 0}) || len(first.decided) != 0 {
		t.Errorf("a reader gets %+v, %v; the first decider has decided %v", d, err, first.decided)
	}
}

func TestReplica_WithoutVersionsDecidesEarlier(t *testing.T) {
	first := &notes{scheduler: scheduler.New(core.Options{})}
	r, _ := replicaOf(first)
	for n := range uint64(3) {
		added(t, r, batch(n+1), nil, true)
	}
	if !slices.Equal(first.decided, []uint64{1, 2, 3}) || r.Lacks() != 0 {
		t.Errorf("decided: %v", first.decided)
	}
	first.failure = errors.New("diverged")
	added(t, r, batch(4), nil, true)
	if _, err := r.Present(Quiet{}); !errors.Is(err, first.failure) {
		t.Errorf("a reader gets %v", err)
	}
}

func TestReplica_ReturnsOnlyWhatIsCurrent(t *testing.T) {
	for name, c := range map[string]struct {
		sound     bool
		meanwhile func(r *Replica[*notes]) error
		again     bool
	}{
		"nobody came":     {true, func(r *Replica[*notes]) error { return r.Add(batch(1), nil, false) }, true},
		"a reader came":   {true, func(r *Replica[*notes]) error { _, err := r.Present(Quiet{}); return err }, false},
		"a version came":  {true, func(r *Replica[*notes]) error { r.Most = 0; return r.Add(batch(1), version(t), false) }, false},
		"it has panicked": {false, func(*Replica[*notes]) error { return nil }, false},
	} {
		first := &notes{scheduler: scheduler.New(core.Options{})}
		r, _ := replicaOf(first)
		loan, err := r.Lend()
		if err != nil || loan.Decider != first || r.Lent() == nil {
			t.Fatalf("%s: another decider is lent (%v)", name, err)
		}
		returned := r.Lent()
		if err := c.meanwhile(r); err != nil {
			t.Fatal(err)
		}
		r.Return(loan, c.sound)
		<-returned
		if d, err := r.Present(Quiet{}); err != nil || (d == first) != c.again || r.Lent() != nil {
			t.Errorf("%s: afterwards it is used again: %t (%v)", name, d == first, err)
		}
	}
}
