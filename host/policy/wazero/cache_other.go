//go:build !unix

package wazero

import (
	"errors"
	"io/fs"
	"os"
)

// lockFolder knows no locks here.
func lockFolder(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// ours knows no owners here: the system's own rules for a user's folders have to do.
func ours(string, fs.FileInfo) error { return nil }
