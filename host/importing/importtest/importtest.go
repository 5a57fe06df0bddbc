// Package importtest holds what the tests of all readers of foreign workloads share.
package importtest

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/importing"
)

// Reporter is a test, or a part of one that draws its cases.
type Reporter interface {
	Helper()
	Fatal(args ...any)
}

// Journal imports into a sink, and returns the journal without its first line and the tally. The error is what the sink says of the files;
// the test fails where they cannot be read at all.
func Journal(t Reporter, o importing.Options, l importing.Layout, read func(*importing.Sink) error) (text, tally string, err error) {
	t.Helper()
	s := importing.NewSink(o)
	defer s.Close()
	if err := read(s); err != nil {
		t.Fatal(err)
	}
	if err := s.Err(); err != nil {
		return "", "", err
	}
	var out bytes.Buffer
	if err := s.Write(&out, l); err != nil {
		t.Fatal(err)
	}
	_, text, _ = strings.Cut(out.String(), "\n")
	return text, strings.Join(s.Lines(), "\n"), nil
}

// Bounded fails the test if work on a text allocates far more than the text has, freed memory included.
func Bounded(t Reporter, text string, work func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > uint64(64<<20+1024*len(text)) {
		t.Fatal(fmt.Sprintf("%d bytes of text took %d MiB", len(text), taken>>20))
	}
}

// Readable fails the test unless a journal without its first line can be read to its end.
func Readable(t Reporter, text string) {
	t.Helper()
	d := journal.NewDecoder(strings.NewReader(text), "j", nil)
	for {
		switch _, err := d.Next(); {
		case err == io.EOF:
			return
		case err != nil:
			t.Fatal(err, "in\n"+text)
		}
	}
}
