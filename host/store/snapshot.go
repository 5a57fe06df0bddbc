package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sort"

	"github.com/klauspost/compress/zstd"
)

const (
	snapshotMagic  = "quernsnp"
	snapshotSuffix = ".snap"
	snapshotTemp   = "snapshot.tmp"
	keptSnapshots  = 2
)

// The header of a snapshot: magic, version, its complement (zero in version 1), batch, decision, time, length, hash of the batch (from version 2), checksum of the
// payload, checksum of the header.
const (
	snapshotVersion = 2
	snapshotHash    = 48 // its place
)

// snapshotHeader is the length of the header of a version.
func snapshotHeader(version uint32) int {
	if version < 2 {
		return 56
	}
	return 72
}

func snapshotName(batch uint64) string { return fmt.Sprintf("%020d%s", batch, snapshotSuffix) }

// WriteSnapshot keeps a state that contains every batch up to a position. It may run while others append and read. Compact removes older
// ones.
func (l *Log) WriteSnapshot(at Position, state []byte) error {
	return l.StreamSnapshot(at, func(to io.Writer) error {
		_, err := to.Write(state)
		return err
	})
}

// StreamSnapshot is WriteSnapshot for a state that is written piece by piece, so that it need not be in memory. If writing it fails, the
// snapshots that are kept stay as they are.
func (l *Log) StreamSnapshot(at Position, write func(to io.Writer) error) error {
	l.snapshots.Lock()
	defer l.snapshots.Unlock()
	err := replace(l.disk, snapshotTemp, snapshotName(at.Batch), func(f File) error {
		p := payloadWriter{to: io.NewOffsetWriter(f, int64(snapshotHeader(snapshotVersion)))}
		if err := compress(bufio.NewWriterSize(&p, snapshotBuffer), write); err != nil {
			return err
		}
		_, err := f.WriteAt(snapshotHead(at, p.length, p.sum), 0)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing the snapshot of batch %d: %w", at.Batch, err)
	}
	l.mu.Lock()
	l.newest = at
	l.mu.Unlock()
	return nil
}

// snapshotBuffer and snapshotWindow bound the memory that writing a snapshot takes.
const (
	snapshotBuffer = 64 << 10
	snapshotWindow = 512 << 10
)

func compress(to *bufio.Writer, write func(io.Writer) error) error {
	encoder, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(snapshotWindow))
	if err != nil {
		return err
	}
	pieces := bufio.NewWriterSize(encoder, snapshotBuffer)
	return errors.Join(write(pieces), pieces.Flush(), encoder.Close(), to.Flush())
}

// payloadWriter measures the payload of a snapshot.
type payloadWriter struct {
	to     io.Writer
	length uint64
	sum    uint32
}

func (p *payloadWriter) Write(b []byte) (int, error) {
	n, err := p.to.Write(b)
	p.length += uint64(n)
	p.sum = crc32.Update(p.sum, castagnoli, b[:n])
	return n, err
}

// snapshotHead is the header of a snapshot.
func snapshotHead(at Position, length uint64, sum uint32) []byte {
	b := append(make([]byte, 0, snapshotHeader(snapshotVersion)), snapshotMagic...)
	b = binary.LittleEndian.AppendUint32(b, snapshotVersion)
	b = binary.LittleEndian.AppendUint32(b, ^uint32(snapshotVersion))
	for _, n := range []uint64{at.Batch, at.Decision, uint64(at.At), length} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, at.Hash[:]...)
	b = binary.LittleEndian.AppendUint32(b, sum)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// snapshotsIn lists the batches of snapshots, ascending.
func snapshotsIn(names []string) (list []uint64) {
	for _, name := range names {
		if n, ok := numberIn(name, snapshotSuffix); ok {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

// replaceFile puts a file in place that is durable, under a name that may exist.
func replaceFile(d Disk, temp, name string, content []byte) error {
	return replace(d, temp, name, func(f File) error {
		_, err := f.WriteAt(content, 0)
		return err
	})
}

// replace is replaceFile for a file that write fills.
func replace(d Disk, temp, name string, write func(File) error) error {
	if err := d.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := d.Create(temp)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := d.Rename(temp, name); err != nil {
		return err
	}
	return d.Sync()
}

// newestSnapshot reads the newest snapshot that can be read.
func newestSnapshot(d Disk, names []string, o *Opened) error {
	list := snapshotsIn(names)
	slices.Reverse(list)
	for _, batch := range list {
		state, at, err := readSnapshot(d, batch)
		var version *VersionError
		switch {
		case err == nil:
			o.Snapshot, o.At = state, at
			return nil
		case errors.As(err, &version):
			return err
		}
		o.Skipped = append(o.Skipped, err)
	}
	return nil
}

// readSnapshot reads the snapshot of a batch.
func readSnapshot(d Disk, batch uint64) (state []byte, at Position, err error) {
	payload, at, err := snapshotPayload(d, batch)
	if err != nil {
		return nil, at, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, at, err
	}
	defer decoder.Close()
	if state, err = decoder.DecodeAll(payload, nil); err != nil {
		return nil, Position{}, &DamageError{File: snapshotName(batch), Offset: int64(snapshotHeader(snapshotVersion)), Problem: err.Error()}
	}
	return state, at, nil
}

// snapshotPayload reads the snapshot of a batch, without unpacking it.
func snapshotPayload(d Disk, batch uint64) (payload []byte, at Position, err error) {
	name := snapshotName(batch)
	b, err := readFile(d, name)
	if err != nil {
		return nil, at, err
	}
	head, err := snapshotHeadIn(name, b)
	if err != nil {
		return nil, at, err
	}
	payload, at = b[len(head):], positionIn(head)
	if at.Batch != batch {
		return nil, Position{}, &DamageError{File: name, Offset: 16, Problem: fmt.Sprintf("the header has batch %d", at.Batch)}
	}
	if uint64(len(payload)) != binary.LittleEndian.Uint64(b[40:]) || crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(head[len(head)-8:]) {
		return nil, Position{}, &DamageError{File: name, Offset: int64(len(head)), Problem: "the state is damaged"}
	}
	return payload, at, nil
}

// snapshotHeadIn checks the header that the bytes of a snapshot begin with, and returns it.
func snapshotHeadIn(name string, b []byte) ([]byte, error) {
	if len(b) < segmentPrelude || string(b[:8]) != snapshotMagic {
		return nil, &DamageError{File: name, Problem: "the header is not that of a snapshot"}
	}
	version, ok := versionIn(b)
	if ok && version > snapshotVersion {
		return nil, &VersionError{File: name, Version: version}
	}
	n := snapshotHeader(version)
	if !ok || len(b) < n || crc32.Checksum(b[:n-4], castagnoli) != binary.LittleEndian.Uint32(b[n-4:]) {
		return nil, &DamageError{File: name, Problem: "the header is not that of a snapshot"}
	}
	return b[:n], nil
}

// SnapshotBefore returns the newest state that is kept of a time, in nanoseconds since the Unix epoch, or before it: that of a snapshot, or
// nil for the beginning, where that is kept. The error is ErrCompacted where neither is.
func (l *Log) SnapshotBefore(at int64) (state []byte, p Position, err error) {
	l.snapshots.Lock() // none is removed meanwhile
	defer l.snapshots.Unlock()
	names, err := l.disk.List()
	if err != nil {
		return nil, p, err
	}
	list := snapshotsIn(names)
	slices.Reverse(list)
	for _, batch := range list {
		switch p, err := snapshotPosition(l.disk, batch); {
		case err != nil:
			return nil, p, err
		case p.At <= at:
			return readSnapshot(l.disk, batch)
		}
	}
	if l.First() > 1 {
		return nil, p, ErrCompacted
	}
	return nil, p, nil
}

// SnapshotUpTo returns the newest state that is kept of a batch or one before it, if what follows is kept, too: that of a snapshot, or nil for
// the beginning. Where there is none it is the first state from which what follows is kept; where there is none either, the error is
// ErrCompacted.
func (l *Log) SnapshotUpTo(batch uint64) (state []byte, p Position, err error) {
	l.snapshots.Lock() // none is removed meanwhile
	defer l.snapshots.Unlock()
	names, err := l.disk.List()
	if err != nil {
		return nil, p, err
	}
	first := l.First()
	usable := slices.DeleteFunc(snapshotsIn(names), func(n uint64) bool { return n+1 < first })
	later := sort.Search(len(usable), func(i int) bool { return usable[i] > batch })
	switch {
	case later > 0:
		return readSnapshot(l.disk, usable[later-1])
	case first == 1:
		return nil, p, nil
	case len(usable) > 0:
		return readSnapshot(l.disk, usable[0])
	}
	return nil, p, ErrCompacted
}

// snapshotPosition reads where a snapshot is, without its state.
func snapshotPosition(d Disk, batch uint64) (p Position, err error) {
	name := snapshotName(batch)
	f, err := d.Open(name)
	if err != nil {
		return p, err
	}
	b := make([]byte, snapshotHeader(snapshotVersion))
	n, err := f.ReadAt(b, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	var head []byte
	if err == nil {
		head, err = snapshotHeadIn(name, b[:n])
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return p, err
	}
	return positionIn(head), nil
}

func positionIn(header []byte) Position {
	p := Position{Batch: binary.LittleEndian.Uint64(header[16:]), Decision: binary.LittleEndian.Uint64(header[24:]), At: int64(binary.LittleEndian.Uint64(header[32:]))}
	if len(header) == snapshotHeader(2) {
		copy(p.Hash[:], header[snapshotHash:])
	}
	return p
}

func readFile(d Disk, name string) ([]byte, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	b := make([]byte, size)
	if err == nil {
		_, err = io.ReadFull(io.NewSectionReader(f, 0, size), b)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}
