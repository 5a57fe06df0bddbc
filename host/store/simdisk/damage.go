package simdisk

import "slices"

// What follows changes files in the cache and for good, as failing disks, file systems and people do.

// Flip changes a bit of a file.
func (d *Disk) Flip(name string, bit int64) {
	d.damage(name, func(b []byte) []byte {
		if bit/8 < int64(len(b)) {
			b[bit/8] ^= 1 << (bit % 8)
		}
		return b
	})
}

// Truncate cuts a file short.
func (d *Disk) Truncate(name string, size int64) {
	d.damage(name, func(b []byte) []byte { return b[:min(size, int64(len(b)))] })
}

// Zero makes a part of a file zero.
func (d *Disk) Zero(name string, offset, n int64) {
	d.damage(name, func(b []byte) []byte {
		begin := min(offset, int64(len(b)))
		clear(b[begin:min(begin+n, int64(len(b)))])
		return b
	})
}

// Replace gives a file another content, for example that of another file or of an earlier moment.
func (d *Disk) Replace(name string, content []byte) {
	d.damage(name, func([]byte) []byte { return slices.Clone(content) })
}

// Lose removes a file.
func (d *Disk) Lose(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.files, name)
	delete(d.durable, name)
}

// Content returns what a file holds; nil: there is none.
func (d *Disk) Content(name string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.files[name]; c != nil {
		return slices.Clone(c.cached)
	}
	return nil
}

func (d *Disk) damage(name string, change func([]byte) []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.files[name]; c != nil {
		c.cached, c.durable = change(c.cached), change(c.durable)
	}
}

// Copy returns a disk with what programs see on this one, all of it durable. A seed decides its crashes.
func (d *Disk) Copy(seed uint64) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	to := New(seed)
	for name, c := range d.files {
		own := &content{cached: slices.Clone(c.cached), durable: slices.Clone(c.cached), dirty: map[int64]bool{}}
		to.files[name], to.durable[name] = own, own
	}
	return to
}
