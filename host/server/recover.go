package server

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// recoverLoop goes through a record from its newest snapshot on, and returns the loop that goes on from its end, and a follower at its
// end.
func recoverLoop(s Store, found *store.Opened, options func() core.Options, watcher Watcher) (l *loop, view *follower, err error) {
	f, err := newFollower(found.Snapshot, found.At, options())
	if err != nil {
		return nil, nil, err
	}
	if watcher != nil {
		f.watcher = watcher
		watcher.Begin(f.scheduler)
	}
	if err := f.catchUp(s); err != nil {
		return nil, nil, err
	}
	view = f.twin(options())
	l = &loop{scheduler: f.scheduler, store: s, now: f.now(), numbers: f.numbers, seq: f.at.Decision, keys: f.keys, decided: newDecided(), last: f.at.Batch, applied: f.applied, watch: roundWatch{observer: unobserved{}}}
	return l, view, l.resume(f)
}

// twin is another follower at the same place, with a scheduler of its own.
func (f *follower) twin(o core.Options) *follower {
	t := *f
	t.scheduler, t.made, t.keys = core.Recall(f.scheduler.Checkpoint(), o), newDecided(), newKeys()
	t.open, t.decoded, t.watched = slices.Clone(f.open), decodedBatch{}, nil
	for _, k := range f.keys.order {
		known := *k
		t.keys.byKey[k.Key] = &known
		t.keys.order = append(t.keys.order, &known)
	}
	return &t
}

// catchUp follows a record to its end.
func (f *follower) catchUp(record Record) (err error) {
	r, err := record.ReadFrom(f.at.Batch + 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		p, payload, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f.read(p, payload)
		}
		if err != nil {
			return err
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
