package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// noteFile is the descriptor that the launcher writes its note to. It is closed when the program is executed.
const noteFile = 3

// mayLaunch says that this executable started as the launcher would be one: its main called Launch.
var mayLaunch bool

// Launch becomes the program where this process was started as its launcher; else it returns at once. The launcher never
// returns.
func Launch() {
	if len(os.Args) != 3 || os.Args[1] != word {
		mayLaunch = true
		return
	}
	runtime.LockOSThread() // some of what follows holds for a thread
	debug.SetGCPercent(-1) // it ends in no time
	keepDescriptors()
	said := become(os.Args[2])
	text, err := json.Marshal(said)
	if err == nil {
		_, err = os.NewFile(noteFile, "note").Write(text)
	}
	if err != nil {
		os.Exit(failedLauncher)
	}
	os.Exit(0)
}

// keepDescriptors has the program inherit no descriptor but those of standard input, output and error: the host may have
// been started with others.
func keepDescriptors() {
	if unix.CloseRange(noteFile, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	open, _ := filepath.Glob("/proc/self/fd/*") // the pattern is well-formed
	for _, path := range append(open, fmt.Sprint(noteFile)) {
		if fd, err := strconv.Atoi(filepath.Base(path)); err == nil && fd >= noteFile {
			unix.CloseOnExec(fd)
		}
	}
}

const failedLauncher = 125

// become executes the program, and returns the error if it cannot.
func become(text string) note {
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return note{Text: err.Error()}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return note{Text: fmt.Sprintf("no_new_privs: %v", err)}
	}
	if err := dropCapabilities(); err != nil {
		return note{Text: fmt.Sprintf("capabilities: %v", err)}
	}
	if p.Try {
		return note{Found: p.try()}
	}
	if err := p.confine(); err != nil {
		return note{Text: err.Error()}
	}
	var errno syscall.Errno
	if err := syscall.Exec(p.Program, p.Args, os.Environ()); !errors.As(err, &errno) {
		return note{Text: err.Error()}
	}
	return note{Errno: errno}
}

// dropCapabilities gives up all of them. With no_new_privs, none comes back when the program is executed, not even for root.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var present, none [2]unix.CapUserData
	if err := unix.Capget(&header, &present[0]); err == nil && present == none {
		return nil // and to drop them may be forbidden
	}
	return unix.Capset(&header, &none[0])
}

// confine takes from this process what the plan does not grant. What bounds memory and processes comes last, since it
// bounds the launcher too.
func (p *plan) confine() error {
	if err := p.pin(); err != nil {
		return fmt.Errorf("cpus: %w", err)
	}
	if p.Files {
		if err := p.restrictFiles(); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	if p.Calls {
		if err := restrictCalls(p.Network); err != nil {
			return fmt.Errorf("system calls: %w", err)
		}
	}
	return p.limit()
}

// pin restricts the program to some processors.
func (p *plan) pin() error {
	if len(p.Affinity) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, i := range p.Affinity {
		set.Set(i)
	}
	return unix.SchedSetaffinity(0, &set)
}

// limit sets the limits of the system. A limit of the host's that is lower stays.
func (p *plan) limit() error {
	type bound struct {
		name     string
		resource int
		most     uint64
	}
	bounds := []bound{{"RLIMIT_CORE", unix.RLIMIT_CORE, 0}, {"RLIMIT_NOFILE", unix.RLIMIT_NOFILE, mostOpenFiles}}
	if len(p.Write) == 0 {
		bounds = append(bounds, bound{"RLIMIT_FSIZE", unix.RLIMIT_FSIZE, mostFileBytes})
	}
	if p.Processes {
		bounds = append(bounds, bound{"RLIMIT_NPROC", unix.RLIMIT_NPROC, mostProcesses})
	}
	for _, b := range append(bounds, bound{"RLIMIT_DATA", unix.RLIMIT_DATA, p.Memory}) {
		var present syscall.Rlimit
		if err := syscall.Getrlimit(b.resource, &present); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		most := min(b.most, present.Max)
		if err := syscall.Setrlimit(b.resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
	}
	return nil
}

// try applies what there is, and says what was not.
func (p *plan) try() *trial {
	t := &trial{Landlock: landlockVersion()}
	p.Program, p.Folder, p.Temp = "/", "/", "/"
	if err := p.restrictFiles(); err != nil {
		t.Files, t.Landlock = err.Error(), 0
	}
	if err := restrictCalls(false); err != nil {
		t.Calls = fmt.Sprintf("no filter of system calls: %v", err)
	}
	return t
}
