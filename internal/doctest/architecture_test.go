package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const architecture = "docs/inside/architecture.md"

// With -update, a new package gets a row from its documentation, and the row of a package that is gone goes.
func TestArchitecture_HasARowForEveryPackage(t *testing.T) {
	text := page(t, architecture)
	for _, row := range PackageRows(text) {
		for _, folder := range row.Folders {
			if exists(folder) {
				continue
			}
			if text = RemovePackageRow(text, folder); !*update {
				t.Errorf("%s: there is no folder %s", architecture, folder)
			}
		}
	}
	for _, p := range packages(t) {
		folder, doc := p[0], p[1]
		if slices.ContainsFunc(PackageRows(text), func(r PackageRow) bool { return r.Describes(folder) }) {
			continue
		}
		if text = AddPackageRow(text, folder, doc); !*update {
			t.Errorf("%s: package %s has no row; go test ./internal/doctest -run Architecture -update adds it", architecture, folder)
		}
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, architecture), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// packages returns the folders of the packages of the root module, each with the first sentence of its documentation.
func packages(t *testing.T) (list [][2]string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-e", "-f", "{{.ImportPath}}\t{{.Doc}}", root+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		path, doc, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if _, folder, below := strings.Cut(path, "/quern/"); below {
			list = append(list, [2]string{folder, doc})
		}
	}
	return list
}

func TestPackageRows_FollowThePackages(t *testing.T) {
	const before = "# A page\n\n## Packages\n\n| package | what it holds |\n|---|---|\n| `core` | the types |\n| `host/api/rest`, `host/api/web` | HTTP |\n| `host/store` | files |\n\n| `plugins/…` | policies |\n\n## Others\n\n| `elsewhere` | more |\n"
	for _, c := range []struct{ name, got, want string }{
		{"a new one", AddPackageRow(before, "host/api/si", "Package si serves resource managers."), "HTTP |\n| `host/api/si` | serves resource managers |\n| `host/store`"},
		{"a new one beside none", AddPackageRow(before, "host/x", "Package x is new."), "| `host/store` | files |\n| `host/x` | is new |\n\n"},
		{"one that is gone", RemovePackageRow(before, "host/store"), "HTTP |\n\n| `plugins"},
		{"the first of a row", RemovePackageRow(before, "host/api/rest"), "| `host/api/web` | HTTP |"},
		{"the last of a row", RemovePackageRow(before, "host/api/web"), "| `host/api/rest` | HTTP |"},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s: found\n%s", c.name, c.got)
		}
	}
	rows := PackageRows(before)
	if n := len(rows); n != 4 || !rows[3].Describes("plugins/fair/go") || rows[0].Describes("core/policy") {
		t.Errorf("found %d rows: %+v", n, rows)
	}
}
