package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// view is a Disk with the files that a folder has at one moment, for reading. They stay open, so that what another process removes can be
// read to the end; nothing is written, not even a lock.
type view struct {
	path  string
	names []string
	files map[string]*os.File
	mark  []byte // what the file acknowledged had before the others were opened; nil: there was none
	owner int
	held  bool
}

// FolderView opens the files of a folder for reading, also while another process has it open. That process is the owner; 0: it is not known.
// Use Options.Live when the folder is held.
func FolderView(path string) (d Disk, owner int, held bool, err error) {
	if info, err := os.Stat(path); err != nil {
		return nil, 0, false, err
	} else if !info.IsDir() {
		return nil, 0, false, fmt.Errorf("%s: expected a folder, found a file", path)
	}
	v := &view{path: path}
	if v.owner, v.held, err = holder(path); err != nil {
		return nil, 0, false, err
	}
	for range 100 { // of a folder whose files change while they are opened
		settled, err := v.open()
		if err != nil {
			return nil, 0, false, errors.Join(err, v.Close())
		}
		if settled {
			return v, v.owner, v.held, nil
		}
		if err := v.Close(); err != nil {
			return nil, 0, false, err
		}
	}
	return nil, 0, false, fmt.Errorf("%s: its files change too fast to be read", path)
}

// holder says whether another process has a folder open, and which.
func holder(path string) (owner int, held bool, err error) {
	lock, err := os.Open(filepath.Join(path, lockName))
	if errors.Is(err, os.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	err = acquire(lock)
	if errors.Is(err, errLocked) {
		pid, _ := io.ReadAll(io.LimitReader(lock, 100))
		owner, _ = strconv.Atoi(strings.TrimSpace(string(pid)))
		return owner, true, lock.Close()
	}
	return 0, false, errors.Join(err, lock.Close())
}

// open opens the files. The mark is read first: what it names as acknowledged is in the files that are opened then. It returns false where
// files came or went meanwhile.
func (v *view) open() (settled bool, err error) {
	v.files = map[string]*os.File{}
	if v.mark, err = os.ReadFile(filepath.Join(v.path, markName)); errors.Is(err, os.ErrNotExist) {
		v.mark, err = nil, nil
	}
	if err == nil {
		v.names, err = recordNames(v.path)
	}
	if err != nil {
		return false, err
	}
	for _, name := range v.names {
		f, err := os.Open(filepath.Join(v.path, name))
		if errors.Is(err, os.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		v.files[name] = f
	}
	again, err := recordNames(v.path)
	return slices.Equal(v.names, again), err
}

// recordNames are the names of the segments and snapshots of a folder, sorted.
func recordNames(path string) (names []string, err error) {
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		_, segment := numberIn(e.Name(), segmentSuffix)
		_, snapshot := numberIn(e.Name(), snapshotSuffix)
		if segment || snapshot {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (v *view) Create(string) (File, error) { return nil, errReadOnly }

func (v *view) Open(name string) (File, error) {
	if name == markName && v.mark != nil {
		return &viewFile{ReaderAt: bytes.NewReader(v.mark), size: func() (int64, error) { return int64(len(v.mark)), nil }}, nil
	}
	f := v.files[name]
	if f == nil {
		return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
	}
	return &viewFile{ReaderAt: f, size: (&file{f}).Size}, nil
}

func (v *view) List() ([]string, error)     { return v.names, nil }
func (v *view) Rename(string, string) error { return errReadOnly }
func (v *view) Remove(string) error         { return errReadOnly }
func (v *view) Sync() error                 { return nil }

func (v *view) Close() error {
	var all []error
	for _, f := range v.files {
		all = append(all, f.Close())
	}
	v.files = nil
	return errors.Join(all...)
}

// viewFile is a file of a view, which stays open as long as that.
type viewFile struct {
	io.ReaderAt
	size func() (int64, error)
}

func (f *viewFile) WriteAt([]byte, int64) (int, error) { return 0, errReadOnly }
func (f *viewFile) Size() (int64, error)               { return f.size() }
func (f *viewFile) Sync() error                        { return nil }
func (f *viewFile) Close() error                       { return nil }
