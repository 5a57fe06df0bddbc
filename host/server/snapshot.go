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
	var open bytes.Buffer
	e := journal.NewEncoder(&open, journal.Absolute)
	for i := range f.open {
		if err := e.Entry(&journal.Entry{Input: f.open[i], Count: 1}); err != nil {
			return nil, err
		}
	}
	if err := e.Flush(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(hostState{Inputs: f.numbers, Keys: f.keys.order, Open: open.String(), Applied: f.applied})
	if err != nil {
		return nil, err
	}
	return append(append(line, '\n'), f.scheduler.Snapshot()...), nil
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
	at := v.follower.at
	if at.Batch-v.kept.Batch < snapshotBatches && (at == v.kept || time.Since(v.keptAt) < snapshotPeriod) {
		return nil
	}
	return v.keepSnapshot()
}

// keepSnapshot keeps the present state, and removes what is not needed any more for going on.
func (v *View) keepSnapshot() error {
	v.mu.Lock()
	data, err := v.follower.snapshot()
	at, keep := v.follower.at, v.follower.keepFrom(v.retain)
	v.mu.Unlock()
	if err != nil || at == v.kept {
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
