package livetest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Unread is a test of readers of decisions that never read them: they hold little, and delay no other client.
type Unread struct {
	testing.TB
	Submit func(ids []string) // asks of these IDs, in one request: the application "absent" does not exist
	before int64
}

// What the test is made of: 4 MB of decisions for each reader.
const (
	UnreadReaders   = 40
	UnreadDecisions = 8_000
)

// Prepare makes decisions.
func (u *Unread) Prepare() {
	const each = 2_000
	for i := range UnreadDecisions / each {
		u.Submit(rejected(fmt.Sprint("before", i, "-"), each))
	}
}

// Begin notes what is held before the readers come.
func (u *Unread) Begin() { u.before = held() }

// Await checks that the loop goes on, and waits until the readers have ended; most is what each may hold until then, in bytes.
func (u *Unread) Await(ended func() int, most int64) {
	u.Helper()
	for i := range 20 {
		began := time.Now()
		u.Submit(rejected(fmt.Sprint("meanwhile", i, "-"), 1))
		if took := time.Since(began); took > 10*time.Second {
			u.Errorf("an input took %s", took)
		}
	}
	for late := time.After(time.Minute); ended() < UnreadReaders; {
		select {
		case <-late:
			u.Fatalf("%d of %d have ended", ended(), UnreadReaders)
		case <-time.After(10 * time.Millisecond):
		}
	}
	if grown := (held() - u.before) / UnreadReaders; grown > most {
		u.Errorf("%d KiB are held for each reader", grown>>10)
	}
}

// held is what the program holds in memory, in bytes.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// rejected are IDs of asks that bring a decision of half a kilobyte each.
func rejected(name string, n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprint(name, i, strings.Repeat("-", 200)))
	}
	return ids
}
