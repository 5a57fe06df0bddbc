package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/store"
)

// hostState is what a snapshot has beside the scheduler's own: a line of JSON in front of it.
type hostState struct {
	Inputs  uint64   // taken so far
	Keys    []*keyed `json:",omitempty"`
	Open    string   `json:",omitempty"` // lines of inputs that are decided with the next batch
	Applied Applied
}

// snapshot writes what a follower knows.
func (f *follower) snapshot() ([]byte, error) {
	host := f.hostState()
	return host.snapshot(f.scheduler.Snapshot())
}

// keptState is what a snapshot has beside the scheduler's own, at one moment.
type keptState struct {
	hostState
	keys []keyed
	open []core.Input
}

// hostState is what a follower knows beside its scheduler.
func (f *follower) hostState() keptState {
	k := keptState{hostState: hostState{Inputs: f.numbers, Applied: f.applied}, open: f.open, keys: make([]keyed, 0, len(f.keys.order))}
	for _, key := range f.keys.order {
		k.keys = append(k.keys, *key)
	}
	return k
}

// snapshot writes a snapshot with that of the scheduler.
func (k *keptState) snapshot(scheduler []byte) ([]byte, error) {
	var open bytes.Buffer
	e := journal.NewEncoder(&open, journal.Absolute)
	for i := range k.open {
		if err := e.Entry(&journal.Entry{Input: k.open[i], Count: 1}); err != nil {
			return nil, err
		}
	}
	if err := e.Flush(); err != nil {
		return nil, err
	}
	k.Open = open.String()
	for i := range k.keys {
		k.Keys = append(k.Keys, &k.keys[i])
	}
	line, err := json.Marshal(k.hostState)
	if err != nil {
		return nil, err
	}
	return append(append(line, '\n'), scheduler...), nil
}

// newFollower makes a follower at the start of a record, or where a snapshot is.
func newFollower(snapshot []byte, at store.Position, o core.Options) (*follower, error) {
	f := &follower{keys: newKeys(), made: newDecided(), at: at}
	if snapshot == nil {
		f.scheduler = core.New(o)
		return f, nil
	}
	head, rest, _ := bytes.Cut(snapshot, []byte{'\n'})
	var host hostState
	if err := json.Unmarshal(head, &host); err != nil {
		return nil, fmt.Errorf("the snapshot of batch %d: %w", at.Batch, err)
	}
	var err error
	if f.scheduler, err = core.Restore(rest, o); err != nil {
		return nil, fmt.Errorf("the snapshot of batch %d: %w", at.Batch, err)
	}
	f.numbers, f.applied = host.Inputs, host.Applied
	var b decodedBatch
	if err := b.decodeInputs(at.Batch, []byte(host.Open)); err != nil {
		return nil, err
	}
	f.open = b.inputs
	return f, f.recallKeys(host.Keys)
}

// recallKeys takes over the idempotency keys of a snapshot. Requests whose inputs are open have not been answered.
func (f *follower) recallKeys(list []*keyed) error {
	decided := f.numbers - uint64(len(f.open))
	last := uint64(0)
	for _, k := range list {
		if k == nil || k.First <= last || k.Last < k.First || k.Last > f.numbers || k.First <= decided && k.Last > decided {
			return fmt.Errorf("the snapshot of batch %d: its idempotency keys contradict its inputs", f.at.Batch)
		}
		last, k.open = k.Last, k.First > decided
		f.keys.byKey[k.Key], f.keys.order = k, append(f.keys.order, k)
	}
	return nil
}

// A snapshot is kept after so many batches or so long, whatever comes first.
const (
	snapshotBatches = 100_000
	snapshotPeriod  = 10 * time.Minute
)

// keepWhenDue keeps a snapshot if enough has happened since the last one.
func (v *View) keepWhenDue() error {
	var at store.Position
	v.Read(func(*core.Scheduler) { at = v.follower.at })
	if at.Batch-v.kept.Batch < snapshotBatches && (at == v.kept || time.Since(v.keptAt) < snapshotPeriod) {
		return nil
	}
	return v.keepSnapshot()
}

// keepSnapshot keeps the present state, and removes what is not needed any more for going on.
func (v *View) keepSnapshot() error {
	var host keptState
	var at store.Position
	var keep int64
	copied := v.checkpoint(func(f *follower) { host, at, keep = f.hostState(), f.at, f.keepFrom(v.retain) })
	if at == v.kept {
		return nil
	}
	data, err := host.snapshot(copied.Snapshot())
	if err != nil {
		return err
	}
	if err := v.store.WriteSnapshot(at, data); err != nil {
		return err
	}
	v.kept, v.keptAt = at, time.Now()
	_, err = v.store.Compact(keep)
	return err
}

// Compact keeps a snapshot of the end of a record, and removes what is behind the one before it. It returns how many segments it removed.
func Compact(s Store, found *store.Opened) (removed int, err error) {
	f, err := snapshotEnd(s, found)
	if err != nil {
		return 0, err
	}
	return s.Compact(f.keepFrom(0))
}

// snapshotEnd keeps a snapshot of the end of a record, if there is none.
func snapshotEnd(s Store, found *store.Opened) (*follower, error) {
	f, err := newFollower(found.Snapshot, found.At, core.Options{})
	if err == nil {
		err = f.catchUp(s)
	}
	if err != nil || f.at == found.At {
		return f, err
	}
	data, err := f.snapshot()
	if err != nil {
		return nil, err
	}
	return f, s.WriteSnapshot(f.at, data)
}

// keepFrom is the time from which on batches are kept: for some time, and as long as a repeat may ask for the decisions of a
// request.
func (f *follower) keepFrom(retain time.Duration) int64 {
	from := f.at.At - int64(retain)
	if len(f.keys.order) > 0 {
		from = min(from, int64(f.keys.order[0].At))
	}
	return from
}
