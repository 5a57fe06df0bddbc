// Package importtest holds what the tests of all readers of foreign workloads share.
package importtest

import (
	"bytes"
	"io"
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
