package program

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/policy/process/sandbox"
)

// The variable says in processes of tests that their cache is that of the process that started them.
const ownCache = "QUERN_TEST_OWN_CACHE"

// TestMain is the launcher of programs where a sandbox started this executable as one, as main is in quern. Else it keeps compiled modules
// of tests apart from those of the user.
func TestMain(m *testing.M) {
	sandbox.Launch()
	if os.Getenv(ownCache) != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "quern-test-cache-")
	if err == nil {
		err = keepGoCache()
	}
	if err == nil {
		err = os.Setenv("XDG_CACHE_HOME", dir)
	}
	if err == nil {
		err = os.Setenv(ownCache, "yes")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir) // in the system's folder for such files
	os.Exit(code)
}

// keepGoCache has the go command keep its own cache where it is: else the programs of tests would be compiled from the standard library up.
func keepGoCache() error {
	dir, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	return os.Setenv("GOCACHE", strings.TrimSpace(string(dir)))
}
