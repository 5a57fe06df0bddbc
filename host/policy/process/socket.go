package process

import (
	"fmt"
	"syscall"
)

// longestSocket is the maximum number of bytes in the path of a unix socket; its address ends with a zero byte.
const longestSocket = len(syscall.RawSockaddrUnix{}.Path) - 1

// socketName is as long as the longest name that go-plugin gives a socket.
const socketName = "plugin4294967295"

// checkSocketFolder checks that the path of a socket in a folder is not too long. The system would only report an invalid argument, in the
// output of the program.
func checkSocketFolder(dir string) error {
	if found := len(dir) + len("/") + len(socketName); found > longestSocket {
		return fmt.Errorf("%s/%s: the path of a unix socket has at most %d bytes on this system, this one has %d: set TMPDIR to a shorter path",
			dir, socketName, longestSocket, found)
	}
	return nil
}
