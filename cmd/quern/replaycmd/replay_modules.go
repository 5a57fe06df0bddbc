package replaycmd

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/replay"
)

const modulesFlag = "--record-modules"

// checkModules says what is missing beside --record-modules.
func (f *ReplayFlags) checkModules() error {
	if f.modules != "" && (f.record == "" || f.Policies.Dir == "") {
		return cli.Usage(errors.New(modulesFlag + ": expected --record and --policies beside it"))
	}
	return nil
}

// carry copies the modules that the journal of the run announces, with their settings, so that it can be replayed where they
// are not. Of a process nothing is needed: what it answers is in the journal.
func (f *ReplayFlags) carry(files *safefile.Transaction, policies *replay.Policies) error {
	if f.modules == "" {
		return nil
	}
	if err := cli.MakeFolder(modulesFlag, f.modules); err != nil {
		return err
	}
	for _, module := range policies.Announced() {
		text, err := safefile.Read(filepath.Join(f.Policies.Dir, module.Name+".wasm"), registry.MostBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return cli.Usage(fmt.Errorf("%s: %w", modulesFlag, err))
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != module.SHA256 {
			return fmt.Errorf("%s: %s.wasm has changed since it was loaded", modulesFlag, module.Name)
		}
		if err := f.copyTo(files, module.Name+".wasm", text); err != nil {
			return err
		}
		settings, err := safefile.Read(filepath.Join(f.Policies.Dir, module.Name+".toml"), config.MostSettings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = f.copyTo(files, module.Name+".toml", settings)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *ReplayFlags) copyTo(files *safefile.Transaction, name string, text []byte) error {
	to, err := files.Create(modulesFlag, filepath.Join(f.modules, name))
	if err != nil {
		return err
	}
	_, err = to.Writer().Write(text)
	return err
}
