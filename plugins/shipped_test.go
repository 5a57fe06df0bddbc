package plugins

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "commit the modules that were built")

// compiler is what the committed module was built with; others make other bytes.
const compiler = "clang version 14."

func TestTheCommittedModuleIsWhatItsSourceMakes(t *testing.T) {
	const committed = "binpack-tetris/binpack-tetris.wasm"
	version, err := exec.Command("clang", "--version").Output()
	if err != nil || !strings.Contains(string(version), compiler) {
		t.Skipf("skipped, because the module is compared where %s is: make toolchains", strings.TrimSuffix(compiler, "."))
	}
	out := t.TempDir()
	if text, err := exec.Command("./build.sh", out, "plugins/binpack-tetris").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	built, err := os.ReadFile(filepath.Join(out, "binpack-tetris.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(committed, built, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(found, built) {
		t.Errorf("%s differs from a fresh build: go test ./plugins -run Committed -update", committed)
	}
}
