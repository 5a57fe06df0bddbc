//go:build unix

package wazero

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// ours refuses what another user owns or can write; the superuser may own anything.
func ours(path string, info fs.FileInfo) error {
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 && int(owner.Uid) != os.Geteuid() {
		return fmt.Errorf("%s: expected it to belong to the user who runs quern, found the user with the number %d", path, owner.Uid)
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("%s: expected that only its owner can write it, found the mode %v", path, info.Mode())
	}
	return nil
}
