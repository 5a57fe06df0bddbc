package program

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// chatty makes the policy of a project in C write a line for each call, and when it is configured.
func chatty(t *testing.T) {
	t.Helper()
	begun(t, "c", "clang", "wasm-ld")
	text := strings.Replace(read(t, "policy.c"), "#include \"quern.h\"\n", "#include \"quern.h\"\n"+
		"__attribute__((import_module(\"quern\"), import_name(\"log\"))) extern void say(int level, const char *text, int bytes);\n", 1)
	text = strings.Replace(text, "quern_column cores", "say(2, \"asked\\x1b[31m again\", 16);\n  quern_column cores", 1)
	if err := os.WriteFile("policy.c", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("make", "--always-make").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestTheLastLinesOfAPolicysLogAreShown(t *testing.T) {
	chatty(t)
	const line = "\n\nlog (the last lines)\n  warning: asked [31m again"
	for _, args := range [][]string{{"inspect", "mine.wasm"}, {"test", "mine.wasm"}, {"test", "mine.wasm", "mine.feature"}} {
		r := quern("", append([]string{"policy"}, args...)...)
		r.want(t, cli.Succeeded, line, "")
		var o struct{ Log []string }
		if err := json.Unmarshal([]byte(quern("", append([]string{"policy", args[0], "--json"}, args[1:]...)...).out), &o); err != nil || len(o.Log) == 0 || !strings.HasPrefix(o.Log[0], "warning: asked [31m again") {
			t.Errorf("%v: %v, found %q", args, err, o.Log)
		}
	}
}

// firstWrite ends a test of a policy when the first lines are written.
type firstWrite struct {
	strings.Builder
	first func()
}

func (w *firstWrite) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "the host loads it") {
		w.first()
	}
	return w.Builder.Write(p)
}

func TestPolicyChecks_PrintedAsTheyEnd(t *testing.T) {
	begun(t, "c", "clang", "wasm-ld")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, err := &firstWrite{first: stop}, &strings.Builder{}
	code := run(ctx, []string{"policy", "test", "mine.wasm"}, cli.Streams{In: strings.NewReader(""), Out: out, Err: err})
	if checks := strings.Count(out.String(), "  ok "); code != cli.Failed || checks == 0 || checks > 3 {
		t.Errorf("exit code %d, %d checks though it was interrupted at the first\n%s%s", code, checks, out, err)
	}
}

func TestABegunPolicyIsTestedByTheProgramThatBeganIt(t *testing.T) {
	begun(t, "c", "clang", "wasm-ld")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ makefile, runs string }{
		{read(t, "Makefile"), program + " policy test mine.wasm mine.feature"},
		{strings.ReplaceAll(read(t, "Makefile"), program, program+".gone"), "quern policy test mine.wasm mine.feature"},
	} {
		rewrite(t, "Makefile", c.makefile)
		out, err := exec.Command("make", "--no-print-directory", "--dry-run", "test").CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != c.runs {
			t.Errorf("expected %q, found %v %q", c.runs, err, out)
		}
	}
}
