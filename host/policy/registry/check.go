package registry

import (
	"fmt"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/sdk/abi/manifests"
	"github.com/quern-project/quern/wasm/module/guest"
)

// CheckManifest says what is wrong with a manifest, as a module without settings would serve with it; nil where nothing is.
func CheckManifest(text []byte) error {
	m, err := manifests.Parse(text)
	if err != nil {
		return err
	}
	if err := guest.CheckName(m.Name); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	_, err = resolve(m.Name, m, &Settings{}, "", nil, false)
	return err
}

// IsModule reports whether a file belongs to a policy module: NAME.wasm, or NAME.toml that lies beside NAME.wasm or names
// a program.
func IsModule(path string) bool {
	c, err := candidateOf(path)
	if err != nil {
		return false
	}
	if c.wasm != "" {
		return true
	}
	text, err := safefile.Read(c.settings, config.MostSettings)
	if err != nil {
		return false
	}
	s, err := parseSettings(c.settings, text)
	return err == nil && s.Process.Command != ""
}
