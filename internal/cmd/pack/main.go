// Command pack puts beside the page of the playground what it loads, compressed, and writes down what that was made with:
//
//	go run ./internal/cmd/pack BUILD SITE
//
// BUILD has core.wasm, features.wasm, policytest.wasm and policies; SITE is where the page was built. What lies below later/
// in the site is fetched when it is first used.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/policydev"
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
	if err := os.MkdirAll(filepath.Join(site, "later"), 0o755); err != nil {
		return err
	}
	for name, folder := range map[string]string{"core.wasm": "", "features.wasm": "", "policytest.wasm": "later"} {
		if err := compress(filepath.Join(build, name), filepath.Join(site, folder, name+".gz")); err != nil {
			return err
		}
	}
	if err := packPolicies(ctx, filepath.Join(build, "policies"), filepath.Join(site, "policies")); err != nil {
		return err
	}
	made, err := makers()
	if err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(site, "made.json"), made); err != nil {
		return err
	}
	return listFiles(site)
}

// compress writes a file again, compressed. The same bytes come out for the same bytes: no name, no time.
func compress(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return errors.Join(w.Close(), os.WriteFile(to, out.Bytes(), 0o644))
}

// offered is a policy module in the index that the page reads.
type offered struct {
	Name     string   `json:"name"`
	Language string   `json:"language"`
	Points   []string `json:"points"`
	Summary  string   `json:"summary"`
	Bytes    int64    `json:"bytes"`
}

// packPolicies puts the small ones of the modules that were built into a folder, with an index.
func packPolicies(ctx context.Context, from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.wasm"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	index := []offered{}
	for _, file := range files {
		subject, err := policydev.Find(file)
		if err != nil {
			return err
		}
		if subject.Bytes > largest {
			continue
		}
		seen, err := policydev.Inspect(ctx, subject)
		if err != nil {
			return err
		}
		if seen.Refused != "" {
			return fmt.Errorf("%s: %s", file, seen.Refused)
		}
		o := offered{Name: subject.Name, Language: languageOf(subject.Name), Summary: seen.Description, Bytes: subject.Bytes}
		for _, p := range seen.Points {
			o.Points = append(o.Points, p.Point)
		}
		index = append(index, o)
		if err := compress(file, filepath.Join(to, filepath.Base(file)+".gz")); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(to, "index.json"), index)
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

// makers are the versions that decide the bytes of a build, beside the files of the project: two builds are the same
// where these are.
func makers() (map[string]string, error) {
	node, err := exec.Command("node", "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("node --version: %w", err)
	}
	compilers, err := exec.Command("plugins/build.sh", "--compilers").Output()
	if err != nil {
		return nil, fmt.Errorf("plugins/build.sh --compilers: %w", err)
	}
	return map[string]string{"go": runtime.Version(), "node": strings.TrimSpace(string(node)), "compilers": strings.TrimSpace(string(compilers))}, nil
}

func writeJSON(file string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, slices.Concat(data, []byte("\n")), 0o644)
}
