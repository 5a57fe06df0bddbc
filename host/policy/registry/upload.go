package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Files are the files of a module. A nil one stays unchanged.
type Files struct{ Wasm, Settings []byte }

// ErrNoModule says that the folder has no module of a name.
var ErrNoModule = errors.New("the folder has no module of this name")

// Put writes the files of a module to the folder, once it was proven with them, and puts it in force. A Refusal says what is wrong; then
// the folder is as it was. Programs are refused: a client that may name one could run anything as the user of the host.
func (r *Registry) Put(ctx context.Context, name string, f Files) ([]Change, error) {
	if err := guest.CheckName(name); err != nil {
		return nil, Refusal{name, err}
	}
	r.scanning.Lock()
	defer r.scanning.Unlock()
	was := candidate{name: name, wasm: r.existing(name, wasmEnding), settings: r.existing(name, settingsEnding)}
	if f.Wasm == nil && was.wasm == "" {
		return nil, ErrNoModule
	}
	before, err := was.files()
	if err == nil {
		err = r.tryFiles(ctx, name, before.with(f))
	}
	if err == nil {
		err = r.write(name, f)
	}
	if err != nil {
		return nil, err
	}
	changes, refused, err := r.rescan(ctx, name)
	for _, x := range refused {
		if x.Name == name { // it can be proven alone, and not beside the others
			err = errors.Join(x, r.restore(name, before))
			_, _, again := r.rescan(ctx, name)
			return nil, errors.Join(err, again)
		}
	}
	return changes, err
}

// existing is the path of a module's file; empty: there is none.
func (r *Registry) existing(name, ending string) string {
	path := filepath.Join(r.options.Dir, name+ending)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// files reads the files of a module.
func (c candidate) files() (f Files, err error) {
	if c.wasm != "" {
		if f.Wasm, err = safefile.Read(c.wasm, MostBytes); err != nil {
			return f, err
		}
	}
	if c.settings != "" {
		f.Settings, err = safefile.Read(c.settings, MostBytes)
	}
	return f, err
}

// with is what is there once others have been written.
func (f Files) with(others Files) Files {
	if others.Wasm != nil {
		f.Wasm = others.Wasm
	}
	if others.Settings != nil {
		f.Settings = others.Settings
	}
	return f
}

// tryFiles proves a module in a folder of its own, which nothing is taken from.
func (r *Registry) tryFiles(ctx context.Context, name string, f Files) error {
	dir, err := os.MkdirTemp("", "quern-upload-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is of no use any more
	c := candidate{name: name, wasm: filepath.Join(dir, name+wasmEnding)}
	if err := os.WriteFile(c.wasm, f.Wasm, 0o600); err != nil {
		return err
	}
	if f.Settings != nil {
		c.settings = filepath.Join(dir, name+settingsEnding)
		if err := os.WriteFile(c.settings, f.Settings, 0o600); err != nil {
			return err
		}
	}
	m, err := r.prove(ctx, c)
	if err != nil {
		return Refusal{name, errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))}
	}
	m.retire()
	return nil
}

// write writes files to the folder, the settings first: a pin in them fits the new module.
func (r *Registry) write(name string, f Files) error {
	base := filepath.Join(r.options.Dir, name)
	if f.Settings != nil {
		if err := safefile.WriteFile(base+settingsEnding, f.Settings, 0o644); err != nil {
			return err
		}
	}
	if f.Wasm != nil {
		return safefile.WriteFile(base+wasmEnding, f.Wasm, 0o644)
	}
	return nil
}

// restore puts files back, and removes those that were not there.
func (r *Registry) restore(name string, f Files) error {
	base := filepath.Join(r.options.Dir, name)
	for ending, data := range map[string][]byte{wasmEnding: f.Wasm, settingsEnding: f.Settings} {
		if data == nil {
			if err := os.Remove(base + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return r.write(name, f)
}

// Delete removes the files of a module from the folder, and has it go. The version is kept for a rollback.
func (r *Registry) Delete(ctx context.Context, name string) ([]Change, error) {
	if err := guest.CheckName(name); err != nil {
		return nil, ErrNoModule
	}
	r.scanning.Lock()
	defer r.scanning.Unlock()
	gone := false
	for _, ending := range []string{wasmEnding, settingsEnding} {
		switch err := os.Remove(filepath.Join(r.options.Dir, name+ending)); {
		case err == nil:
			gone = true
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("policy %q: %w", name, err)
		}
	}
	if !gone {
		return nil, ErrNoModule
	}
	changes, _, err := r.rescan(ctx, name)
	return changes, err
}

// Rescan looks at one module of the folder at once, which the caller has just written.
func (r *Registry) Rescan(ctx context.Context, name string) ([]Change, []Refusal, error) {
	r.scanning.Lock()
	defer r.scanning.Unlock()
	return r.rescan(ctx, name)
}

func (r *Registry) rescan(ctx context.Context, name string) ([]Change, []Refusal, error) {
	return r.scan(ctx, func(c candidate) bool {
		if c.name != name {
			return false
		}
		delete(r.moving, name)
		r.seen[name] = look(c, fileState{})
		return true
	})
}
