package registry

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/files/safefile"
)

// Folders in that of the modules, for `quern policy rollback`.
const (
	PreviousFolder = ".previous" // the version before of each module
	ServingFolder  = ".serving"  // the version that serves, of each module whose files in the folder are refused
	RefusedFolder  = ".refused"  // the refused version of each module that was rolled back
)

// keep writes a version that was replaced to where a rollback finds it. A folder that cannot be written to is logged; the swap goes on.
func (r *Registry) keep(old *module) {
	if !r.options.Keep {
		return
	}
	if err := r.save(PreviousFolder, old); err != nil {
		r.options.Log(old.name, "warning", "the previous version could not be kept: "+err.Error())
	}
}

// keepServing writes the version that serves although the files in the folder are refused: a rollback restores it, and not the one before.
func (r *Registry) keepServing(m *module) {
	if !r.options.Keep {
		return
	}
	r.forgetServing(m.name)
	if err := r.save(ServingFolder, m); err != nil {
		r.options.Log(m.name, "warning", "the serving version could not be kept: "+err.Error())
	}
}

// forgetServing removes it, once the files in the folder serve or are gone.
func (r *Registry) forgetServing(name string) {
	if !r.options.Keep {
		return
	}
	for _, ending := range []string{wasmEnding, settingsEnding} {
		if err := os.Remove(filepath.Join(r.options.Dir, ServingFolder, name+ending)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.options.Log(name, "warning", err.Error())
		}
	}
}

// save writes the files of a version to a folder in that of the modules. Programs of processes are not kept, but their settings are.
func (r *Registry) save(folder string, m *module) error {
	dir := filepath.Join(r.options.Dir, folder)
	err := os.MkdirAll(dir, 0o755)
	if err == nil && m.wasm != "" {
		err = safefile.WriteFile(filepath.Join(dir, m.name+wasmEnding), m.data, 0o644)
	}
	if err == nil && (m.candidate.settings != "" || folder == PreviousFolder) { // a version before replaces the settings of the one before it
		err = safefile.WriteFile(filepath.Join(dir, m.name+settingsEnding), m.settingsText, 0o644)
	}
	return err
}

// Previous names the modules that can be rolled back. A folder that cannot be read has none.
func (r *Registry) Previous() (names []string) {
	if r.options.Dir == "" {
		return nil
	}
	for _, folder := range []string{PreviousFolder, ServingFolder} {
		files, err := os.ReadDir(filepath.Join(r.options.Dir, folder))
		if err != nil {
			continue
		}
		for _, file := range files {
			ending := filepath.Ext(file.Name())
			if name := strings.TrimSuffix(file.Name(), ending); ending == wasmEnding || ending == settingsEnding {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
