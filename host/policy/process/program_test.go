//go:build linux

package process

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program writes a file and gives its path.
func program(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestACommandThatIsNoProgramIsRefusedInWords(t *testing.T) {
	dir := t.TempDir()
	pipe, sparse := filepath.Join(dir, "pipe"), program(t, "", 0o755)
	if err := syscall.Mkfifo(pipe, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, MostBytes+1); err != nil {
		t.Fatal(err)
	}
	for command, expected := range map[string]string{
		filepath.Join(dir, "none"):       "/none: no such file or directory",
		dir:                              ": expected a file, found a folder",
		pipe:                             "/pipe: expected a file, found a named pipe",
		"/dev/zero":                      "/dev/zero: expected a file, found a device",
		sparse:                           "/p: expected at most 1073741824 bytes, found more",
		program(t, "#!/bin/sh\n", 0o644): "/p: expected an executable file, found the mode -rw-r--r--",
		program(t, "#!/none/interpreter\n", 0o755):    "/p: expected a program whose interpreter or loader exists, found one that names a missing file",
		program(t, "no program at all", 0o755):        "/p: expected a program for this machine, or a script whose first line (#!) names one",
		program(t, "", 0o755):                         "/p: expected a program for this machine, or a script whose first line (#!) names one",
		program(t, "\x7fELF that was cut off", 0o755): "/p: expected a program for this machine, or a script whose first line (#!) names one",
	} {
		began := time.Now()
		_, err := Start(t.Context(), Options{Command: command})
		if err == nil || !strings.HasPrefix(err.Error(), "process policy /") || !strings.HasSuffix(err.Error(), expected) || strings.Contains(err.Error(), "fork/exec") {
			t.Errorf("%s: expected …%s, found %v", command, expected, err)
		}
		if took := time.Since(began); took > margin {
			t.Errorf("%s: expected a refusal at once, it took %v", command, took)
		}
	}
}

func TestProcess_CommandRemovedBeforeItsStart(t *testing.T) {
	for name, c := range map[string]struct {
		spoil    func(t *testing.T, o *Options)
		expected string
	}{
		"it vanishes":           {func(t *testing.T, o *Options) { remove(t, o.Command) }, "/p: no such file or directory"},
		"its folder vanishes":   {func(t *testing.T, o *Options) { remove(t, o.Dir) }, ": expected a folder to start the program in: no such file or directory"},
		"it becomes a folder":   {func(t *testing.T, o *Options) { remove(t, o.Command); folder(t, o.Command) }, "/p: permission denied"},
		"it is being written":   {func(t *testing.T, o *Options) { held(t, o.Command) }, "/p: expected a program that is complete, found it open for writing"},
		"it cannot be executed": {func(t *testing.T, o *Options) { mode(t, o.Command, 0o600) }, "/p: permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Command: program(t, "#!/bin/sh\n", 0o755), Dir: t.TempDir()}
			if err := o.settle(); err != nil {
				t.Fatal(err)
			}
			child := newChild(&o)
			if err := child.prepare(nil, ""); err != nil {
				t.Fatal(err)
			}
			c.spoil(t, &o)
			err := child.Start(t.Context())
			child.free()
			if err == nil || !strings.HasSuffix(err.Error(), c.expected) {
				t.Errorf("expected …%s, found %v", c.expected, err)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func folder(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

func mode(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// held keeps a file open for writing until the test ends.
func held(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
}
