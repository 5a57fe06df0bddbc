package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
	_ "github.com/quern-project/quern/internal/seeded"
)

// life is a store on a bad disk, with what is known of it.
type life struct {
	*rapid.T
	disk  *simdisk.Disk
	log   *store.Log
	acked []string // payloads of acknowledged batches
	doubt string   // of a batch that was refused last: after a crash it may be there
	first uint64   // no batch before this one needs to be there
}

// Whatever fails and crashes, acknowledged batches are there, in order, and at most the last refused one beside them.
func TestAcknowledgedBatchesOutliveFaultsAndCrashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := &life{T: t, disk: simdisk.New(rapid.Uint64().Draw(t, "seed")), first: 1}
		v.open()
		t.Repeat(map[string]func(*rapid.T){
			"append":   func(t *rapid.T) { v.T = t; v.append() },
			"append 2": func(t *rapid.T) { v.T = t; v.append() },
			"fault":    func(t *rapid.T) { v.T = t; v.faulty(rapid.IntRange(1, 12).Draw(t, "operation")) },
			"crash":    func(t *rapid.T) { v.T = t; v.crash() },
			"reopen":   func(t *rapid.T) { v.T = t; v.reopen() },
			"prepare":  func(t *rapid.T) { v.T = t; v.tolerate(v.log.Prepare()) },
			"snapshot": func(t *rapid.T) { v.T = t; v.snapshot() },
			"compact":  func(t *rapid.T) { v.T = t; v.compact() },
			"":         func(t *rapid.T) { v.T = t; v.check() },
		})
	})
}

var errInjected = errors.New("injected")

// faulty makes the n-th operation from now fail that could.
func (v *life) faulty(n int) {
	v.disk.Fault = func(operation, _ string) error {
		if n--; n == 0 && operation != "read" && operation != "list" && operation != "open" {
			v.disk.Fault = nil
			return errInjected
		}
		return nil
	}
}

// tolerate fails the test for an error that was not injected.
func (v *life) tolerate(err error) bool {
	if err != nil && !errors.Is(err, errInjected) {
		v.Fatal(err)
	}
	return err == nil
}

func (v *life) open() {
	v.disk.Fault = nil
	l, found, err := store.Open(v.disk, store.Options{SegmentSize: segmentSize})
	if err != nil {
		v.Fatal(err)
	}
	v.log = l
	switch end := l.End().Batch; {
	case end == uint64(len(v.acked)):
	case v.doubt != "" && end == uint64(len(v.acked))+1:
		v.acked = append(v.acked, v.doubt)
	default:
		v.Fatalf("%d batches were acknowledged, and the record ends with %d (%v)", len(v.acked), end, found.Torn)
	}
	v.doubt = ""
	if l.First() > v.first {
		v.Fatalf("batch %d was there, and the record begins with %d", v.first, l.First())
	}
	v.first = l.First() // what was removed last may be there again
	if found.At.Batch > uint64(len(v.acked)) || found.At.Batch > 0 && string(found.Snapshot) != state(found.At.Batch) {
		v.Fatalf("the snapshot of batch %d is %q", found.At.Batch, found.Snapshot)
	}
}

func (v *life) append() {
	payload := fmt.Sprintf("batch %d %x", len(v.acked)+1, bytes.Repeat([]byte{7}, rapid.IntRange(0, 3000).Draw(v.T, "size")))
	p, err := v.log.Append(uint64(2*len(v.acked)+2), int64(len(v.acked)+1), []byte(payload))
	switch {
	case err == nil:
		v.acked, v.doubt = append(v.acked, payload), ""
		if p.Batch != uint64(len(v.acked)) {
			v.Fatalf("batch %d has number %d", len(v.acked), p.Batch)
		}
	case errors.Is(err, errInjected) && v.doubt == "":
		v.doubt = payload
	case !errors.Is(err, errInjected):
		v.Fatal(err)
	}
}

func (v *life) crash() {
	v.disk.Crash()
	v.open()
}

// reopen has the store go on after a fault. What was refused is gone then for good.
func (v *life) reopen() {
	if v.tolerate(v.log.Reopen()) {
		v.doubt = ""
	}
}

func state(batch uint64) string { return fmt.Sprintf("state of %d", batch) }

func (v *life) snapshot() {
	if end := v.log.End(); end.Batch > 0 {
		v.tolerate(v.log.WriteSnapshot(end, []byte(state(end.Batch))))
	}
}

func (v *life) compact() {
	_, err := v.log.Compact(1 << 60)
	v.tolerate(err)
	for ; ; v.first++ {
		r, err := v.log.ReadFrom(v.first)
		if err == nil {
			_ = r.Close()
			return
		}
		if !errors.Is(err, store.ErrCompacted) || v.first > uint64(len(v.acked)) {
			v.Fatalf("batch %d: %v", v.first, err)
		}
	}
}

// check reads the record from a batch.
func (v *life) check() {
	fault := v.disk.Fault
	v.disk.Fault = nil
	defer func() { v.disk.Fault = fault }()
	from := v.first + uint64(rand.IntN(len(v.acked)-int(v.first)+2))
	r, err := v.log.ReadFrom(from)
	if err != nil {
		v.Fatalf("from %d: %v", from, err)
	}
	defer func() { _ = r.Close() }() // it was read
	for n := from; ; n++ {
		p, b, err := r.Next()
		if errors.Is(err, io.EOF) && n == uint64(len(v.acked))+1 {
			return
		}
		if err != nil || string(b) != v.acked[n-1] || p.Batch != n || p.Decision != 2*n || p.At != int64(n) {
			v.Fatalf("batch %d of %d: %+v, %d bytes, %v", n, len(v.acked), p, len(b), err)
		}
	}
}
