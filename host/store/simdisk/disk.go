// Package simdisk is a disk for tests that behaves as badly as a disk may: what was not synced may be lost in a crash, sector by
// sector, a sync that fails may lose what the cache still shows, operations fail when the test says so, and files are damaged, lost and
// confused.
package simdisk

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"github.com/quern-project/quern/host/store"
)

const sector = 512

// Disk is a store.Disk in memory.
type Disk struct {
	// Fault, which is set while nothing else goes on, is asked before each operation (create, open, read, write, sync, rename, remove, list) on a file, or on the folder
	// (""); an error makes it fail. Nil: nothing fails.
	Fault func(operation, name string) error

	mu      sync.Mutex
	random  *rand.Rand
	files   map[string]*content // as programs see them
	durable map[string]*content // which files a crash leaves
	pending []func(map[string]*content)
	crashes int
}

// content is what a file holds.
type content struct {
	cached, durable []byte
	dirty           map[int64]bool // sectors that a sync would write
}

// New returns an empty disk, whose crashes a seed decides.
func New(seed uint64) *Disk {
	return &Disk{random: rand.New(rand.NewPCG(seed, 1)), files: map[string]*content{}, durable: map[string]*content{}}
}

// Mount returns the disk for a process that may still run at the next crash: from then on whatever it does fails. Without that it would
// go on with what the crash left, and could make durable a part of what it did before and after.
func (d *Disk) Mount() store.Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &mount{d, d.crashes}
}

// Crash loses what was not synced, or some of it. Files that were open and mounts fail from now on.
func (d *Disk) Crash() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crashes++
	for _, change := range d.pending[:d.random.IntN(len(d.pending)+1)] {
		change(d.durable)
	}
	d.pending, d.files = nil, map[string]*content{}
	for _, name := range sorted(d.durable) {
		c := d.durable[name]
		c.flush(func() bool { return d.random.IntN(2) == 0 })
		c.cached, c.dirty = slices.Clone(c.durable), map[int64]bool{}
		d.files[name] = c
	}
}

// flush makes those sectors durable that are dirty and wanted.
func (c *content) flush(wanted func() bool) {
	for _, s := range sorted(c.dirty) {
		if !wanted() {
			continue
		}
		end := min((s+1)*sector, int64(len(c.cached)))
		if int64(len(c.durable)) < end {
			c.durable = append(c.durable, make([]byte, end-int64(len(c.durable)))...)
		}
		copy(c.durable[s*sector:end], c.cached[s*sector:end])
	}
}

func (d *Disk) fault(operation, name string) error {
	if d.Fault == nil {
		return nil
	}
	return d.Fault(operation, name)
}

// change changes which files there are, for good at the next Sync.
func (d *Disk) change(f func(map[string]*content)) {
	f(d.files)
	d.pending = append(d.pending, f)
}

// Create makes a file that must not exist.
func (d *Disk) Create(name string) (store.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.create(name)
}

func (d *Disk) create(name string) (store.File, error) {
	if err := d.fault("create", name); err != nil {
		return nil, err
	}
	if d.files[name] != nil {
		return nil, fmt.Errorf("%s: %w", name, os.ErrExist)
	}
	c := &content{dirty: map[int64]bool{}}
	d.change(func(files map[string]*content) { files[name] = c })
	return &file{d, c, name, d.crashes}, nil
}

// Open opens a file that exists.
func (d *Disk) Open(name string) (store.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open(name)
}

func (d *Disk) open(name string) (store.File, error) {
	if err := d.fault("open", name); err != nil {
		return nil, err
	}
	c := d.files[name]
	if c == nil {
		return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
	}
	return &file{d, c, name, d.crashes}, nil
}

// List returns the names of all files, sorted.
func (d *Disk) List() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.list()
}

func (d *Disk) list() ([]string, error) {
	return sorted(d.files), d.fault("list", "")
}

// Rename gives a file a name, also one of another, which is gone then.
func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rename(from, to)
}

func (d *Disk) rename(from, to string) error {
	if err := d.fault("rename", from); err != nil {
		return err
	}
	if d.files[from] == nil {
		return fmt.Errorf("%s: %w", from, os.ErrNotExist)
	}
	d.change(func(files map[string]*content) {
		if c := files[from]; c != nil {
			files[to] = c
			delete(files, from)
		}
	})
	return nil
}

// Remove removes a file.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.remove(name)
}

func (d *Disk) remove(name string) error {
	if err := d.fault("remove", name); err != nil {
		return err
	}
	if d.files[name] == nil {
		return fmt.Errorf("%s: %w", name, os.ErrNotExist)
	}
	d.change(func(files map[string]*content) { delete(files, name) })
	return nil
}

// Sync makes durable which files there are.
func (d *Disk) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sync()
}

func (d *Disk) sync() error {
	if err := d.fault("sync", ""); err != nil {
		return err
	}
	for _, change := range d.pending {
		change(d.durable)
	}
	d.pending = nil
	return nil
}

// Close does nothing: a simulated disk has no lock.
func (d *Disk) Close() error { return nil }

func sorted[K interface{ ~string | ~int64 }, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// file is an open file.
type file struct {
	disk *Disk
	*content
	name string
	born int // how many crashes there were when it was opened
}

func (f *file) fault(operation string) error {
	if f.born != f.disk.crashes {
		return fmt.Errorf("%s: the machine crashed since it was opened", f.name)
	}
	return f.disk.fault(operation, f.name)
}

func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.fault("read"); err != nil {
		return 0, err
	}
	if offset >= int64(len(f.cached)) {
		return 0, io.EOF
	}
	n := copy(b, f.cached[offset:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt writes to the cache. A fault may leave a part written.
func (f *file) WriteAt(b []byte, offset int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	err := f.fault("write")
	if err != nil {
		b = b[:f.disk.random.IntN(len(b)+1)]
	}
	end := offset + int64(len(b))
	if int64(len(f.cached)) < end {
		f.cached = append(f.cached, make([]byte, end-int64(len(f.cached)))...)
	}
	copy(f.cached[offset:], b)
	for s := offset / sector; s*sector < end && len(b) > 0; s++ {
		f.dirty[s] = true
	}
	return len(b), err
}

// Sync makes durable what was written. Where it fails, it has written some of it, and forgets the rest.
func (f *file) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	err := f.fault("sync")
	f.flush(func() bool { return err == nil || f.disk.random.IntN(2) == 0 })
	f.dirty = map[int64]bool{}
	return err
}

func (f *file) Size() (int64, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return int64(len(f.cached)), nil
}

func (f *file) Close() error { return nil }
