package doctest

import (
	"regexp"
	"slices"
	"strings"
)

// A PackageRow is a line of the tables in the page about the architecture: folders, and what their packages hold.
type PackageRow struct {
	Line    int
	Folders []string
	Trees   []string // folders that the row describes with all below them
}

// quotedFolder is a folder between backquotes; after it, "/…" includes all below.
var quotedFolder = regexp.MustCompile("`([a-z][a-z0-9/]*)(/…)?`")

// PackageRows returns the rows about folders below the heading Packages.
func PackageRows(page string) (rows []PackageRow) {
	inside := false
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "## ") {
			inside = line == "## Packages"
		}
		if !inside {
			continue
		}
		cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !ok || !strings.HasPrefix(line, "| `") {
			continue
		}
		row := PackageRow{Line: i}
		for _, m := range quotedFolder.FindAllStringSubmatch(cell, -1) {
			if row.Folders = append(row.Folders, m[1]); m[2] != "" {
				row.Trees = append(row.Trees, m[1])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Describes reports whether the row is about a folder.
func (r PackageRow) Describes(folder string) bool {
	return slices.Contains(r.Folders, folder) || slices.ContainsFunc(r.Trees, func(tree string) bool { return strings.HasPrefix(folder+"/", tree+"/") })
}

// AddPackageRow returns the page with a row for a package, below the last row whose folder has most in common with its own. The row
// says what the documentation of the package says in its first sentence.
func AddPackageRow(page, folder, doc string) string {
	at, most := -1, -1
	for _, row := range PackageRows(page) {
		for _, other := range row.Folders {
			if n := sharedParents(folder, other); n >= most {
				at, most = row.Line, n
			}
		}
	}
	lines := strings.Split(page, "\n")
	return strings.Join(slices.Insert(lines, at+1, "| `"+folder+"` | "+firstWords(doc)+" |"), "\n")
}

// RemovePackageRow returns the page without the row of a folder, or with the row of the others that it is about.
func RemovePackageRow(page, folder string) string {
	lines := strings.Split(page, "\n")
	for _, row := range PackageRows(page) {
		switch i := slices.Index(row.Folders, folder); {
		case i < 0:
		case len(row.Folders) == 1:
			return strings.Join(slices.Delete(lines, row.Line, row.Line+1), "\n")
		case i == 0:
			lines[row.Line] = strings.Replace(lines[row.Line], "`"+folder+"`, ", "", 1)
		default:
			lines[row.Line] = strings.Replace(lines[row.Line], ", `"+folder+"`", "", 1)
		}
	}
	return strings.Join(lines, "\n")
}

// sharedParents is the number of folders on the way to both of two folders.
func sharedParents(a, b string) (n int) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// firstWords is the first sentence of a package's documentation without its subject and its full stop.
func firstWords(doc string) string {
	words := strings.Fields(strings.TrimSuffix(doc, "."))
	if len(words) > 2 && (words[0] == "Package" || words[0] == "Command") {
		words = words[2:]
	}
	return strings.Join(words, " ")
}
