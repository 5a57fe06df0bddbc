package docsite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Save writes the site into a folder that is new, empty, or was written by this method before.
func (s *Site) Save(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the folder: %w", err)
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(folder, SearchIndex)); err != nil {
			return fmt.Errorf("%s: expected a new or empty folder, or one with an earlier site, found other files", folder)
		}
	}
	for name, data := range s.Files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
	}
	return nil
}
