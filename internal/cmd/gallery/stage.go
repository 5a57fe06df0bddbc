package main

import (
	"errors"
	"os"
	"path/filepath"
)

// stage copies a module that was built, and the settings that it ships with, into a folder. Without the module the error is
// os.ErrNotExist.
func stage(dir, root, name string) error {
	module := filepath.Join(root, "build", "policies", name+".wasm")
	if err := copyFile(filepath.Join(dir, name+".wasm"), module); err != nil {
		return err
	}
	err := copyFile(filepath.Join(dir, name+".toml"), filepath.Join(root, "plugins", name, name+".toml"))
	if errors.Is(err, os.ErrNotExist) {
		return nil // it has none
	}
	return err
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
