package simdisk

import (
	"errors"

	"github.com/quern-project/quern/host/store"
)

var errCrashed = errors.New("the machine crashed since the disk was mounted")

// mount is the disk until the next crash.
type mount struct {
	disk *Disk
	born int // how many crashes there were when it was mounted
}

// during does something that no crash comes between.
func (m *mount) during(do func() error) error {
	m.disk.mu.Lock()
	defer m.disk.mu.Unlock()
	if m.born != m.disk.crashes {
		return errCrashed
	}
	return do()
}

func (m *mount) Create(name string) (f store.File, err error) {
	err = m.during(func() error { f, err = m.disk.create(name); return err })
	return f, err
}

func (m *mount) Open(name string) (f store.File, err error) {
	err = m.during(func() error { f, err = m.disk.open(name); return err })
	return f, err
}

func (m *mount) List() (names []string, err error) {
	err = m.during(func() error { names, err = m.disk.list(); return err })
	return names, err
}

func (m *mount) Rename(from, to string) error {
	return m.during(func() error { return m.disk.rename(from, to) })
}

func (m *mount) Remove(name string) error {
	return m.during(func() error { return m.disk.remove(name) })
}

func (m *mount) Sync() error { return m.during(m.disk.sync) }

func (m *mount) Close() error { return nil }
