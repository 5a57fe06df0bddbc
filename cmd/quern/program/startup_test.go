package program

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A test binary starts as quern does: it imports the same packages.
func TestTheStartRunsNoOtherProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	trace := filepath.Join(folder, "trace")
	script := "#!/bin/sh\necho ran >" + trace + "\n"
	if err := os.WriteFile(filepath.Join(folder, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	path := folder + string(os.PathListSeparator) + os.Getenv("PATH")
	t.Setenv("PATH", path)
	if out, err := exec.Command(self, "-test.run=^TestPathIsWhatItWas$", "-test.v").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(trace); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("expected that go is not run, found %v", err)
	}
	if err := exec.Command("go").Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(trace); err != nil {
		t.Errorf("the script leaves no trace where it is run: %v", err)
	}
}

func TestPathIsWhatItWas(t *testing.T) {
	if path := os.Getenv("PATH"); path == "" {
		t.Error("PATH is empty, although every package is initialized")
	}
}
