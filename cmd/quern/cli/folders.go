package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
)

// FolderOf refuses what a flag names that is there and no folder.
func FolderOf(flag, name string) error {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return Usage(fmt.Errorf("%s: %s: expected a folder, found a file", flag, name))
	}
	return nil
}

// MakeFolder makes the folder that a flag names, unless it is there.
func MakeFolder(flag, name string) error {
	if err := FolderOf(flag, name); err != nil {
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
	return Usage(fmt.Errorf("%s: %s: %w", flag, name, err))
}

// What users other than the owner of a folder or a file must not do with it.
const (
	NoAccess fs.FileMode = 0o077
	NoWrites fs.FileMode = 0o002 // a group may share a folder
	NoReads  fs.FileMode = 0o007 // a group may share a key, as with Secrets of Kubernetes
)

// WarnOpen warns that the mode of a folder or a file allows other users what they must not do with it, and says what they could do.
func WarnOpen(log *slog.Logger, path string, denied fs.FileMode, could string) {
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
