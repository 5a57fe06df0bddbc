package decisions

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/features"
)

// observed passes on what the scheduler decides in a scenario.
type observed struct {
	features.Driver

	t    *testing.T
	made *decisions
}

// Take implements core.Machine.
func (o observed) Take() []core.Decision {
	list := o.Driver.Take()
	o.made.add(o.t, list)
	return list
}

// Restored implements features.Driver.
func (o observed) Restored() (features.Driver, error) {
	next, err := o.Driver.Restored()
	o.Driver = next
	return o, err
}

// scenarios runs the feature files; each scenario begins a part of its own.
func scenarios(t *testing.T) []run {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "features", "*.feature"))
	if err != nil || len(files) == 0 {
		t.Fatal("no feature files", err)
	}
	runs := make([]run, len(files))
	for i, file := range files {
		runs[i] = run{"features/" + filepath.Base(file), func(t *testing.T, made *decisions) { play(t, file, made) }}
	}
	return runs
}

func play(t *testing.T, file string, made *decisions) {
	t.Helper()
	var out, problems bytes.Buffer
	code := features.Run(t.Context(), features.Options{
		Paths: []string{file}, Out: &out, Err: &problems, Concurrency: 1,
		NewDriver: func() (features.Driver, error) {
			driver, err := features.Native()
			made.begin()
			return observed{driver, t, made}, err
		},
	})
	if code != features.Passed {
		t.Fatalf("exit code %d\n%s%s", code, out.String(), problems.String())
	}
}
