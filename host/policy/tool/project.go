package tool

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/quern-project/quern/sdk"
)

//go:embed templates
var templates embed.FS

// A language is one that a policy may be written in.
type language struct {
	name      string
	templates []string
	sdk       []copied
	built     string // the file that make makes
	file      string // that `quern policy` takes
}

// copied is a folder of the SDKs and where it goes.
type copied struct{ from, to string }

var languages = []language{
	{"c", []string{"common", "c"}, []copied{{"c", "sdk"}}, "@name@.wasm", "@name@.wasm"},
	{"rust", []string{"common", "rust"}, []copied{{"rust", "sdk"}}, "@name@.wasm", "@name@.wasm"},
	{"assemblyscript", []string{"common", "assemblyscript"}, []copied{{"assemblyscript", "sdk/quern"}}, "@name@.wasm", "@name@.wasm"},
	{"go", []string{"common", "gopolicy", "go"}, []copied{{"internal", "quern/sdk/internal"}, {"abi", "quern/sdk/abi"}, {"policy", "quern/sdk/policy"}, {"go", "quern/sdk/go"}}, "@name@.wasm", "@name@.wasm"},
	{"process", []string{"common", "gopolicy", "process"}, []copied{{"internal", "quern/sdk/internal"}, {"abi", "quern/sdk/abi"}, {"policy", "quern/sdk/policy"}, {"goplugin", "quern/sdk/goplugin"}}, "@name@", "@name@.toml"},
}

// Languages lists what ProjectOptions.Language may be.
func Languages() []string {
	var names []string
	for _, l := range languages {
		names = append(names, l.name)
	}
	return names
}

// ProjectOptions describe a new project.
type ProjectOptions struct {
	Name     string // of the policy and of the folder
	Language string
	Dir      string // the folder goes here; empty: the working directory
	Quern    string // the program that `make test` runs while it is there, by its absolute path; empty: the one on the path
}

// OptionError says that an option cannot be used.
type OptionError struct{ error }

func badOption(format string, args ...any) error { return &OptionError{fmt.Errorf(format, args...)} }

// builtinNames are reserved.
var builtinNames = []string{"fair", "fair-users", "fifo", "stateaware", "binpacking"}

func (o ProjectOptions) check() (language, error) {
	i := slices.IndexFunc(languages, func(l language) bool { return l.name == o.Language })
	switch {
	case i < 0:
		return language{}, badOption("--lang: expected one of %s, found %q", strings.Join(Languages(), ", "), o.Language)
	case slices.Contains(builtinNames, o.Name):
		return language{}, badOption("name: %q is a built-in; expected another name", o.Name)
	case !nameRule.MatchString(o.Name):
		return language{}, badOption("name: expected small letters, digits and . _ -, at most 63, found %q", o.Name)
	}
	return languages[i], nil
}

// NewProject makes the folder of a small policy that works, with a feature that it passes, a Makefile that builds and
// tests it, and the SDK of its language, so that nothing has to be fetched. It returns the folder's path. The folder is
// made whole or not at all, and an existing one is left unchanged.
func NewProject(o ProjectOptions) (string, error) {
	l, err := o.check()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(o.Dir, ".") // a folder without a name is the present one, not that of temporary files, which may be another device
	target := filepath.Join(dir, o.Name)
	if _, err := os.Lstat(target); err == nil {
		return "", badOption("%s: it already exists; choose another name or folder", target)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", badOption("%s: expected a folder", o.Dir)
	}
	work, err := os.MkdirTemp(dir, "."+o.Name+"-*")
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.Chmod(work, 0o755), l.write(work, o)); err != nil {
		return "", errors.Join(err, os.RemoveAll(work))
	}
	if err := os.Rename(work, target); err != nil {
		return "", errors.Join(err, os.RemoveAll(work))
	}
	return target, nil
}

// write puts all files of a project into a folder.
func (l language) write(dir string, o ProjectOptions) error {
	name := o.Name
	fill := strings.NewReplacer("@name@", name, "@built@", strings.ReplaceAll(l.built, "@name@", name),
		"@file@", strings.ReplaceAll(l.file, "@name@", name), "@lang@", l.name, "@quern@", inMakefile(o.Quern))
	for _, t := range l.templates {
		err := eachFile(templates, path.Join("templates", t), func(file string, text []byte) error {
			return writeBelow(dir, fill.Replace(templateTarget(file)), []byte(fill.Replace(string(text))))
		})
		if err != nil {
			return err
		}
	}
	for _, c := range l.sdk {
		err := eachFile(sdk.Files, c.from, func(file string, text []byte) error {
			if strings.HasSuffix(file, "_test.go") {
				return nil
			}
			return writeBelow(dir, l.place(path.Join(c.to, file)), l.adapt(file, text, name))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// plainPath are the paths that make and the shell take as they are.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9_./+,@-]+$`)

// inMakefile is how a Makefile names a program: while it is there, else what the path has. One whose path make or the shell
// would read otherwise is left to the path.
func inMakefile(program string) string {
	if !plainPath.MatchString(program) {
		return "quern"
	}
	return "$(firstword $(wildcard " + program + ") quern)"
}

// templateTarget is the name of the file that a template becomes: without the ending, hidden where it is meant to be.
func templateTarget(file string) string {
	file = strings.TrimSuffix(file, ".tmpl")
	return strings.Replace(file, "gitignore", ".gitignore", 1)
}

// place puts what npm wants where npm looks for it: the project fetches what the SDK does.
func (l language) place(file string) string {
	if base := path.Base(file); l.name == "assemblyscript" && (strings.HasSuffix(base, ".json") || base == ".npmrc") {
		return base
	}
	return file
}

func (l language) adapt(file string, text []byte, name string) []byte {
	if l.name == "assemblyscript" && strings.HasPrefix(file, "package") {
		return []byte(strings.ReplaceAll(string(text), `"name": "quern"`, `"name": "`+name+`"`))
	}
	return text
}

// eachFile visits the files below a folder, by their paths from there.
func eachFile(files fs.FS, dir string, f func(file string, text []byte) error) error {
	return fs.WalkDir(files, dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		return f(strings.TrimPrefix(file, dir+"/"), text)
	})
}

func writeBelow(dir, file string, text []byte) error {
	target := filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, text, 0o644)
}
