package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
)

// hostState is what a snapshot has beside the scheduler's own: a line of JSON in front of it.
type hostState struct {
	Inputs  uint64   // taken so far
	Keys    []*keyed `json:",omitempty"`
	Open    string   `json:",omitempty"` // lines of inputs that are decided with the next batch
	Applied Applied
	Configs []Configuration `json:",omitempty"`
	Modules modules         `json:",omitempty"`

	Managers managers `json:",omitempty"`

	RunTimes *ledger.RunMemory `json:",omitempty"` // of allocations that have ended
}

// write writes a snapshot of what a follower knows.
func (f *follower) write(to io.Writer) error {
	frozen, err := f.scheduler.Freeze()
	if err != nil {
		return err
	}
	host := f.hostState()
	if w, ok := f.watcher.(*pastWatcher); ok {
		host.RunTimes = w.runTimes.memory()
	}
	return host.write(to, frozen)
}

// keptState is what a snapshot has beside the scheduler's own, at one moment.
type keptState struct {
	hostState
	open []core.Input
}

// hostState is what a snapshot has beside the scheduler's own. It takes no time for keys, of which there may be many: those that were
// answered do not change any more, and the others are the last ones.
func (m *hostMemory) hostState() keptState {
	k := keptState{hostState: hostState{Inputs: m.numbers, Applied: m.applied, Configs: slices.Clone(m.history.list), Modules: slices.Clone(m.modules), Managers: maps.Clone(m.managers)}, open: m.open}
	answered := len(m.keys.order)
	for answered > 0 && m.keys.order[answered-1].open {
		answered--
	}
	k.Keys = m.keys.order[:answered:answered]
	for _, key := range m.keys.order[answered:] {
		own := *key
		k.Keys = append(k.Keys, &own)
	}
	return k
}

// write writes a snapshot with that of the scheduler.
func (k *keptState) write(to io.Writer, scheduler *scheduler.Frozen) error {
	var open bytes.Buffer
	e := journal.NewEncoder(&open, journal.Absolute)
	for i := range k.open {
		if err := e.Entry(&journal.Entry{Input: k.open[i], Count: 1}); err != nil {
			return err
		}
	}
	if err := e.Flush(); err != nil {
		return err
	}
	k.Open = open.String()
	line, err := json.Marshal(k.hostState)
	if err != nil {
		return err
	}
	if _, err := to.Write(append(line, '\n')); err != nil {
		return err
	}
	return scheduler.WriteSnapshot(to)
}

// newFollower makes a follower at the start of a record, or where a snapshot is.
func newFollower(snapshot []byte, at store.Position, p Policies) (*follower, error) {
	o := optionsOf(p)
	f := &follower{hostMemory: hostMemory{at: at, keys: newKeys(), managers: managers{}}, seq: at.Decision, policies: p, recovers: true, made: newDecided()}
	if snapshot == nil {
		f.scheduler = scheduler.New(o)
		return f, nil
	}
	head, rest, _ := bytes.Cut(snapshot, []byte{'\n'})
	var host hostState
	if err := json.Unmarshal(head, &host); err != nil {
		return nil, fmt.Errorf("the snapshot of batch %d: %w", at.Batch, err)
	}
	var err error
	if f.scheduler, err = scheduler.Restore(rest, o); err != nil {
		return nil, fmt.Errorf("the snapshot of batch %d: %w", at.Batch, err)
	}
	if err := p.Missing(); err != nil {
		return nil, err
	}
	f.numbers, f.applied, f.modules = host.Inputs, host.Applied, host.Modules
	maps.Copy(f.managers, host.Managers)
	f.runTimes = host.RunTimes
	source := f.scheduler.ConfigSource()
	if err := f.history.recall(host.Configs, &source, f.now()); err != nil {
		return nil, fmt.Errorf("the snapshot of batch %d: %w", at.Batch, err)
	}
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

// A snapshot is kept after so many batches, unless an option says otherwise, so many bytes of them or so long, whatever comes first: a start goes
// through no more than that.
const (
	snapshotBatches = 100_000
	snapshotBytes   = 512 << 20
	snapshotPeriod  = 10 * time.Minute
)

// due reports whether so much has come since the last snapshot that another is to be kept at a position.
func (v *View) due(at store.Position) bool {
	return at.Batch-v.kept.Batch >= v.every.Load() || v.unsaved.Load() >= snapshotBytes || at != v.kept && time.Since(v.keptAt) >= snapshotPeriod
}

// renewalPatience is how long it may take until the loop has announced policies again: then it is asked once more.
const renewalPatience = time.Minute

// capture is what a view knew at one moment.
type capture struct {
	host       keptState
	scheduler  *view.Held
	at         store.Position
	keep       int64 // the time from which on batches are kept
	restorable bool  // recovery may begin with it
	unsaved    int64 // bytes of batches, since the last snapshot
}

func (v *View) capture() (c *capture, err error) {
	c = &capture{}
	c.scheduler, err = v.freeze(func(f *follower) {
		c.host, c.at, c.keep = v.memory.hostState(), f.at, v.memory.keepFrom(time.Duration(v.retain.Load()))
		if v.runTimes != nil {
			c.host.RunTimes = v.runTimes.memory()
		}
		c.unsaved = v.unsaved.Load()
		c.restorable = f.restorable()
	})
	return c, err
}

// restorable reports whether recovery can begin with the present state.
func (v *View) restorable() (ok bool, err error) {
	err = v.present(func(f *follower) { ok = f.restorable() })
	return ok, err
}

// captureRenewed captures the moment at which the loop has announced policies again, if that was asked for.
func (v *View) captureRenewed() error {
	if !v.renewing.Load() {
		return nil
	}
	if ok, err := v.restorable(); !ok || err != nil {
		return err
	}
	c, err := v.capture()
	if err != nil {
		return err
	}
	v.renewed.Store(c)
	v.renewing.Store(false)
	return nil
}

// keepWhenDue keeps a snapshot if enough has happened since the last one. Where recovery could not begin with it, the loop is asked for a
// moment at which it can.
func (v *View) keepWhenDue() error {
	if c := v.renewed.Swap(nil); c != nil {
		return v.keep(c)
	}
	if !v.due(v.position()) {
		return nil
	}
	restorable, err := v.restorable()
	if err != nil {
		return err
	}
	if restorable {
		return v.keepSnapshot()
	}
	if v.renewing.Load() && time.Since(v.renewedAt) < renewalPatience {
		return nil
	}
	var list []core.Input
	if err := v.show(func(s *scheduler.Scheduler) { list = anew(s) }); err != nil {
		return err
	}
	v.renewing.Store(true)
	v.renewedAt = time.Now()
	if err = v.renew(list); !errors.Is(err, ErrStopping) { // which ends the record with it
		return err
	}
	return nil
}

// keepSnapshot keeps the present state, if recovery can begin with it.
func (v *View) keepSnapshot() error {
	c, err := v.capture()
	switch {
	case err != nil:
		return err
	case !c.restorable:
		c.scheduler.Release()
		return nil
	}
	return v.keep(c)
}

// keep keeps a snapshot, and removes what is not needed any more for going on.
func (v *View) keep(c *capture) error {
	defer c.scheduler.Release()
	if c.at == v.kept {
		return nil
	}
	err := v.store.StreamSnapshot(c.at, func(to io.Writer) error { return c.host.write(to, c.scheduler.Frozen) })
	if err != nil {
		return err
	}
	v.kept, v.keptAt = c.at, time.Now()
	v.unsaved.Add(-c.unsaved)
	v.holding.Lock()
	defer v.holding.Unlock()
	_, err = v.store.Compact(min(c.keep, v.heldFrom()))
	return err
}

// Compact keeps a snapshot of the end of a record, and removes what is behind the one before it. It returns how many segments it removed.
func Compact(s Store, found *store.Opened, p Policies) (removed int, err error) {
	f, err := snapshotEnd(s, found, p)
	if err != nil {
		return 0, err
	}
	return s.Compact(f.keepFrom(0))
}

// Recovers goes through a record as a start does, and changes nothing. The error is the one for which a start would fail.
func Recovers(r Record, found *store.Opened, p Policies) error {
	_, err := recovered(r, found, p, nil)
	return err
}

// snapshotEnd keeps a snapshot of the end of a record, if there is none and recovery can begin with it.
func snapshotEnd(s Store, found *store.Opened, p Policies) (*follower, error) {
	f, err := recovered(s, found, p, newPast(nil))
	if err != nil || f.at == found.At || !f.restorable() {
		return f, err
	}
	return f, s.StreamSnapshot(f.at, f.write)
}

// keepFrom is the time from which on batches are kept: for some time, and as long as a repeat may ask for the decisions of a
// request.
func (m *hostMemory) keepFrom(retain time.Duration) int64 {
	from := m.at.At - int64(retain)
	if len(m.keys.order) > 0 {
		from = min(from, int64(m.keys.order[0].At))
	}
	return from
}
