package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/policy/tool"
	"github.com/quern-project/quern/host/policy/tool/contract"
)

// Each policy's scenarios are played against the real pipeline, with the settings that the policy ships with.
func TestShippedPoliciesDoWhatTheirFeaturesSay(t *testing.T) {
	files, err := filepath.Glob("../../../plugins/*/*.feature")
	if err != nil || len(files) == 0 {
		t.Fatalf("expected features of policies, found %v, %v", files, err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if !slices.Contains(shipped, name) {
			inEveryLanguage(t, name, file)
			continue
		}
		t.Run(name, func(t *testing.T) { play(t, open(t, name, ""), file) })
	}
}

// inEveryLanguage plays the scenarios of a policy that is written in each of them. The file has the name of the one in C.
func inEveryLanguage(t *testing.T, name, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"c", "rust", "assemblyscript", "go"} {
		t.Run(name+"-"+language, func(t *testing.T) {
			own := filepath.Join(t.TempDir(), filepath.Base(file))
			if err := os.WriteFile(own, bytes.ReplaceAll(text, []byte(name+"-c"), []byte(name+"-"+language)), 0o600); err != nil {
				t.Fatal(err)
			}
			play(t, open(t, name+"-"+language, ""), own)
		})
	}
}

// open proves a policy as it ships, or with other settings. It skips where the module was not built.
func open(t *testing.T, name, settings string) *tool.Host {
	t.Helper()
	dir := t.TempDir()
	if err := stage(dir, "../../..", name); errors.Is(err, os.ErrNotExist) {
		t.Skipf("%s is not built: plugins/build.sh", name)
	} else if err != nil {
		t.Fatal(err)
	}
	if settings != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".toml"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	subject, err := tool.Find(filepath.Join(dir, name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	host, err := subject.Open(context.Background(), func(level, text string) { t.Logf("%s: %s", level, text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return host
}

func play(t *testing.T, host *tool.Host, file string) {
	t.Helper()
	played := host.ForScenarios(context.Background())
	defer played.Close()
	modules := features.Modules{Announced: played.Announced(), Answer: played.NewEvaluators}
	var out bytes.Buffer
	code := features.Run(context.Background(), features.Options{Paths: []string{file}, Out: &out, Err: &out, Concurrency: 1, NewDriver: modules.Driver})
	if code != features.Passed || played.Faults > 0 {
		t.Errorf("expected all scenarios to pass without a fault, found code %d and %d faults (%v)\n%s", code, played.Faults, played.First, out.String())
	}
}

// Zeros, infinities, other orders of rows: the suite that authors hold their policies to.
func TestShippedPoliciesKeepTheContract(t *testing.T) {
	for _, name := range shipped {
		t.Run(name, func(t *testing.T) {
			report, err := contract.Run(context.Background(), open(t, name, ""), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range report.Checks {
				if c.Result == "failed" {
					t.Errorf("%s: %s: expected %s, found %s", c.Group, c.Name, c.Expected, c.Found)
				}
			}
		})
	}
}
