package clustertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"k8s.io/client-go/rest"
)

// Program returns a process of a test's own program, which is not started yet: it is killed with the cluster, and the end of its log is shown where the test
// fails. The name must be unique among them. The environment comes on top of that of the test. It counts as ready once started.
func (c *Cluster) Program(name, program string, env []string, args ...string) *Process {
	p := &Process{name: name, program: program, args: args, env: append(os.Environ(), env...), logFile: filepath.Join(c.folder, name+".log")}
	c.programs = append(c.programs, p)
	return p
}

// Kubeconfig writes a configuration of ServiceAccount or Admin as kubectl reads it, and returns the name of the file.
func (c *Cluster) Kubeconfig(name string, config *rest.Config) (string, error) {
	return c.credentials.write(name, config.Host, config.BearerToken)
}

// Add gives the process further arguments, from its next start on.
func (p *Process) Add(args ...string) { p.args = slices.Concat(p.args, args) }

// PID is the number of the process, which must run.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Log returns what the process has written in all its runs.
func (p *Process) Log() (string, error) {
	text, err := os.ReadFile(p.logFile)
	return string(text), err
}

// Terminate asks the process to end, as SIGTERM does, and waits until it has. A status other than 0 is an error, with the end of the log.
func (p *Process) Terminate(ctx context.Context) error {
	p.killed = true // so that its end is expected
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.exited:
		return p.ended()
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("%s: it has not ended: %w; its log ends with:\n%s", p.name, context.Cause(ctx), p.logTail()), p.Kill())
	}
}

// ended is how the process has ended; nil: with status 0.
func (p *Process) ended() error {
	if p.status == nil {
		return nil
	}
	return fmt.Errorf("%s: %w; its log ends with:\n%s", p.name, p.status, p.logTail())
}
