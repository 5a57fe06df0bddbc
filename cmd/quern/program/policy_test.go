package program

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// emptyModule is WebAssembly, and no policy.
const emptyModule = "\x00asm\x01\x00\x00\x00"

// begun begins a policy in a fresh folder, in which the test then stands, and builds it. It needs these tools.
func begun(t *testing.T, language string, tools ...string) {
	t.Helper()
	for _, tool := range append(tools, "make") {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped, because %s is missing: make toolchains", tool)
		}
	}
	t.Chdir(t.TempDir())
	quern("", "policy", "new", "--lang", language, "mine").want(t, cli.Succeeded, "mine: a policy in "+language, "")
	t.Chdir("mine")
	if language == "assemblyscript" {
		borrow(t)
	}
	build := exec.Command("make")
	build.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")
	out, err := build.CombinedOutput()
	if strings.Contains(string(out), "expected a rustc with a core library") {
		t.Skip("skipped, because a rustc for wasm32 is missing: make toolchains")
	}
	if err != nil {
		t.Fatalf("make: %v\n%s", err, out)
	}
}

// source is where the sources of this package are.
var source, _ = os.Getwd()

// borrow takes the compiler of AssemblyScript that the project has, so that nothing is fetched.
func borrow(t *testing.T) {
	t.Helper()
	modules := filepath.Join(source, "..", "..", "build", "toolchains", "assemblyscript", "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "assemblyscript")); err != nil {
		t.Skip("skipped, because AssemblyScript is missing: make toolchains")
	}
	if err := os.Mkdir("node_modules", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"assemblyscript", "binaryen", "long"} {
		if err := os.Symlink(filepath.Join(modules, name), filepath.Join("node_modules", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("node_modules/.installed", nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestABegunPolicyPassesAtOnce(t *testing.T) {
	for _, c := range []struct {
		language, file string
		tools          []string
		slow           bool
	}{
		{"c", "mine.wasm", []string{"clang", "wasm-ld"}, false},
		{"rust", "mine.wasm", []string{"rustc"}, false},
		{"assemblyscript", "mine.wasm", []string{"node"}, false},
		{"go", "mine.wasm", []string{"go"}, true},
		{"process", "mine.toml", []string{"go"}, true},
	} {
		t.Run(c.language, func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("skipped, because this is a short run, and its compiler is slow")
			}
			begun(t, c.language, c.tools...)
			r := quern("", "policy", "test", c.file, "mine.feature")
			r.want(t, cli.Succeeded, "2 scenarios (2 passed)", "")
			r.want(t, cli.Succeeded, " 0 failed", "")
			quern("", "policy", "inspect", c.file).want(t, cli.Succeeded, "policy     mine 0.1.0, for ABI 1.0\n", "")
			quern("", "policy", "pin", c.file).want(t, cli.Succeeded, "mine.toml: ", "")
			quern("", "policy", "test", c.file).want(t, cli.Succeeded, " 0 failed", "")
		})
	}
}

func TestPolicyCommands_PrintJSON(t *testing.T) {
	begun(t, "c", "clang", "wasm-ld")
	for command, key := range map[string]string{"inspect": "points", "test": "checks", "bench": "calls"} {
		r := quern("", "policy", command, "--json", "mine.wasm")
		var o map[string]any
		if err := json.Unmarshal([]byte(r.out), &o); err != nil || r.code != cli.Succeeded {
			t.Fatalf("%s: exit code %d, %v\n%s%s", command, r.code, err, r.out, r.err)
		}
		if list, ok := o[key].([]any); !ok || len(list) == 0 || o["sha256"] == "" {
			t.Errorf("%s: expected %s, found %v", command, key, o)
		}
	}
	r := quern("", "policy", "test", "--json", "mine.wasm", "mine.feature")
	if !json.Valid([]byte(r.out)) {
		t.Errorf("with scenarios: expected JSON alone, found %s", r.out)
	}
	r.want(t, cli.Succeeded, `"group": "scenarios"`, "2 scenarios (2 passed)")
}

func TestAScenarioThatFailsFailsTheTest(t *testing.T) {
	begun(t, "c", "clang", "wasm-ld")
	text := strings.Replace(read(t, "mine.feature"), `Then "x" is allocated on "large"`, `Then "x" is allocated on "small"`, 1)
	if err := os.WriteFile("wrong.feature", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "policy", "test", "mine.wasm", "wrong.feature").want(t, cli.Failed, "FAILED  its scenarios pass", "")
	quern("", "policy", "test", "mine.wasm", "nowhere.feature").want(t, cli.BadInput, "", "nowhere.feature")
	quern("", "policy", "test", "mine.wasm", "mine.feature", "--tags", "@none").want(t, cli.BadInput, "", "no scenario")
}

// A fallback would decide the same in this scenario, and it is the policy that is tested.
func TestACallThatFailsInAScenarioFailsTheTest(t *testing.T) {
	begun(t, "c", "clang", "wasm-ld")
	text := strings.Replace(read(t, "policy.c"), "quern_column cores", "if (frame->k && quern_value(quern_column_at(frame, 0), 0) == 1234567) return quern_fail(3, \"no\");\n  quern_column cores", 1)
	if err := os.WriteFile("policy.c", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("make", "--always-make").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	feature := strings.Replace(read(t, "mine.feature"), "with 4 vcore", "with 1234567m vcore", 1)
	feature, _, _ = strings.Cut(strings.Replace(feature, `on "large"`, ``, 1), "    Scenario: and the smaller")
	if err := os.WriteFile("mine.feature", []byte(strings.Replace(feature, `allocated `, `allocated`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "policy", "test", "mine.wasm", "mine.feature").want(t, cli.Failed, "expected no failed call\n          found ", "")
}

func TestWhatIsNoPolicyIsBadInputForEveryCommand(t *testing.T) {
	folder(t, map[string]string{"text.wasm": "not at all", "a.txt": "", "alone.toml": "", "empty.wasm": emptyModule, "cut.wasm": emptyModule + "\x01\x07"})
	if err := os.Mkdir("folder.wasm", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"inspect", "test", "bench", "pin"} {
		for file, expected := range map[string]string{
			"none.wasm": "none.wasm: no such file", "a.txt": "expected NAME.wasm or NAME.toml",
			"folder.wasm": "found a folder", "alone.toml": "process.command",
		} {
			t.Run(command+" "+file, func(t *testing.T) {
				quern("", "policy", command, file).want(t, cli.BadInput, "", expected)
			})
		}
	}
	// What is no WebAssembly is refused in the same words as what is, and is no policy.
	for file, why := range map[string]string{
		"empty.wasm": "missing-export: ", "text.wasm": "byte 0x0: bad-magic: ", "cut.wasm": "byte 0x8: truncated: ",
	} {
		r := quern("", "policy", "inspect", file)
		r.want(t, cli.Failed, "refused    "+file+": ", "")
		r.want(t, cli.Failed, why, "")
		quern("", "policy", "inspect", "--json", file).want(t, cli.Failed, `"refused": "`+file+": ", "")
		r = quern("", "policy", "test", file)
		r.want(t, cli.Failed, "FAILED  the host loads it\n          expected a policy that the host takes\n          found "+file+": ", "")
		r.want(t, cli.Failed, why, "")
		quern("", "policy", "bench", file).want(t, cli.Failed, "", file+": ")
	}
	quern("", "policy", "pin", "empty.wasm").want(t, cli.Succeeded, "empty.toml: created", "")
	quern("", "policy", "pin", "text.wasm").want(t, cli.BadInput, "", "text.wasm: byte 0x0: bad-magic")
}

func TestWrongCommandLinesOfPolicyAreBadInput(t *testing.T) {
	folder(t, map[string]string{"empty.wasm": emptyModule, "taken": ""})
	for args, expected := range map[string]string{
		"grind": `unknown command "grind"`, "inspect": "expected FILE, found none", "inspect a b": `expected FILE, found 2 arguments: "a" "b"`, "inspect --colour a": "unknown flag",
		"test": "expected FILE [FEATURES...], found none", "bench": "expected FILE", "pin": "expected FILE", "rollback .": `expected DIR NAME, found only "."`,
		"rollback . a": "the previous version; found neither", "rollback none a": "none: no such file", "rollback . A": "name: expected",
		"new": "expected NAME, found none", "new a": "--lang: expected one of c, rust", "new --lang cobol a": "--lang: expected one of",
		"new --lang c taken": "it already exists", "new --lang c --dir none a": "expected a folder", "new --lang c Fair": "name: expected",
	} {
		t.Run(args, func(t *testing.T) {
			quern("", append([]string{"policy"}, strings.Fields(args)...)...).want(t, cli.BadInput, "", expected)
		})
	}
}

func TestRollback_IsPrinted(t *testing.T) {
	folder(t, map[string]string{"a.wasm": "new"})
	if err := os.Mkdir(".previous", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(".previous/a.wasm", []byte(emptyModule), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "policy", "rollback", ".", "a").want(t, cli.Succeeded, "a: restored a.wasm with sha256 93a44bbb96c751218e4c00d479e4c14358122a389acca16205b1e4d0dc5f9476; ", "")
}

func TestAProgramThatIsNoPolicyFailsTheTest(t *testing.T) {
	folder(t, map[string]string{"a.toml": "[process]\ncommand = \"run\"\n", "run": "#!/bin/sh\nexit 3\n", "b.toml": "[process]\ncommand = \"plain\"\n", "plain": "text"})
	if err := os.Chmod("run", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"a.toml", "b.toml"} {
		quern("", "policy", "test", file).want(t, cli.Failed, "FAILED  the host loads it", "")
		quern("", "policy", "inspect", file).want(t, cli.Failed, "(a process, ", "")
	}
}
