package store

import (
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
	snapshotMagic   = "quernsnp"
	snapshotVersion = 1
	snapshotHeader  = 56 // magic, version, zero, batch, decision, time, length, checksum of the payload, checksum of the header
	snapshotSuffix  = ".snap"
	snapshotTemp    = "snapshot.tmp"
	keptSnapshots   = 2
)

func snapshotName(batch uint64) string { return fmt.Sprintf("%020d%s", batch, snapshotSuffix) }

// WriteSnapshot keeps a state that contains every batch up to a position. It may run while others append and read. Compact removes older
// ones.
func (l *Log) WriteSnapshot(at Position, state []byte) error {
	l.snapshots.Lock()
	defer l.snapshots.Unlock()
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	payload := encoder.EncodeAll(state, nil)
	b := append([]byte(snapshotMagic), make([]byte, snapshotHeader-len(snapshotMagic))...)
	binary.LittleEndian.PutUint32(b[8:], snapshotVersion)
	binary.LittleEndian.PutUint64(b[16:], at.Batch)
	binary.LittleEndian.PutUint64(b[24:], at.Decision)
	binary.LittleEndian.PutUint64(b[32:], uint64(at.At))
	binary.LittleEndian.PutUint64(b[40:], uint64(len(payload)))
	binary.LittleEndian.PutUint32(b[48:], crc32.Checksum(payload, castagnoli))
	binary.LittleEndian.PutUint32(b[52:], crc32.Checksum(b[:52], castagnoli))
	if err := replaceFile(l.disk, snapshotTemp, snapshotName(at.Batch), append(b, payload...)); err != nil {
		return fmt.Errorf("writing the snapshot of batch %d: %w", at.Batch, err)
	}
	l.mu.Lock()
	l.newest = at
	l.mu.Unlock()
	return nil
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
	if err := d.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := d.Create(temp)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil {
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
func newestSnapshot(d Disk, names []string) (o Opened, err error) {
	list := snapshotsIn(names)
	slices.Reverse(list)
	for _, batch := range list {
		state, at, err := readSnapshot(d, batch)
		var version *VersionError
		switch {
		case err == nil:
			o.Snapshot, o.At = state, at
			return o, nil
		case errors.As(err, &version):
			return o, err
		}
		o.Skipped = append(o.Skipped, err)
	}
	return o, nil
}

// readSnapshot reads the snapshot of a batch.
func readSnapshot(d Disk, batch uint64) (state []byte, at Position, err error) {
	name := snapshotName(batch)
	b, err := readFile(d, name)
	if err != nil {
		return nil, at, err
	}
	damaged := func(offset int, problem string) ([]byte, Position, error) {
		return nil, Position{}, &DamageError{File: name, Offset: int64(offset), Problem: problem}
	}
	if len(b) < snapshotHeader || string(b[:8]) != snapshotMagic || crc32.Checksum(b[:52], castagnoli) != binary.LittleEndian.Uint32(b[52:]) {
		return damaged(0, "the header is not that of a snapshot")
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != snapshotVersion {
		return nil, at, &VersionError{File: name, Version: v}
	}
	payload := b[snapshotHeader:]
	at = positionIn(b)
	if at.Batch != batch {
		return damaged(16, fmt.Sprintf("the header has batch %d", at.Batch))
	}
	if uint64(len(payload)) != binary.LittleEndian.Uint64(b[40:]) || crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(b[48:]) {
		return damaged(snapshotHeader, "the state is damaged")
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, at, err
	}
	defer decoder.Close()
	if state, err = decoder.DecodeAll(payload, nil); err != nil {
		return damaged(snapshotHeader, err.Error())
	}
	return state, at, nil
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
	f, err := d.Open(snapshotName(batch))
	if err != nil {
		return p, err
	}
	b := make([]byte, snapshotHeader)
	if _, err = f.ReadAt(b, 0); err == nil && crc32.Checksum(b[:52], castagnoli) != binary.LittleEndian.Uint32(b[52:]) {
		err = &DamageError{File: snapshotName(batch), Problem: "the header is not that of a snapshot"}
	}
	return positionIn(b), errors.Join(err, f.Close())
}

func positionIn(header []byte) Position {
	return Position{binary.LittleEndian.Uint64(header[16:]), binary.LittleEndian.Uint64(header[24:]), int64(binary.LittleEndian.Uint64(header[32:]))}
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
