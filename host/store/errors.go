package store

import (
	"errors"
	"fmt"
)

// ErrClosed is returned by what is done with a store after Close.
var ErrClosed = errors.New("the store is closed")

// ErrCompacted is returned where batches are read that were removed already.
var ErrCompacted = errors.New("these batches were compacted away")

var errReadOnly = errors.New("the store was opened for reading")

// DamageError says that something in a file is not what was written there.
type DamageError struct {
	File    string
	Offset  int64
	Problem string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s: damaged at offset %d: %s", e.File, e.Offset, e.Problem)
}

// VersionError says that a file has a version of the format that is not known here.
type VersionError struct {
	File    string
	Version uint32
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: expected version %d of the format or an earlier one, found %d: a later release of quern wrote it", e.File, present.version, e.Version)
}

// LockedError says that another process has the folder open.
type LockedError struct {
	Folder string
	PID    int // 0: not known
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("%s: another process has it open", e.Folder)
	}
	return fmt.Sprintf("%s: process %d has it open", e.Folder, e.PID)
}
