// Package licences holds the licences of the software that the programs contain, and prints those of the running one.
//
// modules.txt and texts are written by `make licences` and compared by `make check`. modules.txt has a line for each module: its
// path, the SPDX names of its licences joined by commas, and the files of its texts. The packages of the page begin with "npm:".
package licences

import (
	"bufio"
	"cmp"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
)

//go:embed modules.txt texts
var recorded embed.FS

// module is a line of modules.txt, with the version that the program contains.
type module struct {
	name, kinds, version string
	texts                []string
}

// Write prints the licences of the modules of a build, of Go, and of the packages of the page: a table, then each text below the names
// of the modules that it is for. A module without a recorded licence, as a test may contain, is listed with "not recorded".
func Write(w io.Writer, build *debug.BuildInfo) error {
	known, err := read(recorded)
	if err != nil {
		return err
	}
	contained := contained(known, build)
	b := bufio.NewWriter(w)
	for _, m := range contained {
		fmt.Fprintf(b, "%-60s %-36s %s\n", m.name, m.version, m.kinds)
	}
	for _, text := range texts(contained) {
		names := []string{}
		for _, m := range contained {
			if slices.Contains(m.texts, text) {
				names = append(names, m.name)
			}
		}
		content, err := fs.ReadFile(recorded, "texts/"+text)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n%s\n%s\n\n%s", strings.Repeat("=", 80), strings.Join(names, "\n"), content)
	}
	return b.Flush()
}

// read reads modules.txt.
func read(folder fs.FS) (list []module, err error) {
	text, err := fs.ReadFile(folder, "modules.txt")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			return nil, fmt.Errorf("modules.txt: expected a module, its licences and their texts, found %q", line)
		}
		list = append(list, module{name: fields[0], kinds: fields[1], texts: fields[2:]})
	}
	return list, nil
}

// contained are the modules of a build, Go and the packages of the page, by name.
func contained(known []module, build *debug.BuildInfo) (list []module) {
	versions := map[string]string{"std": build.GoVersion}
	for _, d := range build.Deps {
		if !strings.HasPrefix(d.Path+"/", build.Main.Path+"/") {
			versions[d.Path] = d.Version
		}
	}
	for _, m := range known {
		version, in := versions[m.name]
		if in || strings.HasPrefix(m.name, "npm:") {
			m.version = version
			list = append(list, m)
		}
		delete(versions, m.name)
	}
	for name, version := range versions {
		list = append(list, module{name: name, version: version, kinds: "not recorded"})
	}
	slices.SortFunc(list, func(a, b module) int { return cmp.Compare(a.name, b.name) })
	return list
}

// texts are the files of the modules' licences, each once, in the order of the modules.
func texts(list []module) (names []string) {
	for _, m := range list {
		for _, name := range m.texts {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
