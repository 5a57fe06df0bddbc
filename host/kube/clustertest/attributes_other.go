//go:build !linux

package clustertest

import "syscall"

// attributes ask for nothing: a test binary that is killed leaves its processes behind on this system.
func attributes() *syscall.SysProcAttr { return nil }
