//go:build unix

package safefile

import (
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another, where the two differ and the user may.
func keepOwner(name string, of os.FileInfo) error {
	was, ok := of.Sys().(*syscall.Stat_t)
	if !ok || int(was.Uid) == os.Getuid() && int(was.Gid) == os.Getgid() {
		return nil
	}
	_ = os.Chown(name, int(was.Uid), int(was.Gid)) // without the right to, the file becomes the user's
	return os.Chmod(name, of.Mode().Perm())
}
