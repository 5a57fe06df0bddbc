package server

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// recoverLoop goes through a record from its newest snapshot on, and returns the loop that goes on from its end, and a follower at its
// end.
func recoverLoop(s Store, found *store.Opened, policies func(decides bool) Policies, watcher Watcher) (l *loop, view *follower, err error) {
	f, err := recovered(s, found, policies(true), watcher)
	if err != nil {
		return nil, nil, err
	}
	if f.restorable() {
		if view, err = f.twin(policies(false)); err != nil {
			return nil, nil, err
		}
	} else if view, err = recovered(s, found, policies(false), nil); err != nil {
		return nil, nil, err
	}
	view.seq, view.recovers = view.at.Decision, false
	f.policies.Serve()
	l = &loop{scheduler: f.scheduler, store: s, now: f.now(), numbers: f.numbers, seq: f.at.Decision, keys: f.keys, decided: newDecided(), last: f.at.Batch, applied: f.applied, policies: f.policies, config: inForceOf(f.history.last()), names: newNames(NameLimits{}, f.scheduler), health: newConfigHealth(), watch: roundWatch{observer: Unobserved{}}, versionPeriod: versionPeriod}
	return l, view, l.resume(f)
}

// recovered is a follower at the end of a record.
func recovered(s Record, found *store.Opened, p Policies, watcher Watcher) (*follower, error) {
	f, err := newFollower(found.Snapshot, found.At, p)
	if err != nil {
		return nil, err
	}
	if w, ok := watcher.(*pastWatcher); ok && f.runTimes != nil {
		if err := w.runTimes.recall(f.runTimes); err != nil {
			return nil, fmt.Errorf("the snapshot of batch %d: %w", found.At.Batch, err)
		}
	}
	f.runTimes = nil
	if watcher != nil {
		f.watcher = watcher
		watcher.Begin(f.scheduler)
	}
	return f, f.catchUp(s)
}

// twin is another follower at the same place, whose scheduler is a fork.
func (f *follower) twin(p Policies) (*follower, error) {
	frozen, err := f.scheduler.Freeze()
	if err != nil {
		return nil, err
	}
	t := *f
	t.hostMemory = f.clone()
	t.scheduler, t.made, t.policies = frozen.Fork(optionsOf(p)), newDecided(), p
	t.decoded, t.watcher, t.watched, t.frozen = decodedBatch{}, nil, nil, nil
	return &t, nil
}

// catchUp follows a record to its end. Batches are decoded while those before them are decided.
func (f *follower) catchUp(record Record) (err error) {
	r, err := record.ReadFrom(f.at.Batch + 1)
	if err != nil {
		return err
	}
	ahead := decodeAhead(r)
	for b := range ahead.decoded {
		if err == nil && b.err == nil {
			err = f.follow(b.at, &b.decodedBatch)
			f.behind += b.size
		} else if err == nil {
			err = b.err
		}
		if err != nil {
			ahead.stop()
		}
		ahead.free <- b
	}
	return errors.Join(err, r.Close())
}

// batchesAhead is how many batches are decoded that were not decided yet.
const batchesAhead = 4

// ahead decodes the batches of a record in a goroutine of its own, until the end or an error.
type ahead struct {
	decoded chan *batchAhead
	free    chan *batchAhead
	stopped chan struct{}
	once    sync.Once
}

type batchAhead struct {
	decodedBatch
	at   store.Position
	size int64 // of what was decoded
	err  error
}

func decodeAhead(r *store.Reader) *ahead {
	a := &ahead{decoded: make(chan *batchAhead, batchesAhead), free: make(chan *batchAhead, batchesAhead), stopped: make(chan struct{})}
	for range batchesAhead {
		a.free <- &batchAhead{}
	}
	go a.run(r)
	return a
}

// stop has no more batches decoded. Those that were are still to be taken.
func (a *ahead) stop() { a.once.Do(func() { close(a.stopped) }) }

func (a *ahead) run(r *store.Reader) {
	defer close(a.decoded)
	for {
		b := <-a.free
		select {
		case <-a.stopped:
			return
		default:
		}
		at, payload, err := r.Next()
		if err == io.EOF {
			return
		}
		if err == nil {
			err = b.decode(at.Batch, payload)
		}
		b.at, b.size, b.err = at, int64(len(payload)), err
		a.decoded <- b
		if err != nil {
			return
		}
	}
}

// now is the last time that a follower knows of: that of the last batch, or of what was due later and brought no decision.
func (f *follower) now() time.Duration { return max(time.Duration(f.at.At), f.scheduler.Now()) }

// resume decides the inputs of the last batch, whose decisions were not durable yet. Who sent them does not wait any more.
func (l *loop) resume(f *follower) error {
	if len(f.open) == 0 {
		return nil
	}
	return l.decide(f.open[0].At, f.requests())
}

// requests are the open inputs as the requests that brought them, as far as these have keys.
func (f *follower) requests() (list []*waiting) {
	add := func(key string, inputs []core.Input) {
		if len(inputs) > 0 {
			list = append(list, &waiting{Request: &Request{Key: key, Inputs: inputs, Durable: true}, done: make(chan error, 1)})
		}
	}
	rest, number := f.open, f.numbers-uint64(len(f.open))+1
	for _, k := range f.keys.order {
		if k.open {
			add("", rest[:k.First-number])
			add(k.Key, rest[k.First-number:k.Last-number+1])
			rest, number = rest[k.Last-number+1:], k.Last+1
		}
	}
	add("", rest)
	return list
}
