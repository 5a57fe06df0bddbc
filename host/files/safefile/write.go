package safefile

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile writes a temporary file beside a path and then renames it, so that no reader ever sees half of it.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error is returned
	}
	return err
}
