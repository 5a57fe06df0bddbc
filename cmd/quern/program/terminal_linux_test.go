package program

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"unsafe"
)

// atTerminal starts a command at a terminal of its own, and returns what somebody sees and types there.
func atTerminal(t *testing.T, cmd *exec.Cmd, rows, columns uint16) *os.File {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("skipped, because there are no pseudo terminals: %v", err)
	}
	var unlock, number int32
	control(t, screen, syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	control(t, screen, syscall.TIOCGPTN, unsafe.Pointer(&number))
	control(t, screen, syscall.TIOCSWINSZ, unsafe.Pointer(&[4]uint16{rows, columns}))
	inside, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	_ = inside.Close() // the command has it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	return screen
}

func control(t *testing.T, f *os.File, request uintptr, value unsafe.Pointer) {
	t.Helper()
	if _, _, failure := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(value)); failure != 0 {
		t.Fatal(failure)
	}
}
