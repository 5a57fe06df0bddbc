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
	segmentVersion = 1
	segmentHeader  = 32 // magic, version, zero, first batch, checksum, zero
	segmentSuffix  = ".log"
)

// segment is one file of the log.
type segment struct {
	name  string
	first uint64 // its first batch
	file  File
	size  int64 // of the file
	marks []mark
}

// mark says where a batch begins. There is one about every markDistance bytes, so that a reader need not begin at the first.
type mark struct {
	Position
	offset int64
}

const markDistance = 256 << 10

// mark notes where a batch begins, if the last mark is far enough.
func (s *segment) mark(p Position, offset int64) {
	if len(s.marks) == 0 || offset-s.marks[len(s.marks)-1].offset >= markDistance {
		s.marks = append(s.marks, mark{p, offset})
	}
}

// damaged says what is wrong where a batch of a number should stand.
func (s *segment) damaged(offset int64, number uint64, kind found) error {
	problem := fmt.Sprintf("batch %d is damaged", number)
	if kind != aDamage {
		problem = fmt.Sprintf("batch %d is missing, and later ones follow", number)
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
	b := append([]byte(segmentMagic), make([]byte, segmentHeader-len(segmentMagic))...)
	binary.LittleEndian.PutUint32(b[8:], segmentVersion)
	binary.LittleEndian.PutUint64(b[16:], s.first)
	binary.LittleEndian.PutUint32(b[24:], crc32.Checksum(b[:24], castagnoli))
	return b
}

// openSegment opens a segment and checks its header.
func openSegment(d Disk, name string, first uint64) (*segment, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	s := &segment{name: name, first: first, file: f}
	if s.size, err = f.Size(); err == nil {
		err = s.checkHeader()
	}
	if err == nil {
		err = s.markFirst()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// markFirst notes the first batch, if it is there.
func (s *segment) markFirst() error {
	var buf []byte
	b, err := s.bytes(segmentHeader, frameHeader, &buf)
	if err != nil || len(b) < frameHeader {
		return err
	}
	if f, ok := readHeader(b); ok && f.Batch == s.first {
		s.mark(f.Position, segmentHeader)
	}
	return nil
}

func (s *segment) checkHeader() error {
	b := make([]byte, segmentHeader)
	if n, err := s.file.ReadAt(b, 0); n < len(b) {
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: reading the header: %w", s.name, err)
		}
		return &DamageError{File: s.name, Offset: int64(n), Problem: "the file ends within its header"}
	}
	if string(b[:8]) != segmentMagic || crc32.Checksum(b[:24], castagnoli) != binary.LittleEndian.Uint32(b[24:]) {
		return &DamageError{File: s.name, Problem: "the header is not that of a segment"}
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != segmentVersion {
		return &VersionError{File: s.name, Version: v}
	}
	if first := binary.LittleEndian.Uint64(b[16:]); first != s.first {
		return &DamageError{File: s.name, Offset: 16, Problem: fmt.Sprintf("the header has %d as the first batch", first)}
	}
	return nil
}

// found is what stands at an offset of a segment.
type found uint8

const (
	aBatch  found = iota
	theEnd        // nothing follows
	aTear         // a batch that was not written whole; none was acknowledged after it
	aDamage       // something that was acknowledged and is not what was written
)

// read reads what stands at an offset, where a batch of a number is expected. The payload lies in buf, which grows.
func (s *segment) read(offset int64, number uint64, buf *[]byte) (f frame, payload []byte, kind found, err error) {
	b, err := s.bytes(offset, frameHeader, buf)
	if err != nil {
		return f, nil, 0, err
	}
	f, ok := frame{}, false
	if len(b) == frameHeader {
		f, ok = readHeader(b)
	}
	if !ok || f.Batch != number {
		kind, err = s.judge(offset, number, isZero(b), tornHeader(b, offset), buf)
		return f, nil, kind, err
	}
	if b, err = s.bytes(offset, frameSize(f.length), buf); err != nil {
		return f, nil, 0, err
	}
	if int64(len(b)) < frameSize(f.length) {
		kind, err = s.judge(offset, number, false, true, buf)
		return f, nil, kind, err
	}
	payload = b[frameHeader : frameHeader+f.length]
	if end := b[frameHeader+f.length]; end != endMark || crc32.Checksum(payload, castagnoli) != f.checksum {
		kind, err = s.judge(offset, number, false, end == 0 || hasZeroSector(b[:frameHeader+f.length+1], offset), buf)
		return f, nil, kind, err
	}
	return f, payload, aBatch, nil
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

// search reports whether a batch that is later than a number stands anywhere from an offset on, and whether all is zero there.
func (s *segment) search(offset int64, number uint64, buf *[]byte) (later, clean bool, err error) {
	const window = 1 << 20
	clean = true
	for ; offset < s.size; offset += window {
		b, err := s.bytes(offset, window+frameHeader, buf)
		if err != nil {
			return false, false, err
		}
		if isZero(b) {
			continue
		}
		clean = false
		for i := 0; i+frameHeader <= len(b); i += 8 {
			if binary.LittleEndian.Uint64(b[i+8:]) > number {
				if _, ok := readHeader(b[i:]); ok {
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
