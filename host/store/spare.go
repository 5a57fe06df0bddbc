package store

import (
	"errors"
	"fmt"
	"sync"
)

// spareName is the file that the next segment is made in.
const spareName = "next.tmp"

// spare is a file of zeros that is to become the next segment.
type spare struct {
	mu   sync.Mutex
	file File
	size int64
}

// prepare makes the file, unless there is one.
func (p *spare) prepare(d Disk, size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != nil {
		return nil
	}
	return p.make(d, size)
}

// make makes the file again: one that was left by a process that ended, or is too small, gives way.
func (p *spare) make(d Disk, size int64) error {
	if err := p.discard(d); err != nil {
		return err
	}
	f, err := d.Create(spareName)
	if err != nil {
		return fmt.Errorf("%s: making the next segment: %w", spareName, err)
	}
	if err = fillWithZeros(f, size); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: making the next segment: %w", spareName, err), f.Close())
	}
	p.file, p.size = f, size
	return nil
}

// discard removes the file, if there is one.
func (p *spare) discard(d Disk) error {
	if err := p.closeFile(); err != nil {
		return err
	}
	names, err := d.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == spareName {
			return d.Remove(name)
		}
	}
	return nil
}

// take makes the file a segment of at least a size that begins behind a batch.
func (p *spare) take(d Disk, after Position, size int64) (*segment, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil || p.size < size {
		if err := p.make(d, size); err != nil {
			return nil, err
		}
	}
	s := &segment{name: segmentName(after.Batch + 1), layout: present, after: after, file: p.file, size: p.size}
	_, err := s.file.WriteAt(s.header(), 0)
	if err == nil {
		err = s.file.Sync()
	}
	if err == nil {
		err = d.Rename(spareName, s.name)
	}
	if err == nil {
		err = d.Sync()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: beginning the segment: %w", s.name, err), p.closeFile())
	}
	p.file = nil
	return s, nil
}

func (p *spare) closeFile() error {
	if p.file == nil {
		return nil
	}
	f := p.file
	p.file = nil
	return f.Close()
}

func (p *spare) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closeFile()
}

var zeros [1 << 20]byte

// fillWithZeros writes a file of zeros, so that appending to it changes nothing but its bytes.
func fillWithZeros(f File, size int64) error {
	for offset := int64(0); offset < size; offset += int64(len(zeros)) {
		if _, err := f.WriteAt(zeros[:min(size-offset, int64(len(zeros)))], offset); err != nil {
			return err
		}
	}
	return nil
}
