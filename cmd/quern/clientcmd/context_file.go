package clientcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/host/files/safefile"
)

// hostContext is a live scheduler by a name of the user's. A token itself is never part of it.
type hostContext struct {
	Server    string `toml:"server"`
	TokenFile string `toml:"token-file,omitempty"`
	CA        string `toml:"ca,omitempty"`
	Cert      string `toml:"cert,omitempty"`
	Key       string `toml:"cert-key,omitempty"`
}

// contexts are what the user's configuration folder keeps.
type contexts struct {
	Current string                 `toml:"current,omitempty"`
	Context map[string]hostContext `toml:"context"`
}

// contextsFile is the name of the file, in the user's configuration folder.
func contextsFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("the user's configuration folder cannot be found: %w", err)
	}
	return filepath.Join(dir, "quern", "contexts.toml"), nil
}

// readContexts reads the file; none is no contexts.
func readContexts() (*contexts, error) {
	c := &contexts{Context: map[string]hostContext{}}
	file, err := contextsFile()
	if err != nil {
		return c, nil //nolint:nilerr // where there is no such folder, there are no contexts
	}
	text, err := safefile.Read(file, config.MostSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	meta, err := config.DecodeTOML(file, text, c)
	if err != nil {
		return nil, cli.Usage(err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, cli.Usage(fmt.Errorf("%s: %s: expected current, or server, token-file, ca, cert and cert-key of a context", file, unknown[0]))
	}
	return c, nil
}

// write replaces the file. Other users may not read it, since it says where tokens are.
func (c *contexts) write() error {
	file, err := contextsFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return err
	}
	old, err := os.CreateTemp(filepath.Dir(file), ".contexts-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = old.Write(b.Bytes())
	if err = errors.Join(err, old.Sync(), old.Close()); err == nil {
		err = os.Rename(old.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(old.Name()))
	}
	return nil
}

func (c *contexts) names() []string { return slices.Sorted(maps.Keys(c.Context)) }

// named is the context of a name; empty: the current one, or none.
func (c *contexts) named(name string) (hostContext, error) {
	if name == "" {
		name = c.Current
	}
	if name == "" {
		return hostContext{}, nil
	}
	found, ok := c.Context[name]
	if !ok {
		known := "none"
		if len(c.Context) > 0 {
			known = strings.Join(c.names(), ", ")
		}
		return found, cli.Usage(fmt.Errorf("there is no context %q; there are: %s%s", name, known, nearest.Hint(nearest.Names(name, c.names()))))
	}
	return found, nil
}
