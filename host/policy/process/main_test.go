//go:build linux

package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/internal/await"
)

// TestMain runs the tests, or, where a test started this executable with a role, plays it: see roles.
func TestMain(m *testing.M) {
	sandbox.Launch()
	if len(os.Args) >= 3 && os.Args[1] == "role" {
		play, ok := roles[os.Args[2]]
		if !ok {
			fmt.Fprintln(os.Stderr, "no role", os.Args[2])
			os.Exit(2)
		}
		play()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// acting are options that run this executable in a role.
func acting(t testing.TB, role string) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{Command: self, Args: []string{"role", role}, Deadline: 5 * time.Second, Start: 20 * time.Second}
}

// running starts a process and configures it; it is closed with the test.
func running(t testing.TB, o Options) *Process {
	t.Helper()
	p, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeSoon(t, p) })
	if err := p.Configure([]byte(`{"weight":2}`)); err != nil {
		t.Fatal(err)
	}
	return p
}

// closeSoon fails where Close is held up.
func closeSoon(t testing.TB, p *Process) {
	t.Helper()
	began := time.Now()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > margin {
		t.Errorf("expected Close to take no time, it took %v", took)
	}
}

// rowNames names rows, by default as their number.
type rowNames map[int32]string

func (n rowNames) Name(row int32) string {
	if name, ok := n[row]; ok {
		return name
	}
	return strconv.Itoa(int(row))
}

// scores is a batch of node.score with these numbers in its column, all rows asked about.
func scores(values ...float64) *policy.Batch {
	b := &policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Items: rowNames{}, Texts: []string{"vcore"},
		Columns: []policy.Column{{Kind: policy.Free, Arg: "vcore", ArgCode: 1}},
		Cols:    [][]float64{values}, Out: make([]float64, len(values))}
	for i := range values {
		b.Changed = append(b.Changed, int32(i))
	}
	b.Rows = b.Changed
	return b
}

// set changes rows and asks about them.
func set(b *policy.Batch, v float64, rows ...int32) {
	for _, r := range rows {
		b.Cols[0][r] = v
	}
	b.Changed, b.Rows = rows, rows
}

// expectAnswers asks, and compares all of Out.
func expectAnswers(t testing.TB, p policy.Evaluator, b *policy.Batch, expected ...float64) {
	t.Helper()
	if err := p.Eval(b); err != nil {
		t.Fatal(err)
	}
	for i, v := range expected {
		if b.Out[i] != v {
			t.Fatalf("expected the answers %v, found %v", expected, b.Out)
		}
	}
}

// expectError wants an error with each of these words.
func expectError(t testing.TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("expected an error with %q, found none", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("expected an error with %q, found: %v", w, err)
		}
	}
}

// fakeClock stands still; each wait is announced, and ends when the test says so.
type fakeClock struct {
	waits chan wait
}

type wait struct {
	d    time.Duration
	over chan time.Time
}

func newFakeClock() *fakeClock { return &fakeClock{waits: make(chan wait, 16)} }

func (c *fakeClock) Now() time.Time { return time.Unix(1000, 0) }

func (c *fakeClock) After(d time.Duration) <-chan time.Time {
	w := wait{d, make(chan time.Time, 1)}
	c.waits <- w
	return w.over
}

// next is the next wait.
func (c *fakeClock) next(t testing.TB) wait {
	t.Helper()
	return await.Value(t, c.waits, "a wait")
}

// alive reports whether a process runs; one that waits to be buried does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	state := stat[strings.LastIndexByte(string(stat), ')')+2]
	return state != 'Z' && state != 'X'
}

func pidOf(p *Process) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running.child.mu.Lock()
	defer p.running.child.mu.Unlock()
	return p.running.child.pid
}
