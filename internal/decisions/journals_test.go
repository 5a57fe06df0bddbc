package decisions

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// configurations are those of the journals that come without one, by path.
var configurations = map[string]string{
	"docs/examples/journal.jsonl": "docs/examples/queues.yaml",
	"docs/examples/waiting.jsonl": "docs/examples/queues.yaml",
	"docs/examples/preempt.jsonl": "docs/examples/preempt.yaml",
	"docs/examples/tenants.jsonl": "docs/examples/tenants.yaml",
}

// skipped are folders without journals of the repository.
var skipped = map[string]bool{".git": true, "build": true, "node_modules": true, "dist": true}

// journals runs every journal of the repository.
func journals(t *testing.T) []run {
	t.Helper()
	var runs []run
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipped[d.Name()]:
			return fs.SkipDir
		case !strings.HasSuffix(path, ".jsonl"):
			return nil
		}
		name, err := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		runs = append(runs, run{name, func(t *testing.T, made *decisions) { replayFile(t, path, configurations[name], made) }})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// grace is the time that victims take to leave where a journal does not say.
const grace = 10 * time.Second

func replayFile(t *testing.T, path, config string, made *decisions) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var o journal.Options
	if !bytes.Contains(text, []byte(`"grace"`)) {
		o.Grace = grace
	}
	if config != "" {
		o.Config = configSet(t, config)
	}
	err = replay(t, journal.NewDecoder(bytes.NewReader(text), path, os.ReadFile), o, made)
	var refused *journal.Error
	if err != nil && !errors.As(err, &refused) || made.total == 0 {
		t.Fatalf("%d decisions, then: %v", made.total, err) // a bad line ends a journal; what was decided before counts
	}
}

func configSet(t *testing.T, path string) *core.SetConfig {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return &core.SetConfig{Config: string(text), Format: "yaml"}
}

// replay runs a source on a new scheduler until nothing is to happen any more.
func replay(t *testing.T, source journal.Source, o journal.Options, made *decisions) error {
	t.Helper()
	o.Idle = true
	o.Decisions = func(list []core.Decision) { made.add(t, list) }
	_, err := journal.Replay(scheduler.New(core.Options{}), source, o)
	return err
}
