package importrules

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

func readTree(t *testing.T) *Tree {
	t.Helper()
	tree, err := ReadTree(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func readPackages(t *testing.T) []*Package {
	t.Helper()
	all, err := readTree(t).Packages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryImportKeepsToTheTableOfRooms(t *testing.T) {
	for _, p := range readPackages(t) {
		for _, f := range p.Imports() {
			t.Error(f)
		}
	}
}

func TestTheCoreHasNoClockNoThreadsAndNoStateOutsideItsValues(t *testing.T) {
	for _, p := range readPackages(t) {
		for _, f := range p.Impurities() {
			t.Error(f)
		}
	}
}

// The words are put together here, so that this file does not hold them itself.
func TestNoFileNamesARegistryHostOrLeavesWorkOpen(t *testing.T) {
	hosts := []string{
		"proxy." + "golang.org", "sum." + "golang.org", "registry." + "npmjs.org", "deb." + "debian.org",
		"security." + "debian.org", "registry." + "yarnpkg.com", "static." + "crates.io", "index." + "crates.io",
	}
	open := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)
	tree := readTree(t)
	for _, name := range tree.Paths {
		text, ok, err := tree.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || strings.HasSuffix(name, ".min.js") {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			if w := open.FindString(line); w != "" {
				t.Errorf("%s:%d: %s", name, i+1, w)
			}
			for _, h := range hosts {
				if strings.Contains(line, h) {
					t.Errorf("%s:%d: names the registry host %s", name, i+1, h)
				}
			}
		}
	}
}

func TestEveryDirectDependencyHasItsLineInRationale(t *testing.T) {
	mod, err := os.ReadFile(path.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	rationale, err := os.ReadFile(path.Join(root, "RATIONALE.md"))
	if err != nil {
		t.Fatal(err)
	}
	require := regexp.MustCompile(`(?m)^(?:require )?\s*([a-z0-9.-]+\.[a-z]+/\S+) v\S+$`)
	for _, m := range require.FindAllStringSubmatch(string(mod), -1) {
		if _, rooms := libraryOf(m[1]); rooms == nil {
			t.Errorf("go.mod: %s is not in the table of libraries", m[1])
		}
		if !strings.Contains(string(rationale), "`"+m[1]+"`") {
			t.Errorf("go.mod: %s has no line in RATIONALE.md", m[1])
		}
	}
}

func TestEveryPackageOfThePageHasItsLineInRationaleAndOneVersion(t *testing.T) {
	text, err := os.ReadFile(path.Join(root, "wasm/browser/playground/package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var page struct{ Dependencies, DevDependencies map[string]string }
	if err := json.Unmarshal(text, &page); err != nil {
		t.Fatal(err)
	}
	rationale, err := os.ReadFile(path.Join(root, "RATIONALE.md"))
	if err != nil {
		t.Fatal(err)
	}
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	for _, packages := range []map[string]string{page.Dependencies, page.DevDependencies} {
		for name, version := range packages {
			if !strings.Contains(string(rationale), "`"+name+"`") {
				t.Errorf("package.json: %s has no line in RATIONALE.md", name)
			}
			if !exact.MatchString(version) {
				t.Errorf("package.json: %s: expected one version, found %s", name, version)
			}
		}
	}
}

func TestImportsThatTheTableForbidsAreFound(t *testing.T) {
	cases := []struct {
		name string
		imp  Import
		want string
	}{
		{"the core may use pure packages of the standard library", Import{"core/internal/queue", false, "slices"}, ""},
		{"the core does not reach the system", Import{"core/internal/queue", false, "os/exec"}, "room core/internal/queue is pure and may not import os/exec"},
		{"a test of the core may read its golden files", Import{"core/internal/queue", true, "os"}, ""},
		{"resource knows no other room", Import{"core/resource", false, Module + "/core"}, "room core/resource may not import core"},
		{"core does not know the host", Import{"core", false, Module + "/host/store"}, "room core may not import host/store"},
		{"nor do its tests", Import{"core", true, Module + "/host/store"}, "room core may not import host/store"},
		{"only tests ask the judge", Import{"host", false, Module + "/core/oracle"}, "core/oracle is the judge: only tests import it"},
		{"tests ask the judge", Import{"core", true, Module + "/core/oracle"}, ""},
		{"a plugin sees the sdk alone", Import{"plugins/spread", false, Module + "/core/policy"}, "room plugins may not import core/policy"},
		{"a plugin sees the sdk", Import{"plugins/spread", false, Module + "/sdk/abi"}, ""},
		{"host rooms keep apart", Import{"host/api", false, Module + "/host/store"}, "room host/api may not import host/store"},
		{"a library needs a row", Import{"host", false, "example.com/left/pad"}, "example.com/left/pad belongs to no library in the table"},
		{"a library stays in its rooms", Import{"core/internal/app", false, "go.yaml.in/yaml/v3"}, "room core/internal/app may not import go.yaml.in/yaml/v3"},
		{"properties may be tested anywhere", Import{"core/internal/app", true, "pgregory.net/rapid"}, ""},
		{"a new folder needs a row", Import{"common", false, "fmt"}, "folder common has no row in the table of rooms"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.imp.Broken(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatIsNotPureIsFound(t *testing.T) {
	cases := []struct{ name, code, want string }{
		{"the clock", `func f() { _ = time.Now() }`, "a.go:2: time.Now in the core: time is an input"},
		{"a duration is no clock", `const d = 3 * time.Second`, ""},
		{"goroutines", `func f() { go f() }`, "a.go:2: a goroutine in the core"},
		{"channels", `type t struct{ c chan int }`, "a.go:2: a channel in the core"},
		{"state", `var counter int`, "a.go:2: package-level variable counter has no value of its own: it would be state"},
		{"a table that changes", "var table = map[string]int{}\nfunc f() { table[\"a\"] = 1 }", "a.go:3: package-level variable table is changed"},
		{"a table that shrinks", "var table = map[string]int{}\nfunc f() { delete(table, \"a\") }", "a.go:3: package-level variable table is changed"},
		{"a table that is read", "var table = map[string]int{}\nfunc f() int { return table[\"a\"] }", ""},
		{"a local of the same name", "var n = 1\nfunc f() { n := 2; n++; _ = n }", ""},
		{"an exported table", `var Table = []int{1}`, "a.go:2: package-level variable Table is exported: others could change it"},
		{"an exported error", `var ErrFull = errors.New("full")`, ""},
		{"a proof of an interface", `var _ interface{ M() } = T{}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, "a.go", "package a\n"+c.code, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, found := range Purity(files, []*ast.File{f}) {
				got = append(got, found.String())
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}
