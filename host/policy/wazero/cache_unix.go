//go:build unix

package wazero

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// lockFolder locks a folder until it is closed or the process ends.
func lockFolder(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // it was only opened
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errInUse
		}
		return nil, err
	}
	return f, nil
}

// ours refuses what another user owns or can write; the superuser may own anything.
func ours(path string, info fs.FileInfo) error {
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 && int(owner.Uid) != os.Geteuid() {
		return fmt.Errorf("%s: expected the owner to be the user who runs quern, found the user with the ID %d", path, owner.Uid)
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("%s: expected it to be writable by its owner only, found the mode %v", path, info.Mode())
	}
	return nil
}
