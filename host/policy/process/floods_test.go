//go:build linux

package process

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

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

// floodedCalls is the number of calls during which a program floods, at least; ownLines is how many lines the host may add.
const (
	floodedCalls = 500
	ownLines     = 5
)

func TestFloodsAreBounded(t *testing.T) {
	for _, role := range []string{"floods-stderr", "floods-stdout", "floods-raw"} {
		t.Run(role, func(t *testing.T) {
			o := acting(t, role)
			var log collected
			o.Log, o.clock = log.log, newFakeClock() // it stands still: no line beyond the burst is due
			p := running(t, o)
			b := scores(666)
			before := heap()
			began := time.Now()
			told := func() bool { return role == "floods-raw" || len(log.all()) >= burst/2 }
			for calls := 0; calls < floodedCalls || !told() && time.Since(began) < margin; calls++ {
				if err := p.Eval(b); err != nil {
					t.Fatal(err)
				}
			}
			if grown := heap() - before; grown > 16<<20 {
				t.Errorf("expected the host to keep little of a flood, its heap grew by %d bytes", grown)
			}
			lines := log.all()
			if len(lines) > burst+ownLines || role != "floods-raw" && len(lines) < burst/2 {
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
