package registry

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/wazero"
)

// meets is a program that waits for another to run, and says that it does before it fails.
const meets = `#!/bin/sh
: > "$1"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  if [ -e "$2" ]; then echo "met $2" >&2; exit 3; fi
  sleep 0.1
done
exit 4
`

func TestPrograms_StartTogetherReportInOrder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "meets"), []byte(meets), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]string{"one": "two", "two": "one"} {
		text := fmt.Sprintf("[process]\ncommand = \"meets\"\nargs = [%q, %q]\n", filepath.Join(dir, name), filepath.Join(dir, other))
		if err := os.WriteFile(filepath.Join(dir, name+".toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, refused, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(context.Background()) }()
	if len(refused) != 2 || refused[0].Name != "one" || refused[1].Name != "two" {
		t.Fatalf("expected one and two to be refused, found %v", refused)
	}
	for _, x := range refused {
		if !strings.Contains(x.Err.Error(), "met ") {
			t.Errorf("it was alone: %v", x)
		}
	}
}

func TestAModuleHasNoInstanceBeforeItIsAsked(t *testing.T) {
	file, err := filepath.Abs("../../../plugins/binpack-tetris/binpack-tetris.wasm")
	if err != nil {
		t.Fatal(err)
	}
	r, refused, err := Open(t.Context(), Options{Files: []string{file}})
	if err != nil || len(refused) > 0 {
		t.Fatal(refused, err)
	}
	defer func() { _ = r.Close(context.Background()) }()
	a := r.Announced()[0]
	for range 2 { // as it was proven, and once more
		e := r.Bind(t.Context()).Evaluator(a)
		served := e.(*boundedEvaluator).Evaluator.(*serving)
		asked := served.Evaluator.(*wazero.Evaluator)
		if n := asked.Instances(); n != 0 {
			t.Errorf("expected no instance, found %d", n)
		}
		spec := r.current[a.Name].Manifest.Points[policy.NodeScore]
		b := &policy.Batch{Point: policy.NodeScore, Epoch: 1, Keys: 1, Depends: policy.OnAsk, Rows: []int32{0}, Changed: []int32{0}, Out: []float64{0}}
		for _, c := range spec.Columns {
			b.Columns, b.Cols = append(b.Columns, c), append(b.Cols, []float64{1})
		}
		if err := e.Eval(b); err != nil {
			t.Fatal(err)
		}
		if n := asked.Instances(); n != 1 {
			t.Errorf("expected an instance, found %d", n)
		}
		asked.Close()
	}
}
