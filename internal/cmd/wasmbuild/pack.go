package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// Sections of a module.
const (
	customSection = 0
	dataSection   = 11
)

// header is how a module begins: a magic word and the version.
const header = "\x00asm\x01\x00\x00\x00"

// gap is up to how many zeros between two segments are written out. The linker begins a new segment after every few
// zeros, which makes eighty thousand of them; zeros in a row cost next to nothing once they are compressed.
const gap = 32

var errModule = errors.New("this is no module as the Go compiler writes it")

// segment is some bytes of the memory as it is at the start.
type segment struct {
	at   int64
	data []byte
}

// pack drops what nothing needs to run (custom sections) and joins segments that lie close together.
func pack(module []byte) ([]byte, error) {
	if !bytes.HasPrefix(module, []byte(header)) {
		return nil, errModule
	}
	out := []byte(header)
	r := &reader{rest: module[len(header):]}
	for len(r.rest) > 0 {
		id := r.byte()
		content := r.bytes(r.unsigned())
		switch {
		case r.failed:
			return nil, errModule
		case id == customSection:
			continue
		case id == dataSection:
			segments, err := readData(content)
			if err != nil {
				return nil, err
			}
			content = appendData(nil, join(segments))
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(content))), content...)
	}
	return out, nil
}

// readData reads segments that are put at a constant address in the one memory.
func readData(content []byte) ([]segment, error) {
	const constant, end = 0x41, 0x0b
	r := &reader{rest: content}
	segments := make([]segment, r.unsigned())
	for i := range segments {
		kind, op := r.byte(), r.byte()
		segments[i].at = r.signed()
		if kind != 0 || op != constant || r.byte() != end {
			return nil, errModule
		}
		segments[i].data = r.bytes(r.unsigned())
	}
	if r.failed {
		return nil, errModule
	}
	return segments, nil
}

// join sorts segments, which never overlap, and makes one of those with few zeros in between.
func join(segments []segment) []segment {
	slices.SortFunc(segments, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	var joined []segment
	for _, s := range segments {
		if last := len(joined) - 1; last >= 0 {
			before := &joined[last]
			if zeros := s.at - before.at - int64(len(before.data)); zeros <= gap {
				before.data = append(append(before.data, make([]byte, zeros)...), s.data...)
				continue
			}
		}
		joined = append(joined, segment{s.at, slices.Clone(s.data)})
	}
	return joined
}

func appendData(out []byte, segments []segment) []byte {
	out = binary.AppendUvarint(out, uint64(len(segments)))
	for _, s := range segments {
		out = append(appendSigned(append(out, 0, 0x41), s.at), 0x0b)
		out = append(binary.AppendUvarint(out, uint64(len(s.data))), s.data...)
	}
	return out
}

// appendSigned writes a number in the signed form of LEB128.
func appendSigned(out []byte, n int64) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(out, low)
		}
		out = append(out, low|0x80)
	}
}

// reader reads the parts of a module; past the end everything is zero.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.failed, n = true, uint64(len(r.rest))
	}
	head := r.rest[:n]
	r.rest = r.rest[n:]
	return head
}

func (r *reader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *reader) unsigned() uint64 {
	n, size := binary.Uvarint(r.rest)
	r.bytes(uint64(max(size, 1)))
	return n
}

func (r *reader) signed() int64 {
	var n int64
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 != 0 {
			continue
		}
		if b&0x40 != 0 && shift < 57 {
			n |= -1 << (shift + 7)
		}
		return n
	}
	r.failed = true
	return 0
}
