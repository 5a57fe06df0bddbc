package wazero_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/policy/wazero"
)

// corpusFolder names the folder that TestHostileCorpus writes to.
const corpusFolder = "QUERN_HOSTILE"

// corpusCase is a hostile module of the corpus, with what becomes of it here.
type corpusCase struct {
	File   string `json:"file"`
	Name   string `json:"name"`
	Stop   string `json:"stop"`   // a stage, or "works"
	Reason string `json:"reason"` // in full
	Words  string `json:"words"`  // what any engine's reason has in it
	Pure   bool   `json:"pure"`   // its answers are a function of what it is asked
}

// TestHostileCorpus writes the hostile modules to a folder, with what becomes of them, so that other engines can be held
// to it.
func TestHostileCorpus(t *testing.T) {
	dir := os.Getenv(corpusFolder)
	if dir == "" {
		t.Skipf("skipped, because %s names no folder", corpusFolder)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	list := []corpusCase{{File: "good.wasm", Name: "good", Stop: string(nowhere), Pure: true}}
	files := [][]byte{goodFile().bytes()}
	for _, cases := range [][]hostile{loops, memoryCases, frameCases, manifestCases, hostCases, gateCases(), rawCases()} {
		for _, c := range cases {
			c.build(t)
			r, err := wazero.New(t.Context(), wazero.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := c.live(t, r)
			if err := r.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			list = append(list, corpusCase{fmt.Sprintf("%03d.wasm", len(list)), c.name, string(got.stop), got.reason, c.reason, c.answers != nil || got.stop != nowhere})
			files = append(files, c.file)
		}
	}
	for i, c := range list {
		if err := os.WriteFile(filepath.Join(dir, c.File), files[i], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index.json"), index, 0o600); err != nil {
		t.Fatal(err)
	}
}

// build makes the file of a module that is written in C.
func (c *hostile) build(t *testing.T) {
	t.Helper()
	if c.file != nil {
		return
	}
	source := c.source
	if !strings.Contains(source, "quern_manifest") && !strings.Contains(source, "MANIFEST(") {
		source = scoreByFree + source
	}
	c.file = compile(t, source, c.flags...)
}
