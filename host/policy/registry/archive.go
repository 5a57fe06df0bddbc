package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quern-project/quern/host/files/safefile"
)

// ArchiveFolder is the folder, in that of the record and in that of the modules of a replay, with the modules that the record announces:
// SHA256.wasm. They are found by their hash alone, and announced by the record alone.
const ArchiveFolder = "modules"

// archives are the folders in which modules are found by hash.
func (o *Options) archives() (list []string) {
	if o.Archive != "" {
		list = append(list, o.Archive)
	}
	if o.Dir != "" {
		list = append(list, filepath.Join(o.Dir, ArchiveFolder))
	}
	return list
}

// archived finds the file with a hash; empty: there is none.
func (r *Registry) archived(sha256 string) string {
	for _, folder := range r.options.archives() {
		path := filepath.Join(folder, sha256+wasmEnding)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// Preserve writes a module of WebAssembly that serves to the archive, so that recovery finds it whatever becomes of its file. It is for
// before the announcement. What is not to be found there, since it is a program or there is no archive, is left alone.
func (r *Registry) Preserve(name string) error {
	r.mu.Lock()
	m := r.current[name]
	r.mu.Unlock()
	if r.options.Archive == "" || m == nil || m.wasm == "" {
		return nil
	}
	path := filepath.Join(r.options.Archive, m.sha256+wasmEnding)
	if found, _, err := safefile.Hash(path, MostBytes); err == nil && found == m.sha256 {
		return nil
	}
	if err := os.MkdirAll(r.options.Archive, 0o700); err != nil {
		return fmt.Errorf("policy %q: %w", name, err)
	}
	if err := safefile.WriteFile(path, m.data, 0o600); err != nil {
		return fmt.Errorf("policy %q: %w", name, err)
	}
	return syncFolder(r.options.Archive)
}

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// CopyArchived copies modules from an archive to that of another folder, which a replay is given.
func CopyArchived(archive, folder string, hashes []string) error {
	into := filepath.Join(folder, ArchiveFolder)
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	for _, sha256 := range hashes {
		data, err := readWith(filepath.Join(archive, sha256+wasmEnding), sha256)
		if err == nil {
			err = safefile.WriteFile(filepath.Join(into, sha256+wasmEnding), data, 0o644)
		}
		if err != nil {
			return fmt.Errorf("a module that the record announces: %w", err)
		}
	}
	return nil
}

// Prune removes the modules from an archive that are not needed.
func Prune(archive string, needed func(sha256 string) bool) error {
	entries, err := os.ReadDir(archive)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if sha256, ok := strings.CutSuffix(e.Name(), wasmEnding); ok && len(sha256) == 64 && !needed(sha256) {
			err = errors.Join(err, os.Remove(filepath.Join(archive, e.Name())))
		}
	}
	return err
}
