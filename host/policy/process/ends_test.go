//go:build linux

package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/internal/await"
)

func TestCloseLeavesNothing(t *testing.T) {
	sockets := func() int {
		found, err := filepath.Glob(filepath.Join(os.TempDir(), "plugin-dir*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	t.Setenv("TMPDIR", t.TempDir())
	before := runtime.NumGoroutine()
	for _, role := range []string{"good", "ignores-its-end", "starts-a-child", "starts-a-daemon"} {
		o := acting(t, role)
		if role == "ignores-its-end" {
			o.Deadline = 50 * time.Millisecond // it never answers
		}
		var log collected
		o.Log = log.log
		p := running(t, o)
		pid, children := pidOf(p), 0
		if err := p.Eval(scores(1)); (err != nil) != (role == "ignores-its-end") {
			t.Errorf("%s: found %v", role, err)
		}
		if strings.HasPrefix(role, "starts-") {
			children = childOf(t, &log)
		}
		closeSoon(t, p)
		if alive(pid) {
			t.Errorf("%s: expected no process after Close, found %d", role, pid)
		}
		if role == "starts-a-child" {
			await.True(t, "the child to be gone", func() bool { return !alive(children) })
		}
		if role == "starts-a-daemon" {
			killGroup(children) // it went to a session of its own: that is where it ends
		}
	}
	if n := sockets(); n != 0 {
		t.Errorf("expected no folder of a socket, found %d", n)
	}
	await.True(t, "no goroutine", func() bool { return runtime.NumGoroutine() <= before })
}

// A child may hold the pipes open and look as if the program were still there.
func TestAProgramThatEndsTakesItsChildrenWithIt(t *testing.T) {
	o := acting(t, "leaves-a-child")
	var log collected
	clock := newFakeClock()
	o.Log, o.clock = log.log, clock
	p := running(t, o)
	children := childOf(t, &log)
	expectError(t, p.Eval(scores(666)), "the process ended: exit status 7")
	clock.next(t)
	await.True(t, "the child to be gone", func() bool { return !alive(children) })
}

// childOf is the number of the child that a program says it started.
func childOf(t *testing.T, log *collected) (pid int) {
	t.Helper()
	await.True(t, "the number of the child", func() bool { return len(log.all()) > 0 })
	if _, err := fmt.Sscanf(log.all()[0], "info child %d", &pid); err != nil || !alive(pid) {
		t.Fatalf("expected the number of a child that lives, found %q, %v", log.all(), err)
	}
	return pid
}

func TestNoGoroutineOfABadStartIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, role := range []string{"socket-of-garbage", "socket-of-silence", "no-socket", "huge-manifest", "exits-at-start"} {
		o := acting(t, role)
		o.Start = 500 * time.Millisecond
		if _, err := Start(t.Context(), o); err == nil {
			t.Errorf("%s: expected a failure, found none", role)
		}
	}
	await.True(t, "no goroutine", func() bool { return runtime.NumGoroutine() <= before })
}

// The host is this executable again, and is killed as the kernel would: nothing of it has a say.
func TestAPluginEndsWithItsHost(t *testing.T) {
	for _, role := range []string{"good", "ignores-its-end", "spins-on-eval"} {
		t.Run(role, func(t *testing.T) {
			endsWithItsHost(t, role)
		})
	}
}

// endsWithItsHost kills a host that runs a plugin in a role, and waits until the plugin is gone.
func endsWithItsHost(t *testing.T, role ...string) {
	t.Helper()
	host := exec.Command(acting(t, "").Command, append([]string{"role", "host"}, role...)...)
	host.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // where it leaves the folder of a socket
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scan := fmt.Sscanf(line, "pid %d", &pid); err != nil || scan != nil || !alive(pid) {
		t.Fatalf("expected the number of a plugin that lives, found %q, %v", line, err)
	}
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait() // killed
	await.True(t, "the plugin to be gone", func() bool { return !alive(pid) })
}
