package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The endings of the files of a module.
const (
	wasmEnding     = ".wasm"
	settingsEnding = ".toml"
)

// MostBytes bounds a module's file, and MostSettings its settings.
const (
	MostBytes    = 8 << 20
	MostSettings = 1 << 20
)

// candidate is a module in a folder, as its files stand there.
type candidate struct {
	name     string
	wasm     string // path; empty: a process, or nothing
	settings string // path; empty: none
}

// candidates lists what a folder holds, by name. Hidden files, and what has another ending, are left alone.
func candidates(dir string) ([]candidate, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("policies: %w", err)
	}
	found := map[string]*candidate{}
	for _, e := range entries {
		file := e.Name()
		ending := filepath.Ext(file)
		if strings.HasPrefix(file, ".") || ending != wasmEnding && ending != settingsEnding {
			continue
		}
		name := strings.TrimSuffix(file, ending)
		c := found[name]
		if c == nil {
			c = &candidate{name: name}
			found[name] = c
		}
		if ending == wasmEnding {
			c.wasm = filepath.Join(dir, file)
		} else {
			c.settings = filepath.Join(dir, file)
		}
	}
	list := make([]candidate, 0, len(found))
	for _, c := range found {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b candidate) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// candidateOf is the module of a file, NAME.wasm or NAME.toml, with the other of the two where it lies beside it.
func candidateOf(path string) (candidate, error) {
	ending := filepath.Ext(path)
	if ending != wasmEnding && ending != settingsEnding {
		return candidate{}, fmt.Errorf("%s: expected a file NAME%s or NAME%s", path, wasmEnding, settingsEnding)
	}
	if _, err := os.Stat(path); err != nil {
		return candidate{}, plain(path, err)
	}
	base := strings.TrimSuffix(path, ending)
	c := candidate{name: filepath.Base(base)}
	for file, to := range map[string]*string{base + wasmEnding: &c.wasm, base + settingsEnding: &c.settings} {
		if _, err := os.Stat(file); err == nil {
			*to = file
		}
	}
	return c, nil
}

// path is the file to name when the module as a whole is to blame.
func (c candidate) path() string {
	if c.wasm != "" {
		return c.wasm
	}
	return c.settings
}

// readSettings reads NAME.toml, if there is one.
func (c candidate) readSettings() (*Settings, []byte, error) {
	if c.settings == "" {
		return &Settings{}, nil, nil
	}
	text, err := ReadFile(c.settings, MostSettings)
	if err != nil {
		return nil, nil, err
	}
	s, err := parseSettings(c.settings, text)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case c.wasm == "" && s.Process.Command == "":
		return nil, nil, at(c.settings, text, []string{"process", "command"}, fmt.Errorf("expected it, or the file %s%s beside this one", c.name, wasmEnding))
	case c.wasm != "" && s.Process.Command != "":
		return nil, nil, at(c.settings, text, []string{"process", "command"}, fmt.Errorf("expected none, since %s is there", filepath.Base(c.wasm)))
	}
	return s, text, nil
}

// ReadFile reads a regular file that has at most so many bytes. Errors begin with the path.
func ReadFile(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, plain(path, err)
	}
	switch {
	case info.IsDir():
		return nil, fmt.Errorf("%s: expected a file, found a folder", path)
	case !info.Mode().IsRegular(): // a pipe, say, which would be waited for
		return nil, fmt.Errorf("%s: expected a file, found something else (%v)", path, info.Mode().Type())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(path, err)
	}
	var data bytes.Buffer
	data.Grow(int(min(info.Size(), most)) + bytes.MinRead) // else a large file is copied many times
	_, err = data.ReadFrom(io.LimitReader(f, most+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, plain(path, err)
	}
	if int64(data.Len()) > most {
		return nil, fmt.Errorf("%s: expected at most %d bytes, found more", path, most)
	}
	return data.Bytes(), nil
}

// plain says what is wrong with a file as other errors do, the file first.
func plain(path string, err error) error {
	var bad *fs.PathError
	if errors.As(err, &bad) {
		err = bad.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
