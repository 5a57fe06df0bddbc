// Command pack puts beside the page of the playground what it loads, and lists all files in its service worker:
//
//	go run ./internal/cmd/pack BUILD SITE
//
// BUILD has what wasmbuild made, and policies; SITE is a copy of the page as Node built it. What lies below later/ in the site
// is fetched when it is first used.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/policy/tool"
)

// largest is how many bytes a policy module may have to be worth carrying: those of the stock Go compiler have megabytes,
// and a user can drop one on the page.
const largest = 64 << 10

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/cmd/pack BUILD SITE")
		os.Exit(2)
	}
	if err := pack(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func pack(ctx context.Context, build, site string) error {
	for _, name := range []string{"core.wasm.gz", "features.wasm.gz", "later/policytest.wasm.gz"} {
		if err := copyFile(filepath.Join(build, "modules", name), filepath.Join(site, name)); err != nil {
			return err
		}
	}
	if err := packPolicies(ctx, filepath.Join(build, "policies"), filepath.Join(site, "policies")); err != nil {
		return err
	}
	return listFiles(site)
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644))
}

// offered is a policy module in the index that the page reads.
type offered struct {
	Name     string   `json:"name"`
	Language string   `json:"language"`
	Points   []string `json:"points"`
	Summary  string   `json:"summary"`
	Bytes    int64    `json:"bytes"`
}

// committed has the policy modules of the last build that had all compilers: small, and made by compilers that most machines lack.
const committed = "wasm/browser/site/dist/policies"

// packPolicies puts the small ones of the modules that were built into a folder, with an index and the versions of the
// compilers. Where a compiler is missing, the committed module takes the place.
func packPolicies(ctx context.Context, from, to string) error {
	modules, err := policyModules(from)
	if err != nil {
		return err
	}
	index := []offered{}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		o, err := offer(ctx, modules[name])
		if err != nil {
			return err
		}
		if o.Bytes > largest || o.Language == "" {
			continue
		}
		index = append(index, *o)
		if err := copyFile(modules[name], filepath.Join(to, name)); err != nil {
			return err
		}
	}
	made, err := compilers()
	if err != nil {
		return err
	}
	return errors.Join(writeJSON(filepath.Join(to, "index.json"), index), writeJSON(filepath.Join(to, "made.json"), made))
}

// policyModules are the files of modules by name: those that were built, and committed ones besides.
func policyModules(built string) (map[string]string, error) {
	modules := map[string]string{}
	for _, folder := range []string{committed, built} {
		files, err := filepath.Glob(filepath.Join(folder, "*.wasm"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			modules[filepath.Base(file)] = file
		}
	}
	return modules, nil
}

// offer describes a module as the page offers it.
func offer(ctx context.Context, file string) (*offered, error) {
	subject, err := tool.Find(file)
	if err != nil {
		return nil, err
	}
	o := &offered{Name: subject.Name, Language: languageOf(subject.Name), Bytes: subject.Bytes}
	if o.Bytes > largest {
		return o, nil
	}
	seen, err := tool.Inspect(ctx, subject)
	if err != nil {
		return nil, err
	}
	if seen.Refused != "" {
		return nil, fmt.Errorf("%s: %s", file, seen.Refused)
	}
	o.Summary = seen.Description
	for _, p := range seen.Points {
		o.Points = append(o.Points, p.Point)
	}
	return o, nil
}

// languages are the folders of a policy's source, and the languages that they mean.
var languages = []struct{ folder, name string }{{"c", "C"}, {"rust", "Rust"}, {"assemblyscript", "AssemblyScript"}, {"go", "Go"}}

// languageOf is what a shipped policy is written in: its name ends in it, or its folder has but one.
func languageOf(policy string) string {
	for _, l := range languages {
		if name, ok := strings.CutSuffix(policy, "-"+l.folder); ok && exists("plugins", name, l.folder) || exists("plugins", policy, l.folder) {
			return l.name
		}
	}
	return ""
}

func exists(path ...string) bool {
	_, err := os.Stat(filepath.Join(path...))
	return err == nil
}

// compilers are the versions that decide the bytes of the modules, beside the files of the project: two builds are the same
// where these are.
func compilers() (map[string]string, error) {
	versions, err := exec.Command("plugins/build.sh", "--compilers").Output()
	if err != nil {
		return nil, fmt.Errorf("plugins/build.sh --compilers: %w", err)
	}
	return map[string]string{"compilers": strings.TrimSpace(string(versions))}, nil
}

func writeJSON(file string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, slices.Concat(data, []byte("\n")), 0o644)
}
