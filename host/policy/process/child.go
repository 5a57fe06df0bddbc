package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/quern-project/quern/host/policy/process/sandbox"
)

// child is the operating system's side of an instance, as go-plugin's runner: the process, its group and its pipes.
//
// go-plugin's own runner waits for the pipes to end and knows no groups, so a grandchild that keeps a pipe would keep
// Kill from returning.
type child struct {
	options *Options
	cmd     *exec.Cmd
	dir     string // of the socket; only a socket in it is dialled

	stdout, stderr *os.File // ends that are read
	stdin          *os.File // held open: its end tells the program that the host is gone
	theirs         []*os.File
	launcher       *sandbox.Started // nil where nothing confines the program

	exited chan struct{} // closed when the process was waited for

	mu     sync.Mutex
	pid    int   // 0 before it runs and after it was waited for, so that no stranger is ever killed
	killed bool  // also before the start, which then fails
	status error // of the process, after exited
}

func newChild(o *Options) *child {
	return &child{options: o, exited: make(chan struct{})}
}

// drain is how long the last words of a process that ended are waited for.
const drain = 200 * time.Millisecond

// prepare makes the command and its pipes.
func (c *child) prepare(env []string, dir string) error {
	c.dir = dir
	if err := checkSocketFolder(dir); err != nil {
		return err
	}
	if err := checkPin(c.options.Command, c.options.SHA256); err != nil {
		return err
	}
	c.cmd = exec.Command(c.options.Command, c.options.Args...)
	c.cmd.Dir = c.options.Dir
	c.cmd.Env = append(c.environment(), env...)
	c.cmd.SysProcAttr = attributes()
	if err := c.confine(); err != nil {
		return err
	}
	in, stdin, err := os.Pipe()
	if err != nil {
		return err
	}
	c.stdin, c.cmd.Stdin, c.theirs = stdin, in, append(c.theirs, in)
	for _, p := range []struct {
		read **os.File
		end  *io.Writer
	}{{&c.stdout, &c.cmd.Stdout}, {&c.stderr, &c.cmd.Stderr}} {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		*p.read, *p.end = r, w
		c.theirs = append(c.theirs, w)
	}
	return nil
}

// Start starts the process from a thread that lives as long as it: the kernel ends the process with that thread.
func (c *child) Start(context.Context) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.launch()
		for _, f := range c.theirs {
			err = errors.Join(err, f.Close())
		}
		if err == nil {
			err = c.awaitProgram()
		}
		started <- err
		if err == nil {
			c.wait()
		}
	}()
	return <-started
}

func (c *child) launch() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.killed {
		return errors.New("killed before it started")
	}
	if err := c.cmd.Start(); err != nil {
		return notStarted(c.options.Command, c.cmd.Dir, err)
	}
	c.pid = c.cmd.Process.Pid
	memory := c.options.Memory
	if c.launcher != nil {
		memory = 0 // the launcher sets it when it needs no more for itself
	}
	if err := limit(c.pid, memory); err != nil {
		killGroup(c.pid)
		c.pid = 0
		return errors.Join(err, c.cmd.Wait())
	}
	return nil
}

// wait waits for the process, and ends what is left of its group.
func (c *child) wait() {
	err := c.cmd.Wait()
	if err == nil {
		err = errors.New("exit status 0")
	}
	c.mu.Lock()
	// The group keeps its number as long as it has a process; afterwards the number is not used again so soon.
	killGroup(c.pid)
	c.pid, c.status = 0, err
	c.mu.Unlock()
	deadline := time.Now().Add(drain)
	for _, f := range []*os.File{c.stdout, c.stderr} {
		_ = f.SetReadDeadline(deadline) // a pipe that was closed meanwhile needs none
	}
	close(c.exited)
}

// kill kills the process and its group; it does not wait.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.killed = true
	if c.pid != 0 {
		killGroup(c.pid)
	}
}

// free closes what go-plugin does not: it is called last.
func (c *child) free() {
	for _, f := range append(c.theirs, c.stdin, c.stdout, c.stderr) {
		if f != nil {
			_ = f.Close() // most are closed already
		}
	}
	if c.launcher != nil {
		c.launcher.Free()
	}
	if c.dir != "" {
		_ = os.RemoveAll(c.dir)
	}
}

// death says how the process ended by itself; nil where it did not, or was killed here.
func (c *child) death() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.status == nil || c.killed && c.status.Error() == "signal: killed" {
		return nil
	}
	return fmt.Errorf("the process ended: %w", c.status)
}

// Wait, Kill and what follows are go-plugin's runner.Runner.
func (c *child) Wait(context.Context) error {
	<-c.exited
	return nil
}

// Kill kills the process.
func (c *child) Kill(context.Context) error {
	c.kill()
	return nil
}

// Stdout gives the line of the handshake.
func (c *child) Stdout() io.ReadCloser { return &handshakeOnly{ReadCloser: c.stdout} }

// Stderr gives what the program's runtime writes.
func (c *child) Stderr() io.ReadCloser { return c.stderr }

// Name is the path of the program.
func (c *child) Name() string { return c.options.Command }

// ID is never empty, for go-plugin would not clean up after a program without.
func (c *child) ID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strconv.Itoa(c.pid)
}

// Diagnose has nothing to add.
func (c *child) Diagnose(context.Context) string { return "" }

// PluginToHost refuses to dial anything but a socket in the folder that the program was given.
func (c *child) PluginToHost(network, address string) (string, string, error) {
	if network != "unix" || filepath.Dir(filepath.Clean(address)) != filepath.Clean(c.dir) {
		return "", "", fmt.Errorf("address: expected a unix socket in %s, found %.100q, %.200q", c.dir, network, address)
	}
	return network, address, nil
}

// HostToPlugin leaves addresses as they are.
func (c *child) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
