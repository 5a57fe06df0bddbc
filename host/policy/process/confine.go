package process

import (
	"errors"
	"io/fs"
	"os"

	"github.com/quern-project/quern/host/policy/process/sandbox"
)

// environment is all that a program gets of the host's. Its temporary files go into its own folder where a sandbox lets it
// write no other.
func (c *child) environment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG"} {
		v, ok := os.LookupEnv(name)
		if name == "TMPDIR" && c.options.Sandbox != nil {
			v, ok = c.dir, true
		}
		if ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// confine starts the program in the sandbox, if there is one.
func (c *child) confine() error {
	o := c.options
	folder := o.Dir
	if folder == "" {
		var err error
		if folder, err = os.Getwd(); err != nil {
			return err
		}
	}
	started, err := o.Sandbox.Confine(c.cmd, sandbox.Rules{Program: o.Command, Folder: folder, Temp: c.dir,
		Read: o.Read, Write: o.Write, Network: o.Network, Memory: o.Memory, CPUs: o.CPUs})
	if started == nil || err != nil {
		return err
	}
	c.launcher, c.theirs = started, append(c.theirs, started.Theirs)
	return nil
}

// awaitProgram waits until the program runs. Where it does not, nothing of it is left, and the error says why.
func (c *child) awaitProgram() error {
	if c.launcher == nil {
		return nil
	}
	err := c.launcher.Wait(c.options.Start)
	if err == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	killGroup(c.pid)
	c.pid = 0
	_ = c.cmd.Wait() // why it ended is known
	var refused *sandbox.ExecError
	if errors.As(err, &refused) {
		return notStarted(c.options.Command, c.cmd.Dir, &fs.PathError{Op: "exec", Path: c.options.Command, Err: refused.Err})
	}
	return err
}
