package program

import (
	"errors"
	"fmt"
	"os"
)

// folderOf refuses what a flag names that is there and no folder.
func folderOf(flag, name string) error {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return usage(fmt.Errorf("%s: %s: expected a folder, found a file", flag, name))
	}
	return nil
}

// makeFolder makes the folder that a flag names, unless it is there.
func makeFolder(flag, name string) error {
	if err := folderOf(flag, name); err != nil {
		return err
	}
	err := os.MkdirAll(name, 0o755)
	var path *os.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path):
		err = path.Err
	}
	return usage(fmt.Errorf("%s: %s: %w", flag, name, err))
}
