//go:build !linux

package process

import (
	"errors"
	"os"
	"syscall"
)

// attributes ask for nothing: the program sees its standard input end when the host is gone.
func attributes() *syscall.SysProcAttr { return nil }

// killGroup kills the process alone. That it is gone already is no error.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

// limit refuses a bound that it could not keep.
func limit(_ int, memory uint64) error {
	if memory != 0 {
		return errors.New("limit of memory: expected none on this system")
	}
	return nil
}
