package wazero

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quern-project/quern/host/files/safefile"
)

// keyBytes is the size of the key.
const keyBytes = 32

// cacheKey reads the key of a cache's sums, and makes one where there is none, or a torn one.
func cacheKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, "key")
	for range 3 {
		f, info, err := safefile.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			if err := makeKey(path, os.Link); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		key := make([]byte, keyBytes)
		_, torn := io.ReadFull(f, key)
		_ = f.Close() // it was only read
		if err := ours(path, info); err != nil {
			return nil, &FolderError{fmt.Sprintf("%v; remove the file: another one is created, and the modules are compiled again", err)}
		}
		if torn == nil && info.Size() == keyBytes {
			return key, nil
		}
		if err := makeKey(path, os.Rename); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s: expected %d bytes, found it changed by another program", path, keyBytes)
}

// makeKey writes a key and puts it in its place whole.
func makeKey(path string, place func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "key-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // which is gone where it was renamed
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // which never fails
	_, err = f.Write(key)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return place(f.Name(), path)
}
