package recording

import (
	"net"
	"syscall"
)

// wakeAt asks the kernel to report a connection as readable only when it has so many bytes, the end, or an error. Otherwise each packet wakes a thread
// of Go's runtime, even if no goroutine waits for it. A failure costs time only.
func wakeAt(c net.Conn, bytes int) {
	socket, ok := c.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, bytes)
	})
}
