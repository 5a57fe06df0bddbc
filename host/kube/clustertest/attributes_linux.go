package clustertest

import "syscall"

// attributes have the kernel kill the process when the thread that started it ends, with the test binary at the latest.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
