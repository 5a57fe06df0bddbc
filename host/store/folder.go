package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const lockName = "LOCK"

// folder is a Disk in a folder of the operating system.
type folder struct {
	path string
	lock *os.File
}

// OpenFolder opens a folder as a Disk, and locks it against other processes: where one has it open the error is a *LockedError.
// With make a folder that is not there is made, readable by its owner alone.
func OpenFolder(path string, make bool) (Disk, error) {
	if make {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s: expected a folder, found a file", path)
	}
	lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := acquire(lock); err != nil {
		pid, _ := os.ReadFile(lock.Name())
		if errors.Is(err, errLocked) {
			n, _ := strconv.Atoi(strings.TrimSpace(string(pid)))
			err = &LockedError{Folder: path, PID: n}
		}
		return nil, errors.Join(err, lock.Close())
	}
	d := &folder{path, lock}
	if err := d.sign(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// sign writes the process into the lock, for the message of others.
func (d *folder) sign() error {
	if err := d.lock.Truncate(0); err != nil {
		return err
	}
	_, err := d.lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

func (d *folder) Create(name string) (File, error) {
	return d.file(os.OpenFile(filepath.Join(d.path, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600))
}

func (d *folder) Open(name string) (File, error) {
	return d.file(os.OpenFile(filepath.Join(d.path, name), os.O_RDWR, 0))
}

func (d *folder) file(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return &file{f}, nil
}

func (d *folder) List() ([]string, error) {
	entries, err := os.ReadDir(d.path)
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (d *folder) Rename(from, to string) error {
	return os.Rename(filepath.Join(d.path, from), filepath.Join(d.path, to))
}

func (d *folder) Remove(name string) error { return os.Remove(filepath.Join(d.path, name)) }

func (d *folder) Sync() error {
	f, err := os.Open(d.path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *folder) Close() error { return d.lock.Close() }

// file is a file of a folder.
type file struct{ *os.File }

func (f *file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
