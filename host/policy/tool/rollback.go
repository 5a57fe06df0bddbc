package tool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/registry"
)

var nameRule = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)

// RolledBack says what Rollback did: the hash now in force, and the one before. Empty: there is no such file.
type RolledBack struct {
	Name        string
	File        string // now in force: the module, or its settings where it is a process
	Now, Before string // sha256
	Refused     bool   // Before was refused, and Now was serving in its place
}

// String says it in a line.
func (r *RolledBack) String() string {
	text := fmt.Sprintf("%s: restored %s with sha256 %s", r.Name, r.File, r.Now)
	switch {
	case r.Refused:
		text += fmt.Sprintf(", the version that serves; the refused one, %s, is now in %s", r.Before, registry.RefusedFolder)
	case r.Before != "":
		text += fmt.Sprintf("; %s is now the previous version", r.Before)
	}
	return text
}

// NoPreviousError says that there is no version of a policy to roll back to.
type NoPreviousError struct{ Name, Folder string }

func (e *NoPreviousError) Error() string {
	return fmt.Sprintf("%s: expected %s or %s, the previous version; found neither", e.Folder, e.Name+wasmEnding, e.Name+settingsEnding)
}

// Rollback puts the version before of a policy in force again, DIR/.previous/NAME.wasm and NAME.toml, and keeps what was
// in force in its place: done twice it changes nothing. If a host has refused the files in the folder, the version that serves is restored
// instead, from DIR/.serving, and the refused files go to DIR/.refused. While it works the files that stay are there at every moment.
// The error may be a *NoPreviousError in an *InputError.
func Rollback(dir, name string) (*RolledBack, error) {
	if !nameRule.MatchString(name) {
		return nil, badInput("name: expected small letters, digits and . _ -, at most 63, found %q", name)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, &InputError{safefile.WithPath(dir, err)}
	} else if !info.IsDir() {
		return nil, badInput("%s: expected a folder of policies, found a file", dir)
	}
	kept, exchange, refused := filepath.Join(dir, registry.PreviousFolder, name), swap, false
	if serving := filepath.Join(dir, registry.ServingFolder, name); either(serving) {
		kept, refused = serving, true
		exchange = func(now, kept string) error {
			return replace(now, kept, filepath.Join(dir, registry.RefusedFolder, filepath.Base(now)))
		}
	} else if !either(kept) {
		return nil, &InputError{&NoPreviousError{name, filepath.Dir(kept)}}
	}
	now := filepath.Join(dir, name)
	before, _ := inForce(now) // what cannot be read has no hash, and goes anyway
	for _, ending := range []string{settingsEnding, wasmEnding} {
		if err := exchange(now+ending, kept+ending); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	hash, file := inForce(now)
	return &RolledBack{Name: name, File: file, Now: hash, Before: before, Refused: refused}, nil
}

// either reports whether there is a module or its settings.
func either(path string) bool { return exists(path+wasmEnding) || exists(path+settingsEnding) }

// replace puts a kept file in the place of another one, which goes aside, in the place of what is there. Either may be missing.
func replace(now, kept, aside string) error {
	if err := os.MkdirAll(filepath.Dir(aside), 0o755); err != nil {
		return err
	}
	if err := os.Remove(aside); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	there, before := exists(now), exists(kept)
	if there && !before {
		return os.Rename(now, aside)
	}
	if there {
		if err := keepAside(now, aside); err != nil {
			return err
		}
	}
	if !before {
		return nil
	}
	return os.Rename(kept, now)
}

// inForce is the hash of a policy's module, or of the settings that name its program, and that file.
func inForce(path string) (hash, file string) {
	for _, ending := range []string{wasmEnding, settingsEnding} {
		if hash, _, err := safefile.Hash(path+ending, registry.MostBytes); err == nil {
			return hash, filepath.Base(path + ending)
		}
	}
	return "", ""
}

// swap exchanges two files, of which either may be missing. Where both are there, the first is there at every moment.
func swap(now, kept string) error {
	switch there, before := exists(now), exists(kept); {
	case !there && !before:
		return nil
	case !there:
		return os.Rename(kept, now)
	case !before:
		return os.Rename(now, kept)
	}
	aside := filepath.Join(filepath.Dir(kept), "."+filepath.Base(kept)+".swap")
	if err := os.Remove(aside); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := keepAside(now, aside); err != nil {
		return err
	}
	return errors.Join(os.Rename(kept, now), os.Rename(aside, kept))
}

// keepAside gives a file a second name; where the file system cannot, it is copied.
func keepAside(path, aside string) error {
	if os.Link(path, aside) == nil {
		return nil
	}
	data, err := safefile.Read(path, registry.MostBytes)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return safefile.WriteFile(aside, data, info.Mode().Perm())
}
