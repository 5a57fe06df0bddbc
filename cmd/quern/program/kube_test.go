package program

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestKubeCommand_PassesArgumentsAndExitCode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped, because there is no shell")
	}
	dir := folder(t, nil)
	if err := os.WriteFile(filepath.Join(dir, kubeProgram), []byte("#!/bin/sh\ncat\necho \"$@\"\necho oops >&2\nexit 7\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	r := quern("in\n", "kube", "record", "--as", "x y", "--help")
	if r.code != 7 || r.out != "in\nkube record --as x y --help\n" || r.err != "oops\n" {
		t.Errorf("found %+v", r)
	}
}

func TestKubeCommand_MissingProgramSaysHowToGetIt(t *testing.T) {
	dir := folder(t, nil)
	t.Setenv("PATH", dir)
	quern("", "kube", "--help").want(t, cli.Succeeded, "a program of its own", "")
	r := quern("", "kube")
	if r.code != cli.Failed || !strings.Contains(r.err, "quern-kube is neither beside quern nor in a folder of PATH") || !strings.Contains(r.err, "make kube builds it") {
		t.Errorf("found %+v", r)
	}
}
