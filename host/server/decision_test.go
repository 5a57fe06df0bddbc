package server

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// TestDecision_LineHasTheWholeValue replays the journals of the repository. Readers get values from memory or from the disk, so a value must
// not have more than its line.
func TestDecision_LineHasTheWholeValue(t *testing.T) {
	kinds := map[core.DecisionType]int{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "build" || d.Name() == ".git"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".jsonl"):
			compareLines(t, path, kinds)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(kinds) < 15 {
		t.Errorf("only %d types of decisions were compared", len(kinds))
	}
}

// compareLines replays a journal, and decodes the lines of its decisions.
func compareLines(t *testing.T, path string, kinds map[core.DecisionType]int) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	written := newDecided()
	o := journal.Options{Grace: 10 * time.Second, HasUntil: true, Until: 24 * time.Hour, Decisions: func(list []core.Decision) {
		for i := range list {
			d := &list[i]
			line, err := written.decision(d)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			kinds[d.Type]++
			decoded, err := decodeDecision(line)
			if own := inRecord(d); err != nil || !reflect.DeepEqual(*decoded, own) {
				t.Errorf("%s: %s: %v\nexpected %+v\nfound    %+v", path, line, err, own, decoded)
			}
			written.reset()
		}
	}}
	if bytes.Contains(text, []byte(`"grace"`)) {
		o.Grace = 0
	}
	_, _ = journal.Replay(scheduler.New(core.Options{}), journal.NewDecoder(bytes.NewReader(text), path, os.ReadFile), o) // a bad line ends a journal
}

// equalLines reports whether decisions have the same lines.
func equalLines(a, b []Decision) bool {
	return slices.EqualFunc(a, b, func(x, y Decision) bool { return bytes.Equal(x.Line, y.Line) })
}
