package stream

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// counted yields so many entries, which it makes in one place as decoders do, and then an error.
type counted struct {
	journal.Entry
	made, all int
	err       error
}

func (c *counted) Next() (*journal.Entry, error) {
	if c.made == c.all {
		return nil, c.err
	}
	c.made++
	c.Entry = journal.Entry{Input: core.Input{Event: &core.RemoveAsk{ID: fmt.Sprint(c.made)}}, Count: 1, Line: c.made}
	return &c.Entry, nil
}

func TestReadingAheadYieldsTheSameEntriesAndTheSameErrorForGood(t *testing.T) {
	bad := errors.New("bad line")
	for _, all := range []int{0, 1, batchSize - 1, batchSize, batchSize + 1, 10*batchSize + 7} {
		for _, want := range []error{io.EOF, bad} {
			a := readAhead(&counted{all: all, err: want})
			for i := 1; i <= all; i++ {
				e, err := a.Next()
				if err != nil || e.Line != i || e.Input.ID() != fmt.Sprint(i) {
					t.Fatalf("of %d: expected entry %d, found %+v, %v", all, i, e, err)
				}
			}
			for range 3 {
				if e, err := a.Next(); e != nil || err != want {
					t.Fatalf("after %d: expected %v, found %+v, %v", all, want, e, err)
				}
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestNothingIsReadAfterReadingAheadIsClosed(t *testing.T) {
	for _, taken := range []int{0, 1, batchSize, 3*batchSize + 1} {
		source := &counted{all: 1 << 30, err: io.EOF}
		a := readAhead(source)
		for range taken {
			if _, err := a.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		// The race detector finds a reader that goes on.
		if most := taken + (batches+1)*batchSize; source.made > most || taken == 0 && source.made != 0 {
			t.Errorf("after %d entries: expected at most %d to be read, found %d", taken, most, source.made)
		}
		source.made = -1
	}
}
