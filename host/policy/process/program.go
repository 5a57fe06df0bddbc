package process

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"

	"github.com/quern-project/quern/host/files/safefile"
)

// MostBytes bounds the executable of a program, all of which is read before each start.
const MostBytes = 1 << 30

// executable is the SHA-256 of a file that can be started, in hexadecimal digits.
func executable(path string) (string, error) {
	sum, _, err := safefile.Hash(path, MostBytes)
	if err != nil {
		return "", err
	}
	// LookPath asks the system whether this user may execute the file, which the mode alone does not tell.
	if _, err := exec.LookPath(path); err != nil {
		return "", notExecutable(path)
	}
	return sum, nil
}

func notExecutable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return safefile.WithPath(path, err)
	}
	return fmt.Errorf("%s: expected an executable file, found the mode %v", path, info.Mode().Perm())
}

// checkPin compares the executable with its pin.
func checkPin(path, pin string) error {
	if sum, err := hex.DecodeString(pin); err != nil || len(sum) != 32 {
		return fmt.Errorf("sha256: expected 64 hex digits, found %q", pin)
	}
	found, err := executable(path)
	if err != nil {
		return err
	}
	if found != pin {
		return fmt.Errorf("sha256 of %s: expected %s, found %s", path, pin, found)
	}
	return nil
}

// notStarted says why the system did not start a program whose file was good a moment before.
func notStarted(path, dir string, err error) error {
	var bad *fs.PathError
	if !errors.As(err, &bad) {
		return err
	}
	switch {
	case dir != "" && !exists(dir): // the system has the same error for this
		return fmt.Errorf("%s: expected a folder to start the program in: %w", dir, bad.Err)
	case errors.Is(err, fs.ErrNotExist) && exists(path):
		return fmt.Errorf("%s: expected a program whose interpreter or loader exists, found one that names a missing file", path)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s: expected a program for this machine, or a script whose first line (#!) names one", path)
	case errors.Is(err, syscall.ETXTBSY):
		return fmt.Errorf("%s: expected a program that is complete, found it open for writing", path)
	default:
		return safefile.WithPath(path, err)
	}
}

// exists reports whether a name stands for anything.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
