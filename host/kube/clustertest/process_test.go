package clustertest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/quern-project/quern/internal/await"
)

// shell is a process that needs no control plane: a script.
func shell(t *testing.T, script string) *Process {
	t.Helper()
	p := &Process{name: "script", program: "/bin/sh", args: []string{"-c", script}, logFile: filepath.Join(t.TempDir(), "log")}
	t.Cleanup(func() {
		if err := p.Kill(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestProcess_EndBeforeReadyShowsItsLog(t *testing.T) {
	p := shell(t, "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do echo line $i; done; exit 3")
	p.ready = func(context.Context) error { return os.ErrDeadlineExceeded }
	err := p.Start(t.Context())
	if err == nil {
		t.Fatal("expected an error")
	}
	for _, want := range []string{"exit status 3", "line 6\n", "line 30"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q in the error, found: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "line 5\n") {
		t.Errorf("expected the last %d lines, found: %v", logTailLines, err)
	}
}

func TestProcess_KilledRestartsWithItsLog(t *testing.T) {
	p := shell(t, "echo begun; exec sleep 1000")
	for run := 1; run <= 2; run++ {
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := p.Start(t.Context()); err == nil {
			t.Error("a second start: expected an error")
		}
		await.True(t, fmt.Sprint(run, " lines in the log"), func() bool { return strings.Count(p.logTail(), "begun") == run })
		pid := p.cmd.Process.Pid
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		if alive(pid) {
			t.Errorf("run %d: process %d is alive", run, pid)
		}
	}
	if err := p.Pause(); err == nil {
		t.Error("pausing a killed process: expected an error")
	}
}

func TestAPausedProcessCanBeKilled(t *testing.T) {
	p := shell(t, "exec sleep 1000")
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.Pause(); err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil || p.running() {
		t.Errorf("expected it to end, found error %v, running %v", err, p.running())
	}
}

// startsAndIsKilled names the variable that has a copy of this test binary start a process, print its id and kill itself.
const startsAndIsKilled = "QUERN_TEST_STARTS_AND_IS_KILLED"

func TestProcessesEndWithAKilledTestBinary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped, because only Linux ends processes with those that started them")
	}
	if os.Getenv(startsAndIsKilled) != "" {
		p := shell(t, "exec sleep 1000")
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("pid %d\n", p.cmd.Process.Pid)
		if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), startsAndIsKilled+"=1")
	out, _ := cmd.Output() // it was killed
	pid := 0
	for lines := bufio.NewScanner(strings.NewReader(string(out))); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "pid "); ok {
			pid, _ = strconv.Atoi(text)
		}
	}
	if pid == 0 {
		t.Fatalf("expected the id of a process, found %q", out)
	}
	await.True(t, "the process to end", func() bool { return !alive(pid) })
}

// alive reports whether a process runs; one that has ended and that nobody has waited for does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(status), ") Z ")
}
