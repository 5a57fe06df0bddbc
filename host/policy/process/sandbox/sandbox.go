// Package sandbox confines the programs of process policies, as far as the kernel lets an unprivileged process do so.
//
// New makes a Sandbox, which finds out once what the kernel allows; Report tells it. Confine changes a command that was
// not started: it then starts the launcher, which is this executable again, in namespaces of its own. The launcher takes
// everything from itself that the Rules do not grant, and executes the program in its place. So main calls Launch before
// anything else.
//
// A protection that the kernel has when a Sandbox finds it is applied to each program, or the program does not start.
// Elsewhere than on Linux there is no protection, and the report says so.
package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// Mode says what is done where the kernel does not allow every protection.
type Mode string

// Modes of a sandbox.
const (
	Auto   Mode = "auto"   // programs have the protections that there are
	Strict Mode = "strict" // programs do not start unless all are there
	Off    Mode = "off"    // programs are not confined
)

// Modes lists all of them.
func Modes() []Mode { return []Mode{Auto, Strict, Off} }

// Bounds of a program whose rules have none.
const (
	DefaultMemory = 1 << 30 // bytes of data of each process
	mostProcesses = 256     // processes and threads of a program
	mostOpenFiles = 1024
	mostFileBytes = 64 << 20 // of a file in the temporary folder
)

// Rules are what a program may do.
type Rules struct {
	Program string   // absolute path; it is read and executed
	Folder  string   // absolute path of a folder that is read: its working directory
	Temp    string   // a folder of its own, which it may write
	Read    []string // absolute paths of files and folders that it may read beside those that every program may
	Write   []string // absolute paths of files, devices and folders that it may write
	Network bool     // it has the network of the host
	Memory  uint64   // bytes of data of each of its processes; 0: DefaultMemory
	CPUs    int      // processors that it may use; 0: all but one
}

// Sandbox confines programs. Its methods may be called from several goroutines; those of nil confine nothing.
type Sandbox struct {
	mode  Mode
	probe func() (abilities, Report)
}

// New makes a sandbox; nil where the mode is Off.
func New(m Mode) *Sandbox {
	if m == Off {
		return nil
	}
	s := &Sandbox{mode: m}
	s.probe = sync.OnceValues(find)
	return s
}

// Report says what the kernel allows. The first call starts a process.
func (s *Sandbox) Report() Report {
	if s == nil {
		return Report{{Name: "all", Lack: "the sandbox is off"}}
	}
	_, report := s.probe()
	return report
}

// allowed finds out what there is, and refuses to go without where the mode says so.
func (s *Sandbox) allowed() (abilities, error) {
	a, report := s.probe()
	if lacks := report.Lacks(); s.mode == Strict && len(lacks) > 0 {
		return a, fmt.Errorf("sandbox: expected every protection, since it is strict: %s", strings.Join(lacks, "; "))
	}
	return a, nil
}

// Started is the launcher of a program that was started.
type Started struct {
	Theirs *os.File // to be closed after the start
	ours   *os.File
}

// ExecError says that the launcher could not execute the program, for a reason of the system's.
type ExecError struct{ Err error }

func (e *ExecError) Error() string { return "execute: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ExecError) Unwrap() error { return e.Err }

// Wait waits until the program runs in the place of the launcher, or says why it does not.
func (s *Started) Wait(within time.Duration) error {
	defer func() { _ = s.ours.Close() }() // it was read to its end
	if err := s.ours.SetReadDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	said, err := readNote(s.ours)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("sandbox: expected the program to run within %v, found its launcher", within)
	case err != nil:
		return fmt.Errorf("sandbox: %w", err)
	}
	return said.failure()
}

// Free closes what is left of one that is not waited for.
func (s *Started) Free() {
	_, _ = s.Theirs.Close(), s.ours.Close() // most are closed already
}
