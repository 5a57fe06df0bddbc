package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/author"
)

// Each policy's scenarios are played against the real pipeline, with the settings that the policy ships with.
func TestShippedPoliciesDoWhatTheirFeaturesSay(t *testing.T) {
	files, err := filepath.Glob("../../plugins/*/*.feature")
	if err != nil || len(files) == 0 {
		t.Fatalf("expected features of policies, found %v, %v", files, err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) { play(t, name, file) })
	}
}

func play(t *testing.T, name, file string) {
	ctx := context.Background()
	dir := t.TempDir()
	if err := stage(dir, "../..", name); errors.Is(err, os.ErrNotExist) {
		t.Skipf("%s is not built: plugins/build.sh", name)
	} else if err != nil {
		t.Fatal(err)
	}
	subject, err := author.Find(filepath.Join(dir, name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	host, err := subject.Open(ctx, func(level, text string) { t.Logf("%s: %s", level, text) })
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := host.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	cast := host.Cast(ctx)
	defer cast.Close()
	modules := features.Modules{Announced: cast.Announced(), Answer: cast.Answer}
	var out bytes.Buffer
	code := features.Run(ctx, features.Options{Paths: []string{file}, Out: &out, Err: &out, Concurrency: 1, NewDriver: modules.Driver})
	if code != features.Passed || cast.Faults > 0 {
		t.Errorf("expected all scenarios to pass without a fault, found code %d and %d faults (%v)\n%s", code, cast.Faults, cast.First, out.String())
	}
}
