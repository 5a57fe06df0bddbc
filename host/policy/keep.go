package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/safefile"
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
		err = safefile.WriteFile(filepath.Join(dir, old.name+wasmEnding), old.data, 0o644)
	}
	if err == nil {
		err = safefile.WriteFile(filepath.Join(dir, old.name+settingsEnding), old.settingsText, 0o644)
	}
	if err != nil {
		r.options.Log(old.name, "warning", "the previous version could not be kept: "+err.Error())
	}
}

// Previous names the modules of which a version before is kept. A folder that cannot be read has none.
func (r *Registry) Previous() (names []string) {
	files, err := os.ReadDir(filepath.Join(r.options.Dir, PreviousFolder))
	if r.options.Dir == "" || err != nil {
		return nil
	}
	for _, file := range files {
		ending := filepath.Ext(file.Name())
		if name := strings.TrimSuffix(file.Name(), ending); ending == wasmEnding || ending == settingsEnding {
			names = append(names, name)
		}
	}
	return slices.Compact(names)
}
