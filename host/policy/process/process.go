// Package process runs policies that are processes of their own: a program that the host starts, asks over a unix socket,
// and ends.
//
// Start is the only way in. A Process answers batches of any number of tables, one at a time, each within a deadline. It
// trusts nothing that the program says: a late answer, one to another call, with other counts or too large, and the
// program's end are faults; each ends that instance of the program, and Eval fails at once until a fresh one, started in
// the background with exponential back-off (1 s to 5 min), was configured. That one is sent all columns again.
//
// What bounds a program: its messages, its standard error (lines, and lines a second), the time of a call and of its
// start, and its environment, which has no variable of the host's but PATH, HOME, TMPDIR and LANG. Its memory is bounded
// by Options.Memory on Linux; under pressure the kernel ends it before the host. A sandbox confines it, where Options have
// one; else it may do what the host's user may.
//
// Where it ends: with Close and with every fault the program and its process group are killed, and it ends when the host
// does, whichever way (on Linux by the kernel, elsewhere when it sees its standard input end). In a sandbox with a process
// namespace all of its children end with it. Else left over can be a child that moved to a process group of its own, or any
// child where the host was killed rather than closed; and in any case the folder of its socket, where the host was killed.
package process

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
)

// Options say what to run and what to bear with.
type Options struct {
	Command  string        // path of the executable; a relative one begins in the host's working directory, not in Dir
	Args     []string      // without the name of the program
	Dir      string        // the working directory; empty: the host's
	SHA256   string        // of the executable, 64 hex digits; empty: that of the file found by Start, which later starts then insist on
	Deadline time.Duration // of one call; default 10 ms
	Start    time.Duration // for a start with its handshake and configuration; default 5 s
	Memory   uint64        // bytes of data that the program may have (RLIMIT_DATA, Linux alone); default: that of the sandbox, without one unbounded

	Sandbox     *sandbox.Sandbox // confines the program; nil: nothing does
	Read, Write []string         // absolute paths that the sandbox grants beside its own
	Network     bool             // the sandbox grants the network
	CPUs        int              // processors that the sandbox grants; 0: all but one

	// Log takes what the program writes, standard error as "info" and standard output as "debug": at most 1 KiB of a line,
	// and 20 lines a second (200 in a burst). It is also told when the program has to be started again ("warning") and when
	// it was ("info"). It is called from several goroutines. May be nil.
	Log func(level, text string)

	clock clock // nil: the real one
}

// A Process is a policy that runs as a process. Its methods may be called from several goroutines.
type Process struct {
	options  Options
	manifest []byte
	points   map[string]abi.Spec
	log      *lines

	ended context.Context // ends with Close
	end   context.CancelFunc
	done  chan struct{} // closed when nothing runs any more

	mu         sync.Mutex
	running    *instance // nil while there is none; then down says why
	down       error
	config     []byte
	configured bool
	calls      uint64
	tables     tables
	request    []byte // reused
}

// Start starts the program and reads its manifest. The context bounds the start alone. The error says what the program
// did instead of what it should have.
func Start(ctx context.Context, o Options) (*Process, error) {
	if err := o.settle(); err != nil {
		return nil, o.blame(err)
	}
	p := &Process{options: o, log: newLines(o.Log, o.clock), done: make(chan struct{}), tables: newTables()}
	in, err := open(ctx, &p.options, p.log)
	if err != nil {
		return nil, o.blame(err)
	}
	m, err := manifests.Parse(in.manifest)
	if err != nil {
		in.stop()
		return nil, fmt.Errorf("process policy %s: %w", o.Command, short(err))
	}
	p.manifest, p.points, p.running = in.manifest, m.Points, in
	p.ended, p.end = context.WithCancel(context.Background())
	go p.supervise(in)
	return p, nil
}

// blame names the command, once.
func (o *Options) blame(err error) error {
	if strings.HasPrefix(err.Error(), o.Command+": ") {
		return fmt.Errorf("process policy %w", err)
	}
	return fmt.Errorf("process policy %s: %w", o.Command, err)
}

// settle checks the options and fills in defaults and the hash.
func (o *Options) settle() error {
	if o.Command == "" {
		return errors.New("command: expected the path of an executable, found none")
	}
	path, err := filepath.Abs(o.Command)
	if err != nil {
		return err
	}
	o.Command = path
	if o.Deadline <= 0 {
		o.Deadline = 10 * time.Millisecond
	}
	if o.Start <= 0 {
		o.Start = 5 * time.Second
	}
	if o.clock == nil {
		o.clock = realClock{}
	}
	o.SHA256 = strings.ToLower(o.SHA256)
	if o.SHA256 == "" {
		o.SHA256, err = executable(path)
	}
	return err
}

// Manifest is the JSON that the program declared itself with. It must not be changed.
func (p *Process) Manifest() []byte { return p.manifest }

// SHA256 is the hash of the executable, 64 hex digits: of every instance that was and will be started.
func (p *Process) SHA256() string { return p.options.SHA256 }

// Configure gives the program the values of its parameters, one JSON object. It is called once, before the first Eval,
// and repeated for every later instance. The error is the program's own, or says why there is no program.
func (p *Process) Configure(json []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.configured:
		return errors.New("process policy: configured already: another configuration needs another process")
	case p.running == nil:
		return p.down
	}
	if err := p.running.configure(p.ended, json); err != nil {
		return fmt.Errorf("process policy: configuration: %w", err)
	}
	p.config, p.configured = append([]byte(nil), json...), true
	return nil
}

// Evaluator answers batches of any point of the manifest. Batches are identified by their address.
func (p *Process) Evaluator() policy.Evaluator { return p }

// Close kills the program, if it runs, and waits until it is gone. Later calls of Eval fail.
func (p *Process) Close() error {
	p.end()
	<-p.done
	return nil
}
