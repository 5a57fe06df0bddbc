//go:build unix

package auth

import (
	"os"
	"slices"
	"syscall"
)

// lent reports whether a file is root's and of a group of this process, which is another user's.
func lent(info os.FileInfo) bool {
	of, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	groups, err := os.Getgroups()
	return err == nil && lentTo(of.Uid, int(of.Gid), os.Getuid(), append(groups, os.Getgid()))
}

func lentTo(owner uint32, group, user int, groups []int) bool {
	return owner == 0 && user != 0 && group != 0 && slices.Contains(groups, group)
}
