package importing

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/quern-project/quern/core/journal"
)

// chunk is how many bytes of entries a spool sorts in memory.
const chunk = 32 << 20

// spool sorts entries by time, those of one time in the order in which they came. What is more than a chunk waits in a
// temporary file, as sorted runs one after the other.
type spool struct {
	folder string // of the temporary file
	most   int    // of bytes in memory
	text   bytes.Buffer
	encode *journal.Encoder
	groups []group
	file   *os.File
	size   int64
	runs   []int64 // where in the file each begins
	first  time.Duration
	last   time.Duration
	any    bool
}

// group is entries that stay together.
type group struct {
	at         time.Duration
	start, end int // in the text
}

// add takes entries of one time.
func (s *spool) add(at time.Duration, entries ...*journal.Entry) error {
	if s.encode == nil {
		s.encode = journal.NewEncoder(&s.text, journal.Absolute)
	}
	start := s.text.Len()
	for _, e := range entries {
		e.Input.At = at
		if err := s.encode.Entry(e); err != nil {
			return err
		}
	}
	if err := s.encode.Flush(); err != nil {
		return err
	}
	s.groups = append(s.groups, group{at, start, s.text.Len()})
	if !s.any {
		s.first, s.last, s.any = at, at, true
	}
	s.first, s.last = min(s.first, at), max(s.last, at)
	if s.text.Len() < s.most {
		return nil
	}
	return s.spill()
}

// sorted writes what is in memory, in order.
func (s *spool) sorted(w io.Writer) error {
	byTime := func(a, b group) int { return cmp.Compare(a.at, b.at) }
	slices.SortStableFunc(s.groups, byTime)
	for _, g := range s.groups {
		if _, err := w.Write(s.text.Bytes()[g.start:g.end]); err != nil {
			return err
		}
	}
	s.text.Reset()
	s.groups = s.groups[:0]
	return nil
}

// spill moves what is in memory to the file.
func (s *spool) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.folder, "quern-import-*.tmp")
		if err != nil {
			return err
		}
		s.file = file
	}
	s.runs = append(s.runs, s.size)
	size := int64(s.text.Len())
	w := bufio.NewWriter(s.file)
	if err := errors.Join(s.sorted(w), w.Flush()); err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	s.size += size
	return nil
}

// source yields everything in order of time. Nothing may be added any more.
func (s *spool) source() (journal.Source, error) {
	var sources []journal.Source
	for i, start := range s.runs {
		end := s.size
		if i+1 < len(s.runs) {
			end = s.runs[i+1]
		}
		sources = append(sources, journal.NewDecoder(io.NewSectionReader(s.file, start, end-start), "", nil))
	}
	var last bytes.Buffer
	if err := s.sorted(&last); err != nil {
		return nil, err
	}
	sources = append(sources, journal.NewDecoder(&last, "", nil))
	return journal.Merge(sources...), nil
}

// close removes the file.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close() // it is not needed any more
		_ = os.Remove(s.file.Name())
	}
}
