package program

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
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

// What users other than the owner of a folder or a file must not do with it.
const (
	noAccess fs.FileMode = 0o077
	noWrites fs.FileMode = 0o002 // a group may share a folder
	noReads  fs.FileMode = 0o007 // a group may share a key, as with Secrets of Kubernetes
)

// warnOpen warns that the mode of a folder or a file allows other users what they must not do with it, and says what they could do.
func warnOpen(log *slog.Logger, path string, denied fs.FileMode, could string) {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" { // where a mode says nothing of other users
		return
	}
	kind := "file"
	if info.IsDir() {
		kind = "folder"
	}
	if mode := info.Mode().Perm(); mode&denied != 0 {
		log.Warn("other users "+could, kind, path, "mode", fmt.Sprintf("%04o", mode), "expected", fmt.Sprintf("%04o", mode&^denied))
	}
}
