package config

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/internal/linediff"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the result of each file in testdata with its golden file: all errors, or warnings and normal form.
func TestGolden(t *testing.T) {
	for _, pattern := range []string{"testdata/*.yaml", "testdata/*.toml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no files", err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) { checkGolden(t, file) })
		}
	}
}

func checkGolden(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	format := Format(strings.TrimPrefix(filepath.Ext(file), "."))
	var out bytes.Buffer
	c, err := Decode(text, Options{File: filepath.Base(file), Format: format})
	if err != nil {
		fmt.Fprintln(&out, err)
	} else {
		for _, w := range c.Warnings {
			fmt.Fprintln(&out, "warning:", w)
		}
		out.Write(c.Print())
	}
	golden := file + ".golden"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("- expected, + found:\n%s", linediff.Diff(string(want), out.String()))
	}
}
