package sandbox

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// word is the first argument of the launcher.
const word = "launch-policy"

// self is this executable, also after its file was replaced.
const self = "/proc/self/exe"

// plan holds the instructions of the launcher.
type plan struct {
	Rules
	Args      []string
	Try       bool // execute nothing, report what is possible
	Own       bool // it is in namespaces of its own
	Files     bool // Landlock is to be applied
	Calls     bool // the filter of system calls is to be applied
	Processes bool // their number is to be bounded
	Affinity  []int
}

// Confine changes a command: it starts the program under the rules. The path of the command must be absolute, and its
// attributes set. Nil where nothing confines it.
func (s *Sandbox) Confine(cmd *exec.Cmd, r Rules) (*Started, error) {
	if s == nil {
		return nil, nil
	}
	a, err := s.allowed()
	if err != nil || !a.launcher {
		return nil, err
	}
	if r.Memory == 0 {
		r.Memory = DefaultMemory
	}
	return launch(cmd, plan{Rules: r, Args: cmd.Args, Own: a.namespaces, Files: a.landlock > 0, Calls: a.calls,
		Processes: a.processes, Affinity: affinity(r.CPUs)})
}

// launch makes a command start the launcher.
func launch(cmd *exec.Cmd, p plan) (*Started, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Path, cmd.Args, cmd.Err = self, []string{filepath.Base(p.Program), word, string(text)}, nil
	cmd.ExtraFiles = []*os.File{w}
	if p.Own {
		own(cmd, p.Network)
	}
	return &Started{Theirs: w, ours: r}, nil
}

// own gives a command namespaces of its own. It has no privilege in them: the user that it runs as, which is the host's
// outside, is not their root, even where the host's is.
func own(cmd *exec.Cmd, network bool) {
	uid, gid := os.Getuid(), os.Getgid()
	inside := func(id int) int {
		if id == 0 {
			return nobody
		}
		return id
	}
	a := cmd.SysProcAttr
	a.Cloneflags |= unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	if !network {
		a.Cloneflags |= unix.CLONE_NEWNET
	}
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: inside(uid), HostID: uid, Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: inside(gid), HostID: gid, Size: 1}}
}

const nobody = 65534

// affinity lists the processors that a program may use: the last ones, so that the first are left to the host. Nil where
// they cannot be known.
func affinity(most int) []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var all []int
	for i := range len(set) * 64 {
		if set.IsSet(i) {
			all = append(all, i)
		}
	}
	if most <= 0 {
		most = max(1, len(all)-1)
	}
	return all[max(0, len(all)-most):]
}

// patience is how long a trial may take.
const patience = 10 * time.Second

// try starts a launcher that only finds out what it may do.
func try(own bool) (*trial, error) {
	cmd := exec.Command(self)
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started, err := launch(cmd, plan{Try: true, Own: own})
	if err != nil {
		return nil, err
	}
	defer started.Free()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	time.AfterFunc(patience, func() { _ = cmd.Process.Kill() }) // it may have ended
	_ = started.Theirs.Close()                                  // the launcher has it
	said, err := readNote(started.ours)
	if ended := cmd.Wait(); err == nil && said.Found == nil {
		err = errors.Join(errors.New("expected the launcher to tell what there is"), said.failure(), ended)
	}
	if err != nil {
		return nil, err
	}
	return said.Found, nil
}
