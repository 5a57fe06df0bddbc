package tool

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// filesBelow are those below a folder, by their paths from there.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func newProject(t *testing.T, language string) map[string]string {
	t.Helper()
	dir, err := NewProject(ProjectOptions{Name: "most.left-1", Language: language, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return filesBelow(t, dir)
}

func TestAProjectHasWhatItNeeds(t *testing.T) {
	for language, want := range map[string][]string{
		"c":              {"policy.c", "sdk/quern.h"},
		"rust":           {"policy.rs", "Cargo.toml", "sdk/Cargo.toml", "sdk/src/lib.rs"},
		"assemblyscript": {"policy.ts", "sdk/quern/index.ts", "package.json", "package-lock.json", ".npmrc"},
		"go":             {"main.go", "policy.go", "go.mod", "quern/go.mod", "quern/sdk/go/exports.go", "quern/sdk/abi/manifest.schema.json"},
		"process":        {"main.go", "policy.go", "go.mod", "go.sum", "most.left-1.toml", "quern/sdk/goplugin/wire/wire.go"},
	} {
		found := newProject(t, language)
		for _, name := range append(want, "Makefile", "README.md", ".gitignore", "most.left-1.feature") {
			if found[name] == "" {
				t.Errorf("%s: expected %s, found %d files without it", language, name, len(found))
			}
		}
	}
}

// The folder of temporary files may be another device, from which no project can be renamed.
func TestProject_IsMadeWhereItStays(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	t.Chdir(t.TempDir())
	dir, err := NewProject(ProjectOptions{Name: "mine", Language: "c"})
	if err != nil || dir != "mine" || filesBelow(t, dir)["policy.c"] == "" {
		t.Errorf("found %q, %v", dir, err)
	}
}

// leftover matches an address that a lock file may hold and ours must not, or a leftover that was not filled in.
var leftover = regexp.MustCompile(`@(name|built|file|lang)@|"resolved"|://registry\.`)

func TestAProjectIsFilledInAndNamesNoRegistry(t *testing.T) {
	for _, language := range Languages() {
		for name, text := range newProject(t, language) {
			if m := leftover.FindString(text); m != "" {
				t.Errorf("%s: %s: found %s", language, name, m)
			}
			if strings.Contains(name, "@") || strings.HasSuffix(name, ".tmpl") || strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s: found the file %s", language, name)
			}
		}
	}
}

func TestWhatIsThereStaysAsItIs(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []ProjectOptions{
		{"folder", "c", dir, ""}, {"file", "c", dir, ""}, {"a", "c", filepath.Join(dir, "none"), ""}, {"a", "c", filepath.Join(dir, "file"), ""},
		{"a", "cobol", dir, ""}, {"a", "", dir, ""}, {"", "c", dir, ""}, {"A", "c", dir, ""}, {"../a", "c", dir, ""}, {"fair", "c", dir, ""}, {"a/b", "c", dir, ""},
	} {
		_, err := NewProject(o)
		var option *OptionError
		if !errors.As(err, &option) {
			t.Errorf("%+v: expected an OptionError, found %v", o, err)
		}
	}
	if found := filesBelow(t, dir); len(found) != 1 || found["file"] != "mine" {
		t.Errorf("found %v", found)
	}
}

func TestMakefile_QuotesProgramNames(t *testing.T) {
	for program, want := range map[string]string{
		"/usr/local/bin/quern": "$(firstword $(wildcard /usr/local/bin/quern) quern)",
		"":                     "quern", "/my tools/quern": "quern", "/a$b/quern": "quern", "/a#b": "quern", "/a'b": "quern", "/a*": "quern", "/é/quern": "quern",
	} {
		if found := inMakefile(program); found != want {
			t.Errorf("%q: expected %s, found %s", program, want, found)
		}
	}
}

var required = regexp.MustCompile(`(?m)^\t(?:require )?([a-z0-9./-]+\.[a-z]+/[^ ]+) (v[^ \n]+)`)

func TestProcessesWantTheModulesThatQuernWants(t *testing.T) {
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string]string{}
	for _, m := range required.FindAllStringSubmatch(string(text), -1) {
		ours[m[1]] = m[2]
	}
	found := newProject(t, "process")
	for _, name := range []string{"go.mod", "quern/go.mod"} {
		theirs := required.FindAllStringSubmatch(found[name], -1)
		if len(theirs) < 4 {
			t.Errorf("%s: expected 4 modules at least, found %v", name, theirs)
		}
		for _, m := range theirs {
			if ours[m[1]] != m[2] {
				t.Errorf("%s: %s: expected %s, as in go.mod, found %s: see templates/process", name, m[1], ours[m[1]], m[2])
			}
		}
	}
}
