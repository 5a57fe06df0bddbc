package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// logged are the texts of the log that a page quotes: in lines of a log, and to be searched for.
var logged = regexp.MustCompile("msg=(\"[^\"]+\")|Search the log of `\\w+` for (\"[^\"]+\")")

func TestTheLogSaysWhatPagesQuote(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "run-live", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	quoted := logged.FindAllStringSubmatch(string(text), -1)
	if len(quoted) < 4 {
		t.Errorf("the page quotes %d texts of the log, expected 4 or more", len(quoted))
	}
	source := codeIn(t, filepath.Join(root, "cmd"), filepath.Join(root, "host"))
	for _, q := range quoted {
		if literal := q[1] + q[2]; !strings.Contains(source, literal) {
			t.Errorf("the page quotes %s, which nothing logs", literal)
		}
	}
}

// codeIn is the code of folders, tests left out.
func codeIn(t *testing.T, folders ...string) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
