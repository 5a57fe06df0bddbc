package plugins_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func runBuild(t *testing.T, path string, args ...string) string {
	t.Helper()
	command := exec.Command("./build.sh", args...)
	if path != "" {
		command.Env = append(os.Environ(), "PATH="+path)
	}
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("build.sh %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestTheSameSourcesBuildTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds everything anew")
	}
	load(t, "golden", "golden-go") // whatever else is there was built with it
	dir := t.TempDir()
	runBuild(t, "", filepath.Join(dir, "policies"), "golden")
	again, err := filepath.Glob(filepath.Join(dir, "golden", "*.wasm"))
	if err != nil || len(again) == 0 {
		t.Fatalf("expected modules, found %d: %v", len(again), err)
	}
	for _, path := range again {
		second, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, err := os.ReadFile(filepath.Join(built, "golden", filepath.Base(path)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s: expected the bytes of the first build", filepath.Base(path))
		}
		if root, err := filepath.Abs(".."); err != nil || bytes.Contains(second, []byte(root)) {
			t.Errorf("%s: expected no path of this machine in it: %v", filepath.Base(path), err)
		}
	}
}

func TestBuild_SkipsWhatIsUpToDate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds everything anew")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "policies")
	if out := runBuild(t, "", dir, "golden"); !strings.Contains(out, "golden-go: built") {
		t.Fatalf("expected a build, found %q", out)
	}
	settings := filepath.Join(parent, "golden", "golden-go.toml")
	if err := os.WriteFile(settings, []byte("# mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := runBuild(t, "", dir, "golden"); strings.Contains(out, "built") {
		t.Errorf("expected nothing to be built again, found %q", out)
	}
	if text, err := os.ReadFile(settings); err != nil || string(text) != "# mine\n" {
		t.Errorf("expected the settings to stay, found %q: %v", text, err)
	}
}

// A path with nothing but what the script itself needs stands for a machine without compilers.
func TestAMissingCompilerIsSaidByName(t *testing.T) {
	tools := t.TempDir()
	for _, tool := range []string{"sh", "dirname", "basename", "mktemp", "rm", "ls", "find", "head", "mkdir", "cat", "cmp", "cp", "wc"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, tool)); err != nil {
			t.Fatal(err)
		}
	}
	out := runBuild(t, tools, filepath.Join(t.TempDir(), "policies"), "golden")
	for _, want := range []string{
		"golden-c: skipped, because clang and wasm-ld are missing: make toolchains",
		"golden-rust: skipped, because wasm-ld or a rustc with a core library for wasm32 is missing: make toolchains",
		"golden-assemblyscript: skipped, because node and AssemblyScript are missing: make toolchains",
		"golden-go: skipped, because go is missing",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q, found %q", want, out)
		}
	}
}
