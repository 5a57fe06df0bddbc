package server

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// keyLife is how long an idempotency key is remembered.
const keyLife = 24 * time.Hour

// keys remembers requests by their idempotency keys.
type keys struct {
	byKey map[string]*keyed
	order []*keyed // by time
}

// keyed is a request that came with a key.
type keyed struct {
	Key         string
	SHA256      string
	First, Last uint64
	At          time.Duration
	Batch       uint64   // 0: it is not durable yet
	Decisions   []uint64 // seqs

	repeats []*waiting // wait for the first answer
	open    bool       // the first is under way
}

func newKeys() *keys { return &keys{byKey: map[string]*keyed{}} }

// settle answers repeats at a time, and returns the requests that are new.
func (k *keys) settle(at time.Duration, requests []*waiting) []*waiting {
	k.expire(at)
	fresh := requests[:0]
	for _, w := range requests {
		switch known := k.byKey[w.Key]; {
		case w.Key == "":
			fresh = append(fresh, w)
		case known == nil:
			k.byKey[w.Key] = &keyed{Key: w.Key, SHA256: w.digest, open: true}
			fresh = append(fresh, w)
		case known.SHA256 != w.digest:
			w.finish(ErrKeyReused)
		case known.open && (!w.Durable || known.Batch == 0):
			known.repeats = append(known.repeats, w)
		default:
			w.recall(known)
		}
	}
	return fresh
}

// recall answers a request as the first of its key.
func (w *waiting) recall(k *keyed) {
	w.answer = Answer{First: k.First, Last: k.Last, At: k.At, Batch: k.Batch}
	w.seqs = k.Decisions
	w.finish(nil)
}

// forget drops requests that were refused for a reason: their keys are free again.
func (k *keys) forget(requests []*waiting, why error) {
	for _, w := range requests {
		if known := k.byKey[w.Key]; w.Key != "" && known != nil {
			for _, r := range known.repeats {
				r.finish(why)
			}
			delete(k.byKey, w.Key)
		}
	}
}

// decided notes how a request was answered.
func (k *keys) decided(w *waiting) {
	known := k.byKey[w.Key]
	known.Decisions = w.seqs
}

// taken notes that a request is durable, and answers the repeats that wait for no more.
func (k *keys) taken(w *waiting) {
	known := k.byKey[w.Key]
	known.First, known.Last, known.At, known.Batch = w.answer.First, w.answer.Last, w.answer.At, w.answer.Batch
	k.order = append(k.order, known)
	known.repeats = slices.DeleteFunc(known.repeats, func(r *waiting) bool {
		if r.Durable {
			r.recall(known)
		}
		return r.Durable
	})
}

// done answers the repeats of a request that was answered.
func (k *keys) done(w *waiting) {
	if known := k.byKey[w.Key]; known != nil && known.open {
		known.open = false
		for _, r := range known.repeats {
			r.recall(known)
		}
		known.repeats = nil
	}
}

// expire forgets keys that are old at a time, once they were answered.
func (k *keys) expire(now time.Duration) {
	for len(k.order) > 0 && instant.Add(k.order[0].At, keyLife) < now && !k.order[0].open {
		if old := k.order[0]; k.byKey[old.Key] == old { // else the key has been used again since
			delete(k.byKey, old.Key)
		}
		k.order = k.order[1:]
	}
}
