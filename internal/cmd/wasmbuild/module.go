package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// Sections of a module.
const (
	customSection   = 0
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	memorySection   = 5
	startSection    = 8
	elementSection  = 9
	codeSection     = 10
	dataSection     = 11
)

// header is how a module begins: a magic word and the version.
const header = "\x00asm\x01\x00\x00\x00"

var errModule = errors.New("this is not a module as the Go compiler writes it")

type section struct {
	id      byte
	content []byte
}

// readSections reads the sections of a module in their order, without the custom ones, which no engine needs.
func readSections(module []byte) ([]section, error) {
	if !bytes.HasPrefix(module, []byte(header)) {
		return nil, errModule
	}
	var sections []section
	r := &reader{rest: module[len(header):]}
	for len(r.rest) > 0 {
		s := section{id: r.byte()}
		s.content = r.bytes(r.unsigned())
		if r.failed {
			return nil, errModule
		}
		if s.id != customSection {
			sections = append(sections, s)
		}
	}
	return sections, nil
}

func appendSections(out []byte, sections []section) []byte {
	for _, s := range sections {
		out = append(binary.AppendUvarint(append(out, s.id), uint64(len(s.content))), s.content...)
	}
	return out
}

// find returns the section of an id, or nil.
func find(sections []section, id byte) *section {
	i := slices.IndexFunc(sections, func(s section) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return &sections[i]
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
