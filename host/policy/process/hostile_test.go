//go:build linux

package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// margin is what a fault may take beyond the deadline, on a machine that does something else too.
const margin = time.Second

// faults are programs that start well, and what the first call about the number 666 is told.
var faults = map[string][]string{
	"hangs-on-eval":  {"node.score: ", "call 1 about 1 of 1 rows: ", "expected an answer within 250ms, found none"},
	"spins-on-eval":  {"expected an answer within 250ms, found none"},
	"late":           {"expected an answer within 250ms, found none"},
	"exits-at-666":   {"the process ended: exit status 7"},
	"crashes":        {"the process ended: exit status 2"},
	"panics":         {"return code 3: panic: no such row"},
	"another-call":   {"expected an answer to call 1, table 1, epoch 1, found one to call 0, table 1, epoch 1"},
	"another-table":  {"expected an answer to call 1, table 1, epoch 1, found one to call 1, table 2, epoch 1"},
	"another-epoch":  {"expected an answer to call 1, table 1, epoch 1, found one to call 1, table 1, epoch 2"},
	"too-few":        {"expected answers of 1 keys to 1 rows, found 1 keys to 0 rows"},
	"too-many":       {"expected answers of 1 keys to 1 rows, found 1 keys to 2 rows"},
	"other-keys":     {"expected answers of 1 keys to 1 rows, found 2 keys to 1 rows"},
	"always-resend":  {"expected an answer, found a demand for the table, which was sent in full"},
	"refuses-frames": {`return code 3: "no\x1b[31m way"`},
	"huge-answer":    {"expected an answer of 48 bytes: ", "larger than max"},
	"garbage-answer": {"reply: expected 40 bytes at least, found 10"},
	"truncated":      {"reply: expected 1 answers of 1 keys", "8 bytes in all, found 7"},
}

// Every fault ends the program at once, is told in words, and is followed by a fresh program after a second.
func TestFaults(t *testing.T) {
	for role, words := range faults {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			o := acting(t, role)
			clock := newFakeClock()
			o.clock = clock
			if slices.Contains(words, "expected an answer within 250ms, found none") {
				o.Deadline = 250 * time.Millisecond
			}
			p := running(t, o)
			pid := pidOf(p)
			began := time.Now()
			err := p.Eval(scores(666))
			took := time.Since(began)
			if took > o.Deadline+margin {
				t.Errorf("expected a fault within %v, it took %v", o.Deadline+margin, took)
			}
			t.Logf("a deadline of %v: the fault took %v", o.Deadline, took)
			expectError(t, err, words...)
			began = time.Now()
			expectError(t, p.Eval(scores(1)), append([]string{"it does not run, because of: "}, words...)...)
			if took := time.Since(began); took > 100*time.Millisecond {
				t.Errorf("expected a program that is gone to be told of at once, it took %v", took)
			}
			next := clock.next(t) // the program was waited for
			if alive(pid) {
				t.Errorf("expected the process to be gone, it lives")
			}
			if next.d != time.Second {
				t.Errorf("expected the next start in 1s, found %v", next.d)
			}
			next.over <- time.Time{}
			eventually(t, "a fresh process", func() bool {
				p.mu.Lock()
				defer p.mu.Unlock()
				return p.running != nil
			})
		})
	}
}

func TestAFreshProcessIsConfiguredAndSentEverything(t *testing.T) {
	o := acting(t, "exits-at-666")
	clock := newFakeClock()
	o.clock = clock
	p := running(t, o)
	b := scores(1, 2, 3)
	expectAnswers(t, p, b, 12002, 12004, 12006)
	if err := p.Eval(scores(666)); err == nil {
		t.Fatal("expected a fault, found none")
	}
	clock.next(t).over <- time.Time{}
	eventually(t, "answers of a fresh process", func() bool { set(b, 4, 2); return p.Eval(b) == nil })
	expectAnswers(t, p, b, 12002, 12004, 14008)
}

func TestAProcessThatEndsBetweenCallsIsStartedAgain(t *testing.T) {
	o := acting(t, "good")
	clock := newFakeClock()
	o.clock = clock
	var log collected
	o.Log = log.log
	p := running(t, o)
	for _, delay := range []time.Duration{1, 2, 4, 8} {
		killGroup(pidOf(p))
		next := clock.next(t)
		if next.d != delay*time.Second {
			t.Fatalf("expected the next start in %v, found %v", delay*time.Second, next.d)
		}
		expectError(t, p.Eval(scores(1)), "it does not run, because of: the process", "killed")
		next.over <- time.Time{}
		eventually(t, "answers", func() bool { return p.Eval(scores(1)) == nil })
	}
	if all := strings.Join(log.all(), "\n"); !strings.Contains(all, "warning the process ended: signal: killed; the next start is in 1s") || !strings.Contains(all, "the next start is in 8s\ninfo it runs again") {
		t.Errorf("expected the operator to be told of four ends and starts, found\n%s", all)
	}
}

func TestBackOffEndsAtFiveMinutes(t *testing.T) {
	dir := t.TempDir()
	o := acting(t, "good")
	executable, err := os.ReadFile(o.Command)
	if err != nil {
		t.Fatal(err)
	}
	o.Command = filepath.Join(dir, "policy")
	if err := os.WriteFile(o.Command, executable, 0o755); err != nil {
		t.Fatal(err)
	}
	clock := newFakeClock()
	o.clock = clock
	p := running(t, o)
	// Another program in its place is not the one that was loaded.
	if err := os.Rename(o.Command, o.Command+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.Command, []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	killGroup(pidOf(p))
	var found []string
	for range 11 {
		next := clock.next(t)
		found = append(found, next.d.String())
		next.over <- time.Time{}
	}
	if s := strings.Join(found, " "); s != "1s 2s 4s 8s 16s 32s 1m4s 2m8s 4m16s 5m0s 5m0s" {
		t.Errorf("expected back-off to double up to 5m, found %s", s)
	}
	expectError(t, p.Eval(scores(1)), "does not run", "sha256", "expected "+p.SHA256())
}

func TestAnotherManifestIsRefused(t *testing.T) {
	o := acting(t, "manifest-varies")
	clock := newFakeClock()
	o.clock = clock
	p := running(t, o)
	killGroup(pidOf(p))
	clock.next(t).over <- time.Time{}
	clock.next(t)
	expectError(t, p.Eval(scores(1)), "expected the manifest of the first start, found another")
}

// starts are programs that do not start, and what Start says.
var starts = map[string][]string{
	"hangs-at-start":    {"start: expected a handshake within 700ms, found none"},
	"exits-at-start":    {"the process ended: exit status 3", `its last words: "no licence found"`},
	"garbage":           {"start: ", "hello, world"},
	"garbage-forever":   {"start: ", "flood flood"},
	"one-endless-line":  {"start: "},
	"another-version":   {"start: ", "incompatible API version", "Plugin version: 2, Client versions: [1]"},
	"by-tcp":            {"address: expected a unix socket in", `"tcp", "127.0.0.1:1"`},
	"socket-elsewhere":  {"address: expected a unix socket in", `"/run/other.sock"`},
	"no-socket":         {"start: "},
	"socket-of-silence": {"start: "},
	"socket-of-garbage": {"start: "},
	"sleeps":            {"start: expected a handshake within 700ms, found none"},
	"hangs-on-manifest": {"start: expected a handshake within 700ms, found none"},
	"huge-manifest":     {"start: manifest: ", "larger than max"},
	"no-manifest":       {"manifest: points: expected one of", `found "node.smile"`},
	"lies":              {"the process ended: exit status 1", "the manifest has node.score: expected a function for it, found none"},
}

func TestBadStarts(t *testing.T) {
	for role, words := range starts {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			o := acting(t, role)
			o.Start = 700 * time.Millisecond
			if strings.Contains(role, "manifest") || role == "another-version" || role == "lies" {
				o.Start = 2 * time.Second // these do start first
				words = append([]string(nil), words...)
				for i, w := range words {
					words[i] = strings.Replace(w, "700ms", "2s", 1)
				}
			}
			began := time.Now()
			p, err := Start(t.Context(), o)
			if took := time.Since(began); took > o.Start+margin {
				t.Errorf("expected a failure within %v, it took %v", o.Start+margin, took)
			}
			if err == nil {
				closeSoon(t, p)
			}
			expectError(t, err, words...)
			if err != nil && len(err.Error()) > 2000 {
				t.Errorf("expected a short error, found %d bytes", len(err.Error()))
			}
		})
	}
}

func TestConfigureIsBounded(t *testing.T) {
	o := acting(t, "refuses")
	p, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	expectError(t, p.Configure([]byte(`{"weight":2}`)), "configuration: weight: expected 3 or less, found 2")
	closeSoon(t, p)
	o = acting(t, "hangs-on-configure")
	o.Start = 2 * time.Second
	if p, err = Start(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	expectError(t, p.Configure([]byte(`{}`)), "expected an answer within 2s, found none")
	closeSoon(t, p)
}

// collected is a log.
type collected struct {
	mu    sync.Mutex
	lines []string
}

func (c *collected) log(level, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, level+" "+text)
}

func (c *collected) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.lines...)
}

func TestFloodsAreBounded(t *testing.T) {
	for _, role := range []string{"floods-stderr", "floods-stdout", "floods-raw"} {
		t.Run(role, func(t *testing.T) {
			o := acting(t, role)
			var log collected
			o.Log = log.log
			p := running(t, o)
			b := scores(666)
			before := heap()
			for end := time.Now().Add(250 * time.Millisecond); time.Now().Before(end); {
				if err := p.Eval(b); err != nil {
					t.Fatal(err)
				}
			}
			if grown := heap() - before; grown > 16<<20 {
				t.Errorf("expected the host to keep little of a flood, its heap grew by %d bytes", grown)
			}
			lines := log.all()
			if len(lines) > burst+rate*3 || role != "floods-raw" && len(lines) < burst/2 {
				t.Errorf("expected about %d lines, found %d", burst, len(lines))
			}
			for _, l := range lines {
				if len(l) > maxLine+20 {
					t.Fatalf("expected lines of at most %d bytes, found %d", maxLine, len(l))
				}
			}
		})
	}
}

func TestAHugeAnswerIsNotRead(t *testing.T) {
	p := running(t, acting(t, "huge-answer"))
	before := allocated()
	expectError(t, p.Eval(scores(1)), "larger than max")
	if grown := allocated() - before; grown > 8<<20 {
		t.Errorf("expected an answer of 48 MiB not to be read, %d bytes were allocated", grown)
	}
}

func TestMemoryOfAProgramIsBounded(t *testing.T) {
	o := acting(t, "eats-memory")
	o.Memory, o.Deadline = 256<<20, 20*time.Second
	if raceDetector {
		t.Skip("skipped, because the race detector's shadow memory is larger than any bound")
	}
	p := running(t, o)
	adjusted, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", pidOf(p)))
	if err != nil || strings.TrimSpace(string(adjusted)) != "1000" {
		t.Errorf("expected the kernel to end the program first where memory is short (1000), found %s, %v", adjusted, err)
	}
	expectAnswers(t, p, scores(1), 2002)
	expectError(t, p.Eval(scores(666)), "the process ended: exit status 2")
}

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
		o.Deadline = 50 * time.Millisecond
		var log collected
		o.Log = log.log
		p := running(t, o)
		pid, children := pidOf(p), 0
		_ = p.Eval(scores(1)) // a fault for the one that ignores it
		if strings.HasPrefix(role, "starts-") {
			children = childOf(t, &log)
		}
		closeSoon(t, p)
		if alive(pid) {
			t.Errorf("%s: expected no process after Close, found %d", role, pid)
		}
		if role == "starts-a-child" {
			eventually(t, "the child to be gone", func() bool { return !alive(children) })
		}
		if role == "starts-a-daemon" {
			killGroup(children) // it went to a session of its own: that is where it ends
		}
	}
	if n := sockets(); n != 0 {
		t.Errorf("expected no folder of a socket, found %d", n)
	}
	eventually(t, "no goroutine", func() bool { return runtime.NumGoroutine() <= before })
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
	eventually(t, "the child to be gone", func() bool { return !alive(children) })
}

// childOf is the number of the child that a program says it started.
func childOf(t *testing.T, log *collected) (pid int) {
	t.Helper()
	eventually(t, "the number of the child", func() bool { return len(log.all()) > 0 })
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
	eventually(t, "no goroutine", func() bool { return runtime.NumGoroutine() <= before })
}

// The host is this executable again, and is killed as the kernel would: nothing of it has a say.
func TestAPluginEndsWithItsHost(t *testing.T) {
	for _, role := range []string{"good", "ignores-its-end", "spins-on-eval"} {
		t.Run(role, func(t *testing.T) {
			host := exec.Command(acting(t, "").Command, "role", "host", role)
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
			eventually(t, "the plugin to be gone", func() bool { return !alive(pid) })
		})
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func allocated() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.TotalAlloc)
}
