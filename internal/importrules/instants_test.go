package importrules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

func TestSums_StayWithinTheClock(t *testing.T) {
	all := readPackages(t)
	from := NewSources(all)
	for _, p := range all {
		for _, f := range p.Sums(from) {
			t.Error(f)
		}
	}
}

// sourceOf is a package of one file.
func sourceOf(t *testing.T, folder, text string) *Package {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, folder+"/a.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &Package{Folder: folder, Files: files, Parsed: []*ast.File{f}, Test: []bool{false}}
}

func TestSums_Found(t *testing.T) {
	times := sourceOf(t, "core/times", "package times\nimport \"time\"\ntype T struct { At time.Duration }\nfunc (T) Now() time.Duration { return 0 }")
	for _, c := range []struct {
		folder, code string
		found        bool
	}{
		{"core/x", "_ = t.At + d", true},
		{"core/x", "_ = t.Now() + d", true},
		{"core/x", "_ = t.At + 1", true},
		{"core/x", "_ = t.At - d", true},
		{"core/x", "t.At += d", true},
		{"core/x", "t.At -= d", true},
		{"core/x", "_ = time.Duration(1) + time.Duration(int64(d))", true},
		{"core/x", "_ = 2*time.Hour + time.Minute", false},
		{"core/x", "_ = int64(t.At) < int64(d)", false},
		{"host/x", "_ = t.At + d", true},
		{"host/x", "_ = t.At - d", false},
		{"internal/x", "_ = t.At + d", false},
		{instantFolder, "_ = t.At + d", false},
	} {
		t.Run(c.folder+" "+c.code, func(t *testing.T) {
			p := sourceOf(t, c.folder, fmt.Sprintf("package x\nimport (\"time\"\n\"%s/core/times\")\nfunc f(t times.T, d time.Duration) { %s }", Module, c.code))
			found := p.Sums(NewSources([]*Package{times, p}))
			if (len(found) > 0) != c.found {
				t.Errorf("found %v", found)
			}
		})
	}
}
