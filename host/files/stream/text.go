package stream

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/quern-project/quern/core"
)

// maxText bounds a configuration; ten thousand queues take about one megabyte.
const maxText = 64 << 20

// Text reads a whole small file, or standard input.
func Text(name string, env Env) ([]byte, error) {
	r, err := open(name, env)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return nil, &Error{fmt.Errorf("%s: %w", name, err)}
	}
	if len(text) > maxText {
		return nil, &Error{fmt.Errorf("%s: expected at most 64 MiB, found more", name)}
	}
	return text, nil
}

// FormatOf is the configuration format that a name says: toml, or else yaml. The ending of a compressed file is left aside.
func FormatOf(name string) string {
	for _, ending := range []string{".gz", ".zst"} {
		if strings.EqualFold(filepath.Ext(name), ending) {
			name = name[:len(name)-len(ending)]
		}
	}
	if strings.EqualFold(filepath.Ext(name), ".toml") {
		return "toml"
	}
	return "yaml"
}

// Config reads a queue configuration.
func Config(name string, env Env) (*core.SetConfig, error) {
	text, err := Text(name, env)
	if err != nil {
		return nil, err
	}
	return &core.SetConfig{Config: string(text), Format: FormatOf(name), File: name}, nil
}

// Spool copies standard input to a temporary file and lets env read that from then on, as often as wanted.
func Spool(env *Env) (remove func(), err error) {
	f, err := os.CreateTemp("", "quern-*.journal")
	if err != nil {
		return nil, err
	}
	remove = func() { _ = os.Remove(f.Name()) }
	r := interruptible(env.Context, env.Stdin)
	_, err = io.Copy(f, r)
	_ = r.Close()
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		remove()
		return nil, err
	}
	env.Spooled = f.Name()
	return remove, nil
}
