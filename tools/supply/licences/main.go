// Command licences keeps the licences of everything that the programs contain: the Go modules of quern and quern-kube, Go itself, and
// the packages of the page that quern embeds.
//
// It writes FOLDER/modules.txt, a line for each module with the kinds of its licences and their texts, and FOLDER/texts, each text once.
// A licence that it does not recognize, or that is not on the list of allowed ones, is an error. With -check it writes nothing, and
// fails where the folder is stale.
//
// Usage: licences [-check] -root . -page wasm/browser/playground -out internal/licences
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	root := flag.String("root", ".", "the `FOLDER` of the project")
	page := flag.String("page", "wasm/browser/playground", "the `FOLDER` of the page, below the root")
	out := flag.String("out", "internal/licences", "the `FOLDER` to write, below the root")
	check := flag.Bool("check", false, "write nothing, and fail where the folder is stale")
	flag.Parse()
	if err := run(*root, filepath.Join(*root, *page), filepath.Join(*root, *out), *check); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(root, page, out string, check bool) error {
	found, err := goModules(root)
	if err != nil {
		return err
	}
	packages, err := pagePackages(page)
	switch {
	case errors.Is(err, os.ErrNotExist) && check:
		fmt.Println("licences of the page's packages not compared, because they are not installed")
		if packages, err = recorded(out, pagePrefix); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	files, err := render(append(found, packages...))
	if err != nil {
		return err
	}
	if check {
		return compare(out, files)
	}
	return write(out, files)
}

// compare fails where a folder does not hold exactly these files.
func compare(folder string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if old, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(old, files[name]) {
			return fmt.Errorf("%s is stale: make licences", filepath.Join(folder, name))
		}
	}
	texts, err := filepath.Glob(filepath.Join(folder, textsFolder, "*"))
	if err != nil {
		return err
	}
	if len(texts) != len(files)-1 {
		return fmt.Errorf("%s has texts of no module: make licences", filepath.Join(folder, textsFolder))
	}
	return nil
}

// write replaces what a folder holds by these files.
func write(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(filepath.Join(folder, textsFolder)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, textsFolder), 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
