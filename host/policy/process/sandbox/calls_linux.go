package sandbox

import (
	"slices"
	"syscall"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// refusedCalls are those that no policy needs: they reach into other processes, make namespaces, change what is mounted, undo
// the bound of processors, or are wide doors into the kernel.
var refusedCalls = []string{
	"acct", "add_key", "bpf", "chroot", "delete_module", "finit_module", "fsconfig", "fsmount", "fsopen", "fspick", "init_module",
	"io_uring_enter", "io_uring_register", "io_uring_setup", "kcmp", "kexec_file_load", "kexec_load", "keyctl", "mount", "mount_setattr",
	"move_mount", "open_by_handle_at", "open_tree", "perf_event_open", "pidfd_getfd", "pivot_root", "process_vm_readv",
	"process_vm_writev", "ptrace", "quotactl", "quotactl_fd", "reboot", "request_key", "sched_setaffinity", "setns", "swapoff",
	"swapon", "syslog", "umount2", "unshare", "userfaultfd",
}

// restrictCalls has the kernel refuse system calls to this thread and what it executes.
func restrictCalls(network bool) error {
	filter, err := assemble(network)
	if err != nil {
		return err
	}
	raw, err := bpf.Assemble(filter)
	if err != nil {
		return err
	}
	return load(raw)
}

// assemble makes the filter.
func assemble(network bool) ([]bpf.Instruction, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	policy := seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: groups(info, network)}
	filter, err := policy.Assemble()
	if err != nil {
		return nil, err
	}
	// The library lets calls by the interface of another processor pass (32-bit ones on x86-64); their numbers mean other calls.
	return append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: 4, Size: 4}, // the processor
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1},
		bpf.RetConstant{Val: uint32(failing(unix.ENOSYS))},
	}, filter...), nil
}

func failing(errno syscall.Errno) seccomp.Action { return seccomp.ActionErrno | seccomp.Action(errno) }

// groups are the refused calls, with the error that each gets.
func groups(info *arch.Info, network bool) []seccomp.SyscallGroup {
	known := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, found := info.SyscallNames[name]; return !found })
	}
	when := func(name string, conditions ...seccomp.Condition) seccomp.NameWithConditions {
		return seccomp.NameWithConditions{Name: name, Conditions: conditions}
	}
	families := []uint64{unix.AF_UNIX}
	if network {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	}
	var other seccomp.ArgumentConditions
	for _, family := range families {
		other = append(other, seccomp.Condition{Argument: 0, Operation: seccomp.NotEqual, Value: family})
	}
	sockets := seccomp.SyscallGroup{Action: failing(unix.EACCES), NamesWithCondtions: []seccomp.NameWithConditions{when("socket", other...)}}
	if !network {
		// Connections come from the host alone. Datagrams, whose bit SOCK_RAW has too, need no connection.
		datagram := seccomp.Condition{Argument: 1, Operation: seccomp.BitsSet, Value: unix.SOCK_DGRAM}
		sockets.Names = known([]string{"connect"})
		sockets.NamesWithCondtions = append(sockets.NamesWithCondtions, when("socket", datagram), when("socketpair", datagram))
	}
	return []seccomp.SyscallGroup{
		{Names: known(refusedCalls), Action: failing(unix.EPERM), NamesWithCondtions: []seccomp.NameWithConditions{
			when("clone", seccomp.Condition{Argument: 0, Operation: seccomp.BitsSet, Value: unix.CLONE_NEWUSER}),
		}},
		{Names: known([]string{"clone3"}), Action: failing(unix.ENOSYS)}, // its flags cannot be seen; C libraries go on with clone
		sockets,
	}
}

// load hands a filter to the kernel, for this thread.
func load(raw []bpf.RawInstruction) error {
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return errno
	}
	return nil
}
