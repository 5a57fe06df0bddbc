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

func TestEveryImportObeysTheRules(t *testing.T) {
	for _, p := range readPackages(t) {
		for _, f := range p.Imports() {
			t.Error(f)
		}
	}
}

func TestTheCoreHasNoClockNoThreadsAndNoGlobalState(t *testing.T) {
	for _, p := range readPackages(t) {
		for _, f := range p.Impurities() {
			t.Error(f)
		}
	}
}

func TestTheListsOfTheStandardLibraryHaveNoUnusedEntry(t *testing.T) {
	used := map[string]map[string]bool{} // by folder of the rule
	for _, p := range readPackages(t) {
		rule := ruleOf(p.Folder)
		if rule == nil || !rule.pure() {
			continue
		}
		if used[rule.Folder] == nil {
			used[rule.Folder] = map[string]bool{}
		}
		for i, f := range p.Parsed {
			for _, spec := range f.Imports {
				if !p.Test[i] {
					used[rule.Folder][strings.Trim(spec.Path.Value, `"`)] = true
				}
			}
		}
	}
	for _, r := range Rules {
		for _, imported := range r.Std {
			if !used[r.Folder][imported] {
				t.Errorf("%s: %s is on the list of the standard library and is not imported", r.Folder, imported)
			}
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
	rationale, err := os.ReadFile(path.Join(root, "RATIONALE.md"))
	if err != nil {
		t.Fatal(err)
	}
	require := regexp.MustCompile(`(?m)^(?:require )?\s*([a-z0-9.-]+\.[a-z]+/\S+) v\S+$`)
	for _, folder := range append([]string{"."}, partOfQuern...) {
		name := path.Join(folder, "go.mod")
		mod, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range require.FindAllStringSubmatch(string(mod), -1) {
			if m[1] == Module {
				continue
			}
			if _, folders := libraryOf(m[1]); folders == nil {
				t.Errorf("%s: %s is not in the table of libraries", name, m[1])
			}
			if !strings.Contains(string(rationale), "`"+m[1]+"`") {
				t.Errorf("%s: %s has no line in RATIONALE.md", name, m[1])
			}
		}
	}
}

// Those who build or use quern without Kubernetes download nothing of it.
func TestTheRootModuleRequiresNothingOfKubernetes(t *testing.T) {
	mod, err := os.ReadFile(path.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?m)^.*k8s\.io/.*$`).Find(mod); found != nil {
		t.Errorf("go.mod: %s: expected this in host/kube/go.mod alone", found)
	}
}

func TestPagePackages_HaveARationaleAndOneVersion(t *testing.T) {
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
		{"the core may import the listed packages of the standard library", Import{"core/internal/queue", false, "slices"}, ""},
		{"a pure package of the standard library needs an entry too", Import{"core/internal/queue", false, "fmt"}, "core/internal/queue is pure, and fmt is not on its list of the standard library"},
		{"the core does not reach the system", Import{"core/internal/queue", false, "os/exec"}, "core/internal/queue is pure, and os/exec is not on its list of the standard library"},
		{"a test of the core may read its golden files", Import{"core/internal/queue", true, "os"}, ""},
		{"resource imports no other package", Import{"core/resource", false, Module + "/core"}, "core/resource may not import core"},
		{"core does not know the host", Import{"core", false, Module + "/host/store"}, "core may not import host/store"},
		{"nor do its tests", Import{"core", true, Module + "/host/store"}, "core may not import host/store"},
		{"the oracle is for tests only", Import{"host", false, Module + "/core/oracle"}, "core/oracle is for tests only"},
		{"tests may import the oracle", Import{"core", true, Module + "/core/oracle"}, ""},
		{"a plugin sees the sdk alone", Import{"plugins/spread", false, Module + "/core/policy"}, "plugins may not import core/policy"},
		{"a plugin sees the sdk", Import{"plugins/spread", false, Module + "/sdk/abi"}, ""},
		{"host packages keep apart", Import{"host/api", false, Module + "/host/store"}, "host/api may not import host/store"},
		{"a library needs a row", Import{"host", false, "example.com/left/pad"}, "example.com/left/pad belongs to no module in the table of libraries"},
		{"a library stays in its folders", Import{"core/internal/app", false, "go.yaml.in/yaml/v3"}, "core/internal/app may not import go.yaml.in/yaml/v3"},
		{"properties may be tested anywhere", Import{"core/internal/app", true, "pgregory.net/rapid"}, ""},
		{"a new folder needs a rule", Import{"common", false, "fmt"}, "folder common has no rule"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.imp.Violation(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestImpureCodeIsFound(t *testing.T) {
	cases := []struct{ name, code, want string }{
		{"the clock", `func f() { _ = time.Now() }`, "a.go:2: time.Now in the core: time is an input"},
		{"a duration is no clock", `const d = 3 * time.Second`, ""},
		{"goroutines", `func f() { go f() }`, "a.go:2: a goroutine in the core"},
		{"channels", `type t struct{ c chan int }`, "a.go:2: a channel in the core"},
		{"state", `var counter int`, "a.go:2: package-level variable counter has no initial value: it would be state"},
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
