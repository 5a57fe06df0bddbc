package plugins_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A mistake is a small change to the golden policy, and what the compiler must say about it.
type mistake struct {
	name, from, to, says string
}

// file writes the golden policy of a language with the mistake in it.
func (m mistake) file(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), m.from) {
		t.Fatalf("%s: expected %q in it", path, m.from)
	}
	wrong := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(wrong, []byte(strings.Replace(string(text), m.from, m.to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return wrong
}

func (m mistake) refused(t *testing.T, command *exec.Cmd) {
	t.Helper()
	out, err := command.CombinedOutput()
	if err == nil || !strings.Contains(string(out), m.says) {
		t.Errorf("expected a failure that says %q, found %v and\n%s", m.says, err, out)
	}
}

func TestMistakesInCAreExplainedWhileItIsBuilt(t *testing.T) {
	for _, tool := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing: make toolchains", tool)
		}
	}
	for _, m := range []mistake{
		{"no keys", "QUERN_POINT(app_order, 2,", "QUERN_POINT(app_order, 0,", "an answer of app_order has one key at least"},
		{"nine keys", "QUERN_POINT(app_order, 2,", "QUERN_POINT(app_order, 9,", "app_order: too many keys"},
		{"two keys for nodes", "QUERN_POINT(node_score, 1,", "QUERN_POINT(node_score, 2,", "node_score: too many keys"},
		{"no such point", "QUERN_POINT(node_score,", "QUERN_POINT(node_scores,", "quern_point_node_scores"},
		{"no code", "return QUERN_OK;\n}\n\nQUERN_TEXT", "}\n\nQUERN_TEXT", "non-void function does not return a value"},
	} {
		t.Run(m.name, func(t *testing.T) {
			m.refused(t, exec.Command("clang", "--target=wasm32", "-nostdlib", "-ffreestanding", "-std=c11", "-Wall", "-fsyntax-only",
				"-Werror", "-I../sdk/c", m.file(t, "golden/c/golden.c")))
		})
	}
	t.Run("no manifest", func(t *testing.T) {
		m := mistake{"", "QUERN_MANIFEST(", "#define IGNORED(...)\nIGNORED(", "quern_expected_a_QUERN_MANIFEST_in_this_module"}
		object := filepath.Join(t.TempDir(), "golden.o")
		out, err := exec.Command("clang", "--target=wasm32", "-nostdlib", "-ffreestanding", "-std=c11", "-I../sdk/c", "-c",
			m.file(t, "golden/c/golden.c"), "-o", object).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		m.refused(t, exec.Command("wasm-ld", "--no-entry", object, "-o", object+".wasm"))
	})
	t.Run("another target", func(t *testing.T) {
		m := mistake{says: "expected the target wasm32"}
		m.refused(t, exec.Command("clang", "-std=c11", "-fsyntax-only", "-I../sdk/c", m.file(t, "golden/c/golden.c")))
	})
}

func TestMistakesInRustAreExplainedWhileItIsBuilt(t *testing.T) {
	const rustc = "/usr/bin/rustc"
	library := filepath.Join(t.TempDir(), "libquern.rlib")
	target := []string{"--edition", "2021", "--target", "wasm32-unknown-unknown", "-C", "panic=abort"}
	out, err := exec.Command(rustc, append(target, "--crate-type", "rlib", "--crate-name", "quern", "../sdk/rust/src/lib.rs", "-o", library)...).CombinedOutput()
	if err != nil {
		t.Skipf("a rustc for wasm32 is missing: make toolchains: %v %s", err, out)
	}
	for _, m := range []mistake{
		{"keys that differ", "app_order(2)", "app_order(3)", `"keys" in the manifest differ`},
		{"a point that is not declared", `"victim.rank"`, `"victim.rate"`, "is not in the manifest"},
		{"a point that is not served", "node_score(1),", "", "is not among the points of policy!"},
		{"two keys for nodes", "node_score(1),", "node_score(2),", "node_score and node_filter have 1 key"},
		{"no such point", "node_score(1),", "node_scores(1),", "node_scores"},
		{"no points in the manifest", `"points"`, `"point"`, `has no "points"`},
	} {
		t.Run(m.name, func(t *testing.T) {
			m.refused(t, exec.Command(rustc, append(target, "--crate-type", "cdylib", "--extern", "quern="+library,
				m.file(t, "golden/rust/golden.rs"), "-o", filepath.Join(t.TempDir(), "wrong.wasm"))...))
		})
	}
}

// The standard library judges how the crate reads numbers.
func TestTheRustCratePassesItsOwnTests(t *testing.T) {
	program := filepath.Join(t.TempDir(), "quern")
	out, err := exec.Command("/usr/bin/rustc", "--edition", "2021", "-O", "--test", "../sdk/rust/src/lib.rs", "-o", program).CombinedOutput()
	if err != nil {
		t.Skipf("rustc is missing or cannot link programs: %v %s", err, out)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
