//go:build linux

package sandbox

import (
	"encoding/binary"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A filter is run here as the kernel runs it, also for calls that this executable cannot make.
func TestTheFilterOfSystemCalls(t *testing.T) {
	info, err := arch.GetInfo("")
	if err != nil {
		t.Skip("skipped, because there is no filter for this processor: ", err)
	}
	const allowed = uint32(unix.SECCOMP_RET_ALLOW)
	refused := func(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }
	for name, c := range map[string]struct {
		call      string
		args      []uint64
		foreign   bool
		alone     uint32 // what it gets without the network
		networked uint32
	}{
		"read":                              {call: "read", alone: allowed, networked: allowed},
		"a call of another interface":       {call: "read", foreign: true, alone: refused(unix.ENOSYS), networked: refused(unix.ENOSYS)},
		"a stream":                          {call: "socket", args: []uint64{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC}, alone: allowed, networked: allowed},
		"datagrams":                         {call: "socket", args: []uint64{unix.AF_UNIX, unix.SOCK_DGRAM}, alone: refused(unix.EACCES), networked: allowed},
		"a pair of streams":                 {call: "socketpair", args: []uint64{unix.AF_UNIX, unix.SOCK_STREAM}, alone: allowed, networked: allowed},
		"a pair for datagrams":              {call: "socketpair", args: []uint64{unix.AF_UNIX, unix.SOCK_DGRAM}, alone: refused(unix.EACCES), networked: allowed},
		"IPv4":                              {call: "socket", args: []uint64{unix.AF_INET, unix.SOCK_STREAM}, alone: refused(unix.EACCES), networked: allowed},
		"IPv6 with bits that nothing reads": {call: "socket", args: []uint64{1<<32 | unix.AF_INET6, unix.SOCK_STREAM}, alone: refused(unix.EACCES), networked: refused(unix.EACCES)},
		"packets":                           {call: "socket", args: []uint64{unix.AF_PACKET, unix.SOCK_STREAM}, alone: refused(unix.EACCES), networked: refused(unix.EACCES)},
		"connect":                           {call: "connect", alone: refused(unix.EACCES), networked: allowed},
		"a thread":                          {call: "clone", args: []uint64{unix.CLONE_VM | unix.CLONE_THREAD}, alone: allowed, networked: allowed},
		"a user namespace":                  {call: "clone", args: []uint64{unix.CLONE_NEWUSER}, alone: refused(unix.EPERM), networked: refused(unix.EPERM)},
		"flags that cannot be seen":         {call: "clone3", alone: refused(unix.ENOSYS), networked: refused(unix.ENOSYS)},
		"unshare":                           {call: "unshare", alone: refused(unix.EPERM), networked: refused(unix.EPERM)},
		"io_uring":                          {call: "io_uring_setup", alone: refused(unix.EPERM), networked: refused(unix.EPERM)},
	} {
		for network, expected := range map[bool]uint32{false: c.alone, true: c.networked} {
			number, processor := uint32(info.SyscallNames[c.call]), uint32(info.ID)
			if c.foreign {
				processor++
			}
			if found := filtered(t, network, number, processor, c.args); found != expected {
				t.Errorf("%s, network %t: expected %#x, found %#x", name, network, expected, found)
			}
		}
	}
}

// filtered is the filter's answer to a call. The machine of the library reads numbers with their first byte first.
func filtered(t *testing.T, network bool, number, processor uint32, args []uint64) uint32 {
	t.Helper()
	filter, err := assemble(network)
	if err != nil {
		t.Fatal(err)
	}
	vm, err := bpf.NewVM(filter)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 64) // struct seccomp_data
	binary.BigEndian.PutUint32(data[0:], number)
	binary.BigEndian.PutUint32(data[4:], processor)
	for i, a := range args {
		binary.BigEndian.PutUint32(data[16+8*i:], uint32(a))
		binary.BigEndian.PutUint32(data[20+8*i:], uint32(a>>32))
	}
	found, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(found)
}
