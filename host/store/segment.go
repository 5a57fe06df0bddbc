package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
)

const (
	segmentMagic   = "quernlog"
	segmentSuffix  = ".log"
	segmentPrelude = 16 // magic, version, complement: equal in all versions
)

// segment is one file of the log.
type segment struct {
	name   string
	layout layout
	after  Position // the batch before its first one: number and, from version 2, hash
	file   File
	size   int64 // of the file
	marks  []mark
}

// first is the number of the first batch.
func (s *segment) first() uint64 { return s.after.Batch + 1 }

// mark says where a batch begins. There is one about every markDistance bytes, so that a reader need not begin at the first.
type mark struct {
	Position
	offset int64
	before Hash // of the batch before
}

const markDistance = 256 << 10

// mark records where a batch begins, if the last mark is far enough.
func (s *segment) mark(p Position, before Hash, offset int64) {
	if len(s.marks) == 0 || offset-s.marks[len(s.marks)-1].offset >= markDistance {
		s.marks = append(s.marks, mark{p, offset, before})
	}
}

// damaged says what is wrong where a batch of a number should stand.
func (s *segment) damaged(offset int64, number uint64, kind found) error {
	problem := fmt.Sprintf("batch %d is damaged", number)
	switch kind {
	case theEnd, aTear:
		problem = fmt.Sprintf("batch %d is missing, and later ones follow", number)
	case aStranger:
		problem = fmt.Sprintf("batch %d does not follow the batch before it: this file, or the one before it, is of another record", number)
	}
	return &DamageError{File: s.name, Offset: offset, Problem: problem}
}

func segmentName(first uint64) string { return fmt.Sprintf("%020d%s", first, segmentSuffix) }

// numberIn reads the number in a file's name; false: the name is of another kind.
func numberIn(name, suffix string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	if !ok || len(digits) != 20 {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}

// header is what a segment begins with.
func (s *segment) header() []byte {
	b := append(make([]byte, 0, s.layout.segment), segmentMagic...)
	b = binary.LittleEndian.AppendUint32(b, s.layout.version)
	b = binary.LittleEndian.AppendUint32(b, ^s.layout.version)
	b = binary.LittleEndian.AppendUint64(b, s.first())
	b = append(b, s.after.Hash[:]...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return append(b, make([]byte, s.layout.segment-int64(len(b)))...)
}

// openSegment opens a segment and checks its header.
func openSegment(d Disk, name string, first uint64) (*segment, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	s := &segment{name: name, file: f}
	if s.size, err = f.Size(); err == nil {
		err = s.readHeader(first)
	}
	if err == nil {
		err = s.markFirst()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// markFirst records where the first batch begins, if it is there.
func (s *segment) markFirst() error {
	var buf []byte
	b, err := s.bytes(s.layout.segment, s.layout.frame, &buf)
	if err != nil {
		return err
	}
	if f, ok := s.layout.read(b); ok && f.Batch == s.first() {
		s.mark(f.Position, f.before, s.layout.segment)
	}
	return nil
}

// readHeader reads the header of a segment whose first batch is to have a number.
func (s *segment) readHeader(first uint64) error {
	var buf []byte
	b, err := s.bytes(0, segmentPrelude, &buf)
	if err != nil {
		return err
	}
	if len(b) < segmentPrelude {
		return s.short()
	}
	version, ok := versionIn(b)
	if string(b[:8]) != segmentMagic || !ok {
		return s.noHeader()
	}
	if s.layout, ok = layoutOf(version); !ok {
		return &VersionError{File: s.name, Version: version}
	}
	if b, err = s.bytes(0, s.layout.segment, &buf); err != nil {
		return err
	}
	if int64(len(b)) < s.layout.segment {
		return s.short()
	}
	return s.decodeHeader(b, first)
}

func (s *segment) decodeHeader(b []byte, first uint64) error {
	sum := segmentPrelude + 8
	if s.layout.chained() {
		copy(s.after.Hash[:], b[sum:])
		sum += len(s.after.Hash)
	}
	if crc32.Checksum(b[:sum], castagnoli) != binary.LittleEndian.Uint32(b[sum:]) {
		return s.noHeader()
	}
	found := binary.LittleEndian.Uint64(b[segmentPrelude:])
	if found != first || first == 0 {
		return &DamageError{File: s.name, Offset: segmentPrelude, Problem: fmt.Sprintf("the header has %d as the first batch", found)}
	}
	s.after.Batch = first - 1
	return nil
}

func (s *segment) noHeader() error {
	return &DamageError{File: s.name, Problem: "the header is not that of a segment"}
}

func (s *segment) short() error {
	return &DamageError{File: s.name, Offset: s.size, Problem: "the file ends within its header"}
}

// found is what stands at an offset of a segment.
type found uint8

const (
	aBatch    found = iota
	theEnd          // nothing follows
	aTear           // a batch that was not written whole; none was acknowledged after it
	aDamage         // something that was acknowledged and is not what was written
	aStranger       // a batch of that number that does not follow the one before
)

// read reads what stands at an offset, where the batch behind another is expected. The payload lies in buf, which grows.
func (s *segment) read(offset int64, after Position, buf *[]byte) (f frame, payload []byte, kind found, err error) {
	b, err := s.bytes(offset, s.layout.frame, buf)
	if err != nil {
		return f, nil, 0, err
	}
	f, ok := s.layout.read(b)
	number := after.Batch + 1
	if !ok || f.Batch != number {
		kind, err = s.judge(offset, number, isZero(b), s.layout.tornHeader(b, offset), buf)
		return f, nil, kind, err
	}
	whole := s.layout.size(f.length)
	if b, err = s.bytes(offset, whole, buf); err != nil {
		return f, nil, 0, err
	}
	end := s.layout.frame + f.length
	short := int64(len(b)) < whole
	if short || b[end] != endMark || crc32.Checksum(b[s.layout.frame:end], castagnoli) != f.checksum {
		torn := short || b[end] == 0 || hasZeroSector(b[:end+1], offset)
		kind, err = s.judgeTorn(offset, offset+whole, number, torn, buf)
		return f, nil, kind, err
	}
	if !f.follows(after) {
		return f, nil, aStranger, nil
	}
	return f, b[s.layout.frame:end], aBatch, nil
}

// judge says what it means that no batch stands at an offset: what stands there is zero, or looks as if it were torn, or neither.
func (s *segment) judge(offset int64, number uint64, zero, torn bool, buf *[]byte) (found, error) {
	if !zero && !torn {
		return aDamage, nil
	}
	later, clean, err := s.search(offset, number, buf)
	switch {
	case err != nil:
		return 0, err
	case later:
		return aDamage, nil
	case clean:
		return theEnd, nil
	}
	return aTear, nil
}

// judgeTorn says what it means that a batch whose header can be read is not whole. Space behind the batch that is written last is zero:
// anything there was written later, when this batch had been acknowledged.
func (s *segment) judgeTorn(offset, end int64, number uint64, torn bool, buf *[]byte) (found, error) {
	kind, err := s.judge(offset, number, false, torn, buf)
	if kind != aTear || err != nil {
		return kind, err
	}
	_, clean, err := s.search(end, number, buf)
	if !clean {
		kind = aDamage
	}
	return kind, err
}

// search reports whether a batch stands anywhere from an offset on that was written when that of a number had been acknowledged, and
// whether all is zero there.
func (s *segment) search(offset int64, number uint64, buf *[]byte) (later, clean bool, err error) {
	const window = 1 << 20
	clean = true
	for ; offset < s.size; offset += window {
		b, err := s.bytes(offset, window+s.layout.frame, buf)
		if err != nil {
			return false, false, err
		}
		if isZero(b) {
			continue
		}
		clean = false
		for i := 0; int64(i)+s.layout.frame <= int64(len(b)); i += 8 {
			if binary.LittleEndian.Uint64(b[i+8:]) > number {
				if f, ok := s.layout.read(b[i:]); ok && f.acknowledged >= number {
					return true, false, nil
				}
			}
		}
	}
	return false, clean, nil
}

// bytes reads n bytes at an offset, fewer at the end of the file. They lie in buf, which grows.
func (s *segment) bytes(offset, n int64, buf *[]byte) ([]byte, error) {
	n = max(0, min(n, s.size-offset))
	if int64(cap(*buf)) < n {
		*buf = make([]byte, n)
	}
	b := (*buf)[:n]
	if m, err := s.file.ReadAt(b, offset); err != nil && !(errors.Is(err, io.EOF) && int64(m) == n) {
		return nil, fmt.Errorf("%s: reading at %d: %w", s.name, offset, err)
	}
	return b, nil
}
