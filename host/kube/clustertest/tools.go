package clustertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// builder is the script that builds the programs, below the root of the repository.
const builder = "tools/kube/build.sh"

// version is the variable that chooses the version of Kubernetes.
const version = "KUBERNETES"

// programs returns the folder with the programs of the control plane.
var programs = sync.OnceValues(func() (string, error) {
	return programsOf(os.Getenv(version)) // read by name, so that go test keeps the results of versions apart
})

// programsOf returns the folder with the programs of a version; empty: the one that host/kube is built against. Only the script knows how it is named.
func programsOf(kubernetes string) (string, error) {
	script, err := findBuilder()
	if err != nil {
		return "", err
	}
	where := exec.Command(script, "where")
	where.Env = append(os.Environ(), version+"="+kubernetes)
	out, err := where.Output()
	if err != nil {
		return "", fmt.Errorf("%s where: %w", builder, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// findBuilder looks for the script in the folder of the test and those above it.
func findBuilder() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		script := filepath.Join(folder, builder)
		if _, err := os.Stat(script); err == nil {
			return script, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", fmt.Errorf("%s: not found in the folder of the test or above it", builder)
		}
		folder = parent
	}
}

// built reports whether a folder has the programs. The script puts it there as a whole.
func built(folder string) bool {
	info, err := os.Stat(folder)
	return err == nil && info.IsDir()
}
