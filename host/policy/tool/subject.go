package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/wasm/module/gate"
)

// InputError is an error about a file or a name that cannot be used: the caller's fault.
type InputError struct{ error }

// Unwrap returns what was wrong.
func (e *InputError) Unwrap() error { return e.error }

func badInput(format string, args ...any) error {
	return &InputError{fmt.Errorf(format, args...)}
}

// Endings of the files of a policy.
const (
	wasmEnding     = ".wasm"
	settingsEnding = ".toml"
)

// defaultDeadline is that of the host.
const defaultDeadline = 10 * time.Millisecond

// Subject is a policy: a module, or a program that its settings name.
type Subject struct {
	Name     string // of the file, without its ending: what configurations call the policy
	Dir      string
	File     string           // the module or the program
	Settings string           // NAME.toml; empty: there is none
	Process  bool             // File is a program
	Deadline time.Duration    // of a call of the program
	SHA256   string           // of File, 64 hexadecimal digits
	Data     []byte           // of a module
	Bytes    int64            // of File
	Sandbox  *sandbox.Sandbox // confines a program; nil: nothing does
	Broken   error            // why a module is no WebAssembly that the gate could rewrite, with its file; nil: it is
}

// Find finds the policy of a file: NAME.wasm, or NAME.toml, which names a program or lies beside NAME.wasm. A file that
// cannot be read is an InputError.
func Find(path string) (*Subject, error) {
	ending := filepath.Ext(path)
	if ending != wasmEnding && ending != settingsEnding {
		return nil, badInput("%s: expected NAME.wasm or NAME.toml", path)
	}
	if f, _, err := safefile.Open(path); err != nil {
		return nil, &InputError{err}
	} else if err := f.Close(); err != nil {
		return nil, &InputError{safefile.WithPath(path, err)}
	}
	s := &Subject{Name: strings.TrimSuffix(filepath.Base(path), ending), Dir: filepath.Dir(path)}
	s.File = s.beside(wasmEnding)
	if ending == settingsEnding || exists(s.beside(settingsEnding)) {
		s.Settings = s.beside(settingsEnding)
	}
	if ending == settingsEnding && !exists(s.File) {
		return s, s.findProgram()
	}
	return s, s.readModule()
}

// path is the file that the policy is opened by.
func (s *Subject) path() string {
	if s.Process {
		return s.Settings
	}
	return s.beside(wasmEnding)
}

func (s *Subject) beside(ending string) string { return filepath.Join(s.Dir, s.Name+ending) }

func (s *Subject) readModule() (err error) {
	if s.Data, err = readFile(s.File, registry.MostBytes); err != nil {
		return err
	}
	if _, err := gate.Inspect(s.Data, gate.Limits{}); err != nil {
		s.Broken = fmt.Errorf("%s: %w", s.File, err)
	}
	sum := sha256.Sum256(s.Data)
	s.SHA256, s.Bytes = hex.EncodeToString(sum[:]), int64(len(s.Data))
	return nil
}

// findProgram reads which program the settings name. The host reports other errors in them.
func (s *Subject) findProgram() error {
	text, err := readFile(s.Settings, config.MostSettings)
	if err != nil {
		return err
	}
	var settings struct {
		Process struct {
			Command string `toml:"command"`
		} `toml:"process"`
		Limits struct {
			Deadline string `toml:"deadline"`
		} `toml:"limits"`
	}
	if _, err := config.DecodeTOML(s.Settings, text, &settings); err != nil {
		return &InputError{err}
	}
	command := settings.Process.Command
	if command == "" {
		return badInput("%s: expected the key process.command, or the file %s beside this one", s.Settings, filepath.Base(s.File))
	}
	if !filepath.IsAbs(command) {
		command = filepath.Join(s.Dir, command)
	}
	s.File, s.Process = command, true
	if s.Deadline, err = time.ParseDuration(settings.Limits.Deadline); err != nil {
		s.Deadline = defaultDeadline // where it is not left out, the host tells what is wrong with it
	}
	if s.SHA256, s.Bytes, err = safefile.Hash(command, process.MostBytes); err != nil {
		return &InputError{err}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readFile reads a file that the user named.
func readFile(path string, most int64) ([]byte, error) {
	data, err := safefile.Read(path, most)
	if err != nil {
		return nil, &InputError{err}
	}
	return data, nil
}
