//go:build linux

package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/internal/await"
)

// margin is what may pass beyond a deadline on a machine that is busy with something else: a hundred times what it takes, and
// less than the minute for which programs of the tests that have to be ended would sleep.
const margin = 50 * time.Second

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
			expectError(t, p.Eval(scores(1)), append([]string{"it is not running: "}, words...)...)
			if took := time.Since(began); took > margin {
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
			await.True(t, "a fresh process", func() bool {
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
	await.True(t, "answers of a fresh process", func() bool { set(b, 4, 2); return p.Eval(b) == nil })
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
		expectError(t, p.Eval(scores(1)), "it is not running: the process", "killed")
		next.over <- time.Time{}
		await.True(t, "answers", func() bool { return p.Eval(scores(1)) == nil })
	}
	if all := strings.Join(log.all(), "\n"); !strings.Contains(all, "warning the process ended: signal: killed; the next start is in 1s") || !strings.Contains(all, "the next start is in 8s\ninfo the process runs again") {
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
	expectError(t, p.Eval(scores(1)), "is not running", "sha256", "expected "+p.SHA256())
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
