package wazero

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folders of runtimes in a cache.
const (
	runs = "run-" // begins the name of each
	// young is the age up to which such a folder may have no lock yet.
	young = time.Minute
	// abandoned is the age at which it was left by a runtime that was killed, where there are no locks. It is new after each load.
	abandoned = 24 * time.Hour
)

// begin makes the folder of this runtime, which is locked until its end, and removes those of runtimes that were killed.
func (c *cache) begin(dir string) (err error) {
	removeAbandoned(dir)
	if c.run, err = os.MkdirTemp(dir, runs); err == nil {
		c.lock, _ = lockFolder(c.run) // without it, the folder is one of no runtime once it is old
	}
	return err
}

// removeAbandoned removes folders of runtimes that were killed.
func removeAbandoned(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), runs) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := e.Info(); err == nil && isAbandoned(path, time.Since(info.ModTime())) {
			_ = os.RemoveAll(path) // it is tried again
		}
	}
}

// isAbandoned reports whether no runtime uses a folder of some age.
func isAbandoned(path string, age time.Duration) bool {
	if age < young {
		return false
	}
	lock, err := lockFolder(path)
	switch {
	case errors.Is(err, errInUse):
		return false
	case err != nil: // there are no locks here
		return age > abandoned
	}
	_ = lock.Close() // it was only opened
	return true
}

var errInUse = errors.New("a runtime uses the folder")
