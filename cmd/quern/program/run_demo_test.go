package program

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// commandLineIn is the variable that has the test binary be quern, in the place of running tests. Its value is the arguments, one a line.
const commandLineIn = "QUERN_TEST_COMMAND_LINE"

func TestBeQuernInThisProcess(t *testing.T) {
	args, ok := os.LookupEnv(commandLineIn)
	if !ok {
		t.Skip("skipped, because this is a part of another test")
	}
	os.Args = append([]string{"quern"}, strings.Split(args, "\n")...)
	Main()
}

// asQuern writes a program that is quern, and returns its name.
func asQuern(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped, because there is no shell")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "quern")
	script := "#!/bin/sh\n" + commandLineIn + `="$(printf '%s\n' "$@")" exec '` + self + `' -test.run='^TestBeQuernInThisProcess$'` + "\n"
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// runDemo is what `make run` runs.
func runDemo(ctx context.Context, t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	script, err := filepath.Abs("../../../tools/run-demo.sh")
	if err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(ctx, script, asQuern(t), dir)
}

func TestDemo_WithoutATerminalLeavesAReport(t *testing.T) {
	dir := t.TempDir()
	cmd := runDemo(t.Context(), t, dir)
	cmd.Env = append(os.Environ(), "SECONDS_TO_RUN=5") // of which a fast machine needs a tenth
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, expected := range []string{"serving http=127.0.0.1:", "this is a demo", "dashboard=http://127.0.0.1:", "services", "report.html"} {
		if !strings.Contains(string(text), expected) {
			t.Errorf("expected %q in\n%s", expected, text)
		}
	}
	if report := read(t, filepath.Join(dir, "report.html")); !strings.Contains(report, "root.research.vision") {
		t.Error("the report does not show the cluster's queues")
	}
	if made := read(t, filepath.Join(dir, "decisions.jsonl")); !strings.Contains(made, `"type":"allocation"`) {
		t.Errorf("there is no allocation in\n%s", made)
	}
	r := quern("", "replay", "--json", filepath.Join(dir, "demo.journal"))
	if r.want(t, cli.Succeeded, "", ""); r.count(t, "nodes") != 60 {
		t.Errorf("found %s", r.out)
	}
}

func TestDemo_AtATerminalEndsByCtrlCAndResumes(t *testing.T) {
	dir := t.TempDir()
	for _, fresh := range []bool{true, false} {
		cmd := runDemo(t.Context(), t, dir)
		cmd.Env = append(os.Environ(), "QUERN_HTTP=127.0.0.1:0", "QUERN_GRPC=127.0.0.1:0")
		screen := atTerminal(t, cmd, 24, 80)
		lines := bufio.NewReader(screen)
		line := ""
		for !strings.HasPrefix(line, "serving http=") {
			var err error
			if line, err = lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasSuffix(line, " seq=0\r\n") != fresh {
			t.Errorf("found %q, fresh: %v", line, fresh)
		}
		address := "http://" + strings.TrimPrefix(strings.Fields(line)[1], "http=")
		for line != "  The dashboard is at "+address+"/.\r\n" {
			var err error
			if line, err = lines.ReadString('\n'); err != nil {
				t.Fatalf("the terminal does not show the address: %v", err)
			}
		}
		if made, _ := get(t, address+"/v1/decisions?follow=true&limit=1"); !strings.Contains(made, `"seq":1,`) {
			t.Errorf("the first decision is %q", made)
		}
		if _, err := screen.WriteString("\x03"); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, lines) // it fails when the program has ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("it did not end in good order: %v", err)
		}
	}
}
