package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/wasm/module/guest"
)

// MostBytes bounds a file, as package policy does.
const MostBytes = 8 << 20

// The endings of the files of a module.
const (
	wasmEnding     = ".wasm"
	settingsEnding = ".toml"
)

// Files are files by name: NAME.wasm, and NAME.toml for its settings. Content that is nil means that the file stays as it is, where the
// source owns it.
type Files map[string][]byte

// Folder is the files that one source owns in the folder of modules. It is for one goroutine.
type Folder struct {
	dir   string
	state string // file with the names of those
	owned map[string]bool
}

// Open returns what a source owns in a folder, which must exist. Source is a short name, such as oci.
func Open(dir, source string) (*Folder, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("the folder of policy modules cannot be read: %w", err)
	}
	f := &Folder{dir: dir, state: filepath.Join(dir, ".policysource-"+source), owned: map[string]bool{}}
	text, err := safefile.Read(f.state, MostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, fmt.Errorf("%s: expected a list of file names: %w", f.state, err)
	}
	for _, name := range names {
		f.owned[name] = true
	}
	return f, nil
}

// Sync gives the folder exactly these files of the source: each is written as a whole or not at all, settings before their module, and what
// the source had otherwise is removed. A file that cannot be taken does not keep the others from it; the errors name the files.
func (f *Folder) Sync(want Files) error {
	var errs []error
	accepted := Files{}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if err := f.check(name, want); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if want[name] != nil || f.owned[name] {
			accepted[name] = want[name]
		}
	}
	gone := slices.DeleteFunc(slices.Sorted(maps.Keys(f.owned)), func(name string) bool { return has(accepted, name) })
	for name := range accepted { // before they are written, so that none is left behind without an owner
		f.owned[name] = true
	}
	if err := f.save(); err != nil {
		return errors.Join(append(errs, err)...)
	}
	errs = append(errs, f.write(accepted)...)
	for _, name := range gone {
		if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
			continue
		}
		delete(f.owned, name)
	}
	return errors.Join(append(errs, f.save())...)
}

func has(files Files, name string) bool {
	_, ok := files[name]
	return ok
}

// check says why a file cannot be taken. Settings need their module in the same source: alone they may name a program, which a source
// cannot start.
func (f *Folder) check(name string, want Files) error {
	ending := filepath.Ext(name)
	module := strings.TrimSuffix(name, ending)
	if ending != wasmEnding && ending != settingsEnding {
		return fmt.Errorf("expected a name that ends in %s or %s", wasmEnding, settingsEnding)
	}
	if err := guest.CheckName(module); err != nil {
		return err
	}
	if !has(want, module+wasmEnding) {
		return fmt.Errorf("expected the file %s%s beside it", module, wasmEnding)
	}
	if len(want[name]) > MostBytes {
		return fmt.Errorf("expected at most %d bytes, found %d", MostBytes, len(want[name]))
	}
	if _, err := os.Lstat(filepath.Join(f.dir, name)); err == nil && !f.owned[name] {
		return fmt.Errorf("the folder %s has a file of this name that is not of this source", f.dir)
	}
	return nil
}

// write writes the files that differ, in the order of their names: NAME.toml comes before NAME.wasm.
func (f *Folder) write(files Files) (errs []error) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(f.dir, name)
		content := files[name]
		if content == nil {
			continue
		}
		if old, err := safefile.Read(path, MostBytes); err == nil && bytes.Equal(old, content) {
			continue
		}
		if err := safefile.WriteFile(path, content, 0o644); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// save writes which files are the source's.
func (f *Folder) save() error {
	text, err := json.Marshal(slices.Sorted(maps.Keys(f.owned)))
	if err != nil {
		return err
	}
	if old, err := safefile.Read(f.state, MostBytes); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return safefile.WriteFile(f.state, text, 0o644)
}
