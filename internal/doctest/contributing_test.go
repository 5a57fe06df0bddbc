package doctest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pathInText is a file or folder of the repository in a text, also one that go test names.
var pathInText = regexp.MustCompile(`(?:\./)?\b(?:core|host|internal|docs|features|cmd|sdk|wasm|tools|plugins)/[\w./*-]+`)

// The answers for newcomers name files and folders that exist.
func TestContributing_PathsExist(t *testing.T) {
	count := 0
	text := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(page(t, "CONTRIBUTING.md"), "")
	for _, span := range regexp.MustCompile("`[^`]+`").FindAllString(text, -1) {
		if strings.Contains(span, "GROUP") {
			continue // a pattern for the reader
		}
		for _, found := range pathInText.FindAllString(span, -1) {
			count++
			name := strings.TrimSuffix(strings.TrimPrefix(found, "./"), "/...")
			if files, err := filepath.Glob(filepath.Join(root, name)); (err != nil || len(files) == 0) && name != "build/quern" {
				t.Errorf("CONTRIBUTING.md: there is no %s", name)
			}
		}
	}
	if count < 30 {
		t.Errorf("only %d paths found", count)
	}
}

// They name functions and tests that exist, too.
func TestContributing_NamesExist(t *testing.T) {
	text := page(t, "CONTRIBUTING.md")
	for _, c := range []struct{ name, folder, code string }{
		{"AskOf", "host/kube/translate", ") AskOf("},
		{"Input", "host/kube/translate", ") Input("},
		{"Bars", "core/internal/limit", ") Bars("},
		{"Kinds", "sdk/abi", "var Kinds "},
		{"Points", "core/policy", "func Points("},
		{"Routes", "host/api/rest", ") Routes("},
		{"TestTheScenariosOnARealControlPlane", "host/kube/cmd/quern-kube", "func TestTheScenariosOnARealControlPlane("},
		{"TestTheModule", "wasm/browser/featuresmodule", "func TestTheModule("},
		{"TestDecisionsAreTheRecordedOnes", "internal/decisions", "func TestDecisionsAreTheRecordedOnes("},
	} {
		if !strings.Contains(text, "`"+c.name+"`") {
			t.Errorf("CONTRIBUTING.md does not name %s any more", c.name)
		}
		files, err := filepath.Glob(filepath.Join(root, c.folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			found = found || strings.Contains(read(t, file), c.code)
		}
		if !found {
			t.Errorf("CONTRIBUTING.md names %s, which %s does not have", c.name, c.folder)
		}
	}
}
