package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/safefile"
)

// The endings of the files of a module.
const (
	wasmEnding     = ".wasm"
	settingsEnding = ".toml"
)

// MostBytes bounds a module's file.
const MostBytes = 8 << 20

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
		return nil, safefile.WithPath(dir, err)
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
		return candidate{}, safefile.WithPath(path, err)
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
	text, err := safefile.Read(c.settings, config.MostSettings)
	if err != nil {
		return nil, nil, err
	}
	s, err := parseSettings(c.settings, text)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case c.wasm == "" && s.Process.Command == "":
		return nil, nil, at(c.settings, text, []string{"process", "command"}, fmt.Errorf("expected a command, or the file %s%s beside this one", c.name, wasmEnding))
	case c.wasm != "" && s.Process.Command != "":
		return nil, nil, at(c.settings, text, []string{"process", "command"}, fmt.Errorf("expected no command, since %s exists", filepath.Base(c.wasm)))
	}
	if key, err := s.applies(c.wasm != ""); err != nil {
		return nil, nil, at(c.settings, text, key, err)
	}
	return s, text, nil
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
