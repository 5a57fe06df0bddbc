package process

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// attributes put the process in a group of its own, and have the kernel kill it when the thread that started it ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a process group. That it is gone already is no error.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// limit bounds the data of a process that runs, and has the kernel prefer it where memory is short.
func limit(pid int, memory uint64) error {
	// What a child of its own could be denied (a sandbox without /proc, say) is not worth a failure.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0o600)
	if memory == 0 {
		return nil
	}
	const limitOfData = syscall.RLIMIT_DATA
	bound := syscall.Rlimit{Cur: memory, Max: memory}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), limitOfData, uintptr(unsafe.Pointer(&bound)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("limit of memory: %w", errno)
	}
	return nil
}
