//go:build linux

package process

import (
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/internal/await"
	"github.com/quern-project/quern/sdk/goplugin/wire"
)

func TestPolicy_AnswersAndKeepsItsColumns(t *testing.T) {
	p := running(t, acting(t, "good"))
	if !strings.Contains(string(p.Manifest()), `"name":"sums"`) {
		t.Errorf("expected the manifest, found %s", p.Manifest())
	}
	b := scores(1, 2, 3)
	expectAnswers(t, p.Evaluator(), b, 12002, 12004, 12006)
	set(b, 5, 1) // only this row travels: the sum shows whether the others stayed
	expectAnswers(t, p, b, 12002, 18010, 12006)
	other := scores(7)
	expectAnswers(t, p, other, 14014)
	b.Cols[0], b.Out = append(b.Cols[0], 10, 0), append(b.Out, 0, 0)
	set(b, 10, 3)
	expectAnswers(t, p, b, 12002, 18010, 12006, 38020)
	b.Cols[0][0], b.Epoch = 0, 2 // not said to have changed, but a new epoch says so of all
	set(b, 10, 3)
	expectAnswers(t, p, b, 12002, 18010, 12006, 36020)
}

func TestATableThatTheProgramForgotIsSentInFull(t *testing.T) {
	p := running(t, acting(t, "forgets-tables"))
	b := scores(1, 2)
	expectAnswers(t, p, b, 7, 7)
	set(b, 3, 0)
	expectAnswers(t, p, b, 7, 7)
}

func TestTables_MoreThanAProgramHolds(t *testing.T) {
	p := running(t, acting(t, "good"))
	batches := make([]*policy.Batch, wire.MaxTables+100)
	for i := range batches {
		batches[i] = scores(float64(i), 1)
		if err := p.Eval(batches[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range []int{0, 99, 100, len(batches) - 1} {
		set(batches[i], 2, 1)
		expectAnswers(t, p, batches[i], 2*(float64(i)+1000*float64(i+1)), 2*(2+1000*float64(i+2)))
	}
	if n := len(p.tables.byBatch); n > wire.MaxTables || n != p.tables.order.Len() {
		t.Errorf("expected at most %d tables in the host, found %d, %d in order", wire.MaxTables, n, p.tables.order.Len())
	}
}

func TestHost_ReleasesBatches(t *testing.T) {
	p := running(t, acting(t, "good"))
	gone := make(chan bool, 1)
	func() {
		b := scores(make([]float64, 1000)...)
		expectAnswers(t, p, b, 0)
		runtime.AddCleanup(b, func(c chan bool) { c <- true }, gone)
	}()
	await.True(t, "a batch that nobody has to be freed", func() bool { runtime.GC(); return len(gone) == 1 })
}

func TestAnAnswerLeftOutIsNoNumber(t *testing.T) {
	p := running(t, acting(t, "leaves-out"))
	b := scores(1)
	if err := p.Eval(b); err != nil || !math.IsNaN(b.Out[0]) || b.Check() == nil {
		t.Errorf("expected NaN, which the scheduler refuses, found %v, %v", b.Out[0], err)
	}
}

func TestWhatTheCallerDidWrongEndsNothing(t *testing.T) {
	p, err := Start(t.Context(), acting(t, "good"))
	if err != nil {
		t.Fatal(err)
	}
	defer closeSoon(t, p)
	pid := pidOf(p)
	expectError(t, p.Eval(scores(1)), "expected a configuration before the first call")
	expectError(t, p.Configure([]byte(`{"weight":"heavy"}`)), "configuration", "weight", "expected a number")
	if err := p.Configure([]byte(`{"weight":2}`)); err != nil {
		t.Fatal(err)
	}
	expectError(t, p.Configure([]byte(`{}`)), "configured already")
	wrong := scores(1)
	wrong.Point = policy.AppOrder
	expectError(t, p.Eval(wrong), "app.order", "expected a point of the manifest")
	wrong = scores(1, 2)
	wrong.Keys = 2
	expectError(t, p.Eval(wrong), "expected a batch of 1 keys", "found 2")
	wrong = scores(1)
	wrong.Rows = []int32{1}
	expectError(t, p.Eval(wrong), "expected rows below 1, found 1")
	wrong = scores(1)
	wrong.Cols[0] = nil
	expectError(t, p.Eval(wrong), "column free:vcore", "expected 1 rows, found 0")
	large := scores(make([]float64, wire.MaxMessage/8)...)
	expectError(t, p.Eval(large), "expected a batch of at most")
	expectAnswers(t, p, scores(1), 2002)
	fewer := scores(1)
	fewer.Texts = nil
	expectError(t, p.Eval(fewer), "one process serves one dictionary")
	if pidOf(p) != pid {
		t.Error("expected the same process, found another")
	}
}

func TestCallsFromSeveralGoroutinesTakeTurns(t *testing.T) {
	p := running(t, acting(t, "good"))
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			b := scores(float64(i), 0)
			for call := range 20 {
				if err := p.Eval(b); err != nil || b.Out[1] != 2000*float64(i+call) {
					t.Errorf("expected %d, found %v, %v", 2000*(i+call), b.Out[1], err)
					return
				}
				b.Cols[0][0]++
				b.Changed, b.Rows = []int32{0}, []int32{0, 1}
			}
		})
	}
	all.Wait()
}

func TestOptions(t *testing.T) {
	good := acting(t, "good")
	expectStart := func(o Options, words ...string) {
		t.Helper()
		p, err := Start(t.Context(), o)
		if err == nil {
			closeSoon(t, p)
		}
		expectError(t, err, words...)
	}
	expectStart(Options{}, "command: expected the path of an executable, found none")
	expectStart(Options{Command: "/nothing/here"}, "/nothing/here", "no such file")
	expectStart(Options{Command: "process_test.go"}, "expected an executable file, found the mode -rw-")
	pinned := good
	pinned.SHA256 = strings.Repeat("ab", 32)
	expectStart(pinned, "sha256 of", "expected "+pinned.SHA256, "found ")
	pinned.SHA256 = "abc"
	expectStart(pinned, "sha256: expected 64 hex digits", `"abc"`)
	hash, err := executable(good.Command)
	if err != nil {
		t.Fatal(err)
	}
	pinned.SHA256 = strings.ToUpper(hash)
	for _, o := range []Options{pinned, good} {
		if p := running(t, o); p.SHA256() != hash {
			t.Errorf("expected the hash of the file, %s, found %s", hash, p.SHA256())
		}
	}
}

func TestCloseEndsACall(t *testing.T) {
	o := acting(t, "says-so-and-hangs")
	o.Deadline = time.Hour
	asked := make(chan string, 100)
	o.Log = func(_, text string) { asked <- text }
	p := running(t, o)
	pid := pidOf(p)
	failed := make(chan error)
	go func() { failed <- p.Eval(scores(666)) }()
	for text := range asked {
		if strings.Contains(text, "asked") {
			break
		}
	}
	closeSoon(t, p)
	expectError(t, <-failed, "closed")
	expectError(t, p.Eval(scores(1)), "is not running", "closed")
	if alive(pid) {
		t.Error("expected the process to be gone")
	}
}
