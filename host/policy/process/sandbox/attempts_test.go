//go:build linux

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// attemptAll tries everything that a program must not do, and some of what it may, and prints what came of it.
func attemptAll(args []string) {
	s := &scene{}
	must(json.Unmarshal([]byte(args[0]), s))
	found := map[string]string{}
	for name, attempt := range attempts(s) {
		if err := attempt(); err != nil {
			found[name] = err.Error()
		} else {
			found[name] = ""
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(found))
}

func attempts(s *scene) map[string]func() error {
	return map[string]func() error{
		"read its folder":         func() error { return reads(filepath.Join(s.Dir, "program")) },
		"read the system":         func() error { return reads("/usr/bin/env") },
		"read about itself":       func() error { return reads("/proc/self/status") },
		"write its temporary":     func() error { return writes(filepath.Join(s.Temp, "mine")) },
		"write the granted":       func() error { return writes(filepath.Join(s.Granted, "mine")) },
		"listen in its temporary": func() error { return listensOnce(filepath.Join(s.Temp, "socket")) },
		"run a program":           func() error { return runs("/bin/true") },
		"read a secret":           func() error { return reads(s.Secret) },
		"read the host":           func() error { return reads(fmt.Sprintf("/proc/%d/environ", s.Host)) },
		"list the root":           func() error { _, err := os.ReadDir("/"); return err },
		"write its folder":        func() error { return writes(filepath.Join(s.Dir, "new")) },
		"write outside":           func() error { return writes(filepath.Join(filepath.Dir(s.Secret), "new")) },
		"remove a secret":         func() error { return os.Remove(s.Secret) },
		"write a large file":      func() error { return grows(filepath.Join(s.Temp, "large")) },
		"connect by TCP":          func() error { return connects("tcp", s.TCP) },
		"send by UDP":             func() error { return connects("udp", s.UDP) },
		"connect to a socket":     func() error { return connects("unix", s.Socket) },
		"send to a socket":        func() error { return sends(s.Socket) },
		"signal the host":         func() error { return syscall.Kill(s.Host, 0) },
		"have capabilities":       capable,
		"gain privileges":         func() error { return gains() },
		"make a user namespace":   func() error { return unix.Unshare(unix.CLONE_NEWUSER) },
		"mount":                   func() error { return unix.Mount("none", s.Temp, "tmpfs", 0, "") },
		"trace":                   func() error { return unix.PtraceSeize(s.Host) },
		"use io_uring":            func() error { return call(unix.SYS_IO_URING_SETUP, 1, 0) },
		"use every processor":     everyProcessor,
		"allocate":                func() error { return allocates(s.Memory) },
		"raise a limit":           raises,
		"fork many":               forks,
	}
}

func reads(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = f.Read(make([]byte, 1))
	return errors.Join(err, f.Close())
}

func writes(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }

func grows(path string) error {
	return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, mostFileBytes+1))
}

func listensOnce(path string) error {
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	return l.Close()
}

func connects(network, address string) error {
	c, err := net.Dial(network, address)
	if err != nil {
		return err
	}
	if network == "udp" { // which is not connected before
		_, err = c.Write([]byte("x"))
	}
	return errors.Join(err, c.Close())
}

// sends sends a datagram, which needs no connection.
func sends(path string) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	if err := unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: path}); !errors.Is(err, unix.EPROTOTYPE) {
		return err
	}
	return nil // the socket was found, and is of another type
}

func runs(command string) error {
	p, err := os.StartProcess(command, []string{command}, &os.ProcAttr{})
	if err != nil {
		return err
	}
	_, err = p.Wait()
	return err
}

// capable fails where the process has no capability, and can have none.
func capable() error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	if strings.Contains(string(status), "CapPrm:\t0000000000000000") {
		return errors.New("there is none")
	}
	return nil
}

// gains fails where a program with the bit of its user would not run as that.
func gains() error {
	set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	if err == nil && set == 1 {
		return errors.New("no_new_privs is set")
	}
	return err
}

func call(number, a, b uintptr) error {
	if _, _, errno := unix.Syscall(number, a, b, 0); errno != 0 {
		return errno
	}
	return nil
}

func everyProcessor() error {
	var all unix.CPUSet
	for i := range 1024 {
		all.Set(i)
	}
	return unix.SchedSetaffinity(0, &all)
}

func allocates(bytes uint64) error {
	_, err := unix.Mmap(-1, 0, int(bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	return err
}

func raises() error {
	return syscall.Setrlimit(unix.RLIMIT_DATA, &syscall.Rlimit{Cur: 1 << 40, Max: 1 << 40})
}

// forks makes processes until that is refused, or there are more than a program may have.
func forks() error {
	var all []*os.Process
	defer func() {
		for _, p := range all {
			_ = p.Kill()
			_, _ = p.Wait()
		}
	}()
	for range mostProcesses + 1 {
		p, err := os.StartProcess("/bin/sleep", []string{"sleep", "60"}, &os.ProcAttr{})
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	return nil
}
