package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// Missing says which batches cannot be read.
type Missing struct {
	First   uint64 `json:"first"`          // batch
	Last    uint64 `json:"last,omitempty"` // 0: how many there were is not known
	File    string `json:"file"`           // where they stood, or should follow
	Offset  int64  `json:"offset"`
	Problem string `json:"problem"`
}

// Salvaged counts what could be read, and what could not.
type Salvaged struct {
	Batches uint64
	Missing uint64
	States  []uint64 // the last batches of the snapshots that can be read
}

// Salvage reads all batches that can be read, before and behind what is damaged or missing, and says what is. It is for a store that does not
// open, and changes nothing.
func Salvage(d Disk, batch func(Position, []byte) error, missing func(Missing) error) (Salvaged, error) {
	s := &salvage{disk: d, batch: batch, missing: missing}
	err := s.run()
	return s.result, err
}

// salvage is one reading of a damaged store.
type salvage struct {
	disk    Disk
	batch   func(Position, []byte) error
	missing func(Missing) error
	next    uint64  // the batch that should follow; 0: none was read, and where the record begins is not known
	fault   Missing // why the next batch could not be read, if there is a file
	unread  bool    // something stands there
	result  Salvaged
}

func (v *salvage) run() error {
	names, err := v.disk.List()
	if err != nil {
		return err
	}
	mark, _, marked, _, err := readMark(v.disk)
	if err != nil {
		return err
	}
	last := uint64(0)
	if marked {
		v.next, last = mark.first, mark.Batch
	}
	for _, batch := range snapshotsIn(names) {
		last = max(last, batch)
		if _, _, err := readSnapshot(v.disk, batch); err == nil {
			v.result.States = append(v.result.States, batch)
		}
	}
	segments := slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, ok := numberIn(name, segmentSuffix); return !ok })
	for i, name := range segments {
		end := uint64(0) // the first batch of the next segment: what stands here under that number was never acknowledged
		if i+1 < len(segments) {
			end, _ = numberIn(segments[i+1], segmentSuffix)
		}
		if err := v.segment(name, end); err != nil {
			return err
		}
	}
	if v.next > 0 && last >= v.next {
		return v.lost(last + 1)
	}
	if v.unread {
		v.fault.First = v.next
		v.result.Missing++
		return v.missing(v.fault)
	}
	return nil
}

// segment reads what can be read of a segment, up to a batch; 0: to its end.
func (v *salvage) segment(name string, end uint64) (err error) {
	first, _ := numberIn(name, segmentSuffix)
	f, err := v.disk.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	s := &segment{name: name, layout: present, file: f}
	if s.size, err = f.Size(); err != nil {
		return err
	}
	offset := int64(0)
	switch damage := s.readHeader(first); {
	case damage == nil:
		offset = s.layout.segment
	case s.layout == layout{}:
		s.layout = present
		fallthrough
	default:
		v.blame(s, 0, damage.Error())
	}
	if v.next == 0 {
		v.next = first
	}
	return v.batches(s, offset, end)
}

// batches reads a segment from an offset on. Behind what cannot be read it looks for the next batch.
func (v *salvage) batches(s *segment, offset int64, end uint64) error {
	var buf []byte
	for offset < s.size {
		f, payload, layout, err := s.salvage(offset, &buf)
		if err != nil {
			return err
		}
		if payload == nil {
			if v.fault.File != s.name {
				v.blame(s, offset, "no batch can be read here")
				_, clean, err := s.search(offset, math.MaxUint64, &buf)
				if err != nil {
					return err
				}
				v.unread = !clean
			}
			if offset, err = s.findBatch(offset+8, &buf); err != nil {
				return err
			}
			continue
		}
		offset += layout.size(f.length)
		if f.Batch < v.next || end > 0 && f.Batch >= end {
			continue
		}
		if err := v.lost(f.Batch); err != nil {
			return err
		}
		if err := v.batch(f.Position, payload); err != nil {
			return err
		}
		v.result.Batches++
		v.next, v.fault, v.unread = f.Batch+1, Missing{}, false
	}
	return nil
}

// blame notes why the next batch cannot be read.
func (v *salvage) blame(s *segment, offset int64, problem string) {
	v.fault = Missing{File: s.name, Offset: offset, Problem: problem}
}

// lost says that the batches before one are missing, if there are any.
func (v *salvage) lost(before uint64) error {
	if before <= v.next {
		return nil
	}
	m := v.fault
	m.First, m.Last = v.next, before-1
	if m.File == "" {
		m.File, m.Problem = segmentName(v.next), "the file is missing, or one before it"
	}
	v.result.Missing += m.Last - m.First + 1
	v.next = before
	return v.missing(m)
}

// salvage reads the batch at an offset, whatever its number and whatever version of the format it is of; a nil payload: there is none.
func (s *segment) salvage(offset int64, buf *[]byte) (f frame, payload []byte, l layout, err error) {
	for _, l := range append([]layout{s.layout}, layouts...) {
		b, err := s.bytes(offset, l.frame, buf)
		if err != nil {
			return f, nil, l, err
		}
		f, ok := l.read(b)
		if !ok {
			continue
		}
		if b, err = s.bytes(offset, l.frame+f.length, buf); err != nil {
			return f, nil, l, err
		}
		if int64(len(b)) == l.frame+f.length && crc32.Checksum(b[l.frame:], castagnoli) == f.checksum {
			return f, b[l.frame:], l, nil
		}
	}
	return f, nil, l, nil
}

// findBatch returns the offset, from one on, of bytes that may be the header of a batch; the size of the file: there are none.
func (s *segment) findBatch(offset int64, buf *[]byte) (int64, error) {
	const window = 1 << 20
	for ; offset < s.size; offset += window {
		b, err := s.bytes(offset, window+present.frame, buf)
		if err != nil {
			return 0, err
		}
		for i := 0; i < min(len(b), window); i += 8 {
			for _, l := range layouts {
				if _, ok := l.read(b[i:]); ok {
					return offset + int64(i), nil
				}
			}
		}
	}
	return s.size, nil
}

// String says what is missing, for people.
func (m *Missing) String() string {
	batches := fmt.Sprintf("batches %d to %d are", m.First, m.Last)
	switch m.Last {
	case 0:
		batches = fmt.Sprintf("batch %d, and what may have followed, is", m.First)
	case m.First:
		batches = fmt.Sprintf("batch %d is", m.First)
	}
	return fmt.Sprintf("%s: offset %d: %s missing: %s", m.File, m.Offset, batches, m.Problem)
}
