package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	project    = "github.com/quern-project/quern"
	pagePrefix = "npm:" // before the names of the page's packages
)

// module is one piece of software that a program contains, with the files that hold its licences.
type module struct {
	name  string
	files []string
	kinds []string // of its licences, where they are known; else they are read from the files
}

// programs are the folders of the Go modules and in them the packages of the programs.
var programs = []struct{ folder, main string }{{".", "./cmd/quern"}, {"host/kube", "./cmd/quern-kube"}}

// platforms are the systems that releases are built for; some modules are on one of them alone.
var platforms = []string{"linux", "darwin", "windows"}

// goModules are the modules that the programs contain on any platform, and Go itself.
func goModules(root string) ([]module, error) {
	folders := map[string]map[string]bool{} // of a module: its folder and those of its packages
	for _, p := range programs {
		for _, system := range platforms {
			if system == "windows" && p.folder != "." {
				continue // quern-kube is released for Linux and macOS
			}
			if err := listed(filepath.Join(root, p.folder), p.main, system, folders); err != nil {
				return nil, err
			}
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	folders["std"] = map[string]bool{strings.TrimSpace(string(goroot)): true}
	return withFiles(folders)
}

// listed adds the folders of the modules, and of their packages, that a program contains on a system.
func listed(folder, main, system string, to map[string]map[string]bool) error {
	list := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", main)
	list.Dir, list.Env, list.Stderr = folder, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system), os.Stderr
	text, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list %s: %w", main, err)
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct {
			Dir      string
			Standard bool
			Module   *struct{ Path, Dir string }
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if p.Standard || p.Module == nil || strings.HasPrefix(p.Module.Path+"/", project+"/") {
			continue
		}
		if to[p.Module.Path] == nil {
			to[p.Module.Path] = map[string]bool{}
		}
		for dir := p.Dir; ; dir = filepath.Dir(dir) {
			to[p.Module.Path][dir] = true
			if dir == p.Module.Dir {
				break
			}
		}
	}
}

// compilerInPage are the packages of the compiler that the page offers. Its lock file has them for development, since policies are built
// with them too.
var compilerInPage = []string{"assemblyscript", "binaryen", "long"}

// pagePackages are the packages that the built page contains: the dependencies in its lock file that are not only for development, and
// the compiler. The error is os.ErrNotExist where they are not installed.
func pagePackages(page string) ([]module, error) {
	text, err := os.ReadFile(filepath.Join(page, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Dev, Optional bool }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	folders := map[string]map[string]bool{}
	for path, p := range lock.Packages {
		const installed = "node_modules/"
		i := strings.LastIndex(path, installed)
		if i < 0 {
			continue // the page itself
		}
		name := path[i+len(installed):]
		if (p.Dev || p.Optional) && !slices.Contains(compilerInPage, name) {
			continue
		}
		if folders[pagePrefix+name] == nil {
			folders[pagePrefix+name] = map[string]bool{}
		}
		folders[pagePrefix+name][filepath.Join(page, path)] = true
	}
	return withFiles(folders)
}

// withFiles finds the files of licences in folders, and sorts the modules by name.
func withFiles(folders map[string]map[string]bool) (list []module, err error) {
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		m := module{name: name}
		for _, folder := range slices.Sorted(maps.Keys(folders[name])) {
			entries, err := os.ReadDir(folder)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if !e.IsDir() && isLicence(e.Name()) {
					m.files = append(m.files, filepath.Join(folder, e.Name()))
				}
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// isLicence reports whether a file of that name holds a licence of code, or a notice that goes with it.
func isLicence(name string) bool {
	if strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".docs") {
		return false
	}
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	base, _, _ = strings.Cut(base, "-")
	return slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS", "COPYRIGHT", "UNLICENSE"}, base)
}
