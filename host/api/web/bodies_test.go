package web

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/server"
)

// zeros is a body of so many bytes.
func zeros(n int64) io.ReadCloser { return io.NopCloser(io.LimitReader(endless{}, n)) }

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestBodies_AreBoundedTogether(t *testing.T) {
	var b bodies
	var first []*body
	for range mostBodies / MostBody {
		one := b.count(zeros(MostBody))
		if n, err := io.Copy(io.Discard, one); n != MostBody || err != nil {
			t.Fatalf("found %d bytes and %v", n, err)
		}
		first = append(first, one)
	}
	more := b.count(io.NopCloser(strings.NewReader("x")))
	if _, err := io.ReadAll(more); !errors.Is(err, server.ErrBusy) || problemOf(err).Status != 429 {
		t.Errorf("found %v", err)
	}
	more.end()
	first[0].end()
	if _, err := io.ReadAll(b.count(io.NopCloser(strings.NewReader("x")))); err != nil {
		t.Errorf("found %v", err)
	}
}
