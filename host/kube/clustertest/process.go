package clustertest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Process is one program of a control plane, on a loopback port of its own, which it keeps when it is started again.
// Its methods must not be called concurrently.
type Process struct {
	name    string
	program string
	args    []string
	env     []string                    // nil: that of the test
	port    int                         // 0: it listens nowhere
	logFile string                      // of all its runs, one after the other
	ready   func(context.Context) error // nil: ready when started

	cmd    *exec.Cmd
	exited chan struct{} // closed when the present run was waited for
	status error         // of that run, after exited
	killed bool          // Kill has ended that run
}

// retryAfter is the time between two looks at a process that is not ready, or at a port that is not free.
const retryAfter = 50 * time.Millisecond

// Start starts the process and waits until it is ready. An error contains the end of its log.
func (p *Process) Start(ctx context.Context) error {
	if p.running() {
		return fmt.Errorf("%s: it runs already", p.name)
	}
	if err := p.launch(); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return p.WaitReady(ctx)
}

// launch starts the process, and a goroutine that waits for its end.
func (p *Process) launch() error {
	log, err := os.OpenFile(p.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the process has its own descriptor
	cmd := exec.Command(p.program, p.args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, log, log
	cmd.SysProcAttr = attributes()
	if err := onLastingThread(cmd.Start); err != nil {
		return err
	}
	exited := make(chan struct{})
	p.cmd, p.exited, p.killed = cmd, exited, false
	go func() {
		p.status = cmd.Wait()
		close(exited)
	}()
	return nil
}

// running reports whether the process has been started and has not ended.
func (p *Process) running() bool {
	if p.cmd == nil {
		return false
	}
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// WaitReady waits until a started process answers that it is ready: the API server does so only while etcd answers.
func (p *Process) WaitReady(ctx context.Context) error {
	for {
		if !p.running() {
			return fmt.Errorf("%s: ended before it was ready: %v; its log ends with:\n%s", p.name, p.status, p.logTail())
		}
		if p.ready == nil {
			return nil
		}
		err := p.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: not ready: %w (%w); its log ends with:\n%s", p.name, err, ctx.Err(), p.logTail())
		case <-p.exited:
		case <-time.After(retryAfter):
		}
	}
}

// Kill kills the process as `kill -9` does, and waits until it has ended and its port is free. It may be started again.
// A process that does not run is no error.
func (p *Process) Kill() error {
	if !p.running() {
		return nil
	}
	p.killed = true
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	<-p.exited
	return p.waitPortFree()
}

func (p *Process) waitPortFree() error {
	if p.port == 0 {
		return nil
	}
	const tries = 100
	var err error
	for range tries {
		var l net.Listener
		if l, err = net.Listen("tcp", address(p.port)); err == nil {
			return l.Close()
		}
		time.Sleep(retryAfter)
	}
	return fmt.Errorf("%s: it has ended, but its port is not free: %w", p.name, err)
}

// Pause stops the process as SIGSTOP does: its connections stay open, and nothing answers.
func (p *Process) Pause() error { return p.signal(syscall.SIGSTOP) }

// Resume lets a paused process go on.
func (p *Process) Resume() error { return p.signal(syscall.SIGCONT) }

func (p *Process) signal(s syscall.Signal) error {
	if !p.running() {
		return fmt.Errorf("%s: it does not run", p.name)
	}
	if err := p.cmd.Process.Signal(s); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}
