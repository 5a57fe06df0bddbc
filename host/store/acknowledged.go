package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

const (
	markName    = "acknowledged"
	markTemp    = "acknowledged.tmp"
	markMagic   = "quernack"
	markVersion = 1
	markLength  = 76   // magic, version, zero, writes so far, batch, decision, time, hash, first batch, checksum
	markSpacing = 4096 // from one place to the other
	markSize    = 2 * markSpacing
)

// acknowledged says how far a record was acknowledged, and where it begins.
type acknowledged struct {
	Position
	first uint64 // batch that is kept: every one from there on was not compacted
}

// markFile keeps that in a file of its own: in one of two places in turn, so that one can always be read. It is written behind each batch
// that is durable, which a killed process leaves behind, and synced from time to time.
type markFile struct {
	syncing sync.Mutex // held while the file is synced, which does not hold up who writes

	mu     sync.Mutex // guards what follows
	file   File       // nil: not open for writing
	writes uint64
	last   acknowledged
	dirty  bool  // there is something to sync
	err    error // of the last write, which the next sync reports
}

// readMark reads the file. The problem says why it, or one of its places, cannot be read; then ok says whether the other place can.
func readMark(d Disk) (m acknowledged, writes uint64, ok bool, problem, err error) {
	f, err := d.Open(markName)
	if errors.Is(err, os.ErrNotExist) {
		return m, 0, false, &DamageError{File: markName, Problem: "the file is missing, which says how far the record was acknowledged"}, nil
	}
	if err != nil {
		return m, 0, false, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for offset := int64(0); offset < markSize; offset += markSpacing {
		b := make([]byte, markLength)
		if n, err := f.ReadAt(b, offset); n < len(b) && err != nil && !errors.Is(err, io.EOF) {
			return m, 0, false, nil, fmt.Errorf("%s: reading at %d: %w", markName, offset, err)
		}
		found, n, version, good := decodeMark(b)
		switch {
		case !good:
			problem = &DamageError{File: markName, Offset: offset, Problem: "it does not say how far the record was acknowledged"}
		case version != markVersion:
			return m, 0, false, nil, &VersionError{File: markName, Version: version}
		case !ok || n > writes:
			m, writes, ok = found, n, true
		}
	}
	return m, writes, ok, problem, nil
}

func (m *acknowledged) encode(writes uint64) []byte {
	b := append(make([]byte, 0, markLength), markMagic...)
	b = binary.LittleEndian.AppendUint32(b, markVersion)
	b = binary.LittleEndian.AppendUint32(b, 0)
	for _, n := range []uint64{writes, m.Batch, m.Decision, uint64(m.At)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, m.Hash[:]...)
	b = binary.LittleEndian.AppendUint64(b, m.first)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func decodeMark(b []byte) (m acknowledged, writes uint64, version uint32, ok bool) {
	sum := markLength - 4
	if string(b[:8]) != markMagic || crc32.Checksum(b[:sum], castagnoli) != binary.LittleEndian.Uint32(b[sum:]) {
		return m, 0, 0, false
	}
	m.Batch, m.Decision = binary.LittleEndian.Uint64(b[24:]), binary.LittleEndian.Uint64(b[32:])
	m.At = int64(binary.LittleEndian.Uint64(b[40:]))
	copy(m.Hash[:], b[48:])
	m.first = binary.LittleEndian.Uint64(b[64:])
	return m, binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint32(b[8:]), true
}

// make puts a new file in place, which is durable, and opens it.
func (f *markFile) make(d Disk, m acknowledged) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	content := make([]byte, markSize)
	f.writes++
	copy(content, m.encode(f.writes))
	copy(content[markSpacing:], m.encode(f.writes))
	if err := replaceFile(d, markTemp, markName, content); err != nil {
		return fmt.Errorf("%s: %w", markName, err)
	}
	f.last = m
	return f.openLocked(d)
}

func (f *markFile) openLocked(d Disk) (err error) {
	if f.file != nil {
		return nil
	}
	f.file, err = d.Open(markName)
	return err
}

// open opens the file, which says something, for writing.
func (f *markFile) open(d Disk, m acknowledged, writes uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last, f.writes = m, writes
	return f.openLocked(d)
}

// move writes that the record was acknowledged up to a position. It does not sync. An error is for sync to report: the batch is durable
// anyway.
func (f *markFile) move(p Position) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last.Position = p
	f.err = f.write()
}

// begin makes durable that the record begins with a batch from now on.
func (f *markFile) begin(first uint64) error {
	f.mu.Lock()
	f.last.first = first
	f.err = f.write()
	f.mu.Unlock()
	return f.sync()
}

// write writes to the place that does not have the last content. After an error the same place is written to again.
func (f *markFile) write() error {
	offset := int64(f.writes+1) % 2 * markSpacing
	if _, err := f.file.WriteAt(f.last.encode(f.writes+1), offset); err != nil {
		return fmt.Errorf("%s: writing at %d: %w", markName, offset, err)
	}
	f.writes, f.dirty = f.writes+1, true
	return nil
}

// sync makes durable what was written. Others may write meanwhile.
func (f *markFile) sync() error {
	f.syncing.Lock() // one at a time
	defer f.syncing.Unlock()
	file, err := f.unsynced()
	if file == nil || err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.dirty = true
		// What the system's cache shows is not trusted: both places are written again.
		f.err = errors.Join(f.write(), f.write())
		return errors.Join(fmt.Errorf("%s: syncing: %w", markName, err), f.err)
	}
	return nil
}

// unsynced is the file if there is something to sync, which counts as synced from now on; nil: there is nothing.
func (f *markFile) unsynced() (File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil && f.err != nil {
		f.err = f.write()
	}
	if f.file == nil || f.err != nil || !f.dirty {
		return nil, f.err
	}
	f.dirty = false
	return f.file, nil
}

// isDirty reports whether there is something to sync.
func (f *markFile) isDirty() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dirty || f.err != nil
}

func (f *markFile) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	file := f.file
	f.file = nil
	return file.Close()
}
