package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// cutOff is a record that is cut off at its beginning as soon as somebody has a reader of it, or when the test says so.
type cutOff struct {
	*store.Log
	*testing.T
	atOnce bool
}

func (r *cutOff) ReadDecisions(seq uint64) (*store.Reader, error) {
	reader, err := r.Log.ReadDecisions(seq)
	if r.atOnce {
		r.atOnce = false
		r.cut()
	}
	return reader, err
}

// cut removes what no recovery needs: what is behind batch 20.
func (r *cutOff) cut() {
	r.Helper()
	for _, batch := range []uint64{20, 30} {
		if err := r.WriteSnapshot(store.Position{Batch: batch, Decision: batch, At: int64(batch)}, []byte("{}")); err != nil {
			r.Fatal(err)
		}
	}
	if removed, err := r.Compact(1 << 60); err != nil || removed < 2 {
		r.Fatalf("%d segments were removed (%v)", removed, err)
	}
}

// decisive is a server whose record has 40 batches with a decision each.
func decisive(t *testing.T) (*Server, *cutOff) {
	t.Helper()
	record, _, err := store.Open(simdisk.New(1), store.Options{SegmentSize: 4 << 10})
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(40) {
		if _, err := record.Append(n+1, int64(n+1), fmt.Appendf(nil, `{"seq":%d,"x":%q}`+"\n", n+1, strings.Repeat("x", 500))); err != nil {
			t.Fatal(err)
		}
	}
	r := &cutOff{Log: record, T: t}
	return &Server{o: Options{Store: r}, view: &View{store: r, changed: make(chan struct{}), tail: newTail(record.End())}}, r
}

// readOn reads decisions to the end, and returns the first and the last one. It closes the reader.
func readOn(list *Decisions) (first, last uint64, err error) {
	first, last, err = readThrough(list)
	return first, last, errors.Join(err, list.Close())
}

func readThrough(list *Decisions) (first, last uint64, err error) {
	for {
		d, err := list.Next()
		if err == io.EOF {
			return first, last, nil
		}
		if err != nil {
			return first, last, err
		}
		if last = d.Seq(); first == 0 {
			first = last
		}
	}
}

func TestDecisionsThatAreRemovedWhileTheyAreReadAreSaidToBe(t *testing.T) {
	s, r := decisive(t)
	r.atOnce = true
	var gone *CompactedError
	if _, err := s.Decisions(3); !errors.As(err, &gone) || gone.First != r.First() || gone.First < 10 || gone.First > 21 {
		t.Errorf("removed before the first one was read: found %v", err)
	}

	s, r = decisive(t)
	list, err := s.Decisions(3)
	if err != nil {
		t.Fatal(err)
	}
	r.cut()
	if first, last, err := readOn(list); !errors.As(err, &gone) || gone.First != r.First() || first != 3 || last < 3 || last >= gone.First {
		t.Errorf("removed in the middle: read %d to %d, and found %v", first, last, err)
	}

	s, r = decisive(t)
	r.atOnce = true
	list, err = s.Decisions(25) // whose reader begins before what is removed, for it looks for the decision from there on
	if err != nil {
		t.Fatal(err)
	}
	if first, last, err := readOn(list); err != nil || first != 25 || last != 40 {
		t.Errorf("what is kept: read %d to %d (%v)", first, last, err)
	}
}

// A part of the host that follows decisions gets each of them, however far it is behind when the record is cut off.
func TestTheRecordIsKeptForThoseWhoFollowIt(t *testing.T) {
	record, found, err := store.Open(simdisk.New(1), store.Options{SegmentSize: 4 << 10})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Store: record, Found: found, Clock: NewSystemClock(0), Log: slog.New(slog.DiscardHandler), SnapshotBatches: 10})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	source, decisions := s.Source(), uint64(0)
	grow := func() { // by decisions, until there are some snapshots more, and the record was cut off behind most of them
		t.Helper()
		for began := record.End().Batch; ; decisions++ {
			usage, err := record.Usage()
			if err == nil && usage.Snapshot.Batch > began+50 {
				return
			}
			answer, submitted := source.Submit(ctx, &Request{Inputs: []core.Input{{Event: &core.AddNode{ID: fmt.Sprint(decisions, strings.Repeat("x", 500))}}}})
			if err = errors.Join(err, submitted); err == nil {
				err = s.View().Await(ctx, answer.Batch)
			}
			if err != nil || decisions > 10_000 {
				t.Fatalf("after %d decisions: %v", decisions, err)
			}
		}
	}
	list, err := s.FollowDecisions(1)
	if err != nil {
		t.Fatal(err)
	}
	for next := uint64(1); next < 3; next++ {
		from := decisions + 1
		grow()
		if first, last, err := readThrough(list); err != nil || first != from || last != decisions {
			t.Errorf("of %d to %d it read %d to %d (%v)", from, decisions, first, last, err)
		}
	}
	if record.First() == 1 {
		t.Error("what was read is kept, too")
	}
	if err := list.Close(); err != nil {
		t.Error(err)
	}
	end := record.End().Batch
	grow()
	if record.First() <= end-20 {
		t.Errorf("nobody follows any more, and the record begins with batch %d; %d came since", record.First(), record.End().Batch-end)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
