package policy

import (
	"errors"
	"os"
	"path/filepath"
)

// PreviousFolder is the folder, in that of the modules, in which the version before of each is kept.
const PreviousFolder = ".previous"

// keep writes a version that was replaced to where `quern policy rollback` finds it. A folder that cannot be written to is
// told; the swap goes on. Programs of processes are not kept, but their settings are.
func (r *Registry) keep(old *module) {
	if !r.options.Keep {
		return
	}
	dir := filepath.Join(r.options.Dir, PreviousFolder)
	err := os.MkdirAll(dir, 0o755)
	if err == nil && old.wasm != "" {
		err = Replace(filepath.Join(dir, old.name+wasmEnding), old.data, 0o644)
	}
	if err == nil {
		err = Replace(filepath.Join(dir, old.name+settingsEnding), old.settingsText, 0o644)
	}
	if err != nil {
		r.options.Log(old.name, "warning", "the version before could not be kept: "+err.Error())
	}
}

// Replace writes a file beside the one of a name, and then puts it in its place, so that nobody ever sees half of it.
func Replace(path string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what failed is told
	}
	return err
}
