package livetest

import (
	"bytes"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// ReadBack fails if a journal cannot have an input: a host that took it could not read its own record.
func ReadBack(t *testing.T, in *core.Input) {
	t.Helper()
	line := written(t, in)
	e, err := journal.NewDecoder(bytes.NewReader([]byte(line)), "", nil).Next()
	if err != nil {
		t.Fatalf("%s cannot be read: %v", line, err)
	}
	if again := written(t, &e.Input); again != line {
		t.Fatalf("%s is read as %s", line, again)
	}
}

func written(t *testing.T, in *core.Input) string {
	t.Helper()
	var out bytes.Buffer
	e := journal.NewEncoder(&out, journal.Relative)
	if err := e.Entry(&journal.Entry{Input: *in, Count: 1}); err != nil {
		t.Fatal(err)
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
