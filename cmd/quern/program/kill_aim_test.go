package program

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/quern-project/quern/internal/await"
)

// mostRequests bounds what is sent between two kills.
const mostRequests = 120

// turn is the time from a start of the host to its end.
type turn struct {
	left  atomic.Int64  // requests that may still be sent
	until atomic.Int64  // answers until the host is to be killed
	due   chan struct{} // gets a value when it is
	over  chan struct{} // closed when it was
}

func newTurn(answers int) *turn {
	t := &turn{due: make(chan struct{}, 1), over: make(chan struct{})}
	t.left.Store(mostRequests)
	t.until.Store(int64(answers))
	return t
}

// take reports whether one more request may be sent. When there were enough of them, the host is killed.
func (t *turn) take() bool {
	select {
	case <-t.over:
		return false
	default:
	}
	if t.left.Add(-1) < 0 {
		t.end()
		return false
	}
	return true
}

// answered counts an answer.
func (t *turn) answered() {
	if t.until.Add(-1) == 0 {
		t.end()
	}
}

// context ends when the host was killed.
func (t *turn) context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-t.over
		cancel()
	}()
	return ctx, cancel
}

func (t *turn) end() {
	select {
	case t.due <- struct{}{}:
	default:
	}
}

// aim is a moment of the host's work on its folder that a kill is to hit.
type aim struct {
	name      string
	operation fsnotify.Op
	file      string // a pattern
}

// The moments of a life, in turn: of one whose record stays, and of one where a snapshot is rare and has segments removed.
var (
	anyTime     = aim{name: "any time"}
	keyedAims   = []aim{anyTime, snapshotBegun, snapshotDone, snapshotGone, segmentLaidOut, segmentBegun}
	keylessAims = []aim{anyTime, snapshotBegun, segmentGone, snapshotDone, segmentGone, snapshotGone}

	snapshotBegun  = aim{"a snapshot is begun", fsnotify.Create, "snapshot.tmp"}
	snapshotDone   = aim{"a snapshot is in place", fsnotify.Create, "*.snap"}
	snapshotGone   = aim{"a snapshot is removed", fsnotify.Remove, "*.snap"}
	segmentLaidOut = aim{"a segment is laid out", fsnotify.Create, "next.tmp"}
	segmentBegun   = aim{"a segment is begun", fsnotify.Create, "*.log"}
	segmentGone    = aim{"a segment is removed", fsnotify.Remove, "*.log"}
)

// watch returns a channel that gets a value when the moment comes in a folder, and what ends the watching. Segments are kept in an archive
// meanwhile.
func (a *aim) watch(t *testing.T, dir string, segments archive) (hit <-chan struct{}, end func()) {
	t.Helper()
	w, err := fsnotify.NewWatcher()
	if err == nil {
		err = w.Add(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, ended := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for e := range w.Events {
			name := filepath.Base(e.Name)
			if ok, _ := filepath.Match(a.file, name); ok && e.Has(a.operation) {
				select {
				case c <- struct{}{}:
				default:
				}
			}
			if filepath.Ext(name) == ".log" && e.Has(fsnotify.Create) {
				if err := segments.add(e.Name); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	return c, func() {
		_ = w.Close() // it has told what it should
		<-ended
	}
}

// wait waits until the host is to be killed. After a moment that was aimed at, it waits for another instant.
func (t *turn) wait(hit <-chan struct{}, random *rand.Rand) (aimed, onTime bool) {
	select {
	case <-hit:
		await.Pause(time.Duration(random.IntN(3)*random.IntN(1000)) * time.Microsecond)
		return true, true
	case <-t.due:
		return false, true
	case <-time.After(time.Minute):
		return false, false
	}
}

// cutShort says what a kill has left half done in a folder.
type cutShort struct {
	temporary os.FileInfo // the snapshot that was not finished before
	counts    map[string]int
}

// What a kill may leave half done.
const (
	cutSnapshot = "a snapshot that was not whole"
	cutDrop     = "a snapshot too many"
	cutSegment  = "a segment that was not whole"
	cutRemoval  = "segments that a snapshot has made useless"
)

// count looks at the folder of a host that was killed.
func (c *cutShort) count(t *testing.T, dir string, keyed bool) {
	t.Helper()
	before := c.temporary
	c.temporary, _ = os.Stat(filepath.Join(dir, "snapshot.tmp"))
	if c.temporary != nil && (before == nil || before.ModTime() != c.temporary.ModTime()) {
		c.counts[cutSnapshot]++
	}
	if next, err := os.Stat(filepath.Join(dir, "next.tmp")); err == nil && next.Size() < killSegment {
		c.counts[cutSegment]++
	}
	snapshots, segments := numbered(t, dir, ".snap"), numbered(t, dir, ".log")
	if len(snapshots) > 2 {
		c.counts[cutDrop]++
	}
	if !keyed && len(snapshots) > 1 && len(segments) > 1 && segments[1] <= snapshots[len(snapshots)-2] {
		c.counts[cutRemoval]++
	}
}

// numbered are the names of files of a kind in a folder, ascending.
func numbered(t *testing.T, dir, suffix string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok {
			names = append(names, name)
		}
	}
	return names
}
