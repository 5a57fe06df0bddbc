package store

import (
	"errors"
	"io"
)

// Stat is what a store holds.
type Stat struct {
	First, End Position // of the batches that are kept; First is zero without any
	Segments   int
	Bytes      int64    // of batches, with what is around them
	Reserved   int64    // of files, with what nothing is written to yet
	Snapshots  []uint64 // their last batches
}

// Stat goes through all batches that are kept, and checks each.
func (l *Log) Stat() (s Stat, err error) {
	names, err := l.disk.List()
	if err != nil {
		return s, err
	}
	s.Snapshots, s.Segments = snapshotsIn(names), len(l.segments)
	for _, segment := range l.segments {
		s.Reserved += segment.size
	}
	r, err := l.ReadFrom(l.First())
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		p, payload, err := r.Next()
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if s.First.Batch == 0 {
			s.First = p
		}
		s.End, s.Bytes = p, s.Bytes+r.own.layout.size(int64(len(payload)))
	}
}

// Verify reads everything that is kept, also what recovery does not need, which Open has not read.
func (l *Log) Verify() (s Stat, err error) {
	if err = l.CheckOlder(); err == nil {
		s, err = l.Stat()
	}
	all := []error{err}
	for _, batch := range s.Snapshots {
		if _, _, err := readSnapshot(l.disk, batch); err != nil {
			all = append(all, err)
		}
	}
	return s, errors.Join(all...)
}

// Usage is what a store takes up, told without reading it.
type Usage struct {
	Segments  int
	Bytes     int64 // of the segments' files
	Snapshots int
	Snapshot  Position // of the newest snapshot; zero without any
}

// Usage may be asked while others append and read.
func (l *Log) Usage() (u Usage, err error) {
	names, err := l.disk.List()
	u.Snapshots = len(snapshotsIn(names))
	l.mu.Lock()
	defer l.mu.Unlock()
	u.Segments, u.Snapshot = len(l.segments), l.newest
	for _, s := range l.segments {
		u.Bytes += s.size
	}
	return u, err
}
