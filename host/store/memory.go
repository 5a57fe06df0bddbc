package store

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// memory is a Disk that ends with its process.
type memory struct {
	mu    sync.Mutex
	files map[string]*memoryFile
}

// NewMemory returns a Disk that keeps files in memory, and nothing of them when the process ends.
func NewMemory() Disk { return &memory{files: map[string]*memoryFile{}} }

func (d *memory) Create(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files[name] != nil {
		return nil, fmt.Errorf("%s: %w", name, os.ErrExist)
	}
	f := &memoryFile{}
	d.files[name] = f
	return f, nil
}

func (d *memory) Open(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.files[name]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
}

func (d *memory) List() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := make([]string, 0, len(d.files))
	for name := range d.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func (d *memory) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.files[from]
	if f == nil {
		return fmt.Errorf("%s: %w", from, os.ErrNotExist)
	}
	delete(d.files, from)
	d.files[to] = f
	return nil
}

func (d *memory) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files[name] == nil {
		return fmt.Errorf("%s: %w", name, os.ErrNotExist)
	}
	delete(d.files, name)
	return nil
}

func (d *memory) Sync() error  { return nil }
func (d *memory) Close() error { return nil }

// memoryFile is a file of memory.
type memoryFile struct {
	mu      sync.RWMutex
	content []byte
}

func (f *memoryFile) ReadAt(b []byte, offset int64) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	n := 0
	if offset < int64(len(f.content)) {
		n = copy(b, f.content[offset:])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) WriteAt(b []byte, offset int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if end := offset + int64(len(b)); end > int64(len(f.content)) {
		f.content = append(f.content, make([]byte, end-int64(len(f.content)))...)
	}
	return copy(f.content[offset:], b), nil
}

func (f *memoryFile) Size() (int64, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return int64(len(f.content)), nil
}

func (f *memoryFile) Sync() error  { return nil }
func (f *memoryFile) Close() error { return nil }
