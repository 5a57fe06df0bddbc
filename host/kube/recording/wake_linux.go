package recording

import (
	"net"
	"syscall"
)

// wakeAt has the kernel say that there is something to read only once there are so many bytes, the end of the connection, or an error. Otherwise,
// each packet wakes a thread of Go's runtime, whether a goroutine waits for it or not. Where it fails, only time is lost.
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
