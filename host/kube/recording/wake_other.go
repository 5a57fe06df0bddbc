//go:build !linux

package recording

import "net"

// wakeAt does nothing where packets wake no thread before they are waited for, or that cannot be changed.
func wakeAt(net.Conn, int) {}
